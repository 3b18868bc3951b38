import type { SettledResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { Evidence } from '../../../domain/contact/contact-rules.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice, isAnswer } from '../../../domain/recovery/cascade.ts'
import { afterSend, countsAsContact, type NextStep } from '../../../domain/recovery/next-step.ts'
import { createBatches } from '../../../kit/batches.ts'
import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { eventRows } from '../../platform/events/record-events.ts'
import { decisionDue } from '../case/debtor-events.ts'
import {
  type AgendaLock,
  balanceOfRecovery,
  contactFile,
  type DebtorFile,
  type ExtraMessage,
  lockAgenda,
  lockFreeAgendas,
  progressOf,
  type RecoveryRow,
  reachOf,
  selectDebtorFile,
  selectServedExtras,
  selectServedRecoveries,
  stepOf,
  wakeBatchSize,
} from '../case/debtor-file.ts'
import type { NewAction } from '../case/history.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import { dueTimestamps } from '../case/save-recoveries.ts'
import type { Claim } from './claim.ts'
import { isSettled, leadOf, readSentCommunications, type SentCommunication } from './communication.ts'
import { type CountedSend, uncountSend } from './count-send.ts'
import { actionTriggered, debtorContacted, lrarSent } from './events.ts'
import { digestOf, nextEntry, readSalts } from './ledger.ts'
import { outcomeText } from './outcome-text.ts'
import { noteProviderAnswers } from './provider-outages.ts'
import { reportOutcome, settledMessageOf } from './report-outcome.ts'
import { settleExtra } from './settle-extra.ts'
import { SettlementWrites } from './settlement-writes.ts'
import type { WorkerContext } from './worker-context.ts'

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
  /** The file that the claim read. */
  known?: Claim['known']
}

/** A message and its outcome. */
interface Outcome {
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

/**
 * Writes the outcome of a message, once. It checks the token of the claim, so that a sender whose lease was taken over changes
 * nothing. Returns the debtor's generation if the next action is already due, as in a sandbox that skips days.
 */
export async function settleMessage(
  worker: WorkerContext,
  ids: MessageIds,
  result: SettledResult,
): Promise<number | null> {
  if (ids.known?.hasFewInvoices) {
    const settled = await settlementsOf(worker.pool)(ids.tenantId, { worker, ids, result })
    if (settled !== 'alone') return settled
  }
  for (;;) {
    const remaining = await settleAlone({ worker, ids, result })
    if (remaining !== 'more_recoveries') return remaining
  }
}

/** Messages of one tenant whose outcomes are known at about the same time are settled in one commit. */
const togetherMax = 25
/** While other messages are on their way, an outcome waits so long for theirs. */
const gatherMs = 50
const settlements = new WeakMap<Pool, ReturnType<typeof createBatches<Outcome, number | null | 'alone'>>>()
function settlementsOf(pool: Pool) {
  const found =
    settlements.get(pool) ??
    createBatches({
      max: togetherMax,
      atOnce: 1,
      gatherMs: ({ worker }: Outcome) => (worker.places.taken() > 1 ? gatherMs : 0),
      run: settleTogether,
    })
  settlements.set(pool, found)
  return found
}

/**
 * Settles messages of one tenant in one commit, each of another debtor. `alone`: somebody else holds the debtor's lock, or the
 * debtor was changed since the message was claimed, or the message is not as its claim left it.
 */
async function settleTogether(outcomes: readonly Outcome[]): Promise<(number | null | 'alone')[]> {
  const { worker, ids } = outcomes[0]!
  const { tenantId } = ids
  const debtorIds = outcomes.map(outcome => outcome.ids.debtorId)
  const communicationIds = outcomes.map(outcome => outcome.ids.communicationId)
  const ends = new SettlementEnds()
  const areSettled = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockFreeAgendas, [tenantId, debtorIds]],
      [readSentCommunications, [communicationIds]],
      [selectServedRecoveries, [communicationIds, togetherMax * wakeBatchSize]],
      [selectServedExtras, [communicationIds]],
      [readSalts, [debtorIds]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [agendas, communications, recoveries, extras, salts] = openingRows
      ends.clear()
      const writes = new SettlementWrites()
      const chosen = new Set<string>()
      const settleOne = (outcome: Outcome): boolean => {
        const { debtorId, communicationId, token, known } = outcome.ids
        const agenda = agendas.find(row => row.debtor_id === debtorId)
        const communication = communications.find(({ id }) => id === communicationId)
        const isAsClaimed = communication?.state === 'sending' && communication.token === token
        if (!agenda || agenda.wake_gen !== known!.gen || !isAsClaimed || chosen.has(debtorId)) return false
        chosen.add(debtorId)
        const isOwn = (row: { communication_id: string }) => row.communication_id === communicationId
        settle(
          settlementOf(outcome, { tx, writes, agenda, communication, file: known!.file, offsetMs }, ends, {
            recoveries: recoveries.filter(isOwn),
            extra: extras.find(isOwn),
            salt: salts.find(row => row.debtor_id === debtorId)?.salt,
          }),
          ends,
        )
        return true
      }
      const settled = outcomes.map(settleOne)
      noteProviderAnswers(tx, worker, ends.answeredProviders)
      writes.sendAtCommit(tx, { tenantId, offsetMs }, ends.noteAgenda)
      return settled
    },
  )
  ends.report()
  return outcomes.map((outcome, i) => (areSettled[i] ? ends.dueAgain(outcome.ids.debtorId) : 'alone'))
}

