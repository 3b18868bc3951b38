import { beforeAll, expect, it } from 'vitest'
import {
  eventually,
  invoiceInput,
  mondayMorning,
  useInstallation,
} from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock', redisUrl: undefined })

// As in an installation that has a provider for every channel.
beforeAll(() => installation.sql(`update installation set missing_channels = '{}'`))

interface Triggered {
  status: string
  previousStatus: string
  currentStep: string
  nextActionAt: string | null
}

const reachable = (name: string) => ({
  name: `${name} SARL`,
  email: `compta@${name}.example`,
  phone: '+33612345678',
  address: '12 rue Mercière',
  postalCode: '69002',
  city: 'Lyon',
})
const create = async (changes: Record<string, unknown> = {}) =>
  (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01', ...changes }),
    })
  ).body.data
const escalate = (id: string, more: Record<string, unknown> = {}) =>
  installation.call<Triggered>('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
    body: { action: 'escalate', ...more },
  })
const history = async (id: string) =>
  (
    await installation.call<{ action: string; channel: string | null; status: string; details: string }[]>(
      'GET',
      `/api/v1/workflow/invoice/${id}/history`,
    )
  ).body.data
/** Overdue, and nobody's worker touches it: what is planned stays to be looked at. */
const overdue = async (changes: Record<string, unknown>) => {
  const { id, debtor } = await create(changes)
  await installation.sql(`update invoices set due_date = '2026-10-15' where id = $1`, [id])
  await installation.sql(`update agendas set parked_because = 'calendar_horizon' where debtor_id = $1`, [
    debtor.id,
  ])
  return id
}
const put = (id: string, columns: string, ...values: unknown[]) =>
  installation.sql(`update recoveries set ${columns} where invoice_id = $1`, [id, ...values])
const dueAt = async (id: string) =>
  (
    await installation.sql<{ due_at: Date | null }>('select due_at from recoveries where invoice_id = $1', [
      id,
    ])
  )[0]!.due_at
const signed = `notice_receipt = 'signed', notice_receipt_at = notice_at + interval '4 days'`
/** A formal notice by registered letter, signed four days later. */
const putNotice = async (id: string, columns: string, at: string) => {
  await put(id, `${columns}, notice_at = $2, notice_channel = 'lrar'`, at)
  await put(id, signed)
}
const days = (n: number) => new Date(mondayMorning + n * 86_400_000).toISOString()

it('jumps to the first more intrusive step and leaves a line for each step it jumped over', async () => {
  const id = await overdue({ debtor: reachable('alix') })
  await put(id, `step = 3, last_action = 'sms_reminder'`)
  const { data } = (await escalate(id, { reason: 'Moving away' })).body
  expect(data).toMatchObject({ status: 'in_recovery', previousStatus: 'in_recovery', currentStep: 'ai_call' })
  expect(await history(id)).toEqual([
    expect.objectContaining({
      action: 'escalate',
      channel: null,
      status: 'done',
      details: 'Next step: call. Reason: Moving away',
    }),
    expect.objectContaining({
      action: 'relance_email_2',
      channel: 'email',
      status: 'skipped',
      details: 'Jumped over by an escalation.',
    }),
  ])
  const [row] = await installation.sql('select step, due_because from recoveries where invoice_id = $1', [id])
  expect(row).toEqual({ step: 4, due_because: 'escalated' })
})

it('a channel the debtor has not is not jumped to: without a mobile and a phone it is the letter', async () => {
  const { phone: _, ...debtor } = reachable('boulet')
  const id = await overdue({ debtor })
  await put(id, `step = 1, last_action = 'email_prise_en_charge'`)
  expect((await escalate(id)).body.data.currentStep).toBe('lrar_mise_en_demeure')
  expect((await history(id)).filter(line => line.status === 'skipped')).toHaveLength(5)
})

