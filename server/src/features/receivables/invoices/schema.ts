import { z } from 'zod'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { balanceOf, lateClaimStatus, lateClaimStatuses, owedOf } from '../../../domain/recovery/account.ts'
import { type TimeBar, timeBarOf } from '../../../domain/recovery/time-bar.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { type ActorRef, actorKinds } from '../../../kit/events.ts'
import { centsInput, dateTime, day, line, note, optional, outputUuid } from '../../../kit/fields.ts'
import { currencyCode } from '../../platform/code-fields.ts'
import { shownText } from '../../platform/shown-text.ts'
import { InvoiceAct, RecoveryOfInvoice } from '../../recovery/workflow/schema.ts'
import { InvoiceDebtorInput } from '../debtors/input-schema.ts'
import { DebtorOfInvoice, toDebtorOfInvoice } from '../debtors/schema.ts'
import { Metadata } from './metadata.ts'

/** Fields that callers try on create, and where they belong. */
export const unknownInvoiceFields = {
  notes: 'can be set by an update only: PUT /api/v1/invoices/:id',
  amount: 'is not a field of this request; send amountCents, in cents',
  debtorId: 'is not a field of this request; send debtor: {"id": …} with this id',
}

const invoiceNumber = shownText(line(100))
/** What does not change the plan of an invoice. */
const describingFields = {
  currency: optional(currencyCode).meta({
    default: 'EUR',
    description: 'ISO 4217, with two decimals; of a company that was set up with another currency, that one',
  }),
  description: optional(shownText(note(500))),
  metadata: optional(Metadata),
}

export function dueAfterIssue(
  invoice: { dueDate: string; issueDate?: string | undefined },
  context: z.core.$RefinementCtx,
): void {
  if (invoice.issueDate !== undefined && invoice.dueDate < invoice.issueDate)
    context.addIssue({ code: 'custom', path: ['dueDate'], message: 'is before issueDate' })
}

/** What the time bar is counted by. */
export const limitationFields = { suppliedOn: day, limitationMonths: z.int().min(1).max(360) }

export const optionalLimitation = {
  suppliedOn: optional(limitationFields.suppliedOn),
  limitationMonths: optional(limitationFields.limitationMonths),
}

/** The time bar of an invoice that nobody has paid a part of yet. */
export const timeBarOfNew = (
  given: { issueDate: LocalDate; suppliedOn?: LocalDate | undefined; limitationMonths?: number | undefined },
  type: DebtorType,
): TimeBar =>
  timeBarOf({
    type,
    issueDate: given.issueDate,
    suppliedOn: given.suppliedOn ?? null,
    limitationMonths: given.limitationMonths ?? null,
    acknowledgedOn: [],
  })

/** The same and what a plan does not need, so that the body of a create can be previewed as it is. */
export const notPlannedFields = {
  ...describingFields,
  invoiceNumber: optional(invoiceNumber),
  issueDate: optional(day),
}

export const InvoiceInput = z
  .strictObject({
    invoiceNumber,
    amountCents: centsInput.meta({ description: 'Total including tax, in cents' }),
    issueDate: day,
    dueDate: day,
    debtor: InvoiceDebtorInput,
    ...describingFields,
    ...optionalLimitation,
  })
  .superRefine(dueAfterIssue)
  .meta({ id: 'InvoiceInput' })
export type InvoiceInput = z.output<typeof InvoiceInput>

export const CreatedInvoice = z
  .object({
    id: outputUuid,
    invoiceNumber: z.string(),
    amountCents: z.int(),
    currency: z.string(),
    status: z.enum(invoiceStatuses),
    workflowStarted: z.boolean(),
    createdAt: dateTime,
    debtor: z.object({
      id: outputUuid,
      matched: z
        .boolean()
        .meta({ description: 'True when an existing debtor was found; nothing of it was overwritten' }),
      ignoredFields: z
        .array(z.string())
        .meta({ description: 'Fields you sent that differ from the existing debtor' }),
    }),
  })
  .meta({ id: 'CreatedInvoice' })

