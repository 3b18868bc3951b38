import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import type { Cell, Row } from '../../../../kit/sheets/cell.ts'
import { storeWithinQuota } from '../../../access/stored-bytes/store-within-quota.ts'
import type { HealedCell } from '../../../receivables/file-rows/row-reader.ts'
import type { StoredRow } from '../../../receivables/file-rows/rows.thread.ts'
import type { CountedItems } from '../task-work.ts'

const insertRows = sql(
  'import-rows.insert',
  `insert into import_rows (tenant_id, task_id, line, is_hidden, cells)
   select current_setting('relance.tenant')::uuid, $1, x.line, coalesce(x.hidden, false), x.cells
     from jsonb_to_recordset($2::jsonb) as x(line integer, hidden boolean, cells jsonb)
    where exists (select from tasks t where t.id = $1 and t.status = 'running' and t.attempt = $3)
   on conflict do nothing`,
)
const findLastLine = sql(
  'import-rows.find-last-line',
  'select line from import_rows where task_id = $1 order by line desc limit 1',
)
const findRow = sql(
  'import-rows.find',
  'select line, is_hidden, cells from import_rows where task_id = $1 and line = $2',
).as<{ line: number; is_hidden: boolean; cells: Cell[] | null }>()
// A page also ends after a million characters; it has one row at least.
const findRows = sql(
  'import-rows.list',
  `with page as (select line, is_hidden, cells::text as cells from import_rows
                  where task_id = $1 and line > $2 order by line limit $3),
        sized as (select *, sum(length(cells)) over (order by line rows between unbounded preceding and 1 preceding) as before
                    from page)
   select line, is_hidden, cells from sized where before is null or before < 1000000 order by line`,
).as<StoredRow>()
const countBelow = sql(
  'import-rows.count',
  'select count(*)::integer as n from import_rows where task_id = $1 and line > $2',
).as<{ n: number }>()
// Pages of rows are found by the lines they lie between, and not joined: without statistics of a task that has just been stored,
// PostgreSQL compares each of its rows with each row of the page.
// Only the run that is under way deletes: a later chunk stores the rows of another sheet.
const removeRows = sql(
  'import-rows.delete',
  `delete from import_rows r
    where r.task_id = $1
      and r.line <= (select max(p.line) from (select line from import_rows where task_id = $1 order by line limit $4) p)
      and exists (select from tasks t where t.id = $1 and t.status = 'running' and t.attempt = $2 and t.chunk = $3)
   returning r.line`,
)
/** Locks the rows that are not done yet, only while this attempt of the task runs. */
export const claimRows = sql(
  'import-rows.claim',
  `select r.line from import_rows r join tasks t on t.tenant_id = r.tenant_id and t.id = r.task_id
    where r.task_id = $1 and r.line = any ($2::integer[]) and r.state <> 'done' and t.status = 'running' and t.attempt = $3
    order by r.line for update of r`,
)
const saveOutcomes = sql(
  'import-rows.save-outcomes',
  `update import_rows r
      set state = case when $3 then 'done' else 'judged' end, code = x.code, message = x.message, healed = x.healed,
          invoice_id = x.invoice_id, debtor_key = x.debtor_key, is_new_debtor = x.is_new_debtor, first_on = x.first_on,
          first_channel = x.first_channel, cells = case when $3 and x.code is null then null else r.cells end
     from jsonb_to_recordset($2::jsonb) as x(line integer, code text, message text, healed jsonb, invoice_id uuid, debtor_key text,
          is_new_debtor boolean, first_on date, first_channel text)
    where r.task_id = $1 and r.line = x.line and r.line between $4 and $5`,
)
const countOutcomes = sql(
  'import-rows.count-outcomes',
  `select code, min(message) as message, count(*)::integer as count from import_rows
    where task_id = $1 and line > $2 and line <= $3 and state = $4 group by code`,
).as<CountedItems>()

// What was corrected stays with the invoices that were created.
const clearCells = sql(
  'import-rows.clear-cells',
  `with page as materialized (
     select max(p.line) as last, count(*)::integer as n
       from (select line from import_rows where task_id = $1 and line > $2 order by line limit $3) p),
   cleared as (
     update import_rows r
        set cells = null, healed = case r.state when 'done' then r.healed end,
            debtor_key = case r.state when 'done' then r.debtor_key end
      where r.task_id = $1 and r.line > $2 and r.line <= (select last from page))
   select last, n from page`,
).as<{ last: number; n: number }>()
const clearedAtOnce = 5_000
/** The names of an NDJSON file are in line 0, because they are no line of the file. */
export const beforeLines = -1

/** Deletes the cells of an import of which nothing more is done. Line numbers and codes stay. */
export async function clearRows(tx: Tx, taskId: string): Promise<void> {
  // In statements that are each short, because each has a time limit.
  for (let [after, count] = [beforeLines, clearedAtOnce]; count === clearedAtOnce; ) {
    const [cleared] = await tx.rows(clearCells, [taskId, after, clearedAtOnce])
    ;[after, count] = [cleared!.last, cleared!.n]
  }
}

/** Deletes some of the stored rows; false at the end. */
export const deleteRows = async (tx: Tx, taskId: string, attempt: number, chunk: number): Promise<boolean> =>
  (await tx.rows(removeRows, [taskId, attempt, chunk, clearedAtOnce])).length > 0

/** The outcome of a row. `code` null: it succeeded, or would. */
export interface RowOutcome {
  line: number
  code: string | null
  message: string | null
  healed?: HealedCell[]
  invoice_id?: string
  debtor_key?: string
  is_new_debtor?: boolean
  first_on?: string | null
  first_channel?: string | null
}

/** Writing a row again has no effect: the file does not change. An attempt that is over writes none; the caller shares the task. */
export const storeRows = (tx: Tx, taskId: string, attempt: number, rows: readonly Row[]): Promise<void> =>
  storeWithinQuota(tx, [insertRows, [taskId, JSON.stringify(rows), attempt]])
export const lastLine = async (tx: Tx, taskId: string): Promise<number> =>
  (await tx.rows(findLastLine, [taskId]))[0]?.line ?? beforeLines
export async function readRow(tx: Tx, taskId: string, line: number): Promise<Row> {
  const [row] = await tx.rows(findRow, [taskId, line])
  return { line, cells: row!.cells ?? [], ...(row!.is_hidden && { hidden: true }) }
}
export const readRows = (tx: Tx, taskId: string, after: number, count: number): Promise<StoredRow[]> =>
  tx.rows(findRows, [taskId, after, count])
export const countRows = async (tx: Tx, taskId: string, below: number): Promise<number> =>
  (await tx.rows(countBelow, [taskId, below]))[0]!.n
export const writeOutcomes = (
  tx: Tx,
  taskId: string,
  outcomes: readonly RowOutcome[],
  isDone: boolean,
): void => {
  if (outcomes.length === 0) return
  const lines = outcomes.map(({ line }) => line)
  tx.atCommit(saveOutcomes, [
    taskId,
    JSON.stringify(outcomes),
    isDone,
    Math.min(...lines),
    Math.max(...lines),
  ])
}
export const countedOutcomes = (
  tx: Tx,
  taskId: string,
  { after, upTo, state }: { after: number; upTo: number; state: 'judged' | 'done' },
): Promise<CountedItems[]> => tx.rows(countOutcomes, [taskId, after, upTo, state])
