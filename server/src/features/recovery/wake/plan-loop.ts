import type { Clock } from '../../../kit/clock.ts'
import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { Leadership } from '../../../kit/heartbeat.ts'
import { startLeaderLoop } from '../../../kit/leader-loop.ts'
import type { Log } from '../../../kit/log.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { computePlans, isUnplannedSql, storePlans } from '../case/debtor-plan.ts'

const tenantsMax = 50
const debtorsMax = 100
/** How long a transaction computes plans. It holds the locks of its debtors so long. */
const computeMaxMs = 500
const staleMax = 500

// Loose index scan: jumps from tenant to tenant, however many debtors each has.
const findTenants = sql(
  'wake.list-unplanned-tenants',
  `with recursive walk as (
     (select tenant_id from agendas a where ${isUnplannedSql} and a.tenant_id > $1 order by tenant_id limit 1)
     union all
     select (select a.tenant_id from agendas a where ${isUnplannedSql} and a.tenant_id > walk.tenant_id order by a.tenant_id limit 1)
       from walk where walk.tenant_id is not null)
   select tenant_id from walk where tenant_id is not null limit ${tenantsMax}`,
).as<{ tenant_id: string }>()
// A debtor that is due now is woken at once, and has another plan then.
const lockUnplanned = sql(
  'wake.lock-unplanned',
  `select debtor_id, wake_generation from agendas a
    where tenant_id = $1 and ${isUnplannedSql} and (wake_at is null or wake_at > $2)
    order by debtor_id limit ${debtorsMax} for no key update skip locked`,
)

const markStale = sql('wake.mark-stale-plans', 'select mark_stale_plans($1, $2) as marked').as<{
  marked: string | null
}>()

export interface PlanContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
}

/** Where the last pass ended: tenants take turns, however often one of them changes its rules or its facts. */
export interface PlanTurns {
  planned: string
  marked: string
}
export const firstTurns = (): PlanTurns => ({ planned: lowestId, marked: lowestId })

/** Makes and stores the plans of debtors whose facts have changed, one batch per tenant; true if there may be more. */
export async function storeMissingPlans(
  { pool, clock, log }: PlanContext,
  turns: PlanTurns,
): Promise<boolean> {
  const query = queryOn(pool)
  const [stale] = await query(markStale, [staleMax, turns.marked])
  const marked = stale?.marked ?? null
  turns.marked = marked ?? lowestId
  const tenants = await query(findTenants, [turns.planned])
  const isLast = tenants.length < tenantsMax
  const isFirst = turns.planned === lowestId
  turns.planned = isLast ? lowestId : tenants.at(-1)!.tenant_id
  let hasMore = marked !== null || !isLast || !isFirst
  const loop = {
    idsOf: (tenant: { tenant_id: string }) => ({ tenantId: tenant.tenant_id }),
    failure: 'the plans of a tenant were not stored; it is retried',
  }
  await forEachTenant(log, tenants, loop, async ({ tenant_id: tenantId }) => {
    const wall = clock.wall()
    const isFull = await transact(
      pool,
      asWorker(tenantId),
      [[lockUnplanned, [tenantId, iso(wall)]]],
      async ({ tx, openingRows, offsetMs }) => {
        const [locked] = openingRows
        const debtorIds = locked.map(({ debtor_id }) => debtor_id)
        const plans = await computePlans(tx, tenantId, debtorIds, wall + offsetMs, computeMaxMs)
        const made = locked.flatMap(({ debtor_id: debtorId, wake_generation: generation }) => {
          const plan = plans.get(debtorId)
          return plan ? [{ debtorId, generation, plan }] : []
        })
        await storePlans(tx, tenantId, made)
        return locked.length === debtorsMax || made.length < locked.length
      },
    )
    hasMore ||= isFull
  })
  return hasMore
}

/** Stores what answers would otherwise compute each time they are read. */
export function startPlanLoop(
  context: PlanContext,
  heartbeat: Leadership,
  pollMs: number,
): { stop(): Promise<void> } {
  const turns = firstTurns()
  return startLeaderLoop({
    heartbeat,
    log: context.log,
    loop: 'plans',
    pollMs,
    pass: () => storeMissingPlans(context, turns),
  })
}
