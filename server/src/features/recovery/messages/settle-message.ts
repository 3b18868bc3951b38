import type { SettledResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { Evidence } from '../../../domain/contact/contact-rules.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice, isAnswer } from '../../../domain/recovery/cascade.ts'
import { afterSend, countsAsContact, type NextStep } from '../../../domain/recovery/next-step.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { decisionDue } from '../case/debtor-events.ts'
import {
  type AgendaLock,
  balanceOfRecovery,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  lockAndLoadDebtor,
  progressOf,
  type RecoveryRow,
  reachOf,
  refreshAgenda,
  selectExtraOfMessage,
  selectRecoveriesOfMessage,
  stepOf,
  wakeBatchSize,
} from '../case/debtor-file.ts'
import { addActions, type NewAction } from '../case/history.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import { dueTimestamps } from '../case/save-recoveries.ts'
import {
  type Communication,
  deletePending,
  freeSlots,
  isSettled,
  leadOf,
  readCommunication,
} from './communication.ts'
import { type CountedSend, uncountSend } from './count-send.ts'
import { actionTriggered, debtorContacted, lrarSent } from './events.ts'
import { appendToLedger, digestOf, findOrCreateSalt, readSalt } from './ledger.ts'
import { outcomeText } from './outcome-text.ts'
import { noteProviderAnswer } from './provider-outages.ts'
import { reportOutcome, settledMessageOf } from './report-outcome.ts'
import { settleExtra } from './settle-extra.ts'
import type { WorkerContext } from './worker-context.ts'

const updateCommunication = sql(
  'messages.settle',
  `update communications set state = $2, provider_id = $3, reason = $4, sent_at = $5, settled_at = $6 where id = $1`,
)
// The planner estimates a hundred rows for a jsonb array and then reads the whole tenant; for `= any` it expects a few rows.
const updateRecoveries = sql(
  'messages.advance-recoveries',
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, step integer, attempt integer,
     wish_at timestamptz, due_at timestamptz, due_because text, last_action text, last_executed_at timestamptz, completed integer, notice_at timestamptz))
   update recoveries r
      set communication_id = null, step = moved.step, attempt = moved.attempt,
          -- A recovery that was stopped while its message was being sent plans nothing more.
          wish_at = case when r.status = 'in_recovery' then moved.wish_at else r.wish_at end,
          due_at = case when r.status = 'in_recovery' then moved.due_at else r.due_at end,
          due_because = case when r.status = 'in_recovery' then moved.due_because else r.due_because end,
          last_action = coalesce(moved.last_action, r.last_action),
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at),
          notice_at = coalesce(moved.notice_at, r.notice_at),
          actions_completed = r.actions_completed + moved.completed
     from moved where r.invoice_id = moved.invoice_id and r.invoice_id = any (array(select invoice_id from moved))`,
)
const updateInvoices = sql(
  'messages.record-contact',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text, is_letter boolean))
   update invoices i set status = coalesce(x.status, i.status), updated_at = $2, contacted_at = coalesce(i.contacted_at, $2),
          last_action_is_letter = x.is_letter
     from x where i.id = x.id and i.id = any (array(select id from x))`,
)
const markSentLate = sql(
  'messages.mark-sent-late',
  `with updated as (
     update communications set state = 'sent', provider_id = $2, sent_at = $3, reason = null where id = $1)
   update actions set status = 'sent', details = $4 where communication_id = $1 and status = 'unknown'`,
)

const messageState = {
  accepted: 'sent',
  retryable: 'failed',
  permanent: 'failed',
  unknown: 'unknown',
} as const

export interface MessageIds {
  tenantId: string
  debtorId: string
  communicationId: string
  /**
   * The token of the claim; null if the sender was lost, or if the message is settled and only some of its recoveries are not.
   */
  token: string | null
  /** What the claim counted against the daily limits. */
  counted?: CountedSend | null
  /** How long the provider took, the fence included. */
  providerMs?: number
}

interface SettlementContext extends MessageIds {
  worker: WorkerContext
  tx: Tx
  agenda: AgendaLock
  file: DebtorFile
  communication: Communication
  result: SettledResult
  now: number
}

/** What remains to do: recoveries beyond one batch, or the generation of a debtor that is due again at once. */
type Remaining = 'more_recoveries' | number | null

/**
 * Writes the outcome of a message, once. It checks the token of the claim, so that a sender whose lease was taken over changes
 * nothing. Returns the debtor's generation if the next action is already due, as in a sandbox that skips days.
 */
