import { z } from 'zod'
import { type InvoiceStatus, invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { type RecoveryStatus, recoveryStatuses } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { disputeOutcomes } from '../../recovery/case/debtor-events.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import type { InFlight } from '../../recovery/case/stop-messages.ts'
import { planChange } from '../../recovery/workflow/plan-schema.ts'

export const Dispute = z
  .object({
    id: outputUuid,
    invoiceId: outputUuid,
    status: z.enum(['open', ...disputeOutcomes]),
    reason: z.string(),
    amountCents: z
      .int()
      .nullable()
      .meta({ description: 'What of the invoice is disputed; null for all of it' }),
    openedAt: dateTime,
    resolvedAt: dateTime.nullable(),
    note: z.string().nullable(),
    invoiceStatus: z.enum(invoiceStatuses),
    workflowStatus: z.enum(recoveryStatuses),
    inFlight: inFlightMessages,
    plan: planChange,
  })
  .meta({ id: 'Dispute' })

export type DisputeRow = Omit<Tables['disputes'], 'tenant_id' | 'debtor_id'>

export const toDispute = (
  row: DisputeRow,
  current: { invoiceStatus: InvoiceStatus; workflowStatus: RecoveryStatus; inFlight: InFlight[] },
): z.input<typeof Dispute> => ({
  id: row.id,
  invoiceId: row.invoice_id,
  status: row.status as 'open',
  reason: row.reason,
  amountCents: row.amount_cents,
  openedAt: iso(row.opened_at),
  resolvedAt: row.resolved_at === null ? null : iso(row.resolved_at),
  note: row.note,
  ...current,
})
