import type { ChannelAdapter, Message, SendResult, SettledResult } from '../../../../adapters/channel.ts'
import { isLockConflict, isTransient } from '../../../../kit/db/transaction.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { noteProviderFailure } from '../provider-outages.ts'
import type { ProviderPlace } from '../provider-places.ts'
import { settleMessage } from '../settle/settle-message.ts'
import { type WorkerContext, WrongClock } from '../worker-context.ts'
import type { Claim } from './claim.ts'
import { claimReserved, type LookupClaim } from './claim-reserved.ts'
import { NotCommitted, passFence } from './fence.ts'
import { postponeUnavailable, releaseClaim } from './postpone.ts'

/**
 * Claims a message that was reserved in an earlier commit, or whose sender was lost, sends it with its provider and settles it.
 * Safe to run twice, anywhere, at the same time. Returns the debtor's generation if something else is due at once.
 */
export async function sendReserved(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
  isOrphaned = false,
): Promise<number | null> {
  if (!worker.isClockRight()) throw new WrongClock()
  // A taken lock is free again in a moment, so retry. If the database is unavailable, the task is given back.
  const claimed = await withRetries(isLockConflict, () =>
    claimReserved(worker, tenantId, debtorId, communicationId, isOrphaned),
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
const resultOfSettled = (outcome: SettledResult['outcome']): SettledResult =>
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
  const sendOnce = () => adapter.send(message, { beforeCommit: () => passFence(worker, claimed) })
  // After a timeout the outcome of the message is unknown, but it is a failure of the provider.
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
