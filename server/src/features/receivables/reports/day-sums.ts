import { z } from 'zod'
import { addDays, firstOfMonth, type LocalDate, localTime, mondayOf } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { percent } from '../../platform/counts/percent.ts'
import { oldDays, overdueSums } from './day-figures.ts'

const weeks = 8
const promisesMax = 10_000

const isoDay = z.string().meta({ format: 'date' })

const openCents = z.int().meta({ description: 'Principal still to be paid' })
const paidOn = z.int().meta({ description: 'What is promised for it and not paid yet' })

const Overdue = z.object({
  openCents,
  invoices: z.int().meta({ description: 'Invoices with something open' }),
  sinceMonday: z
    .object({ day: isoDay, changeCents: z.int().meta({ description: 'More or less than then' }) })
    .nullable()
    .meta({
      description:
        'Compared with the Monday of this week, on a Monday with that of the last one; null if that day was not written',
    }),
  weeks: z.array(z.object({ day: isoDay, openCents })).meta({
    description: `Of the last ${weeks} weeks, one of their days each, the oldest first, then today`,
  }),
})

const DaySums = z
  .object({
    asOf: isoDay.meta({ description: "Today, in the company's time zone" }),
    currency: z.string().meta({ description: "The company's; sums in others are not in it" }),
    overdue: Overdue.meta({ description: 'What is overdue' }),
    old: Overdue.meta({ description: `The same of what is overdue for more than ${oldDays} days` }),
    promised: z
      .object({
        openCents: z
          .int()
          .meta({ description: 'Promised for this week, Monday to Sunday, and not paid yet' }),
        promises: z.int().meta({ description: 'How many there are' }),
        isExact: z
          .boolean()
          .meta({ description: `False beyond ${promisesMax} promises: it is at least so much` }),
        days: z
          .array(z.object({ day: isoDay, openCents: paidOn }))
          .meta({ description: 'Of the whole week' }),
        keptPercent: z
          .number()
          .nullable()
          .meta({ description: 'Of the promises that ended in the month before this one; null without any' }),
      })
      .meta({ description: 'Promises that are open' }),
    collected: z
      .object({
        cents: z.int().meta({ description: 'Payments that arrived in this month' }),
        changePercent: z
          .number()
          .nullable()
          .meta({ description: 'Against the same days of the month before; null if nothing arrived then' }),
        days: z
          .array(
            z.object({ day: isoDay, cents: z.int().meta({ description: 'Since the first of the month' }) }),
          )
          .meta({ description: 'The sum of the month up to each day on which something arrived' }),
      })
      .meta({ description: 'Payments' }),
  })
  .meta({ id: 'DaySums' })

const selectOverdue = sql('reports.sum-overdue', overdueSums).as<{
  overdue_cents: number
  overdue_invoices: number
  old_cents: number
  old_invoices: number
}>()
const selectFigures = sql(
  'reports.list-day-figures',
  `select day::text, overdue_cents::float8, old_cents::float8 from day_figures
    where day >= $1::date and day < $2::date and currency = $3 order by day`,
).as<{ day: LocalDate; overdue_cents: number; old_cents: number }>()
const selectPromised = sql(
  'reports.sum-promised',
  `select p.pay_on::text as day, count(*)::integer as n, sum(least(p.amount_cents, i.open_cents))::float8 as cents
     from (select invoice_id, pay_on, amount_cents from promises
            where status = 'open' and pay_on >= $1::date and pay_on < $2::date order by pay_on limit ${promisesMax}) p
     join invoices i on i.id = p.invoice_id and i.currency = $3
    group by 1 order by 1`,
).as<{ day: LocalDate; n: number; cents: number }>()
const selectKept = sql(
  'reports.count-kept-promises',
  `select status, count(*)::integer as n
     from (select status from promises
            where status in ('kept', 'broken') and settled_at >= $1 and settled_at < $2 order by settled_at limit ${promisesMax}) p
    group by 1`,
).as<{ status: string; n: number }>()
const selectCollected = sql(
  'reports.list-collected-days',
  `select day::text, sum(amount_cents)::float8 as cents from (
     select day, amount_cents from count_days where kind = 'payment' and status = 'completed' and day >= $1::date and day <= $2::date and currency = $3
     union all
     select day, amount_cents from count_deltas where kind = 'payment' and status = 'completed' and day >= $1::date and day <= $2::date and currency = $3) c
    group by 1 order by 1`,
).as<{ day: LocalDate; cents: number }>()

