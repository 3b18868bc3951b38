import type { SettledResult } from '../../../../adapters/channel.ts'
import type { Evidence } from '../../../../domain/contact/contact-rules.ts'
import { isAnswer } from '../../../../domain/recovery/cascade.ts'
import { countsAsContact } from '../../../../domain/recovery/next-step.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../../kit/events.ts'
import { eventRows } from '../../../platform/events/record-events.ts'
import { lockAgendas, lockFreeAgendas, markAllSamePersons } from '../../case/agenda-store.ts'
import { bounceReasons, messageBounced } from '../../case/debtor-events.ts'
import { selectDebtorFiles } from '../../case/debtor-file-store.ts'
import { sentenceOf } from '../../case/history-texts.ts'
import { selectServedExtras, selectServedRecoveries, wakeBatchSize } from '../../case/recovery-store.ts'
import { pointOf, refuseAddress, refusedWith } from '../../holds/closed-channels.ts'
import { batchMessages } from '../batch-messages.ts'
import { isSettled, leadOf, readSentCommunications } from '../communication-store.ts'
import { giveBack, uncountSend } from '../count-send.ts'
import { debtorContacted } from '../events.ts'
import { noteProviderAnswers } from '../provider-outages.ts'
import type { WorkerContext } from '../worker-context.ts'
import { advanceRecoveries } from './advance-recoveries.ts'
import { digestOf, nextEntry, recipientOf } from './ledger.ts'
import { reportOutcome, settledMessageOf } from './report-outcome.ts'
import { readSalts } from './salt-store.ts'
import { sentTextOf } from './sent-messages.ts'
import { settleExtra } from './settle-extra.ts'
import {
  AfterSettlement,
  isFullBatch,
  type MessageIds,
  messageState,
  type Outcome,
  type Settlement,
  sendOutcomeOf,
  settlementOf,
} from './settlement.ts'
import { SettlementWrites } from './settlement-writes.ts'

/**
 * Writes the outcome of a message, once. It checks the token of the claim, so that a sender whose lease was taken over changes
 * nothing. Returns the debtor's generation if the next action is already due, as in a sandbox that skips days.
 */
export async function settleMessage(
  worker: WorkerContext,
  ids: MessageIds,
  result: SettledResult,
): Promise<number | null> {
  const outcome = { worker, tenantId: ids.tenantId, ids, result }
  const settled = ids.known?.hasFewInvoices ? await settleTogether(outcome) : 'alone'
  if (settled !== 'alone' && settled !== 'more_recoveries') return settled
  for (;;) {
    const [remaining] = await settleOutcomes([outcome], true)
    if (remaining !== 'alone' && remaining !== 'more_recoveries') return remaining!
  }
}

/** How long an outcome waits for the outcomes of other messages. */
const gatherMs = 50
const settleTogether = batchMessages(gatherMs, (outcomes: readonly Outcome[]) =>
  settleOutcomes(outcomes, false),
)

/**
 * The remaining work for a message: to settle it alone, because another transaction holds the debtor's lock or the debtor was
 * changed since the claim; recoveries beyond one batch; the generation of a debtor that is due again at once; or nothing.
 */
type Remaining = 'alone' | 'more_recoveries' | number | null

/** Settles messages of one tenant in one commit, one per debtor. `isAlone`: waits for the lock and reads the file again. */
async function settleOutcomes(outcomes: readonly Outcome[], isAlone: boolean): Promise<Remaining[]> {
  const { worker, tenantId } = outcomes[0]!
  const debtorIds = outcomes.map(({ ids }) => ids.debtorId)
  const communicationIds = outcomes.map(({ ids }) => ids.communicationId)
  const { remaining, ends } = await transact(
    worker.pool,
    asWorker(tenantId),
    [
      [isAlone ? lockAgendas : lockFreeAgendas, [tenantId, debtorIds]],
      [readSentCommunications, [communicationIds]],
      [selectServedRecoveries, [communicationIds, outcomes.length * wakeBatchSize]],
      [selectServedExtras, [communicationIds]],
      [readSalts, [debtorIds]],
    ],
    async ({ tx, openingRows, offsetMs }) => {
      const [agendas, communications, recoveries, extras, salts] = openingRows
      const files = isAlone ? await tx.rows(selectDebtorFiles, [debtorIds]) : []
      const ends = new AfterSettlement()
      const writes = new SettlementWrites()
      const debtors = new Set<string>()
      const settleOne = (outcome: Outcome): 'alone' | 'more_recoveries' | 'done' => {
        const { debtorId, communicationId, known } = outcome.ids
        const agenda = agendas.find(row => row.debtor_id === debtorId)
        const communication = communications.find(({ id }) => id === communicationId)
        const isUnchanged = agenda !== undefined && agenda.wake_generation === known?.generation
        const file = isAlone ? files[0] : isUnchanged ? known?.file : undefined
        if (!agenda || !file || !communication || debtors.has(debtorId)) return isAlone ? 'done' : 'alone'
        debtors.add(debtorId)
        const isOwn = (row: { communication_id: string }) => row.communication_id === communicationId
        const settlement = settlementOf(
          outcome,
          { tx, writes, agenda, communication, file, offsetMs },
          ends,
          {
            recoveries: recoveries.filter(isOwn),
            extra: extras.find(isOwn),
            salt: salts.find(row => row.debtor_id === debtorId)?.salt,
          },
        )
        return writeOutcome(settlement, ends)
      }
      const remaining = outcomes.map(settleOne)
      noteProviderAnswers(tx, worker, ends.answeredProviders)
      writes.sendAtCommit(tx, { tenantId, offsetMs }, ends)
      return { remaining, ends }
    },
  )
  if (ends.unmarked.length > 0)
    await transact(worker.pool, asWorker(tenantId), [], ({ tx }) =>
      tx.rows(markAllSamePersons, [tenantId, ends.unmarked]),
    )
  ends.report()
  return remaining.map((one, i) => (one === 'done' ? ends.dueAgain(debtorIds[i]!) : one))
}

