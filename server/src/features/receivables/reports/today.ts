import { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { hoursFor } from '../../../domain/contact/contact-hours.ts'
import { triedStates } from '../../../domain/contact/message-state.ts'
import type { DebtorPlan } from '../../../domain/recovery/debtor-plan.ts'
import {
  addDays,
  HOUR,
  type Instant,
  instantOf,
  type LocalDate,
  localTime,
  MINUTE,
} from '../../../domain/time.ts'
import type { Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { dateTime, day, outputUuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { type StopReason, stopReasons } from '../../access/companies/stops.ts'
import { slotOf } from '../../recovery/agenda/contact-slots.ts'
import { computePlans, isUnplannedSql, unplannedMax } from '../../recovery/case/debtor-plan.ts'
import { NextContact } from '../debtors/account-schema.ts'
import { readAccounts } from '../debtors/debtor-account.ts'
import { HeldLine, QueueLine, readWaiting } from './waiting-lines.ts'

const states = ['planned', ...triedStates] as const
const slotMs = 15 * MINUTE
/** The hours that are always shown, in minutes: outside them debtors of the company's zone are not contacted. */
const [dayOpens, dayCloses] = hoursFor('email', false).windows[0]!

/** The figures of what was sent; `field` is that of one of them. */
const sentFigures = <Field extends z.ZodType>(field: (description: string) => Field) => ({
  sent: field('Messages that a provider took, and nothing heard since'),
  delivered: field('Messages that arrived'),
  bounced: field('Messages that came back'),
  failed: field('Messages that no provider took'),
  unknown: field('Messages that may have been sent; nobody knows'),
  left: field('Sent, delivered or bounced'),
})

/** More are in the list of debtors. */
const leavingMax = 20

const LeavingDebtor = z
  .object({
    debtorId: outputUuid,
    name: z.string(),
    city: z.string().nullable(),
    timeZone: z
      .string()
      .nullable()
      .meta({ description: 'Where the debtor is; null when the country has no calendar' }),
    openCents: z.int().meta({ description: "Principal still to be paid, in the company's currency" }),
    contact: NextContact,
  })
  .meta({ id: 'LeavingDebtor', description: 'A debtor whose next message is planned for the day' })

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
          planned: z.int().meta({ description: 'Messages planned here: the next one of each debtor' }),
          ...sentFigures(description => z.int().meta({ description })),
        }),
      )
      .meta({ description: 'Quarter hours in which something is planned or was sent' }),
    totals: z
      .object({
        planned: z.int().meta({ description: 'Messages still to leave: the next one of each debtor' }),
        ...sentFigures(description => z.int().nullable().meta({ description })),
      })
      .meta({
        description:
          'Messages of the whole day: the sums over `slots`; of a day to come only what is planned',
      }),
    leaving: z
      .array(LeavingDebtor)
      .nullable()
      .meta({
        description: `The debtors of \`totals.planned\`, the earliest message first, ${leavingMax} at most: \`GET /api/v1/debtors\` lists all of them by \`nextFrom\` and \`nextTo\`. Null for who lacks debtors:read, invoices:read or workflow:read`,
      }),
    axis: z.object({ from: dateTime, until: dateTime }).meta({
      description:
        'From 08:00 to 20:00 where the company is, and whole hours more where something is planned or was sent',
    }),
    currency: z.string(),
    held: z.array(HeldLine).nullable().meta({
      description: 'What does not go on now, by the first of its causes; null for any day but today',
    }),
    queues: z.array(QueueLine).nullable().meta({
      description:
        'What waits for a person now, with its sum, only what is not empty; null for any day but today',
    }),
    collectedCents: z.int().nullable().meta({
      description:
        "Payments that arrived on this day, in cents of the company's currency; null for a day to come",
    }),
    begun: z
      .object({
        invoice: z.boolean().meta({ description: 'There is an invoice' }),
        message: z.boolean().meta({ description: 'A provider took a message' }),
        payment: z.boolean().meta({ description: 'A payment has arrived' }),
      })
      .meta({ description: 'What has happened at least once in this environment, on any day' }),
  })
  .meta({ id: 'Today' })

/** What the name of a debtor, its sum and its next message need each. */
const namesNeed: readonly Scope[] = ['debtors:read', 'invoices:read', 'workflow:read']