/** The first day of the month before that of `day`. */
const monthBefore = (day: LocalDate): LocalDate => firstOfMonth(addDays(firstOfMonth(day), -1))

/** The last written day of each week before this one. */
function lastOfEachWeek<Figure extends { day: LocalDate }>(figures: readonly Figure[]): Figure[] {
  return figures.filter(
    ({ day }, i) => figures[i + 1] === undefined || mondayOf(figures[i + 1]!.day) !== mondayOf(day),
  )
}

export const daySums = operation({
  id: 'reports.sums',
  method: 'GET',
  path: '/api/v1/reports/sums',
  summary: 'What is overdue, promised and collected, and how that has changed',
  description:
    'What was overdue on earlier days is written each night, in a sandbox each time its clock is advanced: days before the first writing have none.',
  scopes: ['reports:read'],
  status: 200,
  reply: DaySums,
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, now }) {
    const { time_zone: zone, currency } = await findCompany(tx, actor.companyId)
    const asOf = localTime(zone, now).date
    const monday = mondayOf(asOf)
    const before = monthBefore(asOf)
    const month = firstOfMonth(asOf)
    const [[sums], figures, promised, kept, payments] = await Promise.all([
      tx.rows(selectOverdue, [asOf, currency]),
      tx.rows(selectFigures, [addDays(monday, -7 * weeks), asOf, currency]),
      tx.rows(selectPromised, [monday, addDays(monday, 7), currency]),
      tx.rows(selectKept, [before, month]),
      tx.rows(selectCollected, [before, asOf, currency]),
    ])
    const overdue = (name: 'overdue' | 'old') => {
      const openCents = sums![`${name}_cents`]
      // On a Monday itself the change is that of the whole week before.
      const since = asOf === monday ? addDays(monday, -7) : monday
      const then = figures.find(({ day }) => day === since)
      return {
        openCents,
        invoices: sums![`${name}_invoices`],
        sinceMonday: then ? { day: since, changeCents: openCents - then[`${name}_cents`] } : null,
        weeks: [
          ...lastOfEachWeek(figures.filter(({ day }) => day < monday)).map(figure => ({
            day: figure.day,
            openCents: figure[`${name}_cents`],
          })),
          { day: asOf, openCents },
        ],
      }
    }
    const promises = promised.reduce((sum, { n }) => sum + n, 0)
    const countOf = (status: string) => kept.find(row => row.status === status)?.n ?? 0
    const ended = countOf('kept') + countOf('broken')
    const inMonth = payments.filter(({ day }) => day >= month)
    const sumOf = (rows: readonly { cents: number }[]) => rows.reduce((sum, { cents }) => sum + cents, 0)
    const collected = sumOf(inMonth)
    const sameDays = sumOf(payments.filter(({ day }) => day < month && day.slice(8) <= asOf.slice(8)))
    return {
      asOf,
      currency,
      overdue: overdue('overdue'),
      old: overdue('old'),
      promised: {
        openCents: sumOf(promised),
        promises,
        isExact: promises < promisesMax,
        days: Array.from({ length: 7 }, (_, i) => {
          const day = addDays(monday, i)
          return { day, openCents: promised.find(row => row.day === day)?.cents ?? 0 }
        }),
        keptPercent: ended === 0 ? null : percent(countOf('kept'), ended),
      },
      collected: {
        cents: collected,
        changePercent: sameDays === 0 ? null : percent(collected - sameDays, sameDays),
        days: inMonth.map(({ day }, i) => ({ day, cents: sumOf(inMonth.slice(0, i + 1)) })),
      },
    }
  },
})
