import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { type RecoveryStatus, recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import {
  type DisputeCategory,
  disputeCategories,
  disputeOutcomes,
} from '../../recovery/case/debtor-events.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'

export const Dispute = z
  .object({
    id: outputUuid.nullable().meta({ description: 'Null in a dry run' }),
    invoiceId: outputUuid,
    status: z.enum(['open', ...disputeOutcomes]),
    reason: z.string(),
    category: z
      .enum(disputeCategories)
      .nullable()
      .meta({ description: 'What it is about; null: nobody said' }),
    amountCents: z.int().nullable().meta({ description: 'As it was given; null: all of it' }),
    disputedCents: z.int().meta({ description: 'What of the invoice is disputed' }),
    openedAt: dateTime,
    resolvedAt: dateTime.nullable(),
    note: z.string().nullable(),
    answer: z.string().nullable().meta({ description: 'What the debtor is told' }),
    creditedCents: z.int().nullable().meta({ description: 'Of `partly`: what was credited' }),
    invoiceStatus: z.enum(invoiceStatuses),
    workflowStatus: z.enum(recoveryStatuses),
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'Dispute' })

export type DisputeRow = Omit<Tables['disputes'], 'tenant_id' | 'debtor_id'>

export const toDispute = (
  row: DisputeRow,
  invoiceCents: number,
  current: { invoiceStatus: InvoiceStatus; workflowStatus: RecoveryStatus; inFlight: InFlight[] },
): z.input<typeof Dispute> => ({
  id: row.id,
  invoiceId: row.invoice_id,
  status: row.status as 'open',
  reason: row.reason,
  category: row.category as DisputeCategory | null,
  amountCents: row.amount_cents,
  disputedCents: row.amount_cents ?? invoiceCents,
  openedAt: iso(row.opened_at),
  resolvedAt: row.resolved_at === null ? null : iso(row.resolved_at),
  note: row.note,
  answer: row.answer,
  creditedCents: row.credited_cents,
  ...current,
})
