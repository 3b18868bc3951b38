import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { groupOfKind, type WorkGroup, workGroups } from './schema.ts'

const installation = useInstallation()
/** `WORK_PORTFOLIOS=1000 npm test -- work-counts` for more. */
const portfolios = Number(process.env.WORK_PORTFOLIOS ?? 20)
const debtors = 6

const standings = {
  running: [],
  decide: [],
  upheld: ['upheld'],
  reopened: ['reopened'],
  wrong_person: ['wrong_person'],
  address_refused: ['address_refused'],
  dispute: ['dispute'],
  situation_and_dispute: ['situation', 'dispute'],
} as const
const kindsOfStanding: Record<keyof typeof standings, (keyof typeof groupOfKind)[]> = {
  running: [],
  decide: ['decision'],
  upheld: ['decision'],
  reopened: ['decision'],
  wrong_person: ['wrong_person'],
  address_refused: ['address_refused'],
  dispute: ['dispute'],
  situation_and_dispute: ['dispute'],
}

const hour = fc.integer({ min: 0, max: 47 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const facts = fc.record({
  replies: fc.array(fc.record({ hour, said: fc.constantFrom(null, 'payment_sent', 'deceased') }), {
    maxLength: 2,
  }),
  standing: fc.constantFrom(...(Object.keys(standings) as (keyof typeof standings)[])),
  standingHour: hour,
  request: maybe(hour),
  claim: maybe(hour),
  broken: maybe(hour),
  unknown: maybe(hour),
  note: maybe(fc.record({ hour, inDays: fc.integer({ min: -2, max: 2 }) })),
  inCharge: fc.constantFrom('nobody', 'member', 'left'),
})
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never

/** What the list should say of a debtor, told without SQL. */
function expectedOf(debtor: Facts) {
  const tasks: { kind: keyof typeof groupOfKind; hour: number }[] = [
    ...debtor.replies.map(({ hour, said }) => ({
      kind: said === 'deceased' ? ('situation' as const) : ('reply' as const),
      hour,
    })),
    ...kindsOfStanding[debtor.standing].map(kind => ({ kind, hour: debtor.standingHour })),
    ...(debtor.request === null ? [] : [{ kind: 'data_request' as const, hour: debtor.request }]),
    ...(debtor.claim === null ? [] : [{ kind: 'claim' as const, hour: debtor.claim }]),
    ...(debtor.unknown === null ? [] : [{ kind: 'unknown_message' as const, hour: debtor.unknown }]),
    ...(debtor.broken === null || debtor.standing.includes('dispute')
      ? []
      : [{ kind: 'promise_broken' as const, hour: debtor.broken }]),
  ]
  const { note } = debtor
  const isLater = note !== null && note.inDays > 0 && tasks.every(({ hour }) => hour <= note.hour)
  const comesBack = note !== null && (note.inDays <= 0 || isLater)
  const kinds = [...tasks.map(({ kind }) => kind), ...(comesBack ? ['follow_up' as const] : [])]
  return {
    kinds: kinds.toSorted(),
    groups: new Set<WorkGroup>(kinds.map(kind => groupOfKind[kind])),
    isLater,
    isMembers: debtor.inCharge === 'member',
  }
}

it('rows and counts are the same for every group and filter, and what the facts say', async () => {
  const sandbox = await newSandbox(installation)
  const [member, left] = [randomUUID(), randomUUID()]
  await installation.sql(
    `insert into people (id, email, email_key, name, language, created_at) select id, id || '@example.org', id || '@example.org', 'Camille', 'fr', $2
       from unnest($1::uuid[]) as id`,
    [[member, left], new Date().toISOString()],
  )
  await installation.sql(
    `insert into memberships (person_id, company_id, role, created_at) values ($1, $2, 'viewer', $3)`,
    [member, sandbox.companyId, new Date().toISOString()],
  )
  const made: { invoiceId: string; debtorId: string; messageId: string }[] = []
  for (let i = 0; i < debtors; i++) {
    const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor(`Client ${'abcdefgh'[i]} SARL`) })
    const messageId = randomUUID()
    await installation.sql(
      `with message as (
         insert into communications (tenant_id, id, debtor_id, wake_generation, channel, step, state, not_after, verdict, reserved_at, lead_invoice_id)
         select tenant_id, $2, debtor_id, 0, 'email', 'relance_email_1', 'unknown', created_at, '{}', created_at, id from invoices where id = $1)
       insert into promises (tenant_id, id, invoice_id, debtor_id, pay_on, amount_cents, paid_before_cents, status, created_at, settled_at)
       select tenant_id, gen_random_uuid(), id, debtor_id, '2026-11-10', 100, 0, 'broken', created_at, created_at from invoices where id = $1`,
      [id, messageId],
    )
    made.push({ invoiceId: id, debtorId: debtor.id, messageId })
  }
  // Nobody is woken while the facts are compared.
  await installation.sql('update agendas set wake_at = null, wake_because = null where tenant_id = $1', [
    sandbox.tenantId,
  ])
  const now = await sandbox.now()
  const today = Date.parse(new Date(now).toISOString().slice(0, 10))
  const at = (hours: number) => new Date(now - (60 - hours) * 3_600_000).toISOString()
  const dayIn = (days: number) => new Date(today + days * 86_400_000).toISOString().slice(0, 10)

  async function store(portfolio: readonly Facts[]) {
    for (const table of ['replies', 'data_requests', 'debtor_notes', 'disputes', 'unknown_messages'])
      await installation.sql(`delete from ${table} where tenant_id = $1`, [sandbox.tenantId])
    for (const [i, debtor] of portfolio.entries()) {
      const { invoiceId, debtorId, messageId } = made[i]!
      const holds = standings[debtor.standing]
      const moment = at(debtor.standingHour)
      await installation.sql(
        `update recoveries set status = $2, holds = $3, paused_at = $4, last_executed_at = $5, due_at = $6, wish_at = $6, promise_broken_at = $7
          where invoice_id = $1`,
        [
          invoiceId,
          holds.length > 0 ? 'paused' : 'in_recovery',
          holds,
          holds.length > 0 ? moment : null,
          moment,
          debtor.standing === 'running' ? dayIn(30) : null,
          debtor.broken === null ? null : at(debtor.broken),
        ],
      )
      if (debtor.standing.includes('dispute'))
        await installation.sql(
          `insert into disputes (tenant_id, id, invoice_id, debtor_id, reason, status, opened_at)
           values ($1, gen_random_uuid(), $2, $3, 'broken', 'open', $4)`,
          [sandbox.tenantId, invoiceId, debtorId, moment],
        )
      for (const { hour, said } of debtor.replies)
        await installation.sql(
          `insert into replies (tenant_id, id, debtor_id, channel, received_at, said) values ($1, gen_random_uuid(), $2, 'email', $3, $4)`,
          [sandbox.tenantId, debtorId, at(hour), said],
        )
      if (debtor.request !== null)
        await installation.sql(
          `insert into data_requests (tenant_id, id, debtor_id, kind, received_on, due_on, created_at)
           values ($1, gen_random_uuid(), $2, 'objection', '2026-11-01', '2026-12-01', $3)`,
          [sandbox.tenantId, debtorId, at(debtor.request)],
        )
      if (debtor.unknown !== null)
        await installation.sql(
          'insert into unknown_messages (tenant_id, communication_id, since) values ($1, $2, $3)',
          [sandbox.tenantId, messageId, at(debtor.unknown)],
        )
      if (debtor.note)
        await installation.sql(
          `insert into debtor_notes (tenant_id, id, debtor_id, text, come_back_on, actor, created_at)
           values ($1, gen_random_uuid(), $2, 'Rappeler', $3, '{"kind":"worker","id":"test"}', $4)`,
          [sandbox.tenantId, debtorId, dayIn(debtor.note.inDays), at(debtor.note.hour)],
        )
      const claimed = debtor.claim === null ? null : at(debtor.claim)
      await installation.sql(
        `update debtors set in_charge_id = $2, insolvency_kind = case when $3::timestamptz is not null then 'receivership' end,
                insolvency_opened_on = case when $3::timestamptz is not null then date '2026-11-01' end,
                insolvency_declare_by = case when $3::timestamptz is not null then date '2027-01-01' end, insolvency_recorded_at = $3
          where id = $1`,
        [debtorId, { nobody: null, member, left }[debtor.inCharge], claimed],
      )
    }
  }

  const read = async (query: string) =>
    (
      await sandbox.call<
        { debtorId: string; openCents: number; taskCount: number; tasks: { kind: string }[] }[]
      >('GET', `/api/v1/work?limit=100${query}`)
    ).body.data

  await fc.assert(
    fc.asyncProperty(fc.array(facts, { minLength: debtors, maxLength: debtors }), async portfolio => {
      await store(portfolio)
      const expected = portfolio.map((debtor, i) => ({ ...expectedOf(debtor), debtorId: made[i]!.debtorId }))
      for (const [filter, passes] of [
        ['', () => true],
        ['none', (isMembers: boolean) => !isMembers],
        [member, (isMembers: boolean) => isMembers],
        [left, () => false],
      ] as const) {
        const inCharge = filter && `inCharge=${filter}`
        const here = expected.filter(({ isMembers, kinds }) => kinds.length > 0 && passes(isMembers))
        const lines = await read(`&${inCharge}`)
        const later = await read(`&later=true&${inCharge}`)
        const summary = await sandbox.done<{
          groups: { group: WorkGroup; debtors: number }[]
          all: { debtors: number; openCents: number }
          later: { debtors: number }
        }>('GET', `/api/v1/work/summary?${inCharge}`)
        for (const [shown, isLater] of [
          [lines, false],
          [later, true],
        ] as const) {
          const wanted = here.filter(one => one.isLater === isLater)
          expect(
            new Map(shown.map(line => [line.debtorId, line.tasks.map(({ kind }) => kind).toSorted()])),
          ).toEqual(new Map(wanted.map(({ debtorId, kinds }) => [debtorId, kinds])))
          for (const line of shown) expect(line.tasks).toHaveLength(line.taskCount)
        }
        expect(summary.all.debtors).toBe(lines.length)
        expect(summary.all.openCents).toBe(lines.reduce((sum, line) => sum + line.openCents, 0))
        expect(summary.later.debtors).toBe(later.length)
        expect(summary.groups).toEqual(
          workGroups.map(group => ({
            group,
            debtors: here.filter(one => !one.isLater && one.groups.has(group)).length,
          })),
        )
        if (filter === '')
          for (const { group, debtors: counted } of summary.groups)
            expect(await read(`&group=${group}`)).toHaveLength(counted)
      }
    }),
    { numRuns: portfolios },
  )
}, 600_000)
