import type { ChannelAdapter, Message, SendResult } from '../../../adapters/channel.ts'
import type { Fate } from '../../../domain/recovery/motion.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, isContended, isDatabaseFault, transact } from '../../../kit/db/transaction.ts'
import { type Claim, claim, giveBack, type Question } from './claim.ts'
import { settle } from './settle.ts'
import type { Worker } from './worker.ts'

// The fence: only the holder of a living lease may let the body leave, and once this is written the fate is open.
const commitToSending = sql(
  'messages.commit-to-sending',
  `update communications set committing_at = $3, document_sha256 = coalesce($4, document_sha256)
    where id = $1 and token = $2 and state = 'sending' and lease_until > $3 returning id`,
)

/** The body has not left and will not: the lease was lost, or the database could not be told. */
class NotCommitted extends Error {}

/**
 * Claim, give to the provider, settle: safe to run twice, anywhere, at the same time. Answers the debtor's generation when
 * something else is due at once.
 */
export async function send(
  worker: Worker,
  tenantId: string,
  debtorId: string,
  communicationId: string,
): Promise<number | null> {
  // Where the debtor's lock is taken it is free in a moment; where the database is away, whoever brought this brings it again.
  const claimed = await patiently(isContended, () => claim(worker, tenantId, debtorId, communicationId))
  if (claimed === 'nothing_to_do') return null
  const ids = { tenantId, debtorId, communicationId, token: null }
  if (claimed === 'fate_unknown')
    return settle(worker, ids, { outcome: 'unknown', reason: 'the sender was lost' })
  if ('unfinished' in claimed) return settle(worker, ids, resumed(claimed.unfinished))
  const result = 'isQuestion' in claimed ? await askProvider(claimed) : await giveToProvider(worker, claimed)
  if (result === 'ask_later') return null
  // A provider said yes, and the database may be away or the debtor's lock taken: what is not written ends as `unknown`, so it is worth some patience.
  return patiently(mayPass, async () => {
    if (typeof result === 'object') return settle(worker, claimed, result)
    await giveBack(worker, claimed, result)
    return null
  })
}

/** The message itself is settled; this only tells what it serves to move on. */
const resumed = (outcome: Fate): SendResult =>
  outcome === 'accepted' ? { outcome, providerId: '' } : { outcome, reason: 'settled before' }

/**
 * What became of a message whose sender was lost, or heard no answer. Who denies it has not sent it and never will: that is a
 * failed attempt, and the step is tried again like after any other.
 */
async function askProvider({
  channels,
  message,
  isEarly,
  isLate,
}: Question): Promise<SendResult | 'ask_later'> {
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  const found = await adapter!.lookup!(message)
  if (found === 'never_seen') return isEarly ? 'ask_later' : { outcome: 'retryable', reason: 'never seen' }
  if (found.outcome === 'accepted' || found.outcome === 'permanent') return found
  return isLate ? { outcome: 'unknown', reason: found.reason } : 'ask_later'
}

async function giveToProvider(
  worker: Worker,
  claimed: Claim,
): Promise<SendResult | 'not_committed' | 'ask_later'> {
  const { channels, message } = claimed
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  if (!adapter) return 'not_committed'
  const give = () => adapter.send(message, { beforeCommit: () => commit(worker, adapter, claimed) })
  try {
    const result = await give()
    if (result.outcome !== 'unknown') return result
    // With the same id there is still but one message, and this time the answer may be heard.
    if (adapter.reentry === 'idempotent') return await give()
    // Its lease runs out, and it is asked for: by then what was on its way has arrived.
    return adapter.lookup ? 'ask_later' : result
  } catch (error) {
    if (error instanceof NotCommitted) return 'not_committed'
    throw error
  }
}

async function commit(
  worker: Worker,
  adapter: ChannelAdapter<Message>,
  { tenantId, communicationId, token, message }: Claim,
): Promise<void> {
  // An idempotent provider may be asked again with the same id: there is nothing to fence.
  if (adapter.reentry === 'idempotent') return
  // What was printed can be proven later, without keeping it.
  const printed = message.channel === 'lrar' ? plainSha256(await message.pdf()) : null
  await transact(worker.pool, asWorker(tenantId), [], async ({ tx }) => {
    const wall = worker.clock.wall()
    const held = await tx.rows(commitToSending, [communicationId, token, iso(wall), printed])
    if (held.length === 0) throw new NotCommitted()
  }).catch(error => {
    // Mail libraries write their own code over that of an error that passes through them.
    throw mayPass(error) ? new NotCommitted() : error
  })
}

/** The database is away, or somebody holds the debtor's lock. */
const mayPass = (error: unknown) => isDatabaseFault(error) || isContended(error)

const pauses = [100, 400, 1_000, 3_000, 8_000]

async function patiently<T>(mayRetry: (error: unknown) => boolean, write: () => Promise<T>): Promise<T> {
  for (const pause of [...pauses, null]) {
    try {
      return await write()
    } catch (error) {
      if (pause === null || !mayRetry(error)) throw error
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
  throw new Error('unreachable')
}
