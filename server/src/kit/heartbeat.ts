import { databaseNow } from './database-clock.ts'
import type { Pool } from './db/pool.ts'
import { type Query, queryOn } from './db/query.ts'
import { sql } from './db/statement.ts'
import type { Log } from './log.ts'
import { startPollLoop } from './poll-loop.ts'

const beatMs = 3_000
/** A worker without a heartbeat for this long is replaced. It is measured by the database's clock, which all workers share. */
export const silentAfterMs = 15_000
const silentAfter = `interval '${silentAfterMs} milliseconds'`

/** SQL: true if the worker with this id is alive. */
export const livesSql = (workerId: string) =>
  `exists (select from workers living where living.id = ${workerId} and living.heartbeat_at > ${databaseNow} - ${silentAfter})`

const beat = sql(
  'heartbeat.beat',
  `insert into workers (id, heartbeat_at) values ($1, ${databaseNow}) on conflict (id) do update set heartbeat_at = excluded.heartbeat_at`,
)
const endBeat = sql('heartbeat.end', 'delete from workers where id = $1')
const leaveLoop = sql('heartbeat.leave-loop', 'delete from loop_leases where loop = $1 and worker_id = $2')
// Without the holder's heartbeat its lease has expired.
const takeLoop = sql(
  'heartbeat.take-loop',
  `insert into loop_leases (loop, worker_id) values ($1, $2)
   on conflict (loop) do update set worker_id = excluded.worker_id
     where loop_leases.worker_id = excluded.worker_id or not ${livesSql('loop_leases.worker_id')}
   returning loop`,
)

const removeSilent = sql(
  'heartbeat.remove-silent',
  `delete from workers w where not ${livesSql('w.id')} returning id`,
)

const countLiving = sql(
  'heartbeat.count-living',
  `select count(*) as count from workers w where ${livesSql('w.id')}`,
).as<{ count: number }>()

const listLoops = sql(
  'heartbeat.list-loops',
  `select loop, ${livesSql('loop_leases.worker_id')} as is_led from loop_leases`,
).as<{ loop: string; is_led: boolean }>()

/** The loops that run in one worker at a time, and whether a living worker runs them. */
export const readLoops = (query: Query): Promise<{ loop: string; is_led: boolean }[]> => query(listLoops, [])

/** The number of living workers. */
export const countWorkers = async (query: Query): Promise<number> => (await query(countLiving, []))[0]!.count

/** Removes and returns workers without a recent heartbeat; each is reported once. A worker that comes back is added again. */
export const removeSilentWorkers = async (query: Query): Promise<string[]> =>
  (await query(removeSilent, [])).map(({ id }) => id)

/** Which loops this worker runs: each runs in one worker at a time. */
export interface Leadership {
  /** Whether this worker may run the loop; it takes the loop if no living worker has it. */
  mayLead(loop: string): Promise<boolean>
  /** Another worker may then run the loop at once. */
  leave(loop: string): Promise<void>
}

export interface Heartbeat extends Leadership {
  readonly workerId: string
  /** How long ago it was last written, and last tried. */
  silentMs(): { written: number; tried: number }
  stop(): Promise<void>
}

/** Writes the heartbeat that the other workers check. A process that hangs or is frozen writes none, and is replaced. */
export async function startHeartbeat(pool: Pool, log: Log, workerId: string): Promise<Heartbeat> {
  const query = queryOn(pool)
  let writtenAt = 0
  let triedAt = 0
  const pass = async () => {
    try {
      await query(beat, [workerId])
      writtenAt = performance.now()
    } finally {
      triedAt = performance.now()
    }
    return false
  }
  await pass()
  const loop = startPollLoop({ pollMs: beatMs, log, failure: 'the heartbeat could not be written', pass })
  return {
    workerId,
    silentMs: () => ({ written: performance.now() - writtenAt, tried: performance.now() - triedAt }),
    mayLead: async name => (await query(takeLoop, [name, workerId])).length > 0,
    // If this fails, the other workers wait until this worker's heartbeat has expired.
    leave: async name => void (await query(leaveLoop, [name, workerId]).catch(() => {})),
    async stop() {
      await loop.stop()
      await query(endBeat, [workerId]).catch(() => {})
    },
  }
}
