import { z } from 'zod'
import { type PaymentMethod, paymentMethods } from '../../../domain/money/payment-state.ts'
import { mayPay, owedOf } from '../../../domain/recovery/account.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { centsInput, line, moment, optional, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { type CompanyFacts, findCompany } from '../../access/companies/company.ts'
import { currencyCode } from '../../platform/code-fields.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { invoiceAlreadyPaid, invoiceNotFound } from '../../recovery/case/errors.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import { type OpenRecovery, type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { type Applied, applyMoney } from './apply-money.ts'
import { paymentRecorded } from './audit-events.ts'
import { paymentAboveOwed, paymentReferenceTaken } from './errors.ts'
import { paymentReceived } from './events.ts'
import { planReceiptOfCollector } from './plan-receipt.ts'
import { type ChangedPayment, type PaymentRow, RecordedPayment, toPayment } from './schema.ts'

/** A thousand times the largest invoice: far from the sums that cannot be computed exactly. */
const paidMaxCents = 1_000_000_000_000_000

const PaymentInput = z
  .strictObject({
    invoiceId: uuid,
    amountCents: centsInput,
    method: z.enum(paymentMethods),
    paidAt: optional(moment).meta({ description: 'Default now; not in the future' }),
    status: optional(z.enum(['completed', 'pending'])).meta({ default: 'completed' }),
    externalReference: optional(line(100)).meta({
      description: 'Unique: the same money is never recorded twice',
    }),
    currency: optional(currencyCode).meta({ description: "The invoice's; anything else is refused" }),
    allowOverpayment: optional(z.boolean()).meta({
      default: false,
      description:
        'Record money beyond what is owed: the rest of the invoice, and what was claimed for late payment',
    }),
    dryRun,
  })
  .meta({ id: 'PaymentInput' })

const insertPayment = sql(
  'payments.insert',
  `insert into payments (tenant_id, id, invoice_id, amount_cents, currency, status, method, paid_at, day, external_reference,
     created_at, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
   on conflict (tenant_id, external_reference) where external_reference is not null do nothing
   returning id`,
)

export const recordPayment = operation({
  id: 'payments.create',
  method: 'POST',
  path: '/api/v1/payments',
  summary: 'Record a payment, received or pending',
  description:
    "The invoice's balance and status and its recovery follow in the same transaction: when it is paid, nothing more is sent from the answer on, but for the messages named in `inFlight`. A message that states the old sum and has not left is written again.",
  scopes: ['payments:write'],
  body: PaymentInput,
  status: 201,
  reply: RecordedPayment,
  errors: [invoiceNotFound, invoiceAlreadyPaid, paymentAboveOwed, paymentReferenceTaken],
  assistant: 'confirm',
  audit: [paymentRecorded],
  example: {
    body: { invoiceId: '01a1dd16-6edd-7dd9-b7f7-4014cd39872c', amountCents: 50_000, method: 'bank_transfer' },
  },
  rehearse: (call, perform) => withPlans(call, [call.body.invoiceId], perform),
  async run(call) {
    const paid = await pay(call, call.body)
    const recovery = await openRecovery(call, call.body.invoiceId)
    return recovery?.file.insolvency_kind ? new WithWarnings(paid, [insolvencyPayment]) : paid
  },
})

/** Art. L622-7 C. com., L722-5 C. conso.: the money has arrived, so it is recorded; it may have to be given back. */
const insolvencyPayment = {
  code: 'insolvency_payment',
  message:
    'Proceedings are open for this debtor. A payment of a claim from before the opening can be annulled, and the money may have to be given back: ask the practitioner or the commission.',
}

/** Records a payment that the actor reports. */
export async function pay(
  context: OperationContext,
  body: z.output<typeof PaymentInput>,
): Promise<z.input<typeof ChangedPayment>> {
  const { tx, actor, now } = context
  const [company, recovery] = await Promise.all([
    findCompany(tx, actor.companyId),
    openRecovery(context, body.invoiceId),
  ])
  if (!recovery) throw invoiceNotFound.make()
  refuseFaults(body, recovery, now)
  if (body.allowOverpayment !== true) refuseOverpayment(recovery, body.amountCents)
  const status = body.status ?? 'completed'
  const booked = await bookPayment(context, company, recovery, {
    amountCents: body.amountCents,
    method: body.method,
    status,
    paidAt: body.paidAt ?? (status === 'completed' ? now : null),
    externalReference: body.externalReference ?? null,
  })
  if (!booked) throw paymentReferenceTaken.make(body.externalReference ?? '')
  return { ...toPayment(booked.row), inFlight: booked.inFlight }
}

/** Books a completed or pending payment and its consequences; null if the reference is already known. */
export async function bookPayment(
  context: OperationContext,
  company: Pick<CompanyFacts, 'time_zone'>,
  recovery: OpenRecovery,
  given: {
    amountCents: number
    method: PaymentMethod
    status: 'completed' | 'pending'
    paidAt: number | null
    externalReference: string | null
  },
): Promise<{ row: PaymentRow; inFlight: InFlight[] } | null> {
  const { tx, now, newId } = context
  const { paidAt } = given
  const row: PaymentRow = {
    id: newId(),
    invoice_id: recovery.row.invoice_id,
    amount_cents: given.amountCents,
    currency: recovery.row.currency,
    status: given.status,
    method: given.method,
    paid_at: paidAt,
    day: localTime(company.time_zone, paidAt ?? now).date,
    external_reference: given.externalReference,
    failure_reason: null,
    created_at: now,
  }
  const [inserted] = await tx.rows(insertPayment, [
    row.id,
    row.invoice_id,
    row.amount_cents,
    row.currency,
    row.status,
    row.method,
    paidAt === null ? null : iso(paidAt),
    row.day,
    row.external_reference,
    iso(now),
  ])
  if (!inserted) return null
  const about = { paymentId: row.id, invoiceId: row.invoice_id, status: given.status }
  recordAudit(tx, [newEvent(paymentRecorded, row.id, about)], context)
  if (given.status === 'pending') return { row, inFlight: [] }
  planReceiptOfCollector(context, recovery, row)
  const { inFlight } = await applyMoney(
    context,
    recovery,
    { kind: 'payment', sourceId: row.id, cents: row.amount_cents, day: row.day },
    applied => [paymentReceivedEvent(recovery, row, applied)],
  )
  return { row, inFlight }
}

export const paymentReceivedEvent = (recovery: OpenRecovery, row: PaymentRow, applied: Applied): NewEvent =>
  newEvent(paymentReceived, recovery.row.invoice_id, {
    invoiceId: recovery.row.invoice_id,
    invoiceNumber: recovery.row.number,
    debtorId: recovery.row.debtor_id,
    paymentId: row.id,
    amountCents: row.amount_cents,
    currency: row.currency,
    method: row.method as 'card',
    paidAt: iso(row.paid_at!),
    ...applied,
  })

function refuseOverpayment({ row }: OpenRecovery, amountCents: number): void {
  const sums = { ...factsOf(row), claimed: row.claimed_cents }
  const verdict = mayPay(sums, amountCents)
  if (verdict.allowed) return
  if (verdict.because === 'paid')
    throw invoiceAlreadyPaid.make('; send allowOverpayment: true if the money really arrived')
  const { balance: principal, accessories } = owedOf(sums)
  throw paymentAboveOwed.make(amountCents, { principal, accessories })
}

function refuseFaults(body: z.output<typeof PaymentInput>, recovery: OpenRecovery, now: number): void {
  const fault = (field: string, message: string) =>
    new ApiError('VAL_001', `${field} ${message}.`, { details: [{ field, code: 'invalid', message }] })
  if (body.currency !== undefined && body.currency !== recovery.row.currency)
    throw fault('currency', `must be the invoice's, ${recovery.row.currency}`)
  if (recovery.row.paid_cents + body.amountCents > paidMaxCents)
    throw fault(
      'amountCents',
      `would raise the money on this invoice above ${paidMaxCents} cents; check the amount`,
    )
  if (body.paidAt !== undefined && body.paidAt > now) throw fault('paidAt', 'is in the future')
}
