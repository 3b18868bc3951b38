import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, isLockConflict, Rollback, type Tx, transact } from '../../../kit/db/transaction.ts'
import { ApiError } from '../../../kit/errors.ts'
import { withRetries } from '../../../kit/with-retries.ts'
import { type WalkedInvoice, walkInvoices } from '../../receivables/invoices/invoice-filter.ts'
import { actOf, type BulkAct, BulkInput } from './bulk.ts'
import { endTask } from './end-task.ts'
import { findTask, lockTask, shareTask, unqueueTask } from './store.ts'
import type { Refusal, TaskRow } from './task.ts'
import type { ChunkRef, TaskContext } from './task-context.ts'

export type ChunkEnd = { kind: 'more'; next: ChunkRef } | { kind: 'ended' } | { kind: 'stale' }

const chunkSize = 500
/** How many items of a chunk are done at once; items of one debtor follow each other. */
const concurrency = 4
const touchEveryMs = 5_000
const causesMax = 50

const findInvoices = sql(
  'tasks.find-invoices',
  'select id, debtor_id from invoices where id = any ($1::uuid[]) order by id',
)
const touch = sql(
  'tasks.touch',
  `update pending_tasks set touched_at = $2 where tenant_id = current_setting('relance.tenant')::uuid and task_id = $1`,
)
const claimItem = sql(
  'tasks.claim-item',
  `insert into task_items (tenant_id, task_id, is_rehearsal, subject_id, chunk)
   select t.tenant_id, t.id, false, $2, $3 from tasks t where t.id = $1 and t.status = 'running' and t.attempt = $4
   on conflict do nothing returning subject_id`,
)
const insertOutcomes = sql(
  'tasks.insert-outcomes',
  `insert into task_items (tenant_id, task_id, is_rehearsal, subject_id, chunk, code, message)
   select current_setting('relance.tenant')::uuid, $1, $2, x.id, $3, x.code, x.message
     from jsonb_to_recordset($4::jsonb) as x(id uuid, code text, message text)
   on conflict do nothing`,
)
const countItems = sql(
  'tasks.count-items',
  `select code, message, count(*)::integer as count from task_items where task_id = $1 and is_rehearsal = $2 and chunk = $3
    group by code, message`,
).as<{ code: string | null; message: string | null; count: number }>()
const saveProgress = sql(
  'tasks.save-progress',
  `update tasks set chunk = chunk + 1, cursor = to_jsonb($2::text), succeeded = $3, refused = $4, refusals = $5, stalled = 0 where id = $1`,
)
const markInReview = sql('tasks.mark-in-review', `update tasks set status = 'review' where id = $1`)

/** The outcome of an item that is not in the database yet: refused, or judged by a rehearsal. */
interface Outcome {
  id: string
  code: string | null
  message: string | null
}

/**
 * Runs one chunk of a task. Safe to run twice, anywhere, at the same time: an item that was done is known by its row, which is
 * written in the same transaction. Returns the next chunk.
 */
export async function runChunk(context: TaskContext, ref: ChunkRef): Promise<ChunkEnd> {
  const { pool, clock } = context
  const { tenantId, taskId, attempt, chunk } = ref
  const { task, act, items, cursor } = await transact(pool, asWorker(tenantId), [], async ({ tx }) => {
    const task = await findTask(tx, taskId)
    if (task?.status !== 'running' || task.attempt !== attempt || task.chunk !== chunk)
      return { task: task ?? null, act: null, items: [], cursor: null }
    const input = BulkInput.parse(task.input)
    return { task, act: actOf(input), ...(await selectItems(tx, task, input)) }
  })
  // The chunk was done, and whoever did it could not send the next one.
  if (task?.status === 'running' && task.attempt === attempt && task.chunk > chunk)
    return { kind: 'more', next: { ...ref, chunk: task.chunk } }
  if (!task || !act) return { kind: 'stale' }
  const touching = setInterval(() => {
    transact(pool, asWorker(tenantId), [], async ({ tx }) => {
      await tx.rows(touch, [taskId, iso(clock.wall())])
    }).catch(() => {})
  }, touchEveryMs)
  const outcomes: Outcome[] = []
  try {
    const groups = [...Map.groupBy(items, item => item.debtor_id).values()]
    const runGroups = async () => {
      for (let group = groups.shift(); group; group = groups.shift())
        for (const item of group) {
          const outcome = await runItem(context, task, act, item.id, ref)
          if (outcome) outcomes.push(outcome)
        }
    }
    await Promise.all(Array.from({ length: concurrency }, runGroups))
  } finally {
    clearInterval(touching)
  }
  return endChunk(context, ref, outcomes, cursor)
}

