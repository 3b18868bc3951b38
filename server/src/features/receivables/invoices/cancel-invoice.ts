import { z } from 'zod'
import { invoiceStatuses } from '../../../domain/money/invoice-state.ts'
import { closingNotice } from '../../../domain/recovery/cascade.ts'
import { planAt } from '../../../domain/recovery/plan-step.ts'
import { mayTrigger } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { newEvent } from '../../../kit/events.ts'
import { dateTime, line, optional, outputUuid, uuid } from '../../../kit/fields.ts'
import { operation, WithWarnings } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { cancelRecovery } from '../../recovery/case/cancel-recovery.ts'
import { contactFile } from '../../recovery/case/debtor-file.ts'
import { selectDebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { invoiceAlreadyPaid, invoiceNotFound, wrongStatus } from '../../recovery/case/errors.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { addActions } from '../../recovery/case/history.ts'
import { type OpenRecovery, type OperationContext, openRecovery } from '../../recovery/case/open-recovery.ts'
import { recordActionEvent } from '../../recovery/case/record-action.ts'
import { inFlightMessages } from '../../recovery/case/schema.ts'
import { ofDryRun } from '../../recovery/workflow/plan-schema.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { invoiceCancelled } from './audit-events.ts'

const CancelInput = z
  .strictObject({
    reason: line(500).meta({ description: 'Kept in the history; the debtor can ask for a copy' }),
    notifyDebtor: optional(z.boolean()).meta({
      default: false,
      description: 'Send a closing notice at the next allowed moment',
    }),
    stillOwed: optional(z.boolean()).meta({
      description: 'What the closing notice says of the invoice; absent: it does not say',
    }),
    dryRun,
  })
  .meta({ id: 'CancelInput' })

const CancelledInvoice = z
  .object({
    invoiceId: outputUuid,
    reference: z.string().meta({ description: 'The number of the invoice' }),
    previousStatus: z.enum(invoiceStatuses),
    newStatus: z.enum(invoiceStatuses),
    cancelledAt: dateTime,
    summary: z.object({
      actionsCancelled: z.int().meta({ description: 'Messages that were planned, on all channels' }),
      voiceCallsCancelled: z.int().meta({ description: 'Those of them that were calls' }),
      debtorNotified: z.boolean().meta({ description: 'A closing notice was planned' }),
    }),
    inFlight: inFlightMessages,
    ...ofDryRun,
  })
  .meta({ id: 'CancelledInvoice' })

const neverContacted = {
  code: 'debtor_never_contacted',
  message: 'No message about this invoice has reached the debtor, so no closing notice was planned.',
}

export const cancelInvoice = operation({
  id: 'invoices.cancel',
  method: 'POST',
  path: '/api/v1/invoices/:id/cancel',
  summary: 'Cancel the recovery of an invoice, for good',
  description: 'Planned reminders and messages that have not left stop with the answer.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: CancelInput,
  status: 200,
  reply: CancelledInvoice,
  errors: [invoiceNotFound, invoiceAlreadyPaid, wrongStatus],
  assistant: 'confirm',
  audit: [invoiceCancelled],
  example: { body: { reason: 'Invoiced twice', notifyDebtor: true } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const recovery = await openRecovery(call, params.id)
    if (!recovery) throw invoiceNotFound.make()
    const { row } = recovery
    if (row.invoice_status === 'paid') throw invoiceAlreadyPaid.make('; there is nothing to cancel any more')
    if (!mayTrigger('cancel', row, row.invoice_status).allowed) throw wrongStatus.make('cancel', row.status)
    const { inFlight, ...counts } = await cancelRecovery(call, recovery)
    // Who was never told of the invoice needs no word of its end. A message that leaves now will have told them.
    const isKnown = row.contacted_at !== null || inFlight.length > 0
    const debtorNotified =
      body.notifyDebtor === true && isKnown && (await planClosingNotice(call, recovery, body.stillOwed))
    addActions(tx, [
      {
        id: newId(),
        invoiceId: row.invoice_id,
        action: 'cancel',
        channel: null,
        status: 'done',
        code: 'cancelled',
        params: { reason: body.reason, ...(debtorNotified && { hasClosingNotice: true }) },
        debtorId: row.debtor_id,
        actor,
        communicationId: null,
        at: now,
      },
    ])
    recordActionEvent(call, recovery, 'cancel', 'cancelled', 'Cancelled.')
    const about = { invoiceId: row.invoice_id, previousStatus: row.invoice_status }
    recordAudit(tx, [newEvent(invoiceCancelled, row.invoice_id, about)], call)
    const answer = {
      invoiceId: row.invoice_id,
      reference: row.number,
      previousStatus: row.invoice_status,
      newStatus: 'cancelled' as const,
      cancelledAt: iso(now),
      summary: { ...counts, debtorNotified },
      inFlight,
    }
    return body.notifyDebtor === true && !isKnown ? new WithWarnings(answer, [neverContacted]) : answer
  },
})

/** Plans it for the next allowed moment, ignoring the message that was just cancelled; false when there is none. */
async function planClosingNotice(
  context: OperationContext,
  recovery: OpenRecovery,
  stillOwed: boolean | undefined,
): Promise<boolean> {
  const [file] = await context.tx.rows(selectDebtorFile, [recovery.row.debtor_id])
  if (!file || file.closed.some(({ channel }) => channel === 'email')) return false
  const planned = planAt(contactFile(file, recovery.agenda), 'email', context.now, recovery.row.debtor_id)
  if (planned.at === null) return false
  planExtraMessage(context, recovery, {
    step: closingNotice,
    channel: 'email',
    at: planned.at,
    wish: planned.wish,
    because: planned.because,
    ...(stillOwed !== undefined && { about: { owed: stillOwed ? 'yes' : 'no' } }),
  })
  return true
}