const markSentLate = sql(
  'messages.mark-sent-late',
  `with updated as (
     update communications set state = 'sent', provider_id = $2, sent_at = $3, reason = null where id = $1)
   update actions set status = 'sent', details = $4, code = case when code is not null then 'message_accepted_late' end
    where communication_id = $1 and status = 'unknown'`,
)

/** The writes depend on the current state of the message: another worker may have settled it, or a part of it. */
function writeOutcome(settlement: Settlement, ends: AfterSettlement): 'more_recoveries' | 'done' {
  const { tx, communication, ids, recoveries, result, now } = settlement
  const { communicationId, token } = ids
  const isOwnClaim = token === null || communication.token === token
  const isAcceptedLate = communication.state === 'unknown' && result.outcome === 'accepted'
  if (isAcceptedLate && token !== null && isOwnClaim) {
    const { channel } = communication
    const details = sentenceOf({ code: 'message_accepted_late', params: { channel } }, 'en')
    tx.atCommit(markSentLate, [communicationId, result.providerId, iso(now), details])
    return 'done'
  }
  if (communication.state === 'sending' && isOwnClaim) settle(withRefusedAddress(settlement), ends)
  else if (isSettled(communication)) advanceRemaining(settlement)
  else {
    giveBack(tx, communication, ids)
    return 'done'
  }
  return isFullBatch(recoveries) ? 'more_recoveries' : 'done'
}

/** The settlement of a message whose address was refused: the address is closed, and the steps are planned without it. */
function withRefusedAddress(settlement: Settlement): Settlement {
  const { worker, tx, writes, ids, file, communication, result, now, offsetMs } = settlement
  const { tenantId, debtorId, communicationId } = ids
  const { channel } = communication
  const sentTo = ids.known?.file ?? file
  const point = pointOf(sentTo, channel)
  if (sendOutcomeOf(result) !== 'refused' || !point) return settlement
  // Another address was recorded while the message was being sent. A postal address has no point of its own.
  const isCorrected = recipientOf(sentTo, channel) !== recipientOf(file, channel)
  if (isCorrected && channel === 'lrar') return settlement
  const actor = { kind: 'worker', id: communicationId } as const
  const refused = { tenantId, debtorId, channel, point, isCurrent: !isCorrected, lookAt: now - offsetMs }
  writes.last.push(() => refuseAddress({ tx, actor, now, newId: worker.newId }, refused))
  if (isCorrected) return settlement
  const closed = refusedWith(channel).map(each => ({ channel: each, because: 'refused' as const }))
  return { ...settlement, file: { ...file, closed: [...file.closed, ...closed] } }
}

/** Settles a message that was being sent. */
function settle(settlement: Settlement, ends: AfterSettlement): void {
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
  const isOver = !isFullBatch(recoveries)
  if (isOver) writes.done.push(communicationId)
  writes.agendas.push({
    debtor_id: debtorId,
    is_over: isOver,
    freed_at: countsAsContact(result.outcome) ? null : iso(now),
    advanced_at: iso(now),
    position: entry?.position ?? null,
    head: entry?.head ?? null,
  })
  if (entry) writes.entries.push({ debtor_id: debtorId, ...entry })
}

/** The writes once per message, however many invoices it has: its state, its slot, the proof, the contact event. */
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
    is_retryable: outcome === 'retryable',
  })
  if (!counts) writes.freed.push(id)
  if (!counts && counted) uncountSend(tx, tenantId, counted)
  const hasLeft = outcome === 'accepted' || outcome === 'unknown'
  const sent = hasLeft && ids.message && !ids.isLookup ? sentTextOf(ids.message) : null
  if (sent) writes.texts.push(sent)
  const contact: NewEvent[] = []
  const leadRecovery = leadOf(communication, recoveries)
  const number = leadRecovery?.number ?? extra?.number
  const invoiceId = leadRecovery?.invoice_id ?? extra?.invoice_id
  const about =
    invoiceId === undefined || number === undefined
      ? null
      : {
          ...{ invoiceId, invoiceNumber: number, debtorId, communicationId: id, channel },
          invoiceIds: recoveries.length > 0 ? recoveries.map(recovery => recovery.invoice_id) : [invoiceId],
        }
  if (about && sendOutcomeOf(result) === 'refused')
    contact.push(newEvent(messageBounced, about.invoiceId, { ...about, reasonCode: bounceReasons[channel] }))
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
  if (about)
    contact.push(
      newEvent(debtorContacted, about.invoiceId, { ...about, contactedAt: iso(now), ledgerHead: entry.head }),
    )
  return { contact, entry }
}
