import type { SettledResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { Evidence } from '../../../domain/contact/contact-rules.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice, isAnswer } from '../../../domain/recovery/cascade.ts'
import { afterSend, countsAsContact, type NextStep } from '../../../domain/recovery/next-step.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { eventRows } from '../../platform/events/record-events.ts'
import type { AgendaLock } from '../case/agenda-lock.ts'
import { decisionDue } from '../case/debtor-events.ts'
import {
  balanceOfRecovery,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  progressOf,
  type RecoveryRow,
  reachOf,
  stepOf,
  wakeBatchSize,
} from '../case/debtor-file.ts'
import type { NewAction } from '../case/history.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import { dueTimestamps } from '../case/save-recoveries.ts'
import type { Claim } from './claim.ts'
import { leadOf, type SentCommunication } from './communication.ts'
import { type CountedSend, uncountSend } from './count-send.ts'
import { actionTriggered, debtorContacted, lrarSent } from './events.ts'
import { digestOf, nextEntry } from './ledger.ts'
import { outcomeFact } from './outcome-fact.ts'
import { reportOutcome, settledMessageOf } from './report-outcome.ts'
import { sentTextOf } from './sent-messages.ts'
import { settleExtra } from './settle-extra.ts'
import type { SettlementWrites } from './settlement-writes.ts'
import type { WorkerContext } from './worker-context.ts'

/*
 * What follows from the outcome of one message: its state, the proof, the next step of its recoveries, events. It reads nothing;
 * what is to be written is collected.
 */

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
  /** The file that the claim read. */
  known?: Claim['known']
  /** What was handed to the provider; unknown if its sender was lost. */
  message?: Claim['message']
  /** Only the outcome was asked for: the message was written anew, and may say another day than the one that was sent. */
  isLookup?: true
}

/** A message and its outcome. */
export interface Outcome {
  worker: WorkerContext
  ids: MessageIds
  result: SettledResult
}

/** What is read of one message and its debtor, under the debtor's lock. */
interface Settlement extends Outcome {
  tx: Tx
  writes: SettlementWrites
  agenda: AgendaLock
  file: DebtorFile
  communication: SentCommunication
  recoveries: readonly RecoveryRow[]
  extra: ExtraMessage | undefined
  salt: Buffer | undefined
  now: number
  wall: number
}

/** One transaction advances so many; others remain. */
export const isFullBatch = (recoveries: readonly RecoveryRow[]) => recoveries.length === wakeBatchSize

/** What is done once the transaction is committed. */
export class SettlementEnds {
  /** When a sandbox continues at once with what was due on the skipped days: the debtors, and the wall of their settlement. */
  readonly sandboxWalls = new Map<string, number>()
  readonly reports: (() => void)[] = []
  readonly answeredProviders = new Map<Channel, string>()
  readonly #generations = new Map<string, number>()

  readonly noteAgenda = (row: {
    debtor_id: string
    wake_generation: number
    wake_at: number | null
  }): void => {
    const wall = this.sandboxWalls.get(row.debtor_id)
    if (wall !== undefined && row.wake_at !== null && row.wake_at <= wall)
      this.#generations.set(row.debtor_id, row.wake_generation)
  }

  report(): void {
    for (const reportOne of this.reports) reportOne()
  }

  dueAgain(debtorId: string): number | null {
    return this.#generations.get(debtorId) ?? null
  }
}

export function settlementOf(
  outcome: Outcome,
  opened: Pick<Settlement, 'tx' | 'writes' | 'agenda' | 'communication' | 'file'> & { offsetMs: number },
  ends: SettlementEnds,
  read: Pick<Settlement, 'recoveries' | 'extra' | 'salt'>,
): Settlement {
  const { file, communication, offsetMs } = opened
  const wall = outcome.worker.clock.wall()
  const isSandbox = file.environment === 'sandbox'
  if (isSandbox) ends.sandboxWalls.set(outcome.ids.debtorId, wall)
  return {
    ...outcome,
    ...opened,
    ...read,
    wall,
    now: isSandbox ? communication.reserved_at : wall + offsetMs,
  }
}

/** Settles a message that was being sent. */
export function settle(settlement: Settlement, ends: SettlementEnds): void {
  const { worker, ids, file, communication, recoveries, extra, result, now } = settlement
  const message = settledMessageOf(file, communication, recoveries, extra, now)
  ends.reports.push(() => reportOutcome(worker, ids, message, result))
  if (file.environment === 'production' && result.outcome !== 'unknown')
    ends.answeredProviders.set(communication.channel, communication.provider!)
  const { contact, entry } = settleOnce(settlement)
  finish(settlement, [...advanceRecoveries(settlement), ...contact], entry)
}

/** The message itself is settled already; some of its recoveries are not. */
export const advanceRemaining = (settlement: Settlement): void =>
  finish(settlement, advanceRecoveries(settlement), null)

