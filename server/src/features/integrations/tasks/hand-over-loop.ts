import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { TaskEngine } from '../../../kit/engine/task-services.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import { noteEngineSeen } from '../../access/companies/installation.ts'
import { silentAfterMs, type TaskContext } from './task-context.ts'

/** A waiting task of which the engine was told so long ago is told again: the engine may have lost it. */
const tellAgainMs = 30_000
const seenEveryMs = 5_000

const findSilent = sql(
  'tasks.find-silent',
  `select tenant_id from (
     select tenant_id from pending_tasks
      where touched_at is null or touched_at < case when is_running then $1::timestamptz else $2::timestamptz end
      order by touched_at nulls first limit 500) silent
    group by tenant_id limit 100`,
).as<{ tenant_id: string }>()
const markTold = sql(
  'tasks.mark-told',
  'update pending_tasks set touched_at = $2 where tenant_id = $1 and not is_running',
)

/** Tells the engine of tasks that wait, and of those that are silent. Reminders need none of this. */
export function startTaskLoop(
  { pool, clock, log }: Pick<TaskContext, 'pool' | 'clock' | 'log'>,
  heartbeat: Leadership,
  engine: TaskEngine,
  pollMs: number,
): { stop(): Promise<void> } {
  const query = queryOn(pool)
  let seenAt = 0
  return startLeaderLoop({
    heartbeat,
    log,
    loop: 'tasks',
    pollMs,
    async pass() {
      const wall = clock.wall()
      if (wall - seenAt >= seenEveryMs && (await engine.isThere())) {
        await noteEngineSeen(pool, wall)
        seenAt = wall
      }
      const silent = await query(findSilent, [iso(wall - silentAfterMs), iso(wall - tellAgainMs)])
      const loop = {
        idsOf: ({ tenant_id: tenantId }: { tenant_id: string }) => ({ tenantId }),
        failure: 'the engine could not be told of a task; it is retried',
      }
      await forEachTenant(log, silent, loop, async ({ tenant_id: tenantId }) => {
        await engine.askNext(tenantId)
        await query(markTold, [tenantId, iso(wall)])
      })
      return false
    },
  })
}