/** The items of the next chunk, and where the one after it begins; null at the end. */
async function selectItems(
  tx: Tx,
  task: TaskRow,
  { ids, filter }: BulkInput,
): Promise<{ items: WalkedInvoice[]; cursor: string | null }> {
  if (filter)
    // Ids begin with the moment of creation: what is newer than the task is none of its items.
    return walkInvoices(tx, filter, { after: task.cursor, upTo: task.id, count: chunkSize }).then(
      ({ invoices, next }) => ({ items: invoices, cursor: next }),
    )
  const from = task.chunk * chunkSize
  const chosen = ids!.slice(from, from + chunkSize)
  const found = new Map((await tx.rows(findInvoices, [chosen])).map(row => [row.id, row.debtor_id]))
  return {
    items: chosen.map(id => ({ id, debtor_id: found.get(id) ?? id })),
    cursor: from + chunkSize < ids!.length ? String(from + chunkSize) : null,
  }
}

/** Does one item in its own transaction; or judges it and undoes everything. Null: it is done, or was done before. */
async function runItem(
  { pool, clock, newId, keyring }: TaskContext,
  task: TaskRow,
  { operation, paramsOf, body }: BulkAct,
  id: string,
  { tenantId, taskId, attempt, chunk }: ChunkRef,
): Promise<Outcome | null> {
  const claim = task.is_rehearsal
    ? []
    : ([
        [shareTask, [taskId]],
        [claimItem, [taskId, id, chunk, attempt]],
      ] as const)
  const doItem = () =>
    transact(pool, asWorker(tenantId), claim, async ({ tx, offsetMs, openingRows }) => {
      if (!task.is_rehearsal && openingRows[1]!.length === 0) return new Rollback(null)
      const wall = clock.wall()
      await operation.run!({
        tx,
        actor: { ...task.actor, tenantId },
        now: wall + offsetMs,
        wall,
        requestId: task.request_id,
        newId,
        keyring,
        params: paramsOf(id),
        query: {},
        body,
      })
      return task.is_rehearsal ? new Rollback({ id, code: null, message: null }) : null
    })
  try {
    return await withRetries(isPassing, doItem)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { id, code: error.code, message: error.message }
  }
}

/** Somebody else holds the debtor, or a message of it is leaving: it is free again in a moment. */
const isPassing = (error: unknown) =>
  isLockConflict(error) || (error instanceof ApiError && error.code === 'RES_004')

async function endChunk(
  context: TaskContext,
  ref: ChunkRef,
  outcomes: readonly Outcome[],
  cursor: string | null,
): Promise<ChunkEnd> {
  const { pool, clock } = context
  const { tenantId, taskId, attempt, chunk } = ref
  return transact(pool, asWorker(tenantId), [], async ({ tx, offsetMs }): Promise<ChunkEnd> => {
    const wall = clock.wall()
    const task = await lockTask(tx, taskId)
    if (task?.status !== 'running' || task.attempt !== attempt || task.chunk !== chunk)
      return { kind: 'stale' }
    const { is_rehearsal: isRehearsal } = task
    if (outcomes.length > 0)
      await tx.rows(insertOutcomes, [taskId, isRehearsal, chunk, JSON.stringify(outcomes)])
    const rows = await tx.rows(countItems, [taskId, isRehearsal, chunk])
    const succeeded = task.succeeded + (rows.find(row => row.code === null)?.count ?? 0)
    const refusals = addRefusals(task.refusals, rows)
    const refused = task.refused + rows.reduce((sum, row) => sum + (row.code === null ? 0 : row.count), 0)
    tx.atCommit(saveProgress, [taskId, cursor, succeeded, refused, JSON.stringify(refusals)])
    tx.atCommit(touch, [taskId, iso(wall)])
    if (cursor !== null) return { kind: 'more', next: { ...ref, chunk: chunk + 1 } }
    if (isRehearsal) {
      tx.atCommit(markInReview, [taskId])
      await unqueueTask(tx, taskId)
    } else
      await endTask(
        { ...context, tx, now: wall + offsetMs, wall },
        { ...task, succeeded, refused },
        'finished',
      )
    return { kind: 'ended' }
  })
}

function addRefusals(
  before: readonly Refusal[],
  rows: readonly { code: string | null; message: string | null; count: number }[],
): Refusal[] {
  const byCause = new Map(before.map(refusal => [refusal.message, { ...refusal }]))
  for (const { code, message, count } of rows) {
    if (code === null || message === null) continue
    const known = byCause.get(message)
    if (known) known.count += count
    else if (byCause.size < causesMax) byCause.set(message, { code, message, count })
  }
  return [...byCause.values()].sort((a, b) => b.count - a.count)
}
