import { z } from 'zod'
import {
  type PaymentInstrument,
  type PaymentMethod,
  paymentInstruments,
  paymentMethods,
} from '../../../domain/money/payment-state.ts'
import { mayPay, owedOf } from '../../../domain/recovery/account.ts'
import { localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { refusedField } from '../../../kit/errors.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { centsInput, days, line, moment, optional, uuid } from '../../../kit/fields.ts'
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
import { planReceipt, type ReceiptPart, receiptPartOf } from './plan-receipt.ts'
import { type PaymentRow, type paidOff, RecordedPayment, toPayment } from './schema.ts'

/** A thousand times the largest invoice: far from the sums that cannot be computed exactly. */
const paidMaxCents = 1_000_000_000_000_000

/** The fields of money that a caller says has arrived. */
export const receivedFields = {
  amountCents: centsInput,
  method: z.enum(paymentMethods),
  instrument: optional(z.enum(paymentInstruments)).meta({
    description: 'What was handed over. A cheque has the method `bank_transfer`',
  }),
  paidAt: optional(moment).meta({ ...days(null, 0), description: 'Default now; not in the future' }),
  externalReference: optional(line(100)).meta({
    description: 'Unique for the invoice: the same money is never recorded twice',
  }),
}

const PaymentInput = z
  .strictObject({
    invoiceId: uuid,
    ...receivedFields,
    status: optional(z.enum(['completed', 'pending'])).meta({ default: 'completed' }),
    currency: optional(currencyCode).meta({ description: "The invoice's; anything else is refused" }),
    allowOverpayment: optional(z.boolean()).meta({
      default: false,
      description:
        'Record money beyond what is owed: the rest of the invoice, and what was claimed for late payment. A dry run with it tells the excess',
    }),
    dryRun,
  })
  .meta({ id: 'PaymentInput' })

// The same reference comes once for an invoice, and once at all where a provider reports it.
const insertPayment = sql(
  'payments.insert',
  `insert into payments (tenant_id, id, invoice_id, amount_cents, currency, status, method, instrument, receipt_id, paid_at, day,
     external_reference, by_provider, created_at, updated_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
   on conflict do nothing
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
export const insolvencyPayment = {
  code: 'insolvency_payment',
  message:
    'Proceedings are open for this debtor. A payment of a claim from before the opening can be annulled, and the money may have to be given back: ask the practitioner or the commission.',
}

/** Records a payment that the actor reports. */
export async function pay(
  context: OperationContext,
  body: z.output<typeof PaymentInput>,
): Promise<z.input<typeof RecordedPayment>> {
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
    instrument: body.instrument ?? null,
    status,
    paidAt: body.paidAt ?? (status === 'completed' ? now : null),
    externalReference: body.externalReference ?? null,
  })
  if (!booked) throw paymentReferenceTaken.make(body.externalReference ?? '')
  planReceipt(context, [booked.receiptPart])
  return { ...toPayment(booked.row), ...booked.paidOff, inFlight: booked.inFlight }
}

interface Booked {
  row: PaymentRow
  inFlight: InFlight[]
  paidOff: Record<keyof typeof paidOff, number>
  /** For the receipt, which the caller plans: one for all payments of one sum. */
  receiptPart: ReceiptPart | null
}

/** Books a completed or pending payment and its consequences; null if the reference is already known. */
export async function bookPayment(
  context: OperationContext,
  company: Pick<CompanyFacts, 'time_zone'>,
  recovery: OpenRecovery,
  given: {
    amountCents: number
    method: PaymentMethod
    instrument: PaymentInstrument | null
    status: 'completed' | 'pending'
    paidAt: number | null
    externalReference: string | null
    byProvider?: true
    receiptId?: string
  },
): Promise<Booked | null> {
  const { tx, now, newId } = context
  const { paidAt } = given
  const row: PaymentRow = {
    id: newId(),
    invoice_id: recovery.row.invoice_id,
    amount_cents: given.amountCents,
    currency: recovery.row.currency,
    status: given.status,
    method: given.method,
    instrument: given.instrument,
    receipt_id: given.receiptId ?? null,
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
    row.instrument,
    row.receipt_id,
    paidAt === null ? null : iso(paidAt),
    row.day,
    row.external_reference,
    given.byProvider ?? false,
    iso(now),
  ])
  if (!inserted) return null
  const about = { paymentId: row.id, invoiceId: row.invoice_id, status: given.status }
  recordAudit(tx, [newEvent(paymentRecorded, row.id, about)], context)
  const owedBeforeCents = owedOf(sumsOf(recovery)).total
  const excessCents = Math.max(0, row.amount_cents - owedBeforeCents)
  if (given.status === 'pending') {
    const paidOff = { owedBeforeCents, owedAfterCents: owedBeforeCents, excessCents }
    return { row, inFlight: [], paidOff, receiptPart: null }
  }
  const receiptPart = receiptPartOf(recovery, row)
  const { inFlight } = await applyMoney(
    context,
    recovery,
    { kind: 'payment', sourceId: row.id, cents: row.amount_cents, day: row.day },
    applied => [paymentReceivedEvent(recovery, row, applied)],
  )
  const owedAfterCents = owedOf(sumsOf(recovery)).total
  return { row, inFlight, paidOff: { owedBeforeCents, owedAfterCents, excessCents }, receiptPart }
}

const sumsOf = ({ row }: OpenRecovery) => ({ ...factsOf(row), claimed: row.claimed_cents })

export const paymentReceivedEvent = (recovery: OpenRecovery, row: PaymentRow, applied: Applied): NewEvent =>
  newEvent(paymentReceived, recovery.row.invoice_id, {
    invoiceId: recovery.row.invoice_id,
    invoiceNumber: recovery.row.number,
    debtorId: recovery.row.debtor_id,
    paymentId: row.id,
    amountCents: row.amount_cents,
    currency: row.currency,
    method: row.method as 'card',
    instrument: row.instrument as 'cheque' | null,
    receiptId: row.receipt_id,
    paidAt: iso(row.paid_at!),
    ...applied,
  })

/** More than what is owed is most often a mistake in the sum. */
export function refuseOverpayment(recovery: OpenRecovery, amountCents: number): void {
  const sums = sumsOf(recovery)
  const verdict = mayPay(sums, amountCents)
  if (verdict.allowed) return
  if (verdict.because === 'paid')
    throw invoiceAlreadyPaid.make('; send allowOverpayment: true if the money really arrived')
  const { balance: principal, accessories } = owedOf(sums)
  throw paymentAboveOwed.make(amountCents, { principal, accessories })
}

type Received = Pick<
  z.output<typeof PaymentInput>,
  'amountCents' | 'currency' | 'paidAt' | 'method' | 'instrument'
>

/** What is wrong with money whatever is owed. `field`: where the sum stands in the request. */
export function refuseFaults(
  body: Received,
  recovery: OpenRecovery,
  now: number,
  field = 'amountCents',
): void {
  if (body.currency !== undefined && body.currency !== recovery.row.currency)
    throw refusedField('currency', 'other_currency', `must be the invoice's, ${recovery.row.currency}`)
  if (recovery.row.paid_cents + body.amountCents > paidMaxCents)
    throw refusedField(
      field,
      'amount_range',
      `would raise the money on this invoice above ${paidMaxCents} cents; check the amount`,
    )
  if (body.paidAt !== undefined && body.paidAt > now)
    throw refusedField('paidAt', 'future', 'is in the future')
  if (body.instrument !== undefined && body.method !== 'bank_transfer')
    throw refusedField('instrument', 'not_together', 'goes with the method bank_transfer')
}
