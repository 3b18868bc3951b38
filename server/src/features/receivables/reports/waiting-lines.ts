import { z } from 'zod'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { heldStandings, type Standing, standings } from '../../../domain/recovery/standing.ts'
import { situations } from '../../../domain/recovery/told.ts'
import type { Actor } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { countedMax, probedMax } from '../../../kit/list.ts'
import { openSums } from './open-sums.ts'

/** The queues that wait for a person, with the standing that filters the list of invoices; null if there is none. */
const queueStandings = {
  situations: 'held:situation',
  decide: 'decide',
  disputes: 'held:dispute',
  reopened: 'held:reopened',
  wrongPerson: 'held:wrong_person',
  addressRefused: 'held:address_refused',
  replies: 'held:reply',
  upheld: 'held:upheld',
  unknown: null,
  parked: null,
} as const satisfies Record<string, Standing | null>
const queueKinds = Object.keys(queueStandings) as (keyof typeof queueStandings)[]

const units = ['invoices', 'debtors', 'messages', 'replies', 'addresses'] as const

const sums = {
  openCents: z.int().meta({ description: "Principal still to be paid, in the company's currency" }),
  otherCurrencies: z
    .array(
      z.object({
        currency: z.string(),
        openCents: z.int().meta({ description: 'Principal still to be paid, in this currency' }),
      }),
    )
    .meta({ description: 'Their sums in other currencies; nothing is converted' }),
}

export const HeldLine = z.object({
  because: z.enum(holds),
  standing: z
    .enum(standings)
    .meta({ description: 'The filter of the lists of invoices and debtors that finds them' }),
  invoices: z.int().meta({ description: 'Open invoices, of every currency' }),
  debtors: z.int().meta({ description: 'Debtors of these invoices' }),
  ...sums,
})

export const QueueLine = z.object({
  kind: z.enum(queueKinds),
  unit: z.enum(units).meta({ description: 'Which of the figures says how much there is to do' }),
  invoices: z
    .int()
    .nullable()
    .meta({ description: 'Open invoices, of every currency; null for `unknown` and `parked`' }),
  debtors: z.int().nullable().meta({
    description: 'Debtors of these invoices; of `parked` up to 10,001; null for `unknown`',
  }),
  messages: z.int().nullable().meta({
    description: 'Only of `unknown`, up to 10,001',
  }),
  replies: z.int().nullable().meta({
    description:
      'Only of `replies` and `situations`: unread or not decided, up to 10,001, also of debtors without such an invoice',
  }),
  addresses: z
    .int()
    .nullable()
    .meta({
      description: `Only of \`wrongPerson\` and \`addressRefused\`, up to ${probedMax} invoices: addresses and numbers that are somebody else's, or that refused a message`,
    }),
  ...sums,
  openCents: sums.openCents.nullable().meta({
    description: "Principal still to be paid, in the company's currency; null for `unknown` and `parked`",
  }),
  standing: z.enum(standings).nullable().meta({
    description: 'The filter of the lists that finds them; null where none does',
  }),
})

// Sums are float8: exact up to 2^53, and beyond that the nearest number that JSON readers hold anyway.
// A debtor with unfolded changes counts if it has such invoices with them, and no more if it had some without them.
const selectStandings = sql(
  'reports.sum-by-standing',
  `with changes as (
     select debtor_id, standing, sum(open_n) as n from (
       select debtor_id, standing, open_n from count_deltas
        where kind = 'invoice' and due_day is not null and standing = any ($1::text[])
       union all
       select debtor_id, standing, open_n from count_deltas where kind = 'open' and standing = any ($1::text[])) d
      group by 1, 2),
   debtors as (
     select standing, sum(n)::bigint as n from (
       select standing, debtors as n from count_standings where standing = any ($1::text[])
       union all
       select standing, (before + n > 0)::integer - (before > 0)::integer from (
         select c.standing, c.n, coalesce((
                  select s.n from count_debtor_standings s where s.debtor_id = c.debtor_id and s.standing = c.standing), 0) as before
           from changes c) f) counted
      group by 1)
   select standing, c.currency, sum(c.n)::bigint as n, sum(c.open_cents)::float8 as open_cents, coalesce(max(debtors.n), 0)::bigint as debtors
     from (${openSums}) c left join debtors using (standing)
    where standing = any ($1::text[]) group by 1, 2 having sum(c.n) <> 0 order by 2`,
).as<{ standing: Standing; currency: string; n: number; open_cents: number; debtors: number }>()

const isSituationSql = `(said is not null and said = any ('{${situations}}'))`

