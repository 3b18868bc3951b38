import type { ChannelAdapter, Message, SendResult } from '../../../adapters/channel.ts'
import type { SendOutcome } from '../../../domain/recovery/next-step.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, isDatabaseFault, isLockConflict, transact } from '../../../kit/db/transaction.ts'
import { isStoppedSql } from '../../access/companies/stops.ts'
import { type Claim, claimMessage, type LookupClaim, releaseClaim } from './claim-message.ts'
import { settleMessage } from './settle-message.ts'
import type { WorkerContext } from './worker-context.ts'

// The fence: only the holder of a valid lease may send the body, and nobody after a stop. Once this is written, the message may
// have been sent.
const commitToSending = sql(
  'messages.commit-to-sending',
  `update communications set committing_at = $3, document_sha256 = coalesce($4, document_sha256)
    where id = $1 and token = $2 and state = 'sending' and lease_until > $3
      and not (select ${isStoppedSql} from tenants t where t.id = communications.tenant_id)
   returning id`,
)

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
): Promise<number | null> {
  // A taken lock is free again in a moment, so retry. If the database is unavailable, the dispatcher repeats the task.
  const claimed = await withRetries(isLockConflict, () =>
    claimMessage(worker, tenantId, debtorId, communicationId),
  )
  if (claimed === 'nothing_to_do') return null
  const ids = { tenantId, debtorId, communicationId, token: null }
  if (claimed === 'outcome_unknown')
    return settleMessage(worker, ids, { outcome: 'unknown', reason: 'the sender was lost' })
  if ('unfinished' in claimed) return settleMessage(worker, ids, resultOfSettled(claimed.unfinished))
  const result =
    'isLookup' in claimed ? await lookUpAtProvider(claimed) : await sendToProvider(worker, claimed)
  if (result === 'look_up_later') return null
  // The provider has answered. If the answer cannot be saved, the message ends as `unknown`, so retry for a while.
  return withRetries(isTransient, async () => {
    if (typeof result === 'object') return settleMessage(worker, claimed, result)
    await releaseClaim(worker, claimed, result)
    return null
  })
}

/** The message itself is settled already; this result only advances its remaining recoveries. */
const resultOfSettled = (outcome: SendOutcome): SendResult =>
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
}: LookupClaim): Promise<SendResult | 'look_up_later'> {
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  const found = await adapter!.lookup!(message)
  if (found === 'never_seen')
    return isEarly ? 'look_up_later' : { outcome: 'retryable', reason: 'never seen' }
  if (found.outcome === 'accepted' || found.outcome === 'permanent') return found
  return isLate ? { outcome: 'unknown', reason: found.reason } : 'look_up_later'
}

async function sendToProvider(
  worker: WorkerContext,
  claimed: Claim,
): Promise<SendResult | 'not_committed' | 'look_up_later'> {
  const { channels, message } = claimed
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  if (!adapter) return 'not_committed'
  const sendOnce = () => adapter.send(message, { beforeCommit: () => passFence(worker, adapter, claimed) })
  try {
    const result = await sendOnce()
    if (result.outcome !== 'unknown') return result
    // The same id never makes a second message, and this time we may get the answer.
    if (adapter.reentry === 'idempotent') return await sendOnce()
    // After the lease has ended, the provider is asked for the outcome; by then the request has arrived there.
    return adapter.lookup ? 'look_up_later' : result
  } catch (error) {
    if (error instanceof NotCommitted) return 'not_committed'
    throw error
  }
}

async function passFence(
  worker: WorkerContext,
  adapter: ChannelAdapter<Message>,
  { tenantId, communicationId, token, message }: Claim,
): Promise<void> {
  // An idempotent provider accepts the same id again without sending twice: no fence is needed.
  if (adapter.reentry === 'idempotent') return
  // The hash proves later what was printed, without storing the document.
  const printed = message.channel === 'lrar' ? plainSha256(await message.pdf()) : null
  await transact(worker.pool, asWorker(tenantId), [], async ({ tx }) => {
    const wall = worker.clock.wall()
    const fenced = await tx.rows(commitToSending, [communicationId, token, iso(wall), printed])
    if (fenced.length === 0) throw new NotCommitted()
  }).catch(error => {
    // Mail libraries overwrite the code of an error that passes through them.
    throw isTransient(error) ? new NotCommitted() : error
  })
}

/** The database is unavailable, or somebody else holds the debtor's lock. */
const isTransient = (error: unknown) => isDatabaseFault(error) || isLockConflict(error)

const retryDelaysMs = [100, 400, 1_000, 3_000, 8_000]

async function withRetries<T>(mayRetry: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  for (const delayMs of [...retryDelaysMs, null]) {
    try {
      return await work()
    } catch (error) {
      if (delayMs === null || !mayRetry(error)) throw error
      await new Promise(resolve => setTimeout(resolve, delayMs))
    }
  }
  throw new Error('unreachable')
}
