import { z } from 'zod'
import { paymentStatuses } from '../../../domain/money/payment-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import { day, pageQuery, uuid } from '../../../kit/fields.ts'
import { conditions, countUpTo, listQuery, newestFirst } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { totalOf, totalOfDays } from '../../platform/counts/totals.ts'
import { invoiceNotFound } from '../../recovery/case/errors.ts'
import { findPayment } from './change-payment.ts'
import { paymentNotFound } from './errors.ts'
import {
  Payment,
  PaymentOfInvoice,
  type PaymentRow,
  paymentColumns,
  toPayment,
  toPaymentOfInvoice,
} from './schema.ts'

const ListQuery = z
  .strictObject({
    ...listQuery(20),
    status: z.enum(paymentStatuses).optional(),
    fromDate: day.optional().meta({ description: "Day of payment, else of creation, in the company's zone" }),
    toDate: day.optional(),
    invoiceId: uuid.optional(),
    receiptId: uuid.optional().meta({ description: 'The payments of one sum received for several invoices' }),
  })
  .meta({ id: 'PaymentListQuery' })

export const listPayments = operation({
  id: 'payments.list',
  method: 'GET',
  path: '/api/v1/payments',
  summary: 'List payments, the newest first',
  scopes: ['payments:read'],
  query: ListQuery,
  status: 200,
  reply: Payment,
  list: true,
  errors: [],
  assistant: 'read',
  run({ tx, query }) {
    const { status = null, fromDate = null, toDate = null, invoiceId, receiptId } = query
    const filter = () => {
      const filter = conditions()
      if (status) filter.add(`p.status = ${filter.bind(status)}`)
      if (invoiceId) filter.add(`p.invoice_id = ${filter.bind(invoiceId)}`)
      if (receiptId) filter.add(`p.receipt_id = ${filter.bind(receiptId)}`)
      if (fromDate) filter.add(`p.day >= ${filter.bind(fromDate)}`)
      if (toDate) filter.add(`p.day <= ${filter.bind(toDate)}`)
      return filter
    }
    const total = () => {
      if (invoiceId || receiptId) {
        const counted = filter()
        return countUpTo(tx, `payments p ${counted.where()}`, counted.values)
      }
      if (fromDate || toDate) return totalOfDays(tx, 'payment', status, fromDate, toDate)
      return totalOf(tx, 'payment', status)
    }
    return newestFirst(tx, query, {
      columns: paymentColumns,
      source: 'payments p',
      filter,
      total,
      toItem: toPayment,
    })
  },
})

export const getPayment = operation({
  id: 'payments.get',
  method: 'GET',
  path: '/api/v1/payments/:id',
  summary: 'Read a payment',
  scopes: ['payments:read'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: Payment,
  errors: [paymentNotFound],
  assistant: 'read',
  async run({ tx, params }) {
    const payment = await findPayment(tx, params.id)
    if (!payment) throw paymentNotFound.make()
    return toPayment(payment)
  },
})

// At least one row if the invoice exists, so one query tells "no payments" from "unknown invoice".
const selectPaymentsOfInvoice = sql(
  'payments.list-by-invoice',
  `select ${paymentColumns}, t.total
     from invoices i
     cross join lateral (select count(*) as total from payments where invoice_id = i.id) t
     left join lateral (select * from payments where invoice_id = i.id order by id limit $2 offset $3) p on true
    where i.id = $1 order by p.id`,
).as<PaymentRow & { total: number }>()

export const listPaymentsOfInvoice = operation({
  id: 'payments.ofInvoice',
  method: 'GET',
  path: '/api/v1/payments/invoice/:invoiceId',
  summary: 'List the payments of an invoice, the oldest first',
  scopes: ['payments:read'],
  params: z.strictObject({ invoiceId: uuid }),
  query: pageQuery,
  status: 200,
  reply: PaymentOfInvoice,
  list: true,
  errors: [invoiceNotFound],
  assistant: 'read',
  async run({ tx, params, query }) {
    const rows = await tx.rows(selectPaymentsOfInvoice, [
      params.invoiceId,
      query.limit,
      (query.page - 1) * query.limit,
    ])
    const total = rows[0]?.total
    if (total === undefined) throw invoiceNotFound.make()
    return {
      items: rows.filter(row => row.id !== null).map(toPaymentOfInvoice),
      pagination: pagination(query, total),
    }
  },
})
