import { z } from 'zod'
import { type PaymentMethod, paymentMethods } from '../../../domain/money/payment-state.ts'
import { firstOfMonth, type LocalDate, localTime, mondayOf } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { eachOf } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { percent } from '../../platform/counts/percent.ts'

const periods = ['day', 'week', 'month', 'year'] as const

const PaymentSummary = z
  .object({
    totalCollected: z.int().meta({ description: 'Cents of payments completed in the period' }),
    totalPending: z.int(),
    currency: z.string(),
    period: z.enum(periods),
    byMethod: eachOf(paymentMethods, z.int()),
    conversionRate: z
      .number()
      .meta({ description: 'Percent of payments that arrived, of those that arrived or failed' }),
  })
  .meta({ id: 'PaymentSummary' })

// Sums are float8: exact up to 2^53, and beyond that the nearest number that JSON readers hold anyway.
const selectPaymentSums = sql(
  'payments.sum-by-status',
  `select status, method, sum(n)::bigint as n, sum(amount_cents)::float8 as amount_cents from (
     select status, method, n, amount_cents from count_days where kind = 'payment' and day >= $1::date and currency = $2
     union all
     select status, method, n, amount_cents from count_deltas where kind = 'payment' and day >= $1::date and currency = $2) counted
    group by status, method`,
).as<{ status: string; method: PaymentMethod; n: number; amount_cents: number }>()

function startOf(period: (typeof periods)[number], today: LocalDate): LocalDate {
  switch (period) {
    case 'day':
      return today
    case 'week':
      return mondayOf(today)
    case 'month':
      return firstOfMonth(today)
    case 'year':
      return `${today.slice(0, 4)}-01-01`
  }
}

export const paymentSummary = operation({
  id: 'payments.summary',
  method: 'GET',
  path: '/api/v1/payments/stats/summary',
  summary: 'Amounts collected in the current period',
  scopes: ['reports:read'],
  query: z
    .strictObject({
      period: z
        .enum(periods)
        .optional()
        .transform(value => value ?? 'month')
        .meta({ default: 'month' }),
    })
    .meta({ id: 'PaymentSummaryQuery' }),
  status: 200,
  reply: PaymentSummary,
  errors: [],
  assistant: 'read',
  usesNow: true,
  async run({ tx, actor, query, now }) {
    const company = await findCompany(tx, actor.companyId)
    const from = startOf(query.period, localTime(company.time_zone, now).date)
    const rows = await tx.rows(selectPaymentSums, [from, company.currency])
    const cents = (status: string, method?: string) =>
      rows
        .filter(row => row.status === status && (method === undefined || row.method === method))
        .reduce((sum, row) => sum + row.amount_cents, 0)
    const count = (status: string) =>
      rows.filter(row => row.status === status).reduce((sum, row) => sum + row.n, 0)
    return {
      totalCollected: cents('completed'),
      totalPending: cents('pending'),
      currency: company.currency,
      period: query.period,
      byMethod: Object.fromEntries(
        paymentMethods.map(method => [method, cents('completed', method)]),
      ) as Record<PaymentMethod, number>,
      conversionRate: percent(count('completed'), count('completed') + count('failed')),
    }
  },
})
