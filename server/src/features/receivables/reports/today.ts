import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { hoursFor } from '../../../domain/contact/contact-hours.ts'
import { triedStates } from '../../../domain/contact/message-state.ts'
import { type Hold, holds } from '../../../domain/recovery/recovery-state.ts'
import { heldStandings, type Standing, standings } from '../../../domain/recovery/standing.ts'
import {
  addDays,
  HOUR,
  type Instant,
  instantOf,
  type LocalDate,
  localTime,
  MINUTE,
} from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { dateTime, day } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { type StopReason, stopReasons } from '../../access/companies/stops.ts'
import { openSums } from './open-sums.ts'

const states = ['planned', ...triedStates] as const
const slotMs = 15 * MINUTE
/** The hours that are always shown, in minutes: outside them debtors of the company's zone are not contacted. */
const [dayOpens, dayCloses] = hoursFor('email', false).windows[0]!
/** Counting stops one above this limit. */
const countedMax = 10_000

/** The queues that wait for a person, with the standing that filters the list of invoices; null if there is none. */
const queueStandings = {
  decide: 'decide',
  disputes: 'held:dispute',
  reopened: 'held:reopened',
  wrongPerson: 'held:wrong_person',
  replies: 'held:reply',
  upheld: 'held:upheld',
  unknown: null,
  parked: null,
} as const satisfies Record<string, Standing | null>
type QueueKind = keyof typeof queueStandings
const queueKinds = Object.keys(queueStandings) as QueueKind[]

const outcomes = {
  delivered: z.int(),
  bounced: z.int(),
  failed: z.int(),
  unknown: z.int().meta({ description: 'It may have been sent; nobody knows' }),
}
const otherCurrencies = z
  .array(
    z.object({
      currency: z.string(),
      openCents: z.int().meta({ description: 'Principal still to be paid, in this currency' }),
    }),
  )
  .meta({ description: 'Their sums in other currencies; nothing is converted' })
const left = z.int().meta({ description: 'Sent, delivered or bounced: what a provider took' })

const Today = z
  .object({
    date: z.string().meta({ format: 'date' }),
    timeZone: z.string().meta({ description: "The company's; the day begins and ends in it" }),
    now: dateTime.meta({ description: "In a sandbox, by the sandbox's clock" }),
    stopped: z
      .object({
        because: z.enum(stopReasons),
        since: dateTime.nullable().meta({ description: 'When sending was stopped; null for other reasons' }),
      })
      .nullable()
      .meta({ description: 'Why nothing is sent at all; null when it is' }),
    slots: z
      .array(
        z.object({
          at: dateTime.meta({ description: 'The begin of a quarter hour' }),
          channel: z.enum(channels),
          planned: z.int().meta({ description: 'Debtors whose next message is planned here' }),
          sent: z.int().meta({ description: 'Accepted by the provider, and nothing heard of since' }),
          ...outcomes,
          left,
        }),
      )
      .meta({ description: 'Quarter hours in which something is planned or was sent' }),
    totals: z
      .object({
        planned: z.int().meta({ description: 'Messages still to leave' }),
        sent: z.int().meta({ description: 'Messages that left, with nothing known of them yet' }),
        ...outcomes,
        left,
      })
      .meta({ description: 'Of the whole day, all channels' }),
    axis: z.object({ from: dateTime, until: dateTime }).meta({
      description:
        'From 08:00 to 20:00 where the company is, and whole hours more where something is planned or was sent',
    }),
    currency: z.string(),
    held: z
      .array(
        z.object({
          because: z.enum(holds),
          standing: z
            .enum(standings)
            .meta({ description: 'The filter of the list of invoices that finds them' }),
          invoices: z.int().meta({ description: 'Open invoices, of every currency' }),
          openCents: z.int().meta({ description: "In the company's currency" }),
          otherCurrencies,
        }),
      )
      .meta({ description: 'What does not go on, by the first of its causes' }),
    waiting: z
      .object({
        decide: z.int().meta({ description: 'Open invoices whose reminders are over, or cannot go on' }),
        disputes: z.int(),
        reopened: z.int(),
        wrongPerson: z.int(),
        unknown: z
          .int()
          .meta({ description: 'Messages whose outcome nobody knows, of production; counted up to 10,001' }),
        parked: z
          .int()
          .meta({ description: 'Debtors whose wake-up failed again and again; counted up to 10,001' }),
      })
      .meta({ description: 'What waits for a person' }),
    queues: z
      .array(
        z.object({
          kind: z.enum(queueKinds),
          count: z.int().meta({
            description:
              'Open invoices of every currency; of `unknown` messages and `parked` debtors up to 10,001',
          }),
          openCents: z.int().nullable().meta({
            description: "In the company's currency; null for `unknown` and `parked`",
          }),
          otherCurrencies,
          standing: z.enum(standings).nullable().meta({
            description: 'The filter of the list of invoices that finds them; null where none does',
          }),
        }),
      )
      .meta({ description: 'What waits for a person, with its sum; only what is not empty' }),
    collectedCents: z
      .int()
      .meta({ description: "Payments that arrived on this day, in the company's currency" }),
    begun: z
      .object({
        invoice: z.boolean().meta({ description: 'There is an invoice' }),
        message: z.boolean().meta({ description: 'A provider took a message' }),
        payment: z.boolean().meta({ description: 'A payment has arrived' }),
      })
      .meta({ description: 'What has happened at least once in this environment, on any day' }),
  })
  .meta({ id: 'Today' })

