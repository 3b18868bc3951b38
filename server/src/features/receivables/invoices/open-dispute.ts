import { z } from 'zod'
import { mayDispute } from '../../../domain/recovery/account.ts'
import { isRunning } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type ApiError, refusedField } from '../../../kit/errors.ts'
import { newEvent } from '../../../kit/events.ts'
import { centsInput, line, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { shownText } from '../../platform/shown-text.ts'
import { holdRecovery, recordDebtorResponse } from '../../recovery/case/change-recovery.ts'
import { disputeCategories, disputeOpened, type SaidOn } from '../../recovery/case/debtor-events.ts'
import {
  disputeIsOpen,
  invoiceAlreadyPaid,
  invoiceIsClosed,
  invoiceNotFound,
} from '../../recovery/case/errors.ts'
import { addActions } from '../../recovery/case/history.ts'
import {
  changeInvoiceFacts,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  openRecovery,
} from '../../recovery/case/open-recovery.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { invoiceDisputed } from './audit-events.ts'
import { Dispute, type DisputeRow, toDispute } from './dispute-schema.ts'

const DisputeInput = z
  .strictObject({
    reason: shownText(line(500)).meta({ description: 'What the debtor says; the debtor’s page shows it' }),
    category: optional(z.enum(disputeCategories)).meta({ description: 'What it is about' }),
    amountCents: optional(centsInput).meta({
      description: 'What of the invoice is disputed; all of it unless given',
    }),
    dryRun,
  })
  .meta({ id: 'DisputeInput' })

const insertDispute = sql(
  'invoices.insert-dispute',
  `insert into disputes (tenant_id, id, invoice_id, debtor_id, reason, category, amount_cents, status, opened_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, 'open', $7)`,
)

export const openDispute = operation({
  id: 'invoices.dispute',
  method: 'POST',
  path: '/api/v1/invoices/:id/dispute',
  summary: 'Record that the debtor disputes an invoice: its recovery pauses at once',
  description:
    'Nothing more is sent for the invoice from the answer on, but for the messages named in `inFlight`. The pause lasts until the dispute is resolved.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DisputeInput,
  status: 201,
  reply: Dispute,
  errors: [invoiceNotFound, invoiceAlreadyPaid, invoiceIsClosed, disputeIsOpen],
  assistant: 'confirm',
  audit: [invoiceDisputed],
  example: {
    body: { reason: 'Two of the ten chairs arrived broken', category: 'not_as_agreed', amountCents: 24_000 },
  },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  run: call => disputeInvoice(call, call.params.id, call.body),
})

/** The debtor disputes: the invoice becomes disputed, its recovery pauses, and a quiet period starts for the debtor. */
export async function disputeInvoice(
  context: OperationContext,
  invoiceId: string,
  { reason, category, amountCents }: z.output<typeof DisputeInput>,
  channel: SaidOn = 'api',
): Promise<z.input<typeof Dispute>> {
  const { tx, actor, now, newId } = context
  const recovery = await openRecovery(context, invoiceId)
  if (!recovery) throw invoiceNotFound.make()
  const { row } = recovery
  refuseFaults(recovery, amountCents)
  const disputedCents = amountCents ?? row.amount_cents
  const opened: DisputeRow = {
    id: newId(),
    invoice_id: row.invoice_id,
    reason,
    category: category ?? null,
    amount_cents: amountCents ?? null,
    status: 'open',
    note: null,
    answer: null,
    credited_cents: null,
    opened_at: now,
    resolved_at: null,
  }
  await tx.rows(insertDispute, [
    opened.id,
    row.invoice_id,
    row.debtor_id,
    reason,
    opened.category,
    opened.amount_cents,
    iso(now),
  ])
  const invoiceStatus = changeInvoiceFacts(context, recovery, { disputed_at: now }, 'dispute')
  addActions(tx, [
    {
      id: newId(),
      invoiceId: row.invoice_id,
      action: 'dispute',
      channel: null,
      status: 'done',
      code: 'disputed',
      params: {
        reason,
        amountCents: disputedCents,
        currency: row.currency,
        ...(category !== undefined && { category }),
      },
      debtorId: row.debtor_id,
      actor,
      communicationId: null,
      at: now,
    },
  ])
  const disputeId = opened.id
  const sums = { amountCents: opened.amount_cents, disputedCents }
  const dispute = { ...invoiceEventData(recovery), disputeId, category: category ?? null, ...sums, channel }
  recordEvents(tx, [newEvent(disputeOpened, row.invoice_id, dispute)], context)
  const about = { invoiceId: row.invoice_id, disputeId }
  recordAudit(tx, [newEvent(invoiceDisputed, row.invoice_id, about)], context)
  recordDebtorResponse(context, recovery)
  const { inFlight } = isRunning(row.status)
    ? await holdRecovery(context, recovery, 'dispute')
    : { inFlight: [] }
  return toDispute(opened, row.amount_cents, { invoiceStatus, workflowStatus: recovery.row.status, inFlight })
}

function refusal(because: Exclude<ReturnType<typeof mayDispute>, { allowed: true }>['because']): ApiError {
  switch (because) {
    case 'paid':
      return invoiceAlreadyPaid.make('; record a refund first if money has to go back')
    case 'cancelled':
    case 'written_off':
      return invoiceIsClosed.make(because)
    case 'disputed':
      return disputeIsOpen.make()
  }
}

function refuseFaults({ row }: OpenRecovery, amountCents: number | undefined): void {
  const verdict = mayDispute(row.invoice_status, row.disputed_at !== null)
  if (!verdict.allowed) throw refusal(verdict.because)
  if (amountCents !== undefined && amountCents > row.amount_cents)
    throw refusedField('amountCents', 'above_invoice', 'is more than the invoice')
}
