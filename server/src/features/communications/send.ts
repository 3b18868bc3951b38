import type { ChannelAdapter, Message, SendResult } from '../../adapters/channel.ts'
import type { Fate } from '../../domain/motion.ts'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { asWorker, isDatabaseFault, transact } from '../../kit/db/transaction.ts'
import type { Worker } from '../agenda/worker.ts'
import { type Claim, claim, giveBack } from './claim.ts'
import { settle } from './settle.ts'

// The fence: only the holder of a living lease may let the body leave, and once this is written the fate is open.
const commitToSending = sql<{ id: string }>(
  `update communications set committing_at = $3 where id = $1 and token = $2 and state = 'sending' and lease_until > $3 returning id`,
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
  const claimed = await claim(worker, tenantId, debtorId, communicationId)
  if (claimed === 'nothing_to_do') return null
  const ids = { tenantId, debtorId, communicationId, token: null }
  if (claimed === 'fate_unknown')
    return settle(worker, ids, { outcome: 'unknown', reason: 'the sender was lost' })
  if ('unfinished' in claimed) return settle(worker, ids, resumed(claimed.unfinished))
  const result = await giveToProvider(worker, claimed)
  // A provider said yes and the database may be away: what is not written ends as `unknown`, so it is worth some patience.
  return patiently(async () => {
    if (result !== 'not_committed') return settle(worker, claimed, result)
    await giveBack(worker, claimed, 'not_committed')
    return null
  })
}

/** The message itself is settled; this only tells what it serves to move on. */
const resumed = (outcome: Fate): SendResult =>
  outcome === 'accepted' ? { outcome, providerId: '' } : { outcome, reason: 'settled before' }

async function giveToProvider(worker: Worker, claimed: Claim): Promise<SendResult | 'not_committed'> {
  const { tenantId, communicationId, token, channels, message } = claimed
  const adapter: ChannelAdapter<Message> | null = channels[message.channel]
  if (!adapter) return 'not_committed'
  try {
    return await adapter.send(message, {
      beforeCommit: async () => {
        // An idempotent provider may be asked again with the same id: there is nothing to fence.
        if (adapter.reentry === 'idempotent') return
        await transact(worker.pool, asWorker(tenantId), [], async ({ tx }) => {
          const held = await tx.rows(commitToSending, [communicationId, token, iso(worker.clock.wall())])
          if (held.length === 0) throw new NotCommitted()
        }).catch(error => {
          // Mail libraries write their own code over that of an error that passes through them.
          throw isDatabaseFault(error) ? new NotCommitted() : error
        })
      },
    })
  } catch (error) {
    if (error instanceof NotCommitted) return 'not_committed'
    throw error
  }
}

const pauses = [100, 400, 1_000, 3_000, 8_000]

async function patiently<T>(write: () => Promise<T>): Promise<T> {
  for (const pause of [...pauses, null]) {
    try {
      return await write()
    } catch (error) {
      if (pause === null || !isDatabaseFault(error)) throw error
      await new Promise(resolve => setTimeout(resolve, pause))
    }
  }
  throw new Error('unreachable')
}