it('never means now: on a Sunday the step is planned for Monday, and says why', async () => {
  await installation.setNow(Date.parse('2026-11-15T10:00:00+01:00'))
  const id = await overdue({ debtor: reachable('caron') })
  await put(id, `step = 1, last_action = 'email_prise_en_charge'`)
  expect((await escalate(id)).body.data.currentStep).toBe('sms_reminder')
  await installation.setNow(mondayMorning)
  const [row] = await installation.sql<{ due_at: Date; due_because: string }>(
    'select due_at, due_because from recoveries where invoice_id = $1',
    [id],
  )
  expect([row!.due_at.toISOString().slice(0, 10), row!.due_because]).toEqual(['2026-11-16', 'sunday'])
})

it('before the first contact was sent there is nothing to be more intrusive than: refused, and nothing changes', async () => {
  const { id } = await create({ debtor: reachable('bodin') })
  for (const more of [{}, { dryRun: true }]) {
    const refused = await escalate(id, more)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_004'])
    expect(refused.body.error.details).toEqual([
      { field: 'action', code: 'first_contact_pending', message: 'the first contact has not been sent' },
    ])
  }
  expect(await history(id)).toEqual([])
})

it('a step that waits for its earliest moment already is not escalated again: refused, and nothing is written', async () => {
  const id = await overdue({ debtor: reachable('brune') })
  await put(id, `step = 1, last_action = 'email_prise_en_charge'`)
  const first = await escalate(id)
  expect(first.body.data.currentStep).toBe('sms_reminder')
  const [lines, due] = [await history(id), await dueAt(id)]
  for (const more of [{}, { dryRun: true }]) {
    const refused = await escalate(id, more)
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'BIZ_004'])
    expect(refused.body.error.details).toMatchObject([{ field: 'action', code: 'already_escalated' }])
  }
  expect(await history(id)).toEqual(lines)
  expect(await dueAt(id)).toEqual(due)
  const { acts } = (
    await installation.call<{ acts: { act: string; because: string | null }[] }>(
      'GET',
      `/api/v1/invoices/${id}?include=recovery`,
    )
  ).body.data
  expect(acts.find(({ act }) => act === 'escalate')).toMatchObject({
    allowed: false,
    because: 'already_escalated',
  })
})

it('the step that waits for a later day is brought forward', async () => {
  const id = await overdue({ debtor: reachable('brossard') })
  await put(
    id,
    `step = 2, last_action = 'email_prise_en_charge', due_at = $2, wish_at = $2, due_because = 'cascade'`,
    days(9),
  )
  const { data } = (await escalate(id)).body
  expect(data.currentStep).toBe('sms_reminder')
  expect((await dueAt(id))!.getTime()).toBeLessThan(Date.parse(days(3)))
})

it('nobody is reminded of an invoice before it is overdue, escalated or not', async () => {
  const { id } = await create({ debtor: reachable('colas'), dueDate: '2026-12-01' })
  await put(id, `step = 1, last_action = 'email_prise_en_charge'`)
  const { data } = (await escalate(id)).body
  expect(data).toMatchObject({ currentStep: 'sms_reminder' })
  expect(data.nextActionAt!.slice(0, 10)).toBe('2026-12-02')
  const next = await installation.call('GET', `/api/v1/workflow/invoice/${id}/next-action`)
  expect(next.body.data).toMatchObject({ reasonCode: 'not_due', blockedBy: ['not_due'] })
})

it('without any step left the court is refused, and everything that is missing is named', async () => {
  const old = { issueDate: '2024-01-01', debtor: { ...reachable('dumas'), type: 'consumer' } }
  const { id } = await create(old)
  await put(id, `step = 6, last_action = 'lrar_mise_en_demeure', notice_at = null`)
  await installation.sql(
    `update invoices set due_date = '2024-01-05', disputed_at = created_at, status = 'disputed' where id = $1`,
    [id],
  )
  const refused = await escalate(id)
  expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(refused.body.error.details).toEqual([
    { field: 'action', code: 'formal_notice_missing', message: 'no formal notice was sent' },
    { field: 'action', code: 'dispute_open', message: 'a dispute is open' },
    { field: 'action', code: 'time_barred', message: 'the debt is time-barred' },
  ])
  expect(refused.body.error.message).toContain('no formal notice was sent')
  expect(await history(id)).toEqual([])
})