/** What remains to do: recoveries beyond one batch, or the generation of a debtor that is due again at once. */
async function settleAlone(outcome: Outcome): Promise<'more_recoveries' | number | null> {
  const { worker, ids, result } = outcome
  const { tenantId, debtorId, communicationId, token } = ids
  const ends = new SettlementEnds()
  const hasMore = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [lockAgenda, [tenantId, debtorId]],
      [selectDebtorFile, [debtorId]],
      [readSentCommunications, [[communicationId]]],
      [selectServedRecoveries, [[communicationId], wakeBatchSize]],
      [selectServedExtras, [[communicationId]]],
      [readSalts, [[debtorId]]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [[agenda], [file], [communication], recoveries, [extra], [salt]] = openingRows
      ends.clear()
      if (!agenda || !file || !communication) return false
      const isOwnClaim = token === null || communication.token === token
      const writes = new SettlementWrites()
      const opened = { tx, writes, agenda, communication, file, offsetMs }
      const settlement = settlementOf(outcome, opened, ends, { recoveries, extra, salt: salt?.salt })
      if (
        communication.state === 'unknown' &&
        token !== null &&
        isOwnClaim &&
        result.outcome === 'accepted'
      ) {
        const details = 'Accepted, as was heard later.'
        tx.atCommit(markSentLate, [communicationId, result.providerId, iso(settlement.now), details])
        return false
      }
      if (communication.state === 'sending' && isOwnClaim) settle(settlement, ends)
      else if (isSettled(communication)) advanceRemaining(settlement)
      else return false
      noteProviderAnswers(tx, worker, ends.answeredProviders)
      writes.sendAtCommit(tx, { tenantId, offsetMs }, ends.noteAgenda)
      return hasMoreThan(recoveries)
    },
  )
  ends.report()
  return hasMore ? 'more_recoveries' : ends.dueAgain(debtorId)
}

const hasMoreThan = (recoveries: readonly RecoveryRow[]) => recoveries.length === wakeBatchSize

/** What is done once the transaction is committed. */
class SettlementEnds {
  /** When a sandbox continues at once with what was due on the skipped days: the debtors, and the wall of their settlement. */
  readonly sandboxWalls = new Map<string, number>()
  readonly reports: (() => void)[] = []
  readonly answeredProviders = new Map<Channel, string>()
  readonly #generations = new Map<string, number>()

  /** A transaction may be repeated from its beginning. */
  clear(): void {
    this.reports.length = 0
    this.answeredProviders.clear()
    this.#generations.clear()
  }

  readonly noteAgenda = (row: { debtor_id: string; wake_gen: number; wake_at: number | null }): void => {
    const wall = this.sandboxWalls.get(row.debtor_id)
    if (wall !== undefined && row.wake_at !== null && row.wake_at <= wall)
      this.#generations.set(row.debtor_id, row.wake_gen)
  }

  report(): void {
    for (const reportOne of this.reports) reportOne()
  }

  dueAgain(debtorId: string): number | null {
    return this.#generations.get(debtorId) ?? null
  }
}

function settlementOf(
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
function settle(settlement: Settlement, ends: SettlementEnds): void {
  const { worker, ids, file, communication, recoveries, extra, result, now } = settlement
  const message = settledMessageOf(file, communication, recoveries, extra, now)
  ends.reports.push(() => reportOutcome(worker, ids, message, result))
  if (file.environment === 'production' && result.outcome !== 'unknown')
    ends.answeredProviders.set(communication.channel, communication.provider!)
  const { contact, entry } = settleOnce(settlement)
  finish(settlement, [...advanceRecoveries(settlement), ...contact], entry)
}

/** The message itself is settled already; some of its recoveries are not. */
const advanceRemaining = (settlement: Settlement): void =>
  finish(settlement, advanceRecoveries(settlement), null)

function finish(
  { worker, ids, writes, recoveries, result, now, wall }: Settlement,
  events: readonly NewEvent[],
  entry: ReturnType<typeof nextEntry> | null,
): void {
  const { debtorId, communicationId } = ids
  const actor = { kind: 'worker', id: communicationId } as const
  writes.events.push(...eventRows(events, { actor, requestId: null, now, wall, newId: worker.newId }))
  const isOver = !hasMoreThan(recoveries)
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