export async function settleMessage(
  worker: WorkerContext,
  ids: MessageIds,
  result: SettledResult,
): Promise<number | null> {
  for (;;) {
    const remaining = await settleBatch(worker, ids, result)
    if (remaining !== 'more_recoveries') return remaining
  }
}

async function settleBatch(
  worker: WorkerContext,
  ids: MessageIds,
  result: SettledResult,
): Promise<Remaining> {
  const { tenantId, debtorId, communicationId, token } = ids
  let settled: ReturnType<typeof settledMessageOf> | null = null
  let dueAgain: number | null = null
  const remaining = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      ...lockAndLoadDebtor(tenantId, debtorId),
      [readCommunication, [communicationId]],
      [selectRecoveriesOfMessage, [communicationId, debtorId]],
      [selectExtraOfMessage, [communicationId]],
      [readSalt, [debtorId]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [[agenda], [file], [communication], recoveries, [extra], [salt]] = openingRows
      if (!agenda || !file || !communication) return null
      const wall = worker.clock.wall()
      const now = file.environment === 'production' ? wall + offsetMs : communication.reserved_at
      const settling: SettlementContext = { ...ids, worker, tx, agenda, file, communication, result, now }
      const isOwnClaim = token === null || communication.token === token
      if (
        communication.state === 'unknown' &&
        token !== null &&
        isOwnClaim &&
        result.outcome === 'accepted'
      ) {
        tx.atCommit(markSentLate, [
          communicationId,
          result.providerId,
          iso(now),
          'Accepted, as was heard later.',
        ])
        return null
      }
      const events: NewEvent[] = []
      const contact: NewEvent[] = []
      if (communication.state === 'sending' && isOwnClaim) {
        settled = settledMessageOf(file, communication, recoveries, extra, now)
        if (file.environment === 'production' && result.outcome !== 'unknown')
          noteProviderAnswer(tx, worker, file, {
            channel: communication.channel,
            provider: communication.provider!,
          })
        settleOnce(settling, recoveries, extra, salt, contact)
      } else if (!isSettled(communication)) return null
      advanceRecoveries(settling, recoveries, events)
      events.push(...contact)
      recordEvents(tx, events, {
        actor: { kind: 'worker', id: communicationId },
        requestId: null,
        now,
        wall,
        newId: worker.newId,
      })
      if (recoveries.length === wakeBatchSize) return 'more_recoveries'
      tx.atCommit(deletePending, [tenantId, communicationId])
      const noteNext = ([next]: readonly { wake_gen: number; wake_at: number | null }[]) => {
        // A sandbox continues at once with what was due on the skipped days.
        if (file.environment === 'sandbox' && next?.wake_at != null && next.wake_at <= wall)
          dueAgain = next.wake_gen
      }
      const freedAt = countsAsContact(result.outcome) ? null : iso(now)
      tx.atCommit(refreshAgenda, [tenantId, debtorId, offsetMs, freedAt], noteNext)
      return 'settled'
    },
  )
  if (settled !== null) reportOutcome(worker, ids, settled, result)
  return remaining === 'more_recoveries' ? remaining : dueAgain
}

/** What is written once per message, however many invoices it has: its state, its slot, the proof, the contact event. */
function settleOnce(
  { worker, tx, agenda, file, communication, result, now, tenantId, debtorId, counted }: SettlementContext,
  recoveries: readonly RecoveryRow[],
  extra: ExtraMessage | undefined,
  foundSalt: { salt: Buffer } | undefined,
  events: NewEvent[],
): void {
  const { id, channel, step } = communication
  const outcome = result.outcome
  const accepted = result.outcome === 'accepted' ? result : null
  const reason = result.outcome === 'accepted' ? null : result.reason
  const counts = countsAsContact(outcome) && !isAnswer(step)
  tx.atCommit(updateCommunication, [
    id,
    messageState[outcome],
    accepted?.providerId ?? null,
    reason,
    accepted && iso(now),
    iso(now),
  ])
  if (!counts) tx.atCommit(freeSlots, [id])
  if (!counts && counted) uncountSend(tx, tenantId, counted)
  if (extra) settleExtra({ worker, tx, communication, extra, result, now, file, agenda, debtorId }, events)
  if (!counts) return
  const ids = { tenantId, debtorId }
  const salt = findOrCreateSalt(tx, ids, foundSalt, worker.newSalt)
  const head = appendToLedger(tx, ids, agenda, {
    kind: 'contact',
    communicationId: id,
    channel,
    step,
    at: iso(now),
    fate: outcome,
    verdict: communication.verdict as Evidence,
    invoices: Math.max(recoveries.length, 1),
    recipient: digestOf(salt, recipientOf(file, channel)),
  })
  const leadRecovery = leadOf(communication, recoveries)
  const number = leadRecovery?.number ?? extra?.number
  const invoiceId = leadRecovery?.invoice_id ?? extra?.invoice_id
  if (invoiceId === undefined || number === undefined) return
  events.push(
    newEvent(debtorContacted, invoiceId, {
      invoiceId,
      invoiceNumber: number,
      debtorId,
      communicationId: id,
      channel,
      contactedAt: iso(now),
      invoiceIds: recoveries.length > 0 ? recoveries.map(recovery => recovery.invoice_id) : [invoiceId],
      ledgerHead: head,
    }),
  )
}

