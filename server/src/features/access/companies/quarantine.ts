import { type Clock, iso } from '../../../kit/clock.ts'
import { databaseNow } from '../../../kit/database-clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import { wakeReleased } from './stops.ts'

/**
 * SQL: whether this is the database that messages are sent from. A copy, or a standby that was promoted, may have forgotten what
 * was sent. Judged with every message, so that not one leaves from it before the operator has looked.
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

/** Shows that this database is in use, or stops sending if it is not the one that messages were sent from. */
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

/** Maintenance ends by itself at its moment: then what waited for it goes on. */
async function endOverdueMaintenance(query: Query, wall: number): Promise<void> {
  const [row] = await query(endMaintenance, [iso(wall)])
  if (row!.is_ended) await wakeReleased(query, wall)
}

/** Before the first message, and every few seconds. `isOwn`: whether it was the right database when it was last looked at. */
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