const LatePayment = z
  .object({
    status: z.enum(lateClaimStatuses).meta({
      description:
        'none: nothing was claimed so far; claimed: asked for and not paid, whatever became of the principal; paid; waived: given up',
    }),
    claimedCents: z.int().meta({ description: 'As the last message claimed them' }),
    paidCents: z.int(),
    owedCents: z.int(),
    waiver: z
      .object({
        amountCents: z.int(),
        reason: z.string(),
        waivedAt: dateTime,
        waivedBy: z.object({ kind: z.enum(actorKinds), id: z.string() }),
      })
      .nullable(),
  })
  .meta({ id: 'LatePayment', description: 'The 40 € and the interest for late payment' })

/** How a waiver is stored. */
export interface Waiver {
  cents: number
  at: number
  by: Pick<ActorRef, 'kind' | 'id'>
  reason: string
}

export const Invoice = z
  .object({
    id: outputUuid,
    invoiceNumber: z.string(),
    amountCents: z.int(),
    currency: z.string(),
    issueDate: z.string().meta({ format: 'date' }),
    dueDate: z.string().meta({ format: 'date' }),
    suppliedOn: z.string().nullable().meta({ format: 'date' }),
    limitationMonths: z.int().nullable(),
    description: z.string().nullable(),
    status: z.enum(invoiceStatuses),
    workflowStarted: z.boolean(),
    debtor: DebtorOfInvoice,
    metadata: z.record(z.string(), z.unknown()),
    notes: z.string().nullable(),
    paidCents: z.int(),
    creditedCents: z.int(),
    balanceCents: z.int(),
    overpaidCents: z.int(),
    latePayment: LatePayment,
    recovery: RecoveryOfInvoice.optional().meta({ description: 'With `include=recovery` only' }),
    acts: z
      .array(InvoiceAct)
      .optional()
      .meta({ description: 'With `include=recovery`, where one invoice is read' }),
    createdAt: dateTime,
    updatedAt: dateTime,
  })
  .meta({ id: 'Invoice' })

export interface InvoiceRow
  extends Pick<
    Tables['invoices'],
    | 'id'
    | 'debtor_id'
    | 'number'
    | 'amount_cents'
    | 'currency'
    | 'issue_date'
    | 'due_date'
    | 'supplied_on'
    | 'limitation_months'
    | 'description'
    | 'metadata'
    | 'notes'
    | 'status'
    | 'paid_cents'
    | 'credited_cents'
    | 'claimed_cents'
    | 'late_payment_waiver'
    | 'created_at'
    | 'updated_at'
  > {
  workflow_started: boolean
  open_cents: number
  debtor: Parameters<typeof toDebtorOfInvoice>[0]
}

export function toInvoice(row: InvoiceRow): z.input<typeof Invoice> {
  const sums = {
    amount: row.amount_cents,
    paid: row.paid_cents,
    credited: row.credited_cents,
    claimed: row.claimed_cents,
  }
  const { balance, principal, overpaid } = balanceOf(sums)
  return {
    id: row.id,
    invoiceNumber: row.number,
    amountCents: row.amount_cents,
    currency: row.currency,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    suppliedOn: row.supplied_on,
    limitationMonths: row.limitation_months,
    description: row.description,
    status: row.status as InvoiceStatus,
    workflowStarted: row.workflow_started,
    debtor: toDebtorOfInvoice(row.debtor),
    metadata: row.metadata as z.output<typeof Metadata>,
    notes: row.notes,
    paidCents: principal,
    creditedCents: row.credited_cents,
    balanceCents: balance,
    overpaidCents: overpaid,
    latePayment: toLatePayment(sums, row.late_payment_waiver as Waiver | null),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

function toLatePayment(
  sums: Parameters<typeof owedOf>[0],
  waiver: Waiver | null,
): z.input<typeof LatePayment> {
  const { accessories, paidAccessories } = owedOf(sums)
  return {
    status: lateClaimStatus(sums, waiver !== null),
    claimedCents: sums.claimed + (waiver?.cents ?? 0),
    paidCents: paidAccessories,
    owedCents: accessories,
    waiver: waiver && {
      amountCents: waiver.cents,
      reason: waiver.reason,
      waivedAt: iso(waiver.at),
      waivedBy: waiver.by,
    },
  }
}