export const recipientOf = (file: DebtorFile, channel: Channel): string =>
  channel === 'email'
    ? file.email
    : channel === 'lrar'
      ? `${file.name}\n${file.address}\n${file.postal_code} ${file.city}`
      : (file.phone ?? '')

/** For each invoice of the message: its next step, a line in its history, its status, its events. */
function advanceRecoveries(
  settling: SettlementContext,
  recoveries: readonly RecoveryRow[],
  events: NewEvent[],
): void {
  if (recoveries.length === 0) return
  const { worker, tx, agenda, file, communication, result, now, debtorId } = settling
  const { channel } = communication
  const outcome = result.outcome
  const isAccepted = outcome === 'accepted'
  const rules = contactFile(file, agenda, countsAsContact(outcome) ? [] : [communication.id])
  const advanced = recoveries.map(recovery => {
    const planningContext = { rules, reach: reachOf(file, balanceOfRecovery(recovery)), now, seed: debtorId }
    return { open: recovery, nextStep: afterSend(progressOf(recovery), outcome, planningContext) }
  })
  tx.atCommit(updateRecoveries, [
    JSON.stringify(
      advanced.map(({ open: recovery, nextStep }) => toRecoveryUpdate(recovery, nextStep, isAccepted, now)),
    ),
  ])
  const actions = advanced
    .filter(({ nextStep }) => nextStep.isOver || outcome === 'unknown')
    .map(({ open: recovery }): NewAction & { recovery: RecoveryRow } => ({
      id: worker.newId(),
      invoiceId: recovery.invoice_id,
      action: stepOf(recovery).step.name,
      channel,
      status: messageState[outcome],
      details: outcomeText(
        result,
        channel,
        stepOf(recovery).step.channel,
        groupedWith(communication, recovery),
      ),
      communicationId: communication.id,
      at: now,
      recovery,
    }))
  addActions(tx, actions)
  const isLetter = (recovery: RecoveryRow) =>
    channel === 'lrar' && stepOf(recovery).step.name === formalNotice
  const changed = isAccepted ? statusChanges(recoveries, isLetter, now) : []
  if (isAccepted) {
    const statuses = new Map(changed.map(({ recovery, status }) => [recovery.invoice_id, status]))
    const rows = recoveries.map(recovery => ({
      id: recovery.invoice_id,
      status: statuses.get(recovery.invoice_id) ?? null,
      is_letter: isLetter(recovery),
    }))
    tx.atCommit(updateInvoices, [JSON.stringify(rows), iso(now)])
  }
  const eventData = (recovery: RecoveryRow) => ({
    invoiceId: recovery.invoice_id,
    invoiceNumber: recovery.number,
    debtorId,
  })
  // The first message and the formal notice are repeated by themselves: nothing is left to decide.
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
}

const groupedWith = (communication: Communication, recovery: RecoveryRow): string | null =>
  communication.lead_invoice_id === recovery.invoice_id ? null : communication.lead_number

const toRecoveryUpdate = (recovery: RecoveryRow, nextStep: NextStep, wasAccepted: boolean, now: number) => ({
  invoice_id: recovery.invoice_id,
  step: nextStep.step,
  attempt: nextStep.attempt,
  ...dueTimestamps(nextStep.plan),
  last_action: nextStep.isOver ? stepOf(recovery).step.name : null,
  last_executed_at: nextStep.isOver ? iso(now) : null,
  completed: wasAccepted ? 1 : 0,
  notice_at: nextStep.notice ? iso(nextStep.notice.at) : null,
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
