import type { Clock } from '../../../kit/clock.ts'
import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { forEachTenant } from '../../../kit/each-tenant.ts'
import type { Log } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'
import { applyWaitedChanges } from './payout-changes.ts'

interface PayoutLoopContext {
  pool: Pool
  clock: Clock
  newId: () => string
  log: Log
}

const batch = 20
const selectDue = sql(
  'companies.list-due-payout-changes',
  'select t.id, t.company_id from tenants t where t.id = any (array(select tenants_with_due_changes($1, $2)))',
)

/** Applies due changes. A tenant that fails is logged and retried in the next pass; it does not delay the others. */
export async function applyDueChanges({ pool, clock, newId, log }: PayoutLoopContext): Promise<boolean> {
  const wall = clock.wall()
  const due = await queryOn(pool)(selectDue, [iso(wall), batch])
  const loop = {
    idsOf: ({ id }: { id: string }) => ({ tenantId: id }),
    failure: 'payout change not applied; it is retried',
  }
  const { failed } = await forEachTenant(log, due, loop, ({ id: tenantId, company_id: companyId }) =>
    transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }) => {
      const actor = { kind: 'worker', id: 'payout', tenantId, companyId } as const
      await applyWaitedChanges({ tx, actor, requestId: null, now: wall + offsetMs, wall, newId })
    }),
  )
  return due.length > 0 && failed.length === 0
}

/** Runs in every worker. The settings lock lets one worker apply a change; the others then find nothing to do. */
export const startPayoutLoop = (context: PayoutLoopContext, pollMs: number): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs,
    log: context.log,
    failure: 'payout changes postponed',
    pass: () => applyDueChanges(context),
  })
