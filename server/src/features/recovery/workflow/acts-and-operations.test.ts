import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import {
  invoiceInput,
  mondayMorning,
  type TestInstallation,
  useInstallation,
} from '../../../../test/harness/use-installation.ts'
import { cascadeOf } from '../../../domain/recovery/cascade.ts'
import { timeBarOf } from '../../../domain/recovery/time-bar.ts'

const installation: TestInstallation = useInstallation({ own: 'stops or changes parts', redisUrl: undefined })

// As in an installation that has a provider for every channel.
beforeAll(() => installation.sql(`update installation set missing_channels = '{}'`))

interface Act {
  act: string
  allowed: boolean
  because: string | null
  heldBy: string[]
}

const days = (n: number) => new Date(mondayMorning + n * 86_400_000).toISOString()

/** What happened to the invoice before it is looked at. */
const events = [
  ...['none', 'none', 'pause', 'dispute', 'promise', 'part_paid', 'paid', 'credited', 'refunded'],
  ...['written_off', 'cancelled', 'requested', 'waived', 'debtor_paused', 'insolvent', 'upheld', 'opted_out'],
] as const

const situations = fc.record({
  type: fc.constantFrom('business', 'consumer', 'public_body'),
  country: fc.constantFrom('FR', 'FR', 'FR', 'US', 'DE'),
  hasPhone: fc.boolean(),
  hasAddress: fc.boolean(),
  amountCents: fc.constantFrom(5_000, 20_000, 120_000),
  isStarted: fc.constantFrom(true, true, true, false),
  /** Share of the cascade that is behind it; null: nothing was sent yet. */
  progress: fc.option(fc.constantFrom(0.2, 0.5, 0.8, 1)),
  notice: fc.option(fc.constantFrom(-30, -10)),
  dueDate: fc.constantFrom('2026-10-15', '2026-10-15', '2023-01-10', '2020-01-10'),
  event: fc.constantFrom(...events),
})
type Situation = typeof situations extends fc.Arbitrary<infer T> ? T : never

const request = async (method: string, path: string, body?: object) =>
  installation.call<Record<string, unknown>>(method, path, body && { body })
async function done(method: string, path: string, body?: object) {
  const answer = await request(method, path, body)
  // An event that is not possible in this situation leaves it as it is.
  return answer.status < 300 ? (answer.body.data ?? {}) : {}
}

async function makeInvoice(situation: Situation) {
  const unique = randomUUID().slice(0, 8)
  const { type, country, hasPhone, hasAddress, amountCents, event } = situation
  const input = invoiceInput({
    debtor: {
      name: `Debiteur ${unique}`,
      email: `compta@d${unique}.example`,
      type,
      country,
      ...(hasPhone && { phone: `+336${String(10_000_000 + Math.floor(Math.random() * 80_000_000))}` }),
      ...(hasAddress && { address: '12 rue Mercière', city: 'Lyon', postalCode: '69002' }),
    },
    amountCents,
    dueDate: '2027-02-01',
  })
  const created = await request('POST', '/api/v1/invoices/bulk', {
    invoices: [input],
    autoStartWorkflow: situation.isStarted,
  })
  const [result] = created.body.data.results as { id?: string }[]
  expect(result!.id, created.text).toBeDefined()
  const id = result!.id!
  const { debtor } = (await done('GET', `/api/v1/invoices/${id}`)) as unknown as { debtor: { id: string } }
  await installation.sql(`update invoices set due_date = $2::date, issue_date = $2::date where id = $1`, [
    id,
    situation.dueDate,
  ])
  const issued = { issueDate: situation.dueDate, suppliedOn: null, limitationMonths: null }
  const { endsOn, from } = timeBarOf({ ...issued, type: situation.type, acknowledgedOn: [] })
  await installation.sql(
    'update recoveries set limitation_ends_on = $2, limitation_from = $3 where invoice_id = $1',
    [id, endsOn, from],
  )
  if (situation.isStarted) {
    await installation.sql(`update agendas set parked_because = 'calendar_horizon' where debtor_id = $1`, [
      debtor.id,
    ])
    if (situation.progress !== null) await putProgress(id, situation.progress, situation.notice)
  }
  await makeEvent(event, id, debtor.id, amountCents)
  return { id, debtorId: debtor.id }
}