const selectSlots = sql(
  'reports.list-slots',
  `select slot, channel, state, sum(n)::integer as n from (
     select slot, channel, state, n from count_slots where slot >= $1 and slot < $2
     union all
     select slot, method, status, n from count_deltas where kind = 'slot' and slot >= $1 and slot < $2) c
    group by 1, 2, 3 having sum(n) > 0 order by 1`,
).as<{ slot: number; channel: Channel; state: (typeof states)[number]; n: number }>()

// Sums are float8: exact up to 2^53, and beyond that the nearest number that JSON readers hold anyway.
const selectStandings = sql(
  'reports.sum-by-standing',
  `select standing, currency, sum(n)::bigint as n, sum(open_cents)::float8 as open_cents
     from (${openSums}) c group by 1, 2 having sum(n) <> 0 order by 2`,
).as<{ standing: Standing; currency: string; n: number; open_cents: number }>()

const selectCollected = sql(
  'reports.sum-collected',
  `select coalesce(sum(amount_cents), 0)::float8 as cents from (
     select amount_cents from count_days where kind = 'payment' and status = 'completed' and day = $1::date and currency = $2
     union all
     select amount_cents from count_deltas where kind = 'payment' and status = 'completed' and day = $1::date and currency = $2) c`,
).as<{ cents: number }>()

// Old messages of unknown outcome are purged, so a tenant has few. The condition on the lowest id makes the planner use the key.
const selectObstacles = sql(
  'reports.find-obstacles',
  `select stop_reason($1::uuid) as stop_reason,
          (select min(s.since) from stops s where s.ended_at is null
              and s.target = any (array[case when $2::boolean then null else '*' end, $3::text, $1::text])) as stopped_since,
          (select count(*) from (
             select from agendas where is_sandbox = $2 and tenant_id = $1 and parked_because is not null order by debtor_id limit ${countedMax + 1}) p)::integer as parked,
          (select count(*) from (
             select from unknown_messages where tenant_id = $1 and communication_id > '00000000-0000-0000-0000-000000000000' order by communication_id limit ${countedMax + 1}) u)::integer as unknown`,
).as<{ stop_reason: StopReason | null; stopped_since: number | null; parked: number; unknown: number }>()

// Every contact is in the ledger. The `order by` makes the planner use its key; inside `exists` it would be ignored.
const selectBegun = sql(
  'reports.find-begun',
  `select exists (
            select from count_totals where kind = 'invoice' and n > 0
            union all select from count_deltas where kind = 'invoice' and n > 0) as invoice,
          (select true from contact_ledger order by debtor_id, position limit 1) is not null as message,
          exists (
            select from count_totals where kind = 'payment' and status = 'completed' and n > 0
            union all select from count_deltas where kind = 'payment' and status = 'completed' and n > 0) as payment`,
).as<{ invoice: boolean; message: boolean; payment: boolean }>()

