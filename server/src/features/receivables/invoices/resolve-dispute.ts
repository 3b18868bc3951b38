import { z } from 'zod'
import { withoutHolds } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { note, optional, uuid } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit, recordEvents } from '../../platform/events/record-events.ts'
import { releaseHolds } from '../../recovery/case/change-recovery.ts'
import { decisionDue, disputeOutcomes, disputeResolved } from '../../recovery/case/debtor-events.ts'
import { invoiceNotFound, noDisputeOpen } from '../../recovery/case/errors.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { addActions } from '../../recovery/case/history.ts'
import {
  changeInvoiceFacts,
  changeRecovery,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  openRecovery,
} from '../../recovery/case/open-recovery.ts'
import { dryRun, withPlans } from '../../recovery/workflow/rehearse.ts'
import { invoiceDisputeResolved } from './audit-events.ts'
import { Dispute, type DisputeRow, toDispute } from './dispute-schema.ts'

const DisputeResolution = z
  .strictObject({
    outcome: z.enum(disputeOutcomes).meta({
      description: 'upheld: the debtor is right, and the recovery stays paused; otherwise it goes on',
    }),
    note: optional(note(2000)),
    dryRun,
  })
  .meta({ id: 'DisputeResolution' })

const findOpenDispute = sql(
  'invoices.find-open-dispute',
  `select id, invoice_id, reason, amount_cents, status, note, opened_at, resolved_at
     from disputes where invoice_id = $1 and status = 'open'`,
).as<DisputeRow>()
const closeDispute = sql(
  'invoices.close-dispute',
  'update disputes set status = $2, note = $3, resolved_at = $4 where id = $1',
)

export const resolveDispute = operation({
  id: 'invoices.resolveDispute',
  method: 'POST',
  path: '/api/v1/invoices/:id/dispute/resolve',
  summary: 'Resolve a dispute; unless it was upheld, the reminders continue',
  description:
    'The debtor is told the outcome by email, never the note. The reminders are planned anew from today, with their days moved by the length of the pause. After `upheld` they stay paused until somebody resumes or cancels them.',
  scopes: ['invoices:write', 'workflow:trigger'],
  params: z.strictObject({ id: uuid }),
  body: DisputeResolution,
  status: 200,
  reply: Dispute,
  errors: [invoiceNotFound, noDisputeOpen],
  assistant: 'confirm',
  audit: [invoiceDisputeResolved],
  example: { body: { outcome: 'rejected', note: 'Delivery slip signed without reserve' } },
  rehearse: (call, perform) => withPlans(call, [call.params.id], perform),
  async run(call) {
    const { tx, actor, params, body, now, newId } = call
    const recovery = await openRecovery(call, params.id)
    if (!recovery) throw invoiceNotFound.make()
    const [open] = await tx.rows(findOpenDispute, [recovery.row.invoice_id])
    if (!open) throw noDisputeOpen.make()
    const closed = { ...open, status: body.outcome, note: body.note ?? null, resolved_at: now }
    tx.atCommit(closeDispute, [closed.id, closed.status, closed.note, iso(now)])
    const invoiceStatus = changeInvoiceFacts(call, recovery, { disputed_at: null }, 'dispute_resolved')
    addActions(tx, [
      {
        id: newId(),
        invoiceId: recovery.row.invoice_id,
        action: 'dispute_resolved',
        channel: null,
        status: 'done',
        code: 'dispute_resolved',
        params: { outcome: body.outcome },
        debtorId: recovery.row.debtor_id,
        actor,
        communicationId: null,
        at: now,
      },
    ])
    const eventData = invoiceEventData(recovery)
    const resolved = { ...eventData, disputeId: closed.id, outcome: body.outcome }
    recordEvents(tx, [newEvent(disputeResolved, eventData.invoiceId, resolved)], call)
    const about = { invoiceId: recovery.row.invoice_id, disputeId: closed.id, outcome: body.outcome }
    recordAudit(tx, [newEvent(invoiceDisputeResolved, about.invoiceId, about)], call)
    // The debtor has been promised an answer of the creditor before anything else is sent.
    planExtraMessage(call, recovery, {
      step: 'dispute_resolved',
      channel: 'email',
      at: now,
      because: null,
      about: { outcome: body.outcome },
    })
    if (body.outcome === 'upheld') stayPaused(call, recovery)
    else releaseHolds(call, recovery, ['dispute'])
    return toDispute(closed, { invoiceStatus, workflowStatus: recovery.row.status, inFlight: [] })
  },
})

/** Replaces the hold `dispute` by `upheld`. */
function stayPaused(context: OperationContext, recovery: OpenRecovery): void {
  if (recovery.row.status !== 'paused') return
  const { holds } = withoutHolds(recovery.row, ['dispute', 'upheld'])
  changeRecovery(context, recovery, { holds: [...holds, 'upheld'] })
  const eventData = invoiceEventData(recovery)
  const decision = { ...eventData, cause: 'upheld_dispute' as const, dueAt: iso(context.now) }
  recordEvents(context.tx, [newEvent(decisionDue, eventData.invoiceId, decision)], context)
}