/** The addresses that are to be corrected of the debtors with this standing; null where they are many. */
const addressesSql = (standing: Standing, because: string) => `
          (select case when w.n <= ${probedMax} then (
              select count(distinct own.point) from unnest(w.debtors) as x(id)
               cross join lateral (select tenant_id, email_key, phone from debtors where id = x.id offset 0) d
               cross join lateral unnest(contact_points(d.tenant_id, x.id, d.email_key, d.phone)) as own(point)
               where (select true from closed_points c where c.point = own.point and c.because = '${because}' limit 1)) end
             from (
               select count(*) as n, array_agg(distinct debtor_id) as debtors from (
                 select debtor_id from recoveries where standing = '${standing}' order by invoice_id limit ${probedMax + 1}) r) w)::integer`

// Old messages of unknown outcome are purged, so a tenant has few. The condition on the lowest id makes the planner use the key, or the index of
// unread replies.
// Whose an address is, is looked up for each debtor, so only where they are few.
const selectWaiting = sql(
  'reports.count-waiting',
  `select (select count(*) from (
             select from agendas where is_sandbox = $2 and tenant_id = $1 and parked_because is not null order by debtor_id limit ${countedMax + 1}) p)::integer as parked,
          (select count(*) from (
             select from unknown_messages where tenant_id = $1 and communication_id > '00000000-0000-0000-0000-000000000000' order by communication_id limit ${countedMax + 1}) u)::integer as unknown,
          (select count(*) from (
             select from replies where read_at is null and debtor_id > '00000000-0000-0000-0000-000000000000' and not ${isSituationSql} order by debtor_id limit ${countedMax + 1}) r)::integer as replies,
          (select count(*) from (
             select from replies where read_at is null and debtor_id > '00000000-0000-0000-0000-000000000000' and ${isSituationSql} order by debtor_id limit ${countedMax + 1}) s)::integer as situations,${addressesSql('held:wrong_person', 'wrong_person')} as addresses,${addressesSql('held:address_refused', 'refused')} as refused_addresses`,
).as<{
  parked: number
  unknown: number
  replies: number
  situations: number
  addresses: number | null
  refused_addresses: number | null
}>()

const none = { invoices: null, debtors: null, messages: null, replies: null, addresses: null }
const noSums = { openCents: null, otherCurrencies: [] }

/** What is held and what waits for a person, as of now. */
export async function readWaiting(
  tx: Tx,
  { tenantId, environment }: Actor,
  currency: string,
): Promise<{ held: z.input<typeof HeldLine>[]; queues: z.input<typeof QueueLine>[] }> {
  const [rows, [waiting]] = await Promise.all([
    tx.rows(selectStandings, [['decide', ...heldStandings]]),
    tx.rows(selectWaiting, [tenantId, environment === 'sandbox']),
  ])
  const { parked, unknown, replies, situations: reported } = waiting!
  const countsOf = (standing: Standing) => {
    const found = rows.filter(row => row.standing === standing)
    return {
      invoices: found.reduce((sum, { n }) => sum + n, 0),
      debtors: found[0]?.debtors ?? 0,
      openCents: found.find(row => row.currency === currency)?.open_cents ?? 0,
      otherCurrencies: found
        .filter(row => row.currency !== currency)
        .map(row => ({ currency: row.currency, openCents: row.open_cents })),
    }
  }
  const queueOf = (kind: keyof typeof queueStandings): z.input<typeof QueueLine> => {
    const standing = queueStandings[kind]
    if (kind === 'parked')
      return { kind, unit: 'debtors', ...none, debtors: parked, ...noSums, standing: null }
    if (kind === 'unknown' || standing === null)
      return { kind, unit: 'messages', ...none, messages: unknown, ...noSums, standing: null }
    const line = { kind, ...none, ...countsOf(standing), standing }
    if (kind === 'replies') return { ...line, unit: 'replies', replies }
    if (kind === 'situations') return { ...line, unit: 'replies', replies: reported }
    if (kind !== 'wrongPerson' && kind !== 'addressRefused') return { ...line, unit: 'invoices' }
    const addresses = kind === 'wrongPerson' ? waiting!.addresses : waiting!.refused_addresses
    return { ...line, unit: addresses === null ? 'debtors' : 'addresses', addresses }
  }
  return {
    held: heldStandings.flatMap(standing => {
      const counts = countsOf(standing)
      const because = standing.slice('held:'.length) as Hold
      return counts.invoices > 0 ? [{ because, standing, ...counts }] : []
    }),
    queues: queueKinds.map(queueOf).filter(queue => units.some(unit => (queue[unit] ?? 0) > 0)),
  }
}
