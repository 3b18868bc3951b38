import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { type WalkedInvoice, walkInvoices } from '../../../receivables/invoices/invoice-filter.ts'
import type { Cursor, TaskRow } from '../schema.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { type ChunkDone, type CountedItems, chunkSize, TaskFailure, type TaskWork } from '../task-work.ts'
import { type GroupsDone, runGroups } from './run-group.ts'
import { type ItemAct, isPoisoned, runItem } from './run-item.ts'
import { actOf, BulkInput } from './schema.ts'

/** How many items run at the same time if each has its own transaction; items of one debtor run one after the other. */
const concurrency = 4
/** How many items of a chunk may fail by a fault of ours. If more fail, probably all would. */
const poisonedMax = 20

const findInvoices = sql(
  'tasks.find-invoices',
  'select id, debtor_id from invoices where id = any ($1::uuid[]) order by id',
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

/** A finished item is known by its row, which is written in the same transaction. */
export const bulkWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, ref) {
    const input = BulkInput.parse(task.input)
    const act = actOf(input)
    const { items, cursor } = await transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) =>
      selectItems(tx, ref.tenantId, task, input),
    )
    return runItems(context, task, ref, act, items, cursor)
  },
}

/** Executes or judges the items of a chunk: in groups where the act allows it, and the rest one by one. */
export async function runItems(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  act: ItemAct,
  items: readonly WalkedInvoice[],
  cursor: Cursor | null,
): Promise<ChunkDone> {
  const byDebtor = (some: readonly WalkedInvoice[]) => [...Map.groupBy(some, item => item.debtor_id).values()]
  const { outcomes, left }: GroupsDone = act.isShared
    ? await runGroups(context, task, act, byDebtor(items), ref)
    : { outcomes: [], left: [...items] }
  const alone = byDebtor(left)
  const runNext = async () => {
    for (let group = alone.shift(); group; group = alone.shift())
      for (const item of group) {
        const outcome = await runItem(context, task, act, item.id, ref)
        if (outcome) outcomes.push(outcome)
        if (outcomes.filter(isPoisoned).length > poisonedMax)
          throw new TaskFailure(
            `More than ${poisonedMax} items failed by a fault of ours, so the task was ended. What was done stays done; make a new task for the rest later, or contact us.`,
          )
      }
  }
  await Promise.all(Array.from({ length: concurrency }, runNext))
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
  tenantId: string,
  task: TaskRow,
  { ids, filter }: BulkInput,
): Promise<{ items: WalkedInvoice[]; cursor: string | null }> {
  if (filter)
    // Ids begin with the moment of creation, so invoices that are newer than the task are left out.
    return walkInvoices(tx, { tenantId, companyId: task.actor.companyId, at: task.created_at }, filter, {
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
