import { eraseExpired } from '../features/integrations/tasks/erase/erase-expired.ts'
import type { TaskContext } from '../features/integrations/tasks/task-context.ts'
import {
  beginNightScores,
  failNight,
  findNight,
  giveNightBack,
  takeDueNights,
} from '../features/platform/nights/nights.ts'
import { alertDueRequests } from '../features/receivables/debtors/alert-due-requests.ts'
import { onDayOfTenant } from '../features/receivables/debtors/day-of-tenant.ts'
import { warnOfDeclarations } from '../features/receivables/debtors/warn-of-declarations.ts'
import { saveNightFigures } from '../features/receivables/reports/day-figures.ts'
import { scoreNightBatch } from '../features/receivables/scoring/nightly-scoring.ts'
import type { ScoringContext } from '../features/receivables/scoring/scoring-context.ts'
import { alertTimeBars } from '../features/recovery/case/alert-time-bars.ts'
import { iso } from '../kit/clock.ts'
import { queryOn } from '../kit/db/query.ts'
import { sql } from '../kit/db/statement.ts'
import { isDatabaseFault } from '../kit/db/transaction.ts'
import { forEachTenant } from '../kit/each-tenant.ts'
import { lowestId } from '../kit/uuid.ts'

export type NightContext = ScoringContext & Pick<TaskContext, 'newId'>

const day = 24 * 3_600_000
/** How many tenants are processed at once in the whole installation, so that the night does not slow down requests. */
const underWayMax = 8

// A sandbox that is still catching up works on an earlier day than its clock shows, so its slots are still needed.
const readClock = sql(
  'night.read-clock',
  `select t.clock_offset_ms + i.clock_offset_ms as offset_ms,
          exists (select from agendas a where a.taken_generation <> a.wake_generation and a.wake_at is not null and a.is_sandbox = true
            and a.tenant_id = t.id and a.wake_at <= $2 and a.parked_because is null)
          or exists (select from agendas a where a.taken_generation = a.wake_generation and a.wake_at is not null and a.is_sandbox = true
            and a.taken_at <= $2 and a.tenant_id = t.id) as is_catching_up
     from tenants t cross join installation i where t.id = $1`,
).as<{ offset_ms: number; is_catching_up: boolean }>()

/**
 * Deletes what a tenant no longer needs: conversations after 90 days, ended tasks after 30, files of tasks after a day, replies
 * 400 days after they were read and their texts much earlier, import mappings 400 days after their last use, contact slots after five days of tenant time, and
 * debtors after the time their company keeps them.
 */
async function deleteExpired(context: NightContext, tenantId: string): Promise<void> {
  const { pool, clock } = context
  const wall = clock.wall()
  const purge = (name: string, before: number) =>
    pool.query(`select ${name}($1, $2)`, [tenantId, iso(before)])
  await purge('purge_conversations', wall - 90 * day)
  await purge('purge_tasks', wall - 30 * day)
  await purge('purge_task_files', wall - day)
  await purge('purge_import_mappings', wall - 400 * day)
  await purge('purge_replies', wall - 400 * day)
  const [tenant] = await queryOn(pool)(readClock, [tenantId, iso(wall)])
  if (tenant) await purge('erase_reply_texts', wall + tenant.offset_ms)
  if (tenant && !tenant.is_catching_up) await purge('purge_contact_slots', wall + tenant.offset_ms - 5 * day)
  await eraseExpired(context, tenantId)
}

/** A batch of alerts before time bars. True if there is more. */
const alertOfTimeBars = (context: NightContext, tenantId: string): Promise<boolean> =>
  onDayOfTenant(context, tenantId, ({ tx, ...moment }, today) => alertTimeBars(tx, moment, today))

/**
 * One step of a tenant's night: creditors are alerted before time bars, a batch per step; requests that are due and claims to
 * declare are announced, the figures of the day are written, and expired data is deleted; then scores are computed, a batch per step. True if there is more. Safe
 * to run twice, and continues after a kill. A failure concerns only its tenant: it is counted, logged and retried later.
 */
export async function runNight(context: NightContext, tenantId: string): Promise<boolean> {
  const { pool, clock, log, metrics } = context
  const query = queryOn(pool)
  const night = await findNight(query, tenantId, clock.wall())
  if (night === null) return false
  try {
    if (night.after_debtor_id === null) {
      // First, because it takes as many steps as there are batches: what follows is done once a night.
      if (await alertOfTimeBars(context, tenantId)) return true
      await alertDueRequests(context, tenantId)
      await onDayOfTenant(context, tenantId, ({ tx }, today) => saveNightFigures(tx, today))
      await deleteExpired(context, tenantId)
      await warnOfDeclarations(context, tenantId)
      await beginNightScores(query, tenantId, clock.wall())
    }
    const end = await scoreNightBatch(context, tenantId, night.after_debtor_id ?? lowestId)
    if (end === 'done') metrics.nights.inc({ outcome: 'done' })
    return end === 'more'
  } catch (error) {
    if (isDatabaseFault(error)) throw error
    metrics.nights.inc({ outcome: 'failed' })
    log.error({ tenantId, err: error }, 'the night of a tenant failed; it is tried again')
    await failNight(query, tenantId, clock.wall())
    return false
  }
}

/** How long the job works on nights before it checks again which ones are due. */
const turnMs = 10_000

/**
 * Runs the due nights, a few tenants at the same time. A tenant with more work than fits into a turn is queued behind the others.
 * True if there may be more.
 */
export async function runDueNights(context: NightContext, isStopping: () => boolean): Promise<boolean> {
  const { pool, clock, log } = context
  const query = queryOn(pool)
  const endsAt = performance.now() + turnMs
  const isOver = () => isStopping() || performance.now() >= endsAt
  const failure = 'the night of a tenant was not begun; it is retried'
  const tenants = await takeDueNights(query, clock.wall(), underWayMax)
  const runOne = async (tenantId: string) => {
    while (await runNight(context, tenantId))
      if (isOver()) return void (await giveNightBack(query, tenantId, clock.wall()))
  }
  const loop = { idsOf: (tenantId: string) => ({ tenantId }), failure }
  await Promise.all(tenants.map(tenantId => forEachTenant(log, [tenantId], loop, runOne)))
  return tenants.length > 0
}