// In one statement with the debtors whose plan is not stored yet: a plan that is stored in between would be counted twice.
const selectSlots = sql(
  'reports.list-slots',
  `select slot, channel, state, sum(n)::integer as n, null::uuid as debtor_id from (
     select slot, channel, state, n from count_slots where slot >= $1 and slot < $2
     union all
     select slot, method, status, n from count_deltas where kind = 'slot' and slot >= $1 and slot < $2) c
    group by 1, 2, 3 having sum(n) <> 0
   union all
   (select contact_slot, contact_channel, 'planned', -1, debtor_id from agendas a
     where tenant_id = $3 and ${isUnplannedSql} order by debtor_id limit ${unplannedMax})`,
).as<{
  slot: number | null
  channel: Channel | null
  state: SlotRow['state']
  n: number
  /** Of a debtor that is to be counted where its message is planned now. */
  debtor_id: string | null
}>()

const selectLeaving = sql(
  'reports.list-leaving',
  `select debtor_id, contact_at from agendas a
    where tenant_id = $1 and contact_channel is not null and contact_slot >= $2 and contact_slot < $3 and not (${isUnplannedSql})
    order by contact_slot fetch first ${leavingMax} rows with ties`,
).as<{ debtor_id: string; contact_at: number }>()

const selectNames = sql(
  'reports.list-names',
  'select id, name, city, postal_code, country from debtors where id = any ($1::uuid[])',
)

interface SlotRow {
  slot: number
  channel: Channel
  state: (typeof states)[number]
  n: number
}

const selectCollected = sql(
  'reports.sum-collected',
  `select coalesce(sum(amount_cents), 0)::float8 as cents from (
     select amount_cents from count_days where kind = 'payment' and status = 'completed' and day = $1::date and currency = $2
     union all
     select amount_cents from count_deltas where kind = 'payment' and status = 'completed' and day = $1::date and currency = $2) c`,
).as<{ cents: number }>()

const selectStop = sql(
  'reports.find-stop',
  `select stop_reason($1::uuid) as stop_reason,
          (select min(s.since) from stops s where s.ended_at is null
              and s.target = any (array[case when $2::boolean then null else '*' end, $3::text, $1::text])) as stopped_since`,
).as<{ stop_reason: StopReason | null; stopped_since: number | null }>()

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
    'What is held and what waits is as of now, so only today has it. A day to come has nothing that was sent or collected. A planned message is counted at the moment its debtor is checked next; the contact rules are checked again then.',
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
    const current = localTime(zone, now).date
    const date = query.date ?? current
    const isToCome = date > current
    const slotAt = (localDay: LocalDate) => slotOf(instantOf(zone, localDay, 0))
    const [first, end] = [slotAt(date), slotAt(addDays(date, 1))]
    const mayName = namesNeed.every(scope => actor.scopes.includes(scope))
    const [counted, stored, waiting, collected, [stop], [begun]] = await Promise.all([
      tx.rows(selectSlots, [first, end, actor.tenantId]),
      mayName ? tx.rows(selectLeaving, [actor.tenantId, first, end]) : null,
      date === current ? readWaiting(tx, actor, currency) : null,
      isToCome ? [] : tx.rows(selectCollected, [date, currency]),
      tx.rows(selectStop, [actor.tenantId, actor.environment === 'sandbox', actor.companyId]),
      tx.rows(selectBegun, []),
    ])
    const { stop_reason: because, stopped_since: since } = stop!
    const unplanned = counted.flatMap(({ debtor_id }) => debtor_id ?? [])
    const plans = await computePlans(tx, actor.tenantId, unplanned, now)
    const isOfDay = (slot: number) => slot >= first && slot < end
    // Nothing is planned while sending is stopped.
    const slots = withNewPlans(counted, plans).filter(
      ({ slot, state }) => isOfDay(slot) && (because === null || state !== 'planned'),
    )
    const shownSlots = toSlots(slots)
    const context = { tenantId: actor.tenantId, currency, timeZone: zone, now, today: current }
    const leaving = stored && (because === null ? await readLeaving(tx, context, stored, plans, isOfDay) : [])
    return {
      date,
      timeZone: zone,
      now: iso(now),
      stopped: because && {
        because,
        since: because === 'sending_stopped' && since !== null ? iso(since) : null,
      },
      slots: shownSlots,
      totals: totalsOf(shownSlots, isToCome),
      leaving,
      axis: axisOf(
        zone,
        date,
        shownSlots.map(({ at }) => Date.parse(at)),
      ),
      currency,
      held: waiting?.held ?? null,
      queues: waiting?.queues ?? null,
      collectedCents: collected[0]?.cents ?? null,
      begun: begun!,
    }
  },
})

