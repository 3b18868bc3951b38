import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Dispatcher } from '../../../kit/engine/hand-over.ts'
import type { Worker } from '../messages/worker.ts'
import type { Task } from './drive.ts'

const batch = 500
/** How many wake-ups of a lane may be under way: Postgres holds all waiting, the dispatcher only what is being done. */
const underWayMax = 2_000
/** Sandboxes queue apart: the months they pass over in seconds hold up nobody's real reminders. */
const lanes = [false, true]

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
const findDue = sql(
  'loop.list-due',
  `select tenant_id, debtor_id, wake_gen, is_sandbox from agendas
    where armed_gen <> wake_gen and wake_at is not null and is_sandbox = $3 and wake_at <= $1 order by wake_at limit $2`,
).as<DueRow>()
const findLate = sql(
  'loop.list-late',
  `select tenant_id, debtor_id, wake_gen, is_sandbox from agendas
    where armed_gen = wake_gen and wake_at is not null and is_sandbox = any ('{false,true}') and armed_at <= $1
      and armed_at + power(2, least(attempts, 6)) * $2::double precision * interval '1 millisecond' <= $3
    order by armed_at limit ${batch}`,
).as<DueRow>()
const findLost = sql(
  'loop.list-lost-sends',
  `select tenant_id, debtor_id, communication_id from pending_sends where redrive_at <= $1 order by redrive_at limit ${batch}`,
)
// An agenda that is locked is being woken at this moment: waiting for it would make everybody wait for everybody. If that
// wake-up comes to nothing, the row is still due and is handed over again.
const markArmed = sql(
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

export interface ArmerOptions {
  pollMs: number
  lateMs: number
}

/**
 * Signals are state, not messages: a row that is due and not yet armed is handed over, again and again until it is done.
 * So the relay, the reconciler and the healing after the loss of the engine's data are this one loop.
 */
export async function armOnce(
  worker: Worker,
  dispatcher: Dispatcher<Task>,
  options: ArmerOptions,
): Promise<number> {
  const wall = worker.clock.wall()
  const ask = async <Row extends object>(
    statement: { name: string; text: string },
    values: unknown[],
  ): Promise<Row[]> =>
    (await worker.pool.query<Row>({ name: statement.name, text: statement.text, values })).rows
  const dueIn = async (isSandbox: boolean): Promise<DueRow[]> => {
    const [underWay] = await ask<{ count: number }>(countUnderWay, [iso(wall - options.lateMs), isSandbox])
    const room = Math.min(batch, underWayMax - underWay!.count)
    return room > 0 ? ask<DueRow>(findDue, [iso(wall), room, isSandbox]) : []
  }
  const [due, late, lost] = await Promise.all([
    Promise.all(lanes.map(dueIn)).then(found => found.flat()),
    ask<DueRow>(findLate, [iso(wall - options.lateMs), options.lateMs, iso(wall)]),
    ask<{ tenant_id: string; debtor_id: string; communication_id: string }>(findLost, [iso(wall)]),
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
  const hand = async (reason: string, tasks: readonly Task[], mark: () => Promise<unknown>) => {
    if (tasks.length === 0) return
    await dispatcher.hand(tasks)
    await mark()
    worker.metrics.armed.inc({ reason }, tasks.length)
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
  await hand('due', dueTasks, () => ask(markArmed, [JSON.stringify(dueTasks), iso(wall), 0]))
  await hand('late', lateTasks, () => ask(markArmed, [JSON.stringify(lateTasks), iso(wall), 1]))
  await hand('lost', lostTasks, () =>
    ask(markRedriven, [JSON.stringify(lostTasks), iso(wall), options.lateMs]),
  )
  return due.length + late.length + lost.length
}