async function putProgress(id: string, progress: number, notice: number | null) {
  const [recovery] = await installation.sql<{ cascade: string; cascade_version: number }>(
    'select cascade, cascade_version from recoveries where invoice_id = $1',
    [id],
  )
  const steps = cascadeOf(recovery!.cascade, recovery!.cascade_version, null).steps.map(({ name }) => name)
  const last = Math.max(0, Math.min(steps.length - 1, Math.round(steps.length * progress) - 1))
  await installation.sql(
    `update recoveries set step = $2, last_action = $3, notice_at = $4,
       due_at = case when $5 then null else due_at end, wish_at = case when $5 then null else wish_at end
      where invoice_id = $1`,
    [id, last, steps[last] ?? 'email_prise_en_charge', notice === null ? null : days(notice), progress === 1],
  )
}

async function makeEvent(event: Situation['event'], id: string, debtorId: string, amountCents: number) {
  const pay = (cents: number) =>
    done('POST', '/api/v1/payments', { invoiceId: id, amountCents: cents, method: 'bank_transfer' })
  switch (event) {
    case 'none':
      return
    case 'pause':
      return done('POST', `/api/v1/workflow/invoice/${id}/trigger`, { action: 'pause' })
    case 'dispute':
      return done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Not delivered' })
    case 'promise':
      return done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-12-01' })
    case 'part_paid':
      return pay(100)
    case 'paid':
      return pay(amountCents)
    case 'credited':
      return done('POST', `/api/v1/invoices/${id}/credits`, {
        number: `AV-${id.slice(-8)}`,
        amountCents,
        issuedOn: '2026-11-16',
      })
    case 'refunded': {
      const payment = await pay(amountCents)
      return done('POST', `/api/v1/payments/${payment.id}/refund`, {})
    }
    case 'written_off':
      return done('POST', `/api/v1/invoices/${id}/write-off`, { basis: 'amicable_failed' })
    case 'cancelled':
      return done('POST', `/api/v1/invoices/${id}/cancel`, { reason: 'Invoiced twice' })
    case 'requested':
      return done('POST', `/api/v1/workflow/invoice/${id}/communications`, {
        channel: 'email',
        at: '2026-12-08T10:00:00+01:00',
      })
    case 'waived':
      return done('POST', `/api/v1/invoices/${id}/late-payment/waive`, { reason: 'A good customer' })
    case 'debtor_paused':
      return done('POST', `/api/v1/debtors/${debtorId}/pause`, {})
    case 'insolvent':
      return done('PUT', `/api/v1/debtors/${debtorId}`, {
        insolvency: { kind: 'safeguard', openedOn: '2026-11-10' },
      })
    case 'upheld':
      return installation.sql(
        `update recoveries set holds = '{upheld}', status = 'paused', paused_at = $2, due_at = null, wish_at = null
          where invoice_id = $1 and status = 'in_recovery'`,
        [id, days(0)],
      )
    case 'opted_out':
      for (const channel of ['email', 'sms', 'voice', 'lrar'])
        await done('POST', `/api/v1/debtors/${debtorId}/opt-out`, { channel })
  }
}

type Attempt = [method: string, path: string, body?: object]

/** The requests that try an act. Those without a dry run come last: they change the invoice. */
async function attemptsOf(id: string): Promise<Record<string, Attempt[]>> {
  const [payment] = await installation.sql<{ id: string }>(
    `select id from payments where invoice_id = $1 order by status = 'completed' desc limit 1`,
    [id],
  )
  const [extra] = await installation.sql<{ id: string }>(
    `select id from extra_messages where invoice_id = $1 and step = 'extra_message' order by status = 'planned' desc limit 1`,
    [id],
  )
  const trigger = (action: string): Attempt[] => [
    ['POST', `/api/v1/workflow/invoice/${id}/trigger`, { action, dryRun: true }],
  ]
  const invoice = (path: string, body: object): Attempt[] => [
    ['POST', `/api/v1/invoices/${id}/${path}`, { ...body, dryRun: true }],
  ]
  return {
    start: trigger('start'),
    pause: trigger('pause'),
    resume: trigger('resume'),
    escalate: [
      ...trigger('escalate'),
      [
        'POST',
        `/api/v1/workflow/invoice/${id}/trigger`,
        { action: 'escalate', noticeReceived: true, dryRun: true },
      ],
    ],
    message: ['email', 'sms', 'voice', 'lrar'].map(channel => [
      'POST',
      `/api/v1/workflow/invoice/${id}/communications`,
      { channel, dryRun: true },
    ]),
    promise: invoice('promise', { date: '2026-12-01' }),
    dispute: invoice('dispute', { reason: 'Not delivered' }),
    resolve_dispute: ['rejected', 'upheld'].flatMap(outcome => invoice('dispute/resolve', { outcome })),
    payment: [
      ['POST', '/api/v1/payments', { invoiceId: id, amountCents: 1, method: 'bank_transfer', dryRun: true }],
    ],
    refund: [['POST', `/api/v1/payments/${payment?.id ?? randomUUID()}/refund`, { dryRun: true }]],
    credit: invoice('credits', { number: `AV-${randomUUID()}`, amountCents: 1, issuedOn: '2026-11-16' }),
    cancel: invoice('cancel', { reason: 'Invoiced twice' }),
    write_off: invoice('write-off', { basis: 'untraceable' }),
    take_back: [['DELETE', `/api/v1/workflow/invoice/${id}/communications/${extra?.id ?? randomUUID()}`]],
    file: [
      [
        'POST',
        `/api/v1/workflow/invoice/${id}/filing`,
        { filedOn: '2026-11-16', filingProof: 'RG 26/01234', dryRun: true },
      ],
    ],
    waive_late_payment: [
      ['POST', `/api/v1/invoices/${id}/late-payment/waive`, { reason: 'A good customer' }],
    ],
  }
}

