import { type Clock, iso } from '../../../kit/clock.ts'
import { databaseNow } from '../../../kit/database-clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import { wakeReleased } from './stops.ts'

/**
 * SQL: whether this is the database that messages are sent from. A copy, or a promoted standby, may not contain every sent
 * message. Checked for every message, so that none leaves from such a database before the operator accepts it.
 */
export const isSendingDatabaseSql = `coalesce((select s.identity = database_identity() from sending_database s), true)`

const watchDatabase = sql(
  'companies.watch-database',
  `select is_same, is_new, known_until from watch_database($1, ${databaseNow})`,
).as<{ is_same: boolean; is_new: boolean; known_until: number | null }>()
const endMaintenance = sql('companies.end-maintenance', 'select end_maintenance($1) as is_ended').as<{
  is_ended: boolean
}>()

interface QuarantineContext {
  pool: Pool
  newId: () => string
  log: Log
}

/** Marks this database as in use, or stops sending if messages were sent from another database. */
export async function checkDatabase({ pool, newId, log }: QuarantineContext): Promise<{ isSame: boolean }> {
  const [found] = await queryOn(pool)(watchDatabase, [newId()])
  const { is_same: isSame, is_new: isNew, known_until: knownUntil } = found!
  if (isNew)
    log.error(
      { knownUntil: knownUntil === null ? null : iso(knownUntil) },
      'this is not the database that messages were sent from; nothing is sent until `relance-server sends resume`',
    )
  return { isSame }
}

/** Ends maintenance whose time is over, and wakes the debtors that waited for it. */
async function endOverdueMaintenance(query: Query, wall: number): Promise<void> {
  const [row] = await query(endMaintenance, [iso(wall)])
  if (row!.is_ended) await wakeReleased(query, wall)
}

/** Checks the database before the first message and then every few seconds. `isOwn` is the result of the last check. */
export async function startDatabaseWatch(
  context: QuarantineContext & { clock: Clock },
  pollMs: number,
): Promise<{ isOwn(): boolean; stop(): Promise<void> }> {
  const { pool, clock, log } = context
  let isOwn = false
  const pass = async () => {
    isOwn = (await checkDatabase(context)).isSame
    await endOverdueMaintenance(queryOn(pool), clock.wall())
    return false
  }
  await pass()
  const failure = 'the identity of the database could not be checked'
  return { isOwn: () => isOwn, ...startPollLoop({ pollMs, log, failure, pass }) }
}