function finish(
  { worker, ids, writes, recoveries, result, now, wall }: Settlement,
  events: readonly NewEvent[],
  entry: ReturnType<typeof nextEntry> | null,
): void {
  const { debtorId, communicationId } = ids
  const actor = { kind: 'worker', id: communicationId } as const
  writes.events.push(...eventRows(events, { actor, requestId: null, now, wall, newId: worker.newId }))
  const isOver = !isFullBatch(recoveries)
  if (isOver) writes.done.push(communicationId)
  writes.agendas.push({
    debtor_id: debtorId,
    is_over: isOver,
    freed_at: countsAsContact(result.outcome) ? null : iso(now),
    position: entry?.position ?? null,
    head: entry?.head ?? null,
  })
  if (entry) writes.entries.push({ debtor_id: debtorId, ...entry })
}

/** What is written once per message, however many invoices it has: its state, its slot, the proof, the contact event. */
function settleOnce(settlement: Settlement): {
  contact: NewEvent[]
  entry: ReturnType<typeof nextEntry> | null
} {
  const { worker, tx, writes, agenda, file, communication, recoveries, extra, result, now, ids } = settlement
  const { tenantId, debtorId, counted } = ids
  const { id, channel, step } = communication
  const outcome = result.outcome
  const accepted = result.outcome === 'accepted' ? result : null
  const counts = countsAsContact(outcome) && !isAnswer(step)
  writes.communications.push({
    id,
    state: messageState[outcome],
    provider_id: accepted?.providerId ?? null,
    reason: result.outcome === 'accepted' ? null : result.reason,
    sent_at: accepted && iso(now),
    settled_at: iso(now),
    is_proven: counts,
  })
  if (!counts) writes.freed.push(id)
  if (!counts && counted) uncountSend(tx, tenantId, counted)
  const hasLeft = outcome === 'accepted' || outcome === 'unknown'
  const sent = hasLeft && ids.message && !ids.isLookup ? sentTextOf(ids.message) : null
  if (sent) writes.texts.push(sent)
  const contact: NewEvent[] = []
  if (extra) settleExtra({ worker, tx, communication, extra, result, now, file, agenda, debtorId }, contact)
  if (!counts) return { contact, entry: null }
  const salt = settlement.salt ?? worker.newSalt()
  if (!settlement.salt) writes.salts.push({ debtor_id: debtorId, salt: salt.toString('hex') })
  const entry = nextEntry(agenda, {
    kind: 'contact',
    communicationId: id,
    channel,
    step,
    at: iso(now),
    fate: outcome,
    verdict: communication.verdict as Evidence,
    invoices: Math.max(recoveries.length, 1),
    recipient: digestOf(salt, recipientOf(file, channel)),
    message: sent && digestOf(salt, sent.sha256),
  })
  const leadRecovery = leadOf(communication, recoveries)
  const number = leadRecovery?.number ?? extra?.number
  const invoiceId = leadRecovery?.invoice_id ?? extra?.invoice_id
  if (invoiceId !== undefined && number !== undefined)
    contact.push(
      newEvent(debtorContacted, invoiceId, {
        invoiceId,
        invoiceNumber: number,
        debtorId,
        communicationId: id,
        channel,
        contactedAt: iso(now),
        invoiceIds: recoveries.length > 0 ? recoveries.map(recovery => recovery.invoice_id) : [invoiceId],
        ledgerHead: entry.head,
      }),
    )
  return { contact, entry }
}

export const recipientOf = (file: DebtorFile, channel: Channel): string =>
  channel === 'email'
    ? file.email
    : channel === 'lrar'
      ? `${file.name}\n${file.address}\n${file.postal_code} ${file.city}`
      : (file.phone ?? '')

/** For each invoice of the message: its next step, a line in its history, its status. Returns its events. */
function advanceRecoveries(settlement: Settlement): NewEvent[] {
  const { worker, writes, agenda, file, communication, recoveries, result, now, ids } = settlement
  const { debtorId } = ids
  const { channel } = communication
  const outcome = result.outcome
  const isAccepted = outcome === 'accepted'
  const rules = contactFile(file, agenda, countsAsContact(outcome) ? [] : [communication.id])
  const advanced = recoveries.map(recovery => {
    const planningContext = { rules, reach: reachOf(file, balanceOfRecovery(recovery)), now, seed: debtorId }
    return { open: recovery, nextStep: afterSend(progressOf(recovery), outcome, planningContext) }
  })
  writes.recoveries.push(
    ...advanced.map(({ open: recovery, nextStep }) => toRecoveryUpdate(recovery, nextStep, isAccepted, now)),
  )
  const actions = advanced
    .filter(({ nextStep }) => nextStep.isOver || outcome === 'unknown')
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
  return events
}

const groupedWith = (communication: SentCommunication, recovery: RecoveryRow): string | null =>
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