it('while the time of the formal notice runs there is no court yet', async () => {
  const { id } = await create({ debtor: reachable('esnault') })
  await put(id, `step = 7, last_action = 'lrar_mise_en_demeure', notice_at = $2`, days(-19))
  const refused = await escalate(id)
  expect(refused.body.error.details!.map(detail => detail.code)).toEqual([
    'formal_notice_unproven',
    'deadline_running',
  ])
  // Signed nine days ago, so its eight days are over.
  await put(id, `notice_receipt = 'signed', notice_receipt_at = $2`, days(-9))
  expect((await escalate(id)).body.data).toMatchObject({
    status: 'judicial',
    currentStep: 'lrar_mise_en_demeure',
  })
})

it.each([
  ['a business', {}, '2021-11-15', 'time_barred'],
  ['a business', {}, '2021-11-16', null],
  ['a consumer', { type: 'consumer' }, '2024-11-15', 'time_barred'],
  ['a consumer', { type: 'consumer' }, '2024-11-16', null],
  ['a public body', { type: 'public_body' }, '2021-12-31', 'time_barred'],
  ['a public body', { type: 'public_body' }, '2022-01-01', null],
])('a debt of %s %j of an invoice of %s: %s', async (_who, changes, issueDate, missing) => {
  const { id } = await create({
    debtor: { ...reachable(`due${issueDate.replaceAll('-', '')}`), ...changes },
    issueDate,
    dueDate: '2027-02-01',
  })
  await putNotice(id, `last_action = 'lrar_mise_en_demeure'`, days(-30))
  const answer = await escalate(id, { dryRun: true })
  expect(answer.body.error?.details?.map(detail => detail.code) ?? null).toEqual(missing && [missing])
  // Money that arrives now is in time or too late; what is over stays so.
  const paid = { invoiceId: id, amountCents: 1_000, method: 'bank_transfer' }
  expect((await installation.call('POST', '/api/v1/payments', { body: paid })).status).toBe(201)
  const again = await escalate(id, { dryRun: true })
  expect(again.body.error?.details?.map(detail => detail.code) ?? null).toEqual(missing && [missing])
})

it.each([
  [500_000, 'small_claims', {}, 0],
  [500_001, 'payment_order', {}, 0],
  // 40 € and 100.00 € of interest; the 40 € are not counted.
  [490_000, 'small_claims', {}, 14_000],
  [490_001, 'payment_order', {}, 14_000],
  [20_000, 'administrative_court', { type: 'public_body' }, 0],
])(
  'the amicable stage of a debt of %i cents ends, with the possible route %s: everything stops, and it is told',
  async (amountCents, route, changes, claimed) => {
    const { id } = await create({ debtor: { ...reachable(`route${amountCents}`), ...changes }, amountCents })
    await installation.sql('update invoices set claimed_cents = $2 where id = $1', [id, claimed])
    await putNotice(id, `step = ${'type' in changes ? 4 : 8}, last_action = 'ai_call_2'`, days(-21))
    const extra = await installation.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
      body: { channel: 'email', at: '2026-12-01T09:00:00Z' },
    })
    expect(extra.status).toBe(202)
    expect((await escalate(id)).body.data).toMatchObject({
      status: 'judicial',
      previousStatus: 'in_recovery',
      nextActionAt: null,
    })
    const invoice = await installation.call('GET', `/api/v1/invoices/${id}`)
    expect(invoice.body.data).toMatchObject({ status: 'judicial' })
    const [recovery] = await installation.sql('select status, due_at from recoveries where invoice_id = $1', [
      id,
    ])
    expect(recovery).toEqual({ status: 'judicial', due_at: null })
    expect(await installation.sql('select status from extra_messages where invoice_id = $1', [id])).toEqual([
      { status: 'cancelled' },
    ])
    const events = await installation.sql<{ type: string; data: Record<string, unknown> }>(
      'select type, data from events where subject_id = $1 order by sequence offset 2',
      [id],
    )
    expect(events).toMatchObject([
      {
        type: 'invoice.status_changed',
        data: { previousStatus: 'imported', newStatus: 'judicial', cause: 'escalate' },
      },
      { type: 'judicial.started', data: { invoiceId: id, route } },
    ])
    expect((await history(id)).at(-1)).toMatchObject({
      action: 'escalate',
      status: 'done',
      details: expect.stringMatching(
        /^Amicable recovery has ended\. Possible route: .*\. Nothing has been filed: limitation runs until \d\d? [A-Z][a-z]+ \d{4} \(estimate\)\.$/,
      ),
    })
    const next = await installation.call('GET', `/api/v1/workflow/invoice/${id}/next-action`)
    expect(next.body.data).toMatchObject({ nextAction: null, reasonCode: 'judicial', blockedBy: [] })
  },
)

