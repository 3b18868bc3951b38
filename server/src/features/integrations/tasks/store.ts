import type { Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Call } from '../../../kit/operation.ts'
import { tooManyTasks } from './errors.ts'
import { type Cursor, type TaskKind, type TaskRow, taskColumns } from './schema.ts'
import type { Lane } from './task-context.ts'
import { makerOf } from './task-maker.ts'

const insertTask = sql(
  'tasks.insert',
  `insert into tasks (tenant_id, id, kind, status, input, actor, scopes, request_id, is_dry_run, total, created_at, file_id)
   values (current_setting('relance.tenant')::uuid, $1, $2, 'waiting', $3, $4, $5, $6, $7, $8, $9, $10)
   returning ${taskColumns}`,
).as<TaskRow>()
const insertPending = sql(
  'tasks.insert-pending',
  `with pending as (
     insert into pending_tasks (tenant_id, task_id, lane, rank, since) values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4)
     on conflict do nothing)
   select queue_own_lane($2)`,
)
const deletePending = sql(
  'tasks.delete-pending',
  `delete from pending_tasks where tenant_id = current_setting('relance.tenant')::uuid and task_id = $1`,
)
const countPending = sql(
  'tasks.count-pending',
  `select count(*)::integer as n from pending_tasks where tenant_id = current_setting('relance.tenant')::uuid`,
).as<{ n: number }>()
const updateReport = sql(
  'tasks.save-report',
  `update tasks set report = $2, total = coalesce($3, total), file_id = coalesce($4, file_id) where id = $1 returning ${taskColumns}`,
).as<TaskRow>()
const rewind = sql(
  'tasks.rewind',
  `update tasks set status = 'waiting', chunk = 0, cursor = $2, stalled = 0, succeeded = 0, refused = 0, refusals = '[]', actor = $3,
          request_id = $4
    where id = $1 returning ${taskColumns}`,
).as<TaskRow>()
const lock = sql('tasks.lock', `select ${taskColumns} from tasks where id = $1 for update`).as<TaskRow>()
const takeAlone = sql('tasks.take-alone', 'select pg_advisory_xact_lock(hashtextextended($1, 0))')
const find = sql('tasks.find', `select ${taskColumns} from tasks where id = $1`).as<TaskRow>()
/** How many tasks of a tenant may wait or run. */
const pendingMax = 100

export interface NewTask {
  kind: TaskKind
  input: object
  scopes: readonly Scope[]
  isDryRun: boolean
  total: number | null
  fileId?: string
}

/** Accepts a task: once committed, it is done even if the client or a worker goes away. */
export async function createTask(
  { tx, actor, now, wall, requestId, newId }: Call<unknown, unknown, unknown>,
  { kind, input, scopes, isDryRun, total, fileId }: NewTask,
): Promise<TaskRow> {
  const [pending] = await tx.rows(countPending, [])
  if (pending!.n >= pendingMax) throw tooManyTasks.make(pendingMax)
  const [row] = await tx.rows(insertTask, [
    newId(),
    kind,
    JSON.stringify(input),
    JSON.stringify(makerOf(actor)),
    scopes,
    requestId,
    isDryRun,
    total,
    iso(now),
    fileId ?? null,
  ])
  queueTask(tx, row!, wall)
  return row!
}

/** Tasks that stop messages do not wait behind other tasks. */
const isStop = ({ kind, input }: TaskRow) =>
  kind === 'bulk' && (input.action === 'pause' || input.action === 'cancel')

export const laneOf = ({ kind, is_dry_run: isDryRun }: TaskRow): Lane =>
  isDryRun || kind === 'export' || kind === 'access' ? 'read' : 'act'

/** Queues a task, and a job for a worker. */
export function queueTask(tx: Tx, task: TaskRow, wall: number): void {
  tx.atCommit(insertPending, [task.id, laneOf(task), isStop(task) ? 0 : 1, iso(wall)])
}
export const unqueueTask = (tx: Tx, id: string): Promise<unknown> => tx.rows(deletePending, [id])

export const lockTask = async (tx: Tx, id: string): Promise<TaskRow | undefined> =>
  (await tx.rows(lock, [id]))[0]
/** The same, once none of its items is being done; later items see the changes of this transaction. */
export async function lockTaskAlone(tx: Tx, id: string): Promise<TaskRow | undefined> {
  await tx.rows(takeAlone, [id])
  return lockTask(tx, id)
}
export const findTask = async (tx: Tx, id: string): Promise<TaskRow | undefined> =>
  (await tx.rows(find, [id]))[0]

/** Saves the report of a task, how many items it has, and the file it made; null keeps the stored value. */
export const saveReport = async (
  tx: Tx,
  id: string,
  report: object,
  { total = null, fileId = null }: { total?: number | null; fileId?: string | null } = {},
): Promise<TaskRow> => (await tx.rows(updateReport, [id, JSON.stringify(report), total, fileId]))[0]!

/** Makes a task in review judge its items again, from a cursor on. The caller becomes its maker. */
export async function judgeAgain(
  {
    tx,
    actor,
    requestId,
    wall,
  }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'requestId' | 'wall'>,
  id: string,
  from: Cursor,
): Promise<TaskRow> {
  const [row] = await tx.rows(rewind, [id, JSON.stringify(from), JSON.stringify(makerOf(actor)), requestId])
  queueTask(tx, row!, wall)
  return row!
}
