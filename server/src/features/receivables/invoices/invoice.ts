import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { isTwoDecimalCurrency } from '../../../domain/money/money.ts'
import { balanceOf } from '../../../domain/recovery/account.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { dateTime, day, line, note, optional, outputUuid } from '../../../kit/fields.ts'
import { DebtorOfInvoice, InvoiceDebtorInput, toDebtorOfInvoice } from '../debtors/debtor.ts'

const metadataValue = z.union([z.string(), z.number(), z.boolean(), z.null()])
const metadataKey = line(40)
const metadataText = note(500)

export const Metadata = z
  .record(z.string(), metadataValue)
  .superRefine((metadata, context) => {
    const validateText = (schema: z.ZodType, text: string, key: string) => {
      for (const issue of schema.safeParse(text).error?.issues ?? [])
        context.addIssue({ ...(issue as z.core.$ZodIssueCustom), code: 'custom', path: [key] })
    }
    if (Object.keys(metadata).length > 50)
      context.addIssue({ code: 'custom', message: 'has more than 50 keys' })
    for (const [key, value] of Object.entries(metadata)) {
      validateText(metadataKey, key, key)
      if (typeof value === 'string') validateText(metadataText, value, key)
    }
  })
  .transform(metadata =>
    Object.fromEntries(
      Object.entries(metadata).map(([key, value]) => [
        key.normalize('NFC'),
        typeof value === 'string' ? value.normalize('NFC') : value,
      ]),
    ),
  )
  .meta({
    description:
      'Up to 50 keys of 40 characters; values are strings of up to 500 characters, numbers, booleans or null',
  })

export const InvoiceInput = z
  .strictObject({
    invoiceNumber: line(100),
    amountCents: z.int().min(1).max(1_000_000_000_000).meta({ description: 'Total including tax, in cents' }),
    currency: optional(
      z
        .string()
        .refine(isTwoDecimalCurrency, 'must be an ISO 4217 code in capitals of a currency with two decimals')
        .meta({ description: 'ISO 4217', examples: ['EUR'] }),
    ),
    issueDate: day,
    dueDate: day,
    description: optional(note(500)),
    debtor: InvoiceDebtorInput,
    metadata: optional(Metadata),
  })
  .superRefine((invoice, context) => {
    if (invoice.dueDate < invoice.issueDate)
      context.addIssue({ code: 'custom', path: ['dueDate'], message: 'is before issueDate' })
  })
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

export const Invoice = z
  .object({
    id: outputUuid,
    invoiceNumber: z.string(),
    amountCents: z.int(),
    currency: z.string(),
    issueDate: z.string().meta({ format: 'date' }),
    dueDate: z.string().meta({ format: 'date' }),
    description: z.string().nullable(),
    status: z.enum(invoiceStatuses),
    workflowStarted: z.boolean(),
    debtor: DebtorOfInvoice,
    metadata: z.record(z.string(), metadataValue),
    notes: z.string().nullable(),
    paidCents: z.int(),
    creditedCents: z.int(),
    balanceCents: z.int(),
    overpaidCents: z.int(),
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
    | 'description'
    | 'metadata'
    | 'notes'
    | 'status'
    | 'paid_cents'
    | 'credited_cents'
    | 'claimed_cents'
    | 'created_at'
    | 'updated_at'
  > {
  workflow_started: boolean
  debtor: Parameters<typeof toDebtorOfInvoice>[0]
}

export function toInvoice(row: InvoiceRow): z.input<typeof Invoice> {
  const { balance, overpaid } = balanceOf({
    amount: row.amount_cents,
    paid: row.paid_cents,
    credited: row.credited_cents,
    claimed: row.claimed_cents,
  })
  return {
    id: row.id,
    invoiceNumber: row.number,
    amountCents: row.amount_cents,
    currency: row.currency,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    description: row.description,
    status: row.status as InvoiceStatus,
    workflowStarted: row.workflow_started,
    debtor: toDebtorOfInvoice(row.debtor),
    metadata: row.metadata as Record<string, string | number | boolean | null>,
    notes: row.notes,
    paidCents: row.paid_cents,
    creditedCents: row.credited_cents,
    balanceCents: balance,
    overpaidCents: overpaid,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
