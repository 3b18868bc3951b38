import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Dispatcher } from '../../../kit/engine/dispatcher.ts'
import { listOldest } from '../agenda/taken-agendas.ts'
import type { WorkerContext } from '../messages/worker-context.ts'
import type { Task } from './process-task.ts'

const batchSize = 500
/**
 * How many wake-ups of a queue may be in progress. What waits stays in PostgreSQL; the dispatcher holds only what is in
 * progress.
 */
const underWayMax = 2_000
/**
 * One queue for production, one for sandboxes (`is_sandbox`), so that a sandbox that skips months does not delay real
 * reminders.
 */
const queues = [false, true]

const countUnderWay = sql(
  'loop.count-dispatched',
  `select count(*) as count from (
     select 1 from agendas where armed_gen = wake_gen and wake_at is not null and is_sandbox = $2 and armed_at > $1
      limit ${underWayMax}) a`,
).as<{ count: number }>()
interface DueRow {
  tenant_id: string
  debtor_id: string
  wake_gen: number
  is_sandbox: boolean
}
const findLate = sql(
  'loop.list-late',
  `select tenant_id, debtor_id, wake_gen, is_sandbox from agendas
    where armed_gen = wake_gen and wake_at is not null and is_sandbox = any ('{false,true}') and armed_at <= $1
      and armed_at + power(2, least(attempts, 6)) * $2::double precision * interval '1 millisecond' <= $3
    order by armed_at limit ${batchSize}`,
).as<DueRow>()
const findLost = sql(
  'loop.list-lost-sends',
  `select tenant_id, debtor_id, communication_id from pending_sends where redrive_at <= $1 order by redrive_at limit ${batchSize}`,
)
// A locked agenda is being processed at this moment. Waiting for it could block all workers, so it is skipped. If that
// wake-up fails, the row is still due and is dispatched again.
const markDispatched = sql(
  'loop.mark-dispatched',
  `with free as (
     select a.row_at
       from jsonb_to_recordset($1::jsonb) as x("tenantId" uuid, "debtorId" uuid, gen bigint)
      cross join lateral (
        select ctid as row_at from agendas
         where tenant_id = x."tenantId" and debtor_id = x."debtorId" and wake_gen = x.gen
           for no key update skip locked) a)
   update agendas set armed_gen = wake_gen, armed_at = $2, attempts = attempts + $3
    where ctid = any (array(select row_at from free))`,
)
const markRedriven = sql(
  'loop.mark-retried',
  `update pending_sends p set redrive_at = $2::timestamptz + power(2, least(p.attempts, 6)) * $3::double precision * interval '1 millisecond',
          attempts = p.attempts + 1
     from jsonb_to_recordset($1::jsonb) as x("tenantId" uuid, "communicationId" uuid)
    where p.tenant_id = x."tenantId" and p.communication_id = x."communicationId"`,
)

export interface SchedulerOptions {
  pollMs: number
  lateMs: number
}

/**
 * One pass of the scheduler: dispatches every wake-up that is due, late or lost. Work is state in the database, not a message:
 * a row is dispatched again until it is done. So this loop also repairs the state after the engine lost its data.
 */
export async function dispatchDue(
  worker: WorkerContext,
  dispatcher: Dispatcher<Task>,
  options: SchedulerOptions,
): Promise<number> {
  const wall = worker.clock.wall()
  const query = async <Row extends object>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> =>
    (await worker.pool.query<Row>({ name: statement.name, text: statement.text, values })).rows
  const findDueIn = async (isSandbox: boolean): Promise<DueRow[]> => {
    const [underWay] = await query<{ count: number }>(countUnderWay, [iso(wall - options.lateMs), isSandbox])
    const room = Math.min(batchSize, underWayMax - underWay!.count)
    if (room <= 0) return []
    const due = await query<Omit<DueRow, 'is_sandbox'>>(listOldest, [iso(wall), isSandbox, room, iso(0)])
    return due.map(row => ({ ...row, is_sandbox: isSandbox }))
  }
  const [due, late, lost] = await Promise.all([
    Promise.all(queues.map(findDueIn)).then(found => found.flat()),
    query<DueRow>(findLate, [iso(wall - options.lateMs), options.lateMs, iso(wall)]),
    query<{ tenant_id: string; debtor_id: string; communication_id: string }>(findLost, [iso(wall)]),
  ])
  const toWake = (row: DueRow) =>
    ({
      v: 1,
      kind: 'wake',
      tenantId: row.tenant_id,
      debtorId: row.debtor_id,
      gen: row.wake_gen,
      isSandbox: row.is_sandbox,
    }) as const
  const dispatch = async (reason: string, tasks: readonly Task[], mark: () => Promise<unknown>) => {
    if (tasks.length === 0) return
    await dispatcher.dispatch(tasks)
    await mark()
    worker.metrics.dispatched.inc({ reason }, tasks.length)
  }
  const dueTasks = due.map(toWake)
  const lateTasks = late.map(toWake)
  const lostTasks = lost.map(
    row =>
      ({
        v: 1,
        kind: 'send',
        tenantId: row.tenant_id,
        debtorId: row.debtor_id,
        communicationId: row.communication_id,
      }) as const,
  )
  await dispatch('due', dueTasks, () => query(markDispatched, [JSON.stringify(dueTasks), iso(wall), 0]))
  await dispatch('late', lateTasks, () => query(markDispatched, [JSON.stringify(lateTasks), iso(wall), 1]))
  await dispatch('lost', lostTasks, () =>
    query(markRedriven, [JSON.stringify(lostTasks), iso(wall), options.lateMs]),
  )
  return due.length + late.length + lost.length
}