/** Debtors whose facts have just changed are counted where their message is planned now. */
function withNewPlans(
  rows: readonly {
    slot: number | null
    channel: Channel | null
    state: SlotRow['state']
    n: number
  }[],
  plans: ReadonlyMap<string, DebtorPlan>,
): SlotRow[] {
  return [
    ...rows.flatMap(({ slot, channel, state, n }) =>
      slot === null || channel === null ? [] : [{ slot, channel, state, n }],
    ),
    ...[...plans.values()].flatMap(({ message }) =>
      message
        ? [
            {
              slot: slotOf(message.at),
              channel: message.channel,
              state: 'planned' as const,
              n: 1,
            },
          ]
        : [],
    ),
  ]
}

/** The first debtors of the day, as they are counted: where no plan is stored, by the one that was made for this answer. */
async function readLeaving(
  tx: Tx,
  context: Parameters<typeof readAccounts>[1],
  stored: readonly { debtor_id: string; contact_at: number }[],
  plans: ReadonlyMap<string, DebtorPlan>,
  isOfDay: (slot: number) => boolean,
): Promise<z.input<typeof LeavingDebtor>[]> {
  const moments = new Map(stored.map(({ debtor_id, contact_at }) => [debtor_id, contact_at]))
  for (const [id, { message }] of plans)
    if (message && isOfDay(slotOf(message.at))) moments.set(id, message.at)
    else moments.delete(id)
  const ids = [...moments]
    .sort(([, one], [, other]) => one - other)
    .slice(0, leavingMax)
    .map(([id]) => id)
  if (ids.length === 0) return []
  const [accounts, debtors] = await Promise.all([readAccounts(tx, context, ids), tx.rows(selectNames, [ids])])
  return debtors
    .flatMap(({ id, name, city, postal_code: postalCode, country }) => {
      const { nextContact: contact, openCents } = accounts.get(id)!
      if (!contact || !isOfDay(slotOf(Date.parse(contact.at)))) return []
      const timeZone = calendarFor({ country, postalCode })?.zones[0] ?? null
      return [{ debtorId: id, name, city, timeZone, openCents, contact }]
    })
    .sort((one, other) => Date.parse(one.contact.at) - Date.parse(other.contact.at))
}

/** One entry per quarter hour and channel, in the order of time and then of channels. */
function toSlots(rows: readonly SlotRow[]) {
  const found = [...new Set(rows.map(row => row.slot))].sort((a, b) => a - b)
  return found.flatMap(slot =>
    channels.flatMap(channel => {
      const here = rows.filter(row => row.slot === slot && row.channel === channel)
      if (here.length === 0) return []
      const [planned, sent, delivered, bounced, failed, unknown] = states.map(state =>
        here.reduce((sum, row) => sum + (row.state === state ? row.n : 0), 0),
      ) as [number, number, number, number, number, number]
      if (planned + sent + delivered + bounced + failed + unknown === 0) return []
      const counts = { planned, sent, delivered, bounced, failed, unknown, left: sent + delivered + bounced }
      return [{ at: iso(slot * slotMs), channel, ...counts }]
    }),
  )
}

function totalsOf(slots: ReturnType<typeof toSlots>, isToCome: boolean) {
  const sum = (name: (typeof states)[number] | 'left') => slots.reduce((total, slot) => total + slot[name], 0)
  const sumSent = (name: (typeof triedStates)[number] | 'left') => (isToCome ? null : sum(name))
  return {
    planned: sum('planned'),
    sent: sumSent('sent'),
    delivered: sumSent('delivered'),
    bounced: sumSent('bounced'),
    failed: sumSent('failed'),
    unknown: sumSent('unknown'),
    left: sumSent('left'),
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