export const today = operation({
  id: 'reports.today',
  method: 'GET',
  path: '/api/v1/reports/today',
  summary: 'What leaves on a day and what has left, what does not and why, and what waits for a person',
  description:
    'What is held and what waits is as of now, whatever the day. A planned message is counted at the moment its debtor is checked next; the contact rules are checked again then.',
  scopes: ['reports:read'],
  query: z
    .strictObject({ date: day.optional().meta({ description: 'Without it, today' }) })
    .meta({ id: 'TodayQuery' }),
  status: 200,
  reply: Today,
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, query, now }) {
    const company = await findCompany(tx, actor.companyId)
    const { time_zone: zone, currency } = company
    const date = query.date ?? localTime(zone, now).date
    const slotAt = (localDay: string) => Math.floor(instantOf(zone, localDay, 0) / slotMs)
    const [slots, rows, [collected], [obstacles], [begun]] = await Promise.all([
      tx.rows(selectSlots, [slotAt(date), slotAt(addDays(date, 1))]),
      tx.rows(selectStandings, []),
      tx.rows(selectCollected, [date, currency]),
      tx.rows(selectObstacles, [actor.tenantId, actor.environment === 'sandbox', actor.companyId]),
      tx.rows(selectBegun, []),
    ])
    const sumsOf = (standing: Standing) => {
      const found = rows.filter(row => row.standing === standing)
      return {
        invoices: found.reduce((sum, { n }) => sum + n, 0),
        openCents: found.find(row => row.currency === currency)?.open_cents ?? 0,
        otherCurrencies: found
          .filter(row => row.currency !== currency)
          .map(row => ({ currency: row.currency, openCents: row.open_cents })),
      }
    }
    const countOf = (standing: Standing) => sumsOf(standing).invoices
    const shownSlots = toSlots(slots)
    const { stop_reason: because, stopped_since: since, parked, unknown } = obstacles!
    return {
      date,
      timeZone: zone,
      now: iso(now),
      stopped: because && {
        because,
        since: because === 'sending_stopped' && since !== null ? iso(since) : null,
      },
      slots: shownSlots,
      totals: totalsOf(shownSlots),
      axis: axisOf(
        zone,
        date,
        slots.map(({ slot }) => slot * slotMs),
      ),
      currency,
      held: heldStandings.flatMap(standing => {
        const sums = sumsOf(standing)
        const hold = standing.slice('held:'.length) as Hold
        return sums.invoices > 0 ? [{ because: hold, standing, ...sums }] : []
      }),
      waiting: {
        decide: countOf('decide'),
        disputes: countOf('held:dispute'),
        reopened: countOf('held:reopened'),
        wrongPerson: countOf('held:wrong_person'),
        unknown,
        parked,
      },
      queues: queueKinds.flatMap(kind => {
        const standing = queueStandings[kind]
        const sums = standing && sumsOf(standing)
        const count = sums ? sums.invoices : kind === 'parked' ? parked : unknown
        const { openCents = null, otherCurrencies: others = [] } = sums ?? {}
        return count === 0 ? [] : [{ kind, count, openCents, otherCurrencies: others, standing }]
      }),
      collectedCents: collected!.cents,
      begun: begun!,
    }
  },
})

/** One entry per quarter hour and channel, in the order of time and then of channels. */
function toSlots(rows: readonly { slot: number; channel: Channel; state: string; n: number }[]) {
  const found = [...new Set(rows.map(row => row.slot))].sort((a, b) => a - b)
  return found.flatMap(slot =>
    channels.flatMap(channel => {
      const here = rows.filter(row => row.slot === slot && row.channel === channel)
      if (here.length === 0) return []
      const [planned, sent, delivered, bounced, failed, unknown] = states.map(
        state => here.find(row => row.state === state)?.n ?? 0,
      ) as [number, number, number, number, number, number]
      const counts = { planned, sent, delivered, bounced, failed, unknown, left: sent + delivered + bounced }
      return [{ at: iso(slot * slotMs), channel, ...counts }]
    }),
  )
}

function totalsOf(slots: ReturnType<typeof toSlots>) {
  const sum = (name: (typeof states)[number] | 'left') => slots.reduce((total, slot) => total + slot[name], 0)
  return {
    planned: sum('planned'),
    sent: sum('sent'),
    delivered: sum('delivered'),
    bounced: sum('bounced'),
    failed: sum('failed'),
    unknown: sum('unknown'),
    left: sum('left'),
  }
}

/** The usual hours of the day, extended by whole hours if a quarter hour lies outside: debtors may be in other zones. */
function axisOf(zone: string, date: LocalDate, quarterHours: readonly Instant[]) {
  const opens = instantOf(zone, date, dayOpens)
  const closes = instantOf(zone, date, dayCloses)
  const first = Math.min(opens, ...quarterHours)
  const end = Math.max(closes, ...quarterHours.map(at => at + slotMs))
  return {
    from: iso(opens - Math.ceil((opens - first) / HOUR) * HOUR),
    until: iso(closes + Math.ceil((end - closes) / HOUR) * HOUR),
  }
}
