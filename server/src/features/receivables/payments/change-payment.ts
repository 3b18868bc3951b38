import { z } from 'zod'
import { effectOf, mayBecome, type PaymentStatus } from '../../../domain/money/payment-state.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, note, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { type Case, openCase, type World } from '../../recovery/case/case.ts'
import { applyMoney } from './apply-money.ts'
import { paymentCannotMove, paymentNotFound } from './errors.ts'
import { paymentFailed } from './events.ts'
import { Payment, type PaymentRow, paymentColumns, toPayment } from './payment.ts'
import { received } from './record-payment.ts'

const find = sql('payments.get', `select ${paymentColumns} from payments p where p.id = $1`).as<PaymentRow>()
const update = sql(
  'payments.update',
  `update payments set status = $2, paid_at = $3, day = $4, failure_reason = $5, refund_reason = $6, updated_at = $7 where id = $1`,
)

export const findPayment = async (tx: Tx, id: string): Promise<PaymentRow | null> =>
  (await tx.rows(find, [id]))[0] ?? null

const kinds = { completed: 'payment', failed: 'reversal', refunded: 'refund', pending: 'payment' } as const

/** A payment changes its status, and what is owed with it. */
export async function changePayment(world: World, id: string, to: PaymentStatus, reason: string | null) {
  const { tx, actor, now } = world
  const seen = await findPayment(tx, id)
  if (!seen) throw paymentNotFound.make()
  // Read again once the account is locked: two changes of one payment wait for each other here.
  const [company, account] = await Promise.all([
    findCompany(tx, actor.companyId),
    openCase(tx, actor.tenantId, seen.invoice_id),
  ])
  const payment = await findPayment(tx, id)
  if (!payment || !account) throw paymentNotFound.make()
  const from = payment.status as PaymentStatus
  if (!mayBecome(from, to)) throw paymentCannotMove.make(from, to)
  const paidAt = to === 'completed' ? now : payment.paid_at
  const row: PaymentRow = {
    ...payment,
    status: to,
    paid_at: paidAt,
    day: to === 'completed' ? localTime(company.time_zone, now).date : payment.day,
    failure_reason: to === 'failed' ? reason : null,
  }
  tx.atCommit(update, [
    id,
    to,
    paidAt === null ? null : iso(paidAt),
    row.day,
    row.failure_reason,
    to === 'refunded' ? reason : null,
    iso(now),
  ])
  const effect = effectOf(from, to)
  const failed = to === 'failed' ? [failedEvent(account, row)] : []
  if (effect === 0) recordEvents(tx, failed, world)
  else
    await applyMoney(
      world,
      account,
      { kind: kinds[to], sourceId: id, cents: effect * payment.amount_cents },
      applied => (to === 'completed' ? [received(account, row, applied)] : failed),
    )
  return toPayment(row)
}

const failedEvent = (account: Case, row: PaymentRow) =>
  newEvent(paymentFailed, account.row.invoice_id, {
    invoiceId: account.row.invoice_id,
    invoiceNumber: account.row.number,
    debtorId: account.row.debtor_id,
    paymentId: row.id,
    amountCents: row.amount_cents,
    currency: row.currency,
    method: row.method as 'card',
    reason: row.failure_reason,
  })

const PaymentChange = z
  .strictObject({ status: z.enum(['completed', 'failed']), failureReason: optional(line(200)) })
  .meta({ id: 'PaymentChange' })

export const settlePayment = operation({
  id: 'payments.settle',
  method: 'PUT',
  path: '/api/v1/payments/:id',
  summary: 'Say what became of a payment: it arrived, it failed, or it was taken back',
  description: 'pending becomes completed or failed; completed becomes failed when the bank takes it back.',
  scopes: ['payments:write'],
  params: z.strictObject({ id: uuid }),
  body: PaymentChange,
  status: 200,
  reply: Payment,
  errors: [paymentNotFound, paymentCannotMove],
  assistant: 'confirm',
  example: { body: { status: 'failed', failureReason: 'insufficient funds' } },
  run: call => changePayment(call, call.params.id, call.body.status, call.body.failureReason ?? null),
})

export const refundPayment = operation({
  id: 'payments.refund',
  method: 'POST',
  path: '/api/v1/payments/:id/refund',
  summary: 'Record that a payment was given back; moves no money itself',
  scopes: ['payments:write'],
  params: z.strictObject({ id: uuid }),
  body: z.strictObject({ reason: optional(note(500)) }).meta({ id: 'RefundInput' }),
  status: 200,
  reply: Payment,
  errors: [paymentNotFound, paymentCannotMove],
  assistant: 'confirm',
  example: { body: { reason: 'paid twice' } },
  run: call => changePayment(call, call.params.id, 'refunded', call.body.reason ?? null),
})
