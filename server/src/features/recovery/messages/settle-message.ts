import type { SettledResult } from '../../../adapters/channel.ts'
import { batchesPer } from '../../../kit/batches.ts'
import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { lockAgenda, lockFreeAgendas } from '../case/agenda-lock.ts'
import {
  selectDebtorFile,
  selectServedExtras,
  selectServedRecoveries,
  wakeBatchSize,
} from '../case/debtor-file.ts'
import { sentenceOf } from '../case/history-texts.ts'
import { isSettled, readSentCommunications } from './communication.ts'
import { readSalts } from './ledger.ts'
import { noteProviderAnswers } from './provider-outages.ts'
import {
  advanceRemaining,
  isFullBatch,
  type MessageIds,
  type Outcome,
  SettlementEnds,
  settle,
  settlementOf,
} from './settlement.ts'
import { SettlementWrites } from './settlement-writes.ts'
import type { WorkerContext } from './worker-context.ts'

const markSentLate = sql(
  'messages.mark-sent-late',
  `with updated as (
     update communications set state = 'sent', provider_id = $2, sent_at = $3, reason = null where id = $1)
   update actions set status = 'sent', details = $4, code = case when code is not null then 'message_accepted_late' end
    where communication_id = $1 and status = 'unknown'`,
)

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
    const settled = await settleInBatch(worker.pool, ids.tenantId, { worker, ids, result })
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
const settleInBatch = batchesPer<Pool, Outcome, number | null | 'alone'>({
  max: togetherMax,
  atOnce: 1,
  gatherMs: ({ worker }) => (worker.places.taken() > 1 ? gatherMs : 0),
  run: settleTogether,
})

/**
 * Settles messages of one tenant in one commit, each of another debtor. `alone`: somebody else holds the debtor's lock, or the
 * debtor was changed since the message was claimed, or the message is not as its claim left it.
 */
async function settleTogether(outcomes: readonly Outcome[]): Promise<(number | null | 'alone')[]> {
  const { worker, ids } = outcomes[0]!
  const { tenantId } = ids
  const debtorIds = outcomes.map(outcome => outcome.ids.debtorId)
  const communicationIds = outcomes.map(outcome => outcome.ids.communicationId)
  const { areSettled, ends } = await transact(
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
      const ends = new SettlementEnds()
      const writes = new SettlementWrites()
      const chosen = new Set<string>()
      const settleOne = (outcome: Outcome): boolean => {
        const { debtorId, communicationId, token, known } = outcome.ids
        const agenda = agendas.find(row => row.debtor_id === debtorId)
        const communication = communications.find(({ id }) => id === communicationId)
        const isAsClaimed = communication?.state === 'sending' && communication.token === token
        if (!agenda || agenda.wake_generation !== known!.generation || !isAsClaimed || chosen.has(debtorId))
          return false
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
      const areSettled = outcomes.map(settleOne)
      noteProviderAnswers(tx, worker, ends.answeredProviders)
      writes.sendAtCommit(tx, { tenantId, offsetMs }, ends.noteAgenda)
      return { areSettled, ends }
    },
  )
  ends.report()
  return outcomes.map((outcome, i) => (areSettled[i] ? ends.dueAgain(outcome.ids.debtorId) : 'alone'))
}

/** What remains to do: recoveries beyond one batch, or the generation of a debtor that is due again at once. */
async function settleAlone(outcome: Outcome): Promise<'more_recoveries' | number | null> {
  const { worker, ids, result } = outcome
  const { tenantId, debtorId, communicationId, token } = ids
  const { hasMore, ends } = await transact(
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
      const ends = new SettlementEnds()
      const nothing = { hasMore: false, ends }
      if (!agenda || !file || !communication) return nothing
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
        const { channel } = communication
        const details = sentenceOf({ code: 'message_accepted_late', params: { channel } }, 'en')
        tx.atCommit(markSentLate, [communicationId, result.providerId, iso(settlement.now), details])
        return nothing
      }
      if (communication.state === 'sending' && isOwnClaim) settle(settlement, ends)
      else if (isSettled(communication)) advanceRemaining(settlement)
      else return nothing
      noteProviderAnswers(tx, worker, ends.answeredProviders)
      writes.sendAtCommit(tx, { tenantId, offsetMs }, ends.noteAgenda)
      return { hasMore: isFullBatch(recoveries), ends }
    },
  )
  ends.report()
  return hasMore ? 'more_recoveries' : ends.dueAgain(debtorId)
}