/** What the operation says where the act names this obstacle: words of its sentence, or the code of a detail. */
const sayings: Record<string, RegExp> = {
  paid: /paid/,
  written_off: /written off/,
  cancelled: /cancelled/,
  disputed: /disput/,
  no_dispute: /no (open )?dispute/i,
  already_started: /started already/,
  wrong_status: /The recovery (is|has not)/,
  not_running: /recovery|reminders/,
  late_payment_paid: /paid/,
  late_payment_waived: /waived/,
  no_payment: /no such payment|refunded/,
  no_message: /no such message|only one that is still planned/,
  no_channel: /"field":"channel"/,
  calendar_missing: /no calendar of public holidays/,
  foreign_consumer: /rules that protect consumers/,
  time_barred: /time-barred/,
  amicable_stage_runs: /amicable stage/,
}

async function compare(situation: Situation, met: Set<string>) {
  const { id } = await makeInvoice(situation)
  const { acts } = (await done('GET', `/api/v1/invoices/${id}?include=recovery`)) as unknown as {
    acts: Act[]
  }
  const attempts = await attemptsOf(id)
  expect(Object.keys(attempts).toSorted()).toEqual(acts.map(({ act }) => act).toSorted())
  for (const [act, tries] of Object.entries(attempts)) {
    const verdict = acts.find(one => one.act === act)!
    const answers = []
    for (const attempt of tries) answers.push(await request(...attempt))
    const texts = answers.map(({ status, text }) => `${status} ${text.slice(0, 600)}`).join('\n')
    const about = `${JSON.stringify(situation)}\n${act}: ${JSON.stringify(verdict)}\n${texts}`
    met.add(`${act} ${verdict.because}`)
    expect(
      answers.some(({ status }) => status < 300),
      about,
    ).toBe(verdict.allowed)
    if (verdict.allowed) continue
    const because = verdict.because!
    // Another channel of a message may be refused for a reason of its own.
    const said = answers.map(({ text }) => text).join('\n')
    if (because === 'held')
      for (const hold of verdict.heldBy) expect(said, about).toContain(`"code":"${hold}"`)
    else expect(said, about).toMatch(sayings[because] ?? new RegExp(`"code":"${because}"`))
  }
}

it('what is offered can be done, and what is not is refused by its operation for the same reason', async () => {
  const met = new Set<string>()
  await fc.assert(
    fc.asyncProperty(situations, situation => compare(situation, met)),
    { numRuns: 40, endOnFailure: true },
  )
  // The cases that must not depend on chance.
  const plain = {
    type: 'business',
    country: 'FR',
    hasPhone: true,
    hasAddress: true,
    amountCents: 120_000,
    isStarted: true,
    progress: 1,
    notice: null,
    dueDate: '2026-10-15',
    event: 'none',
  } satisfies Situation
  for (const changes of [
    {},
    { notice: -10 },
    { notice: -30 },
    { notice: -30, dueDate: '2020-01-10' },
    { progress: null },
    { isStarted: false, event: 'written_off' },
    { type: 'consumer', country: 'DE', progress: 0.5 },
    { country: 'US', progress: 0.5 },
    { type: 'consumer', dueDate: '2023-01-10', progress: 0.5 },
    { progress: 0.5, event: 'opted_out' },
  ] as const satisfies Partial<Situation>[])
    await compare({ ...plain, ...changes }, met)
  for (const seen of [
    'escalate null',
    'escalate formal_notice_missing',
    'escalate deadline_running',
    'escalate time_barred',
    'escalate first_contact_pending',
    'start written_off',
    'message foreign_consumer',
    'message calendar_missing',
    'message time_barred',
    'promise time_barred',
    'message no_channel',
  ])
    expect([...met]).toContain(seen)
}, 120_000)