it('money still ends a case whose amicable stage has ended', async () => {
  const { id } = await create({ debtor: reachable('faucher') })
  await putNotice(id, `last_action = 'lrar_mise_en_demeure'`, days(-21))
  await escalate(id)
  await installation.call('POST', '/api/v1/payments', {
    body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
  })
  const workflow = await eventually(
    async () => (await installation.call<Triggered>('GET', `/api/v1/workflow/invoice/${id}`)).body.data,
    seen => seen.status === 'completed',
  )
  expect(workflow.nextActionAt).toBeNull()
})

// A notice of 25 days ago: its time is over, whether something was heard of it or not.
it.each([
  ['email', null, 'the formal notice went by email: its receipt is not proven'],
  ['lrar', null, 'nothing proves the receipt of the formal notice'],
  ['lrar', 'presented', null],
  ['lrar', 'signed', null],
  ['lrar', 'refused', null],
  ['lrar', 'unclaimed', null],
] as const)('after a formal notice by %s with the outcome %s: %s', async (channel, outcome, missing) => {
  const { id } = await create({ debtor: reachable(`proof${channel}${outcome}`) })
  await put(
    id,
    `step = 8, last_action = 'ai_call_2', notice_at = $2, notice_channel = $3, notice_receipt = $4, notice_receipt_at = $5`,
    days(-25),
    channel,
    outcome,
    outcome && days(-20),
  )
  const answer = await escalate(id)
  if (missing === null) {
    expect(answer.body.data).toMatchObject({ status: 'judicial' })
    return
  }
  expect([answer.status, answer.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(answer.body.error.details).toEqual([
    { field: 'action', code: 'formal_notice_unproven', message: missing },
  ])
  expect(answer.body.error.message).toContain('noticeReceived')
  // The act stays possible: the creditor may know better.
  const { acts } = (
    await installation.call<{ acts: { act: string; allowed: boolean }[] }>(
      'GET',
      `/api/v1/invoices/${id}?include=recovery`,
    )
  ).body.data
  expect(acts.find(({ act }) => act === 'escalate')).toMatchObject({ allowed: true })
  const confirmed = await escalate(id, { noticeReceived: true })
  expect(confirmed.body.data).toMatchObject({ status: 'judicial' })
  expect((await history(id)).at(-1)!.details).toContain(
    'The creditor confirms that the formal notice was received.',
  )
})

it('a confirmation does not replace a formal notice, nor its time to pay, and goes with nothing else', async () => {
  const { id } = await create({ debtor: reachable('girard') })
  await put(id, `step = 8, last_action = 'ai_call_2', notice_at = $2, notice_channel = 'email'`, days(-5))
  const codes = async () =>
    (await escalate(id, { noticeReceived: true })).body.error.details!.map(({ code }) => code)
  expect(await codes()).toEqual(['deadline_running'])
  await put(id, 'notice_at = null, notice_channel = null')
  expect(await codes()).toEqual(['formal_notice_missing'])
  const pause = await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, {
    body: { action: 'pause', noticeReceived: true },
  })
  expect([pause.status, pause.body.error.code]).toEqual([400, 'VAL_001'])
})
