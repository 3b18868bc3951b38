import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, isLockConflict, Rollback, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { ApiError } from '../../../../kit/errors.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { type WalkedInvoice, walkInvoices } from '../../../receivables/invoices/invoice-filter.ts'
import { shareTask } from '../store.ts'
import type { TaskRow } from '../task.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { type ChunkDone, type CountedItems, type Cursor, chunkSize, type TaskWork } from '../task-work.ts'
import { actOf, type BulkAct, BulkInput } from './bulk-input.ts'

/** How many items of a chunk are done at once; items of one debtor follow each other. */
const concurrency = 4

const findInvoices = sql(
  'tasks.find-invoices',
  'select id, debtor_id from invoices where id = any ($1::uuid[]) order by id',
)
const claimItem = sql(
  'tasks.claim-item',
  `insert into task_items (tenant_id, task_id, is_dry_run, subject_id, chunk)
   select t.tenant_id, t.id, false, $2, $3 from tasks t where t.id = $1 and t.status = 'running' and t.attempt = $4
   on conflict do nothing returning subject_id`,
)
const insertOutcomes = sql(
  'tasks.insert-outcomes',
  `insert into task_items (tenant_id, task_id, is_dry_run, subject_id, chunk, code, message)
   select current_setting('relance.tenant')::uuid, $1, $2, x.id, $3, x.code, x.message
     from jsonb_to_recordset($4::jsonb) as x(id uuid, code text, message text)
   on conflict do nothing`,
)
const countItems = sql(
  'tasks.count-items',
  `select code, message, count(*)::integer as count from task_items where task_id = $1 and is_dry_run = $2 and chunk = $3
    group by code, message`,
).as<CountedItems>()

/** The outcome of an item that is not in the database yet: refused, or judged by a rehearsal. */
interface Outcome {
  id: string
  code: string | null
  message: string | null
}

/** An item that was done is known by its row, which is written in the same transaction. */
export const bulkWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, ref) {
    const input = BulkInput.parse(task.input)
    const act = actOf(input)
    const { items, cursor } = await transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) =>
      selectItems(tx, task, input),
    )
    return runItems(context, task, ref, act, items, cursor)
  },
}

/** Does the items of a chunk, or judges them. */
export async function runItems(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  act: Pick<BulkAct, 'operation' | 'paramsOf' | 'body'>,
  items: readonly WalkedInvoice[],
  cursor: Cursor | null,
): Promise<ChunkDone> {
  const outcomes: Outcome[] = []
  const groups = [...Map.groupBy(items, item => item.debtor_id).values()]
  const runGroups = async () => {
    for (let group = groups.shift(); group; group = groups.shift())
      for (const item of group) {
        const outcome = await runItem(context, task, act, item.id, ref)
        if (outcome) outcomes.push(outcome)
      }
  }
  await Promise.all(Array.from({ length: concurrency }, runGroups))
  return {
    cursor,
    async settle(tx) {
      const { id, is_dry_run: isDryRun, chunk } = task
      if (outcomes.length > 0) await tx.rows(insertOutcomes, [id, isDryRun, chunk, JSON.stringify(outcomes)])
      return tx.rows(countItems, [id, isDryRun, chunk])
    },
  }
}

/** The items of the next chunk, and where the one after it begins; null at the end. */
async function selectItems(
  tx: Tx,
  task: TaskRow,
  { ids, filter }: BulkInput,
): Promise<{ items: WalkedInvoice[]; cursor: string | null }> {
  if (filter)
    // Ids begin with the moment of creation: what is newer than the task is none of its items.
    return walkInvoices(tx, filter, {
      after: task.cursor as string | null,
      upTo: task.id,
      count: chunkSize,
    }).then(({ invoices, next }) => ({ items: invoices, cursor: next }))
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
  { pool, clock, newId, keyring, publicUrl }: TaskContext,
  task: TaskRow,
  { operation, paramsOf, body }: Pick<BulkAct, 'operation' | 'paramsOf' | 'body'>,
  id: string,
  { tenantId, taskId, attempt, chunk }: ChunkRef,
): Promise<Outcome | null> {
  const claim = task.is_dry_run
    ? []
    : ([
        [shareTask, [taskId]],
        [claimItem, [taskId, id, chunk, attempt]],
      ] as const)
  const doItem = () =>
    transact(pool, asWorker(tenantId), claim, async ({ tx, offsetMs, openingRows }) => {
      if (!task.is_dry_run && openingRows[1]!.length === 0) return new Rollback(null)
      const wall = clock.wall()
      await operation.run!({
        tx,
        actor: { ...task.actor, tenantId },
        now: wall + offsetMs,
        wall,
        requestId: task.request_id,
        newId,
        keyring,
        publicUrl,
        params: paramsOf(id),
        query: {},
        body,
      })
      return task.is_dry_run ? new Rollback({ id, code: null, message: null }) : null
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
