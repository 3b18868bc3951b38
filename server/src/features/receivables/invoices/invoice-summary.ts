import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import { eachOf } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { percent } from '../../platform/counts/percent.ts'

const InvoiceSummary = z
  .object({
    totalInvoices: z.int(),
    totalAmountCents: z.int().meta({ description: "In the company's currency only; nothing is converted" }),
    byStatus: eachOf(invoiceStatuses, z.int()),
    recoveryRate: z
      .number()
      .meta({ description: 'Percent of the principal of invoices not cancelled that was paid' }),
    currency: z.string(),
    byCurrency: z.record(z.string(), z.object({ totalInvoices: z.int(), totalAmountCents: z.int() })),
  })
  .meta({ id: 'InvoiceSummary' })

// Sums are float8: exact up to 2^53, and beyond that the nearest number that JSON readers hold anyway.
const selectInvoiceSums = sql(
  'invoices.sum-by-status',
  `select status, currency, sum(n)::bigint as n, sum(amount_cents)::float8 as amount_cents, sum(paid_cents)::float8 as paid_cents
     from (
       select status, currency, n, amount_cents, paid_cents from count_totals where kind = 'invoice'
       union all
       select status, currency, n, amount_cents, paid_cents from count_deltas where kind = 'invoice') counted
    group by status, currency`,
).as<{
  status: InvoiceStatus
  currency: string
  n: number
  amount_cents: number
  paid_cents: number
}>()

export const invoiceSummary = operation({
  id: 'invoices.summary',
  method: 'GET',
  path: '/api/v1/invoices/stats/summary',
  summary: 'Number of invoices, total amount, and amount recovered',
  scopes: ['reports:read'],
  status: 200,
  reply: InvoiceSummary,
  errors: [],
  assistant: 'read',
  async run({ tx, actor }) {
    const [company, rows] = await Promise.all([
      findCompany(tx, actor.companyId),
      tx.rows(selectInvoiceSums, []),
    ])
    const inCompanyCurrency = rows.filter(row => row.currency === company.currency)
    const sum = (summed: typeof rows, read: (row: (typeof rows)[number]) => number) =>
      summed.reduce((total, row) => total + read(row), 0)
    const notCancelled = inCompanyCurrency.filter(row => row.status !== 'cancelled')
    const currencies = [...new Set(rows.filter(row => row.n > 0).map(row => row.currency))].sort()
    return {
      totalInvoices: sum(rows, row => row.n),
      totalAmountCents: sum(inCompanyCurrency, row => row.amount_cents),
      byStatus: Object.fromEntries(
        invoiceStatuses.map(status => [
          status,
          sum(
            rows.filter(row => row.status === status),
            row => row.n,
          ),
        ]),
      ) as Record<InvoiceStatus, number>,
      recoveryRate: percent(
        sum(notCancelled, row => row.paid_cents),
        sum(notCancelled, row => row.amount_cents),
      ),
      currency: company.currency,
      byCurrency: Object.fromEntries(
        currencies.map(currency => {
          const inCurrency = rows.filter(row => row.currency === currency)
          return [
            currency,
            {
              totalInvoices: sum(inCurrency, row => row.n),
              totalAmountCents: sum(inCurrency, row => row.amount_cents),
            },
          ]
        }),
      ),
    }
  },
})
