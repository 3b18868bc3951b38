import { iso } from '../../../../kit/clock.ts'
import { plainSha256 } from '../../../../kit/crypto.ts'
import { databaseNow } from '../../../../kit/database-clock.ts'
import { queryOn } from '../../../../kit/db/query.ts'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, isDatabaseFault, isTransient, transact } from '../../../../kit/db/transaction.ts'
import { checkDatabase, isSendingDatabaseSql } from '../../../access/companies/quarantine.ts'
import { batchMessages } from '../batch-messages.ts'
import type { WorkerContext } from '../worker-context.ts'
import type { Claim } from './claim.ts'

// The fence: the body is sent only with a valid lease, not after a stop, and not from a copy of the database. Once this is
// written, the message may have been sent. The lease must also be valid by the clock of the database: the clock of a suspended
// machine may be behind.
const commitSql = (locked: string) => `
   with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, token uuid, printed text)),
   free as (
     select c.id, x.printed from communications c, x
      where c.id = x.id and c.id = any (array(select id from x)) and c.token = x.token and c.state = 'sending'
        and c.lease_until > greatest($2, ${databaseNow}) and stop_reason(c.tenant_id, c.provider) is null
        and ${isSendingDatabaseSql}
        for no key update of c ${locked})
   update communications c set committing_at = $2, document_sha256 = coalesce(decode(free.printed, 'hex'), c.document_sha256)
     from free
    where c.id = free.id and c.id = any (array(select id from free))
   returning c.id`
const commitToSending = sql('messages.commit-to-sending', commitSql('skip locked'))
// A message that an act may be stopping at this moment. Alone, it can wait for the act: it holds no message that another waits for.
const commitAlone = sql('messages.commit-to-sending-alone', commitSql(''))

// A failover must not lose a sent message, so its fence is the only commit that waits for a standby. The earlier writes, the
// reservation and the claim, are on the standby by then.
const waitForStandby = sql(
  'messages.wait-for-standby',
  `select set_config('synchronous_commit', $1, true) as synchronous_commit, pg_backend_pid() as pid`,
)
// A commit that waits for its standby has no time limit and keeps its locks, even after its client has disconnected.
const stopWaiting = sql('messages.stop-waiting-for-standby', 'select pg_cancel_backend($1) as is_cancelled')

/** The body was not and will not be sent: the lease was lost, or the fence could not be written. */
export class NotCommitted extends Error {}

/** Called by the adapter just before the body of a message leaves. It throws `NotCommitted` if the body must not be sent. */
export async function passFence(worker: WorkerContext, claim: Claim): Promise<void> {
  // A sandbox reaches nobody. Every other message has a fence, whatever its provider: it is also where a stop ends.
  if (!claim.isProduction) return
  const { tenantId, communicationId, token, message } = claim
  // The hash proves later what was printed, without storing the document.
  const printed = message.channel === 'lrar' ? plainSha256(await message.pdf()).toString('hex') : null
  const fence = { worker, tenantId, id: communicationId, token, printed }
  if (await passTogether(fence)) return
  if ((await writeFences([fence], commitAlone))[0]) return
  // If this is a copy of the database, sending stops now instead of failing until the next check.
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

/** How long a message waits at its fence for others. */
const gatherMs = 15
const passTogether = batchMessages(gatherMs, (batch: readonly Fence[]) => writeFences(batch, commitToSending))

/** For each message, whether it may be sent. */
async function writeFences(
  batch: readonly Fence[],
  commit: typeof commitToSending | typeof commitAlone,
): Promise<boolean[]> {
  const { worker, tenantId } = batch[0]!
  const opening = worker.fenceCommit === null ? [] : [[waitForStandby, [worker.fenceCommit]] as const]
  let waitingPid: number | null = null
  const rows = JSON.stringify(batch.map(({ id, token, printed }) => ({ id, token, printed })))
  try {
    const fenced = await transact(worker.pool, asWorker(tenantId), opening, ({ tx, openingRows }) => {
      waitingPid = openingRows[0]?.[0]?.pid ?? null
      return tx.rows(commit, [rows, iso(worker.clock.wall())])
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
