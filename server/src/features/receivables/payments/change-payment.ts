import { z } from 'zod'
import { type PaymentAct, paymentActs } from '../../../domain/money/payment-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, note, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { type OpenRecovery, type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { applyMoney } from './apply-money.ts'
import { paymentChanged } from './audit-events.ts'
import { paymentCannotBecome, paymentNotFound } from './errors.ts'
import { paymentFailed } from './events.ts'
import { planReceipt, receiptPartOf } from './plan-receipt.ts'
import { paymentReceivedEvent } from './record-payment.ts'
import { ChangedPayment, type PaymentRow, paymentColumns, toPayment } from './schema.ts'

const selectPayment = sql(
  'payments.get',
  `select ${paymentColumns} from payments p where p.id = $1`,
).as<PaymentRow>()
const updatePaymentRow = sql(
  'payments.update',
  `update payments set status = $2, paid_at = $3, day = $4, failure_reason = $5, refund_reason = $6, updated_at = $7 where id = $1`,
)

export const findPayment = async (tx: Tx, id: string): Promise<PaymentRow | null> =>
  (await tx.rows(selectPayment, [id]))[0] ?? null

/** Changes the status of a payment, and with it what is owed. */
export async function changePayment(
  context: OperationContext,
  id: string,
  act: PaymentAct,
  reason: string | null,
) {
  const { tx, actor, now } = context
  const unlockedPayment = await findPayment(tx, id)
  if (!unlockedPayment) throw paymentNotFound.make()
  // Read again under the lock: two changes of one payment wait for each other here.
  const [company, recovery] = await Promise.all([
    findCompany(tx, actor.companyId),
    openRecovery(context, unlockedPayment.invoice_id),
  ])
  const payment = await findPayment(tx, id)
  if (!payment || !recovery) throw paymentNotFound.make()
  const { from, to, effect, movement } = paymentActs[act]
  if (payment.status !== from) throw paymentCannotBecome.make(payment.status, to)
  const paidAt = to === 'completed' ? now : payment.paid_at
  const row: PaymentRow = {
    ...payment,
    status: to,
    paid_at: paidAt,
    day: to === 'completed' ? localTime(company.time_zone, now).date : payment.day,
    failure_reason: to === 'failed' ? reason : null,
  }
  tx.atCommit(updatePaymentRow, [
    id,
    to,
    paidAt === null ? null : iso(paidAt),
    row.day,
    row.failure_reason,
    to === 'refunded' ? reason : null,
    iso(now),
  ])
  const about = { paymentId: id, invoiceId: payment.invoice_id, before: from, status: to }
  recordAudit(tx, [newEvent(paymentChanged, id, about)], context)
  const failed = to === 'failed' ? [paymentFailedEvent(recovery, row)] : []
  if (movement === null) {
    recordEvents(tx, failed, context)
    return { ...toPayment(row), inFlight: [] }
  }
  if (to === 'completed') planReceipt(context, [receiptPartOf(recovery, row)])
  const { inFlight } = await applyMoney(
    context,
    recovery,
    {
      kind: movement,
      sourceId: id,
      cents: effect * payment.amount_cents,
      ...(to === 'completed' && { day: row.day }),
    },
    applied => (to === 'completed' ? [paymentReceivedEvent(recovery, row, applied)] : failed),
  )
  return { ...toPayment(row), inFlight }
}

const paymentFailedEvent = (recovery: OpenRecovery, row: PaymentRow) =>
  newEvent(paymentFailed, recovery.row.invoice_id, {
    invoiceId: recovery.row.invoice_id,
    invoiceNumber: recovery.row.number,
    debtorId: recovery.row.debtor_id,
    paymentId: row.id,
    amountCents: row.amount_cents,
    currency: row.currency,
    method: row.method as 'card',
    reason: row.failure_reason,
  })

const invoiceOfPayment = async (tx: Tx, paymentId: string): Promise<string[]> => {
  const payment = await findPayment(tx, paymentId)
  return payment ? [payment.invoice_id] : []
}

const PaymentChange = z
  .strictObject({ status: z.enum(['completed', 'failed']), failureReason: optional(line(200)), dryRun })
  .meta({ id: 'PaymentChange' })

export const settlePayment = operation({
  id: 'payments.settle',
  method: 'PUT',
  path: '/api/v1/payments/:id',
  summary: 'Say that a pending payment arrived or failed',
  description:
    'Only from pending. A payment that arrived is given back with `POST …/refund`, and taken back by the bank with `POST …/reverse`.',
  scopes: ['payments:write'],
  params: z.strictObject({ id: uuid }),
  body: PaymentChange,
  status: 200,
  reply: ChangedPayment,
  errors: [paymentNotFound, paymentCannotBecome],
  assistant: 'confirm',
  audit: [paymentChanged],
  example: { body: { status: 'failed', failureReason: 'insufficient funds' } },
  rehearse: async (call, perform) =>
    withPlans(call, await invoiceOfPayment(call.tx, call.params.id), perform),
  run: call => {
    const act = call.body.status === 'completed' ? 'complete' : 'fail'
    return changePayment(call, call.params.id, act, call.body.failureReason ?? null)
  },
})

export const refundPayment = operation({
  id: 'payments.refund',
  method: 'POST',
  path: '/api/v1/payments/:id/refund',
  summary: 'Record a refund; moves no money itself',
  scopes: ['payments:write'],
  params: z.strictObject({ id: uuid }),
  body: z.strictObject({ reason: optional(note(500)), dryRun }).meta({ id: 'RefundInput' }),
  status: 200,
  reply: ChangedPayment,
  errors: [paymentNotFound, paymentCannotBecome],
  assistant: 'confirm',
  audit: [paymentChanged],
  example: { body: { reason: 'paid twice' } },
  rehearse: async (call, perform) =>
    withPlans(call, await invoiceOfPayment(call.tx, call.params.id), perform),
  run: call => changePayment(call, call.params.id, 'refund', call.body.reason ?? null),
})

export const reversePayment = operation({
  id: 'payments.reverse',
  method: 'POST',
  path: '/api/v1/payments/:id/reverse',
  summary: 'Record that the bank took a payment back: a returned debit or a chargeback',
  description: 'Only from completed. The payment becomes failed, and what it had paid is owed again.',
  scopes: ['payments:write'],
  params: z.strictObject({ id: uuid }),
  body: z
    .strictObject({
      failureReason: optional(line(200)).meta({ description: 'Why the bank took it back' }),
      dryRun,
    })
    .meta({ id: 'ReversalInput' }),
  status: 200,
  reply: ChangedPayment,
  errors: [paymentNotFound, paymentCannotBecome],
  assistant: 'confirm',
  audit: [paymentChanged],
  example: { body: { failureReason: 'insufficient funds' } },
  rehearse: async (call, perform) =>
    withPlans(call, await invoiceOfPayment(call.tx, call.params.id), perform),
  run: call => changePayment(call, call.params.id, 'reverse', call.body.failureReason ?? null),
})
