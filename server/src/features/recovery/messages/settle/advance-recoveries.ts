import type { Channel } from '../../../../domain/contact/channel.ts'
import type { InvoiceStatus } from '../../../../domain/money/invoice-state.ts'
import { formalNotice, reachAfter } from '../../../../domain/recovery/cascade.ts'
import { afterSend, countsAsContact, type NextStep } from '../../../../domain/recovery/next-step.ts'
import { iso } from '../../../../kit/clock.ts'
import { type NewEvent, newEvent } from '../../../../kit/events.ts'
import { decisionDue } from '../../case/debtor-events.ts'
import { contactFile } from '../../case/debtor-file.ts'
import type { NewAction } from '../../case/history.ts'
import { invoiceStatusChanged } from '../../case/invoice-events.ts'
import { statusOf } from '../../case/invoice-facts.ts'
import { progressOf, type RecoveryRow, reachOfRecovery, stepOf } from '../../case/recovery-store.ts'
import { dueTimestamps } from '../../case/save-recoveries.ts'
import { leadOf, type SentCommunication } from '../communication-store.ts'
import { actionTriggered, lrarSent } from '../events.ts'
import { outcomeFact } from './outcome-fact.ts'
import { messageState, type Settlement, sendOutcomeOf } from './settlement.ts'

/** For each invoice of the message: its next step, a line in its history, its status. Returns its events. */
export function advanceRecoveries(settlement: Settlement): NewEvent[] {
  const { worker, writes, agenda, file, communication, recoveries, result, now, ids } = settlement
  const { debtorId } = ids
  const { channel } = communication
  const outcome = sendOutcomeOf(result)
  const isAccepted = outcome === 'accepted'
  const rules = contactFile(file, agenda, countsAsContact(outcome) ? [] : [communication.id])
  const advanced = recoveries.map(recovery => {
    const reach = reachOfRecovery(recovery, file)
    const reachNow = isAccepted ? reachAfter(reach, communication.id, channel) : reach
    const planningContext = { rules, reach: reachNow, now, seed: debtorId }
    return {
      open: recovery,
      isFirstLetter: reachNow !== reach,
      nextStep: afterSend(progressOf(recovery), outcome, planningContext),
    }
  })
  writes.recoveries.push(
    ...advanced.map(({ open: recovery, nextStep, isFirstLetter }) => ({
      ...toRecoveryUpdate(recovery, nextStep, { wasAccepted: isAccepted, channel }, now),
      letter_id: isFirstLetter ? communication.id : null,
      letter_at: isFirstLetter ? iso(now) : null,
    })),
  )
  const actions = advanced
    .filter(({ nextStep }) => nextStep.isOver || outcome === 'unknown' || outcome === 'refused')
    .map(({ open: recovery }): NewAction & { recovery: RecoveryRow } => ({
      id: worker.newId(),
      invoiceId: recovery.invoice_id,
      action: stepOf(recovery).step.name,
      channel,
      status: messageState[outcome],
      ...outcomeFact(result, channel, stepOf(recovery).step.channel, groupedWith(communication, recovery)),
      debtorId,
      actor: { kind: 'worker', id: communication.id },
      communicationId: communication.id,
      at: now,
      recovery,
    }))
  writes.actions.push(...actions)
  const isLetter = (recovery: RecoveryRow) =>
    channel === 'lrar' && stepOf(recovery).step.name === formalNotice
  const changed = isAccepted ? statusChanges(recoveries, isLetter, now) : []
  if (isAccepted) {
    const statuses = new Map(changed.map(({ recovery, status }) => [recovery.invoice_id, status]))
    writes.invoices.push(
      ...recoveries.map(recovery => ({
        id: recovery.invoice_id,
        status: statuses.get(recovery.invoice_id) ?? null,
        is_letter: isLetter(recovery),
        at: iso(now),
      })),
    )
  }
  const eventData = (recovery: RecoveryRow) => ({
    invoiceId: recovery.invoice_id,
    invoiceNumber: recovery.number,
    debtorId,
  })
  const events: NewEvent[] = []
  // The first message and the formal notice are repeated automatically: no decision is needed.
  const unsure = advanced.find(
    ({ open, nextStep }) => nextStep.isOver && open === leadOf(communication, recoveries),
  )
  if (outcome === 'unknown' && unsure) {
    const data = { ...eventData(unsure.open), cause: 'unknown_send' as const, dueAt: iso(now) }
    events.push(newEvent(decisionDue, data.invoiceId, data))
  }
  for (const { recovery, id, action, status } of actions)
    events.push(
      newEvent(actionTriggered, recovery.invoice_id, {
        ...eventData(recovery),
        actionId: id,
        action,
        channel,
        status: status as 'sent' | 'failed' | 'unknown',
        executedAt: iso(now),
        communicationId: communication.id,
        withInvoiceId:
          communication.lead_invoice_id === recovery.invoice_id ? null : communication.lead_invoice_id,
      }),
    )
  if (result.outcome === 'accepted' && channel === 'lrar')
    for (const recovery of recoveries.filter(isLetter))
      events.push(
        newEvent(lrarSent, recovery.invoice_id, {
          ...eventData(recovery),
          communicationId: communication.id,
          trackingNumber: result.providerId,
          sentAt: iso(now),
        }),
      )
  for (const { recovery, status } of changed)
    events.push(
      newEvent(invoiceStatusChanged, recovery.invoice_id, {
        ...eventData(recovery),
        previousStatus: recovery.invoice_status as InvoiceStatus,
        newStatus: status,
        cause: stepOf(recovery).step.name,
      }),
    )
  return events
}

const groupedWith = (communication: SentCommunication, recovery: RecoveryRow): string | null =>
  communication.lead_invoice_id === recovery.invoice_id ? null : communication.lead_number

const toRecoveryUpdate = (
  recovery: RecoveryRow,
  nextStep: NextStep,
  { wasAccepted, channel }: { wasAccepted: boolean; channel: Channel },
  now: number,
) => ({
  invoice_id: recovery.invoice_id,
  step: nextStep.step,
  attempt: nextStep.attempt,
  ...dueTimestamps(nextStep.plan),
  last_action: nextStep.isOver ? stepOf(recovery).step.name : null,
  last_executed_at: nextStep.isOver ? iso(now) : null,
  completed: wasAccepted ? 1 : 0,
  notice_at: nextStep.notice ? iso(nextStep.notice.at) : null,
  // The notice of an earlier step keeps its channel.
  notice_channel: nextStep.notice && nextStep.notice.at !== recovery.notice_at ? channel : null,
})

/** The invoices whose status this message changes. */
function statusChanges(
  recoveries: readonly RecoveryRow[],
  isLetter: (recovery: RecoveryRow) => boolean,
  now: number,
): { recovery: RecoveryRow; status: InvoiceStatus }[] {
  return recoveries.flatMap(recovery => {
    const status = statusOf({
      ...recovery,
      contacted_at: recovery.contacted_at ?? now,
      last_action_is_letter: isLetter(recovery),
    })
    return status === recovery.invoice_status ? [] : [{ recovery, status }]
  })
}
