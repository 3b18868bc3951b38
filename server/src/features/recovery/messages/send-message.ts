import type { ChannelAdapter, Message, SendResult, SettledResult } from '../../../adapters/channel.ts'
import type { SendOutcome } from '../../../domain/recovery/next-step.ts'
import { batchesPer } from '../../../kit/batches.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { databaseNow } from '../../../kit/database-clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, isDatabaseFault, isLockConflict, transact } from '../../../kit/db/transaction.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { checkDatabase, isSendingDatabaseSql } from '../../access/companies/quarantine.ts'
import type { Claim } from './claim.ts'
import { claimMessage, type LookupClaim, postponeUnavailable, releaseClaim } from './claim-message.ts'
import { noteProviderFailure } from './provider-outages.ts'
import type { ProviderPlace } from './provider-places.ts'
import { settleMessage } from './settle-message.ts'
import { type WorkerContext, WrongClock } from './worker-context.ts'

// The fence: only the holder of a valid lease may send the body, nobody after a stop, and nobody from a copy of the database. Once
// this is written, the message may have been sent. The lease must be valid by the database's clock too: that of a machine which stood still may be behind.
const commitToSending = sql(
  'messages.commit-to-sending',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, token uuid, printed text))
   update communications c set committing_at = $2, document_sha256 = coalesce(decode(x.printed, 'hex'), c.document_sha256)
     from x
    where c.id = x.id and c.id = any (array(select id from x)) and c.token = x.token and c.state = 'sending'
      and c.lease_until > greatest($2, ${databaseNow}) and stop_reason(c.tenant_id, c.provider) is null
      and ${isSendingDatabaseSql}
   returning c.id`,
)

// A message that left must not be forgotten in a failover: its fence is the one commit that waits for a standby. What was
// written before it, the reservation and the claim, is on the standby by then.
const waitForStandby = sql(
  'messages.wait-for-standby',
  `select set_config('synchronous_commit', $1, true) as synchronous_commit, pg_backend_pid() as pid`,
)
// A commit that waits for its standby has no time limit and keeps its locks, also when its client has gone.
const stopWaiting = sql('messages.stop-waiting-for-standby', 'select pg_cancel_backend($1) as is_cancelled')

/** The body was not and will not be sent: the lease was lost, or the fence could not be written. */
class NotCommitted extends Error {}

/**
 * Claims a message, sends it with its provider and settles it. Safe to run twice, anywhere, at the same time. Returns the
 * debtor's generation if something else is due at once.
 */
export async function sendMessage(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  isOrphaned = false,
): Promise<number | null> {
  if (!worker.isClockRight()) throw new WrongClock()
  // A taken lock is free again in a moment, so retry. If the database is unavailable, the task is given back.
  const claimed = await withRetries(isLockConflict, () =>
    claimMessage(worker, tenantId, debtorId, communicationId, isOrphaned),
  )
  if (claimed === 'nothing_to_do') return null
  const ids = { tenantId, debtorId, communicationId, token: null }
  if (claimed === 'outcome_unknown')
    return settleMessage(worker, ids, { outcome: 'unknown', reason: 'the sender was lost' })
  if ('unfinished' in claimed) return settleMessage(worker, ids, resultOfSettled(claimed.unfinished))
  return sendClaimed(worker, claimed)
}

/** Sends a claimed message with its provider and settles it. Returns the debtor's generation if something else is due at once. */
export async function sendClaimed(
  worker: WorkerContext,
  claimed: Claim | LookupClaim,
  place: ProviderPlace | null = null,
): Promise<number | null> {
  const askedAt = performance.now()
  const result =
    'isLookup' in claimed ? await lookUpAtProvider(claimed) : await sendToProvider(worker, claimed)
  place?.answered()
  if (result === 'look_up_later') return null
  const providerMs = Math.round(performance.now() - askedAt)
  // The provider has answered. If the answer cannot be saved, the message ends as `unknown`, so retry for a while.
  return withRetries(isTransient, async () => {
    if (result === 'not_committed') await releaseClaim(worker, claimed, result)
    else if (result.outcome !== 'unavailable')
      return settleMessage(worker, { ...claimed, providerMs }, result)
    else {
      const { awayUntil, reason } = result
      if (!(await postponeUnavailable(worker, { ...claimed, providerMs }, reason, awayUntil)))
        return settleMessage(worker, { ...claimed, providerMs }, { outcome: 'retryable', reason })
    }
    return null
  })
}

type SendEnd =
  | SettledResult
  /** Until when the provider is away; null if it may be tried again. */
  | { outcome: 'unavailable'; reason: string; awayUntil: number | null }
  | 'not_committed'
  | 'look_up_later'

/** The message itself is settled already; this result only advances its remaining recoveries. */
const resultOfSettled = (outcome: SendOutcome): SettledResult =>
  outcome === 'accepted' ? { outcome, providerId: '' } : { outcome, reason: 'settled before' }

/**
 * Asks the provider for the outcome of a message whose sender died or got no answer. If the provider never saw it, it was not
 * sent and never will be: that is a failed attempt, and the step is retried as usual.
 */
async function lookUpAtProvider({
  channels,
  message,
  isEarly,
  isLate,
}: LookupClaim): Promise<SettledResult | 'look_up_later'> {
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  const found = await adapter!.lookup!(message)
  if (found === 'never_seen')
    return isEarly ? 'look_up_later' : { outcome: 'retryable', reason: 'never seen' }
  if (found.outcome === 'accepted' || found.outcome === 'permanent') return found
  return isLate ? { outcome: 'unknown', reason: found.reason } : 'look_up_later'
}

async function sendToProvider(worker: WorkerContext, claimed: Claim): Promise<SendEnd> {
  const { channels, message, isProduction, offsetMs } = claimed
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  if (!adapter) return 'not_committed'
  const sendOnce = () => adapter.send(message, { beforeCommit: () => passFence(worker, adapter, claimed) })
  // After a timeout nobody knows what became of the message; that the provider failed is known.
  const noteFailure = async (reason: string) =>
    isProduction
      ? noteProviderFailure(
          worker,
          { channel: message.channel, provider: adapter.name },
          reason,
          worker.clock.wall() + offsetMs,
        )
      : null
  try {
    const result = await sendOnce()
    if (result.outcome === 'unavailable') return { ...result, awayUntil: await noteFailure(result.reason) }
    if (result.outcome !== 'unknown') return result
    await noteFailure(result.reason)
    // The same id never makes a second message, and this time we may get the answer.
    const isRepeatable = adapter.reentry === 'idempotent' || adapter.hasIdempotencyKey
    const answer = isRepeatable ? answerOf(await sendOnce().catch(() => result)) : null
    // After the lease has ended, the provider is asked for the outcome; by then the request has arrived there.
    return answer ?? (adapter.lookup ? 'look_up_later' : result)
  } catch (error) {
    if (error instanceof NotCommitted) return 'not_committed'
    throw error
  }
}

/** The answer to a message that was sent a second time; null if it proves nothing about the first. */
const answerOf = (result: SendResult): SettledResult | null =>
  result.outcome === 'accepted' || result.outcome === 'permanent' ? result : null

async function passFence(
  worker: WorkerContext,
  adapter: ChannelAdapter<Message>,
  { tenantId, communicationId, token, message }: Claim,
): Promise<void> {
  // An idempotent provider accepts the same id again without sending twice: no fence is needed.
  if (adapter.reentry === 'idempotent') return
  // The hash proves later what was printed, without storing the document.
  const printed = message.channel === 'lrar' ? plainSha256(await message.pdf()).toString('hex') : null
  const fence = { worker, tenantId, id: communicationId, token, printed }
  if (await passTogether(worker.pool, tenantId, fence)) return
  // If this is a copy of the database, sending stops now and does not try in vain until the next look.
  await checkDatabase(worker).catch(() => {})
  throw new NotCommitted()
}

/** A message that is about to be sent. */
interface Fence {
  worker: WorkerContext
  tenantId: string
  id: string
  token: string
  printed: string | null
}

/** Messages of one tenant that reach their fence at about the same time pass it in one commit. */
const gatherMs = 15
const passTogether = batchesPer<Pool, Fence, boolean>({
  max: 25,
  atOnce: 1,
  gatherMs: ({ worker }) => (worker.places.taken() > 1 ? gatherMs : 0),
  run: writeFences,
})

/** For each message, whether it may be sent. */
async function writeFences(batch: readonly Fence[]): Promise<boolean[]> {
  const { worker, tenantId } = batch[0]!
  const opening = worker.fenceCommit === null ? [] : [[waitForStandby, [worker.fenceCommit]] as const]
  let waitingPid: number | null = null
  const rows = JSON.stringify(batch.map(({ id, token, printed }) => ({ id, token, printed })))
  try {
    const fenced = await transact(worker.pool, asWorker(tenantId), opening, ({ tx, openingRows }) => {
      waitingPid = openingRows[0]?.[0]?.pid ?? null
      return tx.rows(commitToSending, [rows, iso(worker.clock.wall())])
    })
    return batch.map(({ id }) => fenced.some(row => row.id === id))
  } catch (error) {
    // Without the standby no body is sent, so the messages may be released.
    if (waitingPid !== null && isDatabaseFault(error))
      await queryOn(worker.pool)(stopWaiting, [waitingPid]).catch(() => {})
    if (isTransient(error)) return batch.map(() => false)
    throw error
  }
}

/** The database is unavailable, or somebody else holds the debtor's lock. */
const isTransient = (error: unknown) => isDatabaseFault(error) || isLockConflict(error)
