import { hash } from 'node:crypto'
import { sql } from '../../../../kit/db/statement.ts'
import { asWorker, isLockConflict, Rollback, type Tx, transact } from '../../../../kit/db/transaction.ts'
import { takingTurns } from '../../../../kit/taking-turns.ts'
import { withRetries } from '../../../../kit/with-retries.ts'
import { isExistingDebtor } from '../../../receivables/debtors/input-schema.ts'
import { emailKey, nameKey } from '../../../receivables/debtors/schema.ts'
import { checkFields, type RowResult } from '../../../receivables/file-rows/check-fields.ts'
import { rowHeals } from '../../../receivables/file-rows/row-codes.ts'
import { cellsReaderInThread } from '../../../receivables/file-rows/rows-in-thread.ts'
import { createInvoices, type Verdict } from '../../../receivables/invoices/create-invoices.ts'
import type { TaskRow } from '../schema.ts'
import { saveReport } from '../store.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import { shareTask } from '../task-maker.ts'
import { type ChunkDone, chunkSize, type TaskWork } from '../task-work.ts'
import { languageOf, requestOf } from './import-request.ts'
import { readPlan, reportOf } from './import-store.ts'
import { planRows } from './plan-rows.ts'
import { dropRows, readFile, type SheetChoice } from './read-file.ts'
import { readingFile } from './reading-file.ts'
import { claimRows, countedOutcomes, type RowOutcome, readRows, writeOutcomes } from './rows-store.ts'

/** How many invoices are created in one transaction. */
const batchSize = 100
/** How many rows are read at once: most rows of a broken file are refused without a look into the database. */
const pageSize = 500

type ImportCursor =
  | ({ phase: 'drop' | 'read' | 'plan' } & SheetChoice)
  | { phase: 'judge' | 'create'; line: number }

export const importWork: TaskWork = {
  refusalsBy: 'code',
  async run(context, task, ref) {
    const cursor = task.cursor as ImportCursor | null
    if (!task.is_dry_run) return createRows(context, task, ref, cursor)
    if (cursor === null) return readFile(context, task, ref, {})
    if ('line' in cursor) return createRows(context, task, ref, cursor)
    const { phase, ...choice } = cursor
    if (phase === 'drop') return dropRows(context, task, ref, choice)
    return phase === 'read' ? readFile(context, task, ref, choice) : planRows(context, task, ref, choice)
  },
}

/** Creates the invoices of the next rows, or judges them and rolls back. */
async function createRows(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  cursor: ImportCursor | null,
): Promise<ChunkDone> {
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
    transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) => work(tx))
  const language = languageOf(task)
  const after = cursor && 'line' in cursor ? cursor.line : reportOf(task).headerLine!
  let [upTo, count, isLast] = [after, 0, false]
  const reader = cellsReaderInThread(await inTransaction(tx => readPlan(tx, task.id)), language)
  try {
    while (count < chunkSize && !isLast) {
      const rows = await inTransaction(tx => readRows(tx, task.id, upTo, pageSize))
      isLast = rows.length === 0
      if (isLast) break
      const cells = await readingFile(task, () => reader.read(rows))
      const results = await takingTurns(cells, read => checkFields(read, language))
      const valid = results.filter(isValid)
      await withRetries(isLockConflict, () => refuseRows(context, task, ref, results))
      for (let from = 0; from < valid.length; from += batchSize)
        await withRetries(isLockConflict, () =>
          createBatch(context, task, ref, valid.slice(from, from + batchSize)),
        )
      upTo = rows.at(-1)!.line
      count += rows.length
    }
  } finally {
    await reader.stop()
  }
  return {
    cursor: isLast ? null : { phase: task.is_dry_run ? 'judge' : 'create', line: upTo },
    async settle(tx) {
      if (isLast && task.is_dry_run) await saveFindings(tx, task)
      const state = task.is_dry_run ? 'judged' : 'done'
      return countedOutcomes(tx, task.id, { after, upTo, state })
    },
  }
}

type ValidRow = Extract<RowResult, { input: unknown }>
type RefusedRow = Exclude<RowResult, ValidRow>
const isValid = (row: RowResult): row is ValidRow => 'input' in row

/** Opens a transaction with those of the rows that are not done yet, while this attempt of the task runs. */
const withClaimed = <Row extends RowResult, T>(
  { pool, clock }: TaskContext,
  task: TaskRow,
  { tenantId, attempt }: ChunkRef,
  rows: readonly Row[],
  work: (claimed: readonly Row[], tx: Tx, offsetMs: number) => Promise<T | Rollback<T>> | T,
): Promise<T> => {
  const lines = rows.map(({ line }) => line)
  const opening = [shareTask(task, clock.wall()), [claimRows, [task.id, lines, attempt]]] as const
  return transact(pool, asWorker(tenantId), opening, async ({ tx, offsetMs, openingRows }) => {
    const claimed = new Set(openingRows[1].map(({ line }) => line))
    return work(
      rows.filter(({ line }) => claimed.has(line)),
      tx,
      offsetMs,
    )
  })
}

async function refuseRows(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  results: readonly RowResult[],
): Promise<void> {
  const refused = results.filter((row): row is RefusedRow => !isValid(row))
  if (refused.length > 0)
    await withClaimed(context, task, ref, refused, (claimed, tx) => {
      const outcomes = claimed.map(row => ({ line: row.line, ...refusalOf(row) }))
      writeOutcomes(tx, task.id, outcomes, !task.is_dry_run)
    })
}

async function createBatch(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  rows: readonly ValidRow[],
): Promise<void> {
  const { pool, clock, newId } = context
  const { tenantId } = ref
  const isDryRun = task.is_dry_run
  const judged = await withClaimed<ValidRow, RowOutcome[]>(
    context,
    task,
    ref,
    rows,
    async (claimed, tx, offsetMs) => {
      if (claimed.length === 0) return []
      const wall = clock.wall()
      const verdicts = await createInvoices(
        { tx, actor: { ...task.actor, tenantId }, now: wall + offsetMs, wall, newId },
        claimed.map(({ input }) => ({ input, requestId: task.request_id })),
        requestOf(task).autoStartWorkflow,
      )
      const outcomes = claimed.map((row, i) => outcomeOf(row, verdicts[i]!, isDryRun))
      if (isDryRun) return new Rollback(outcomes)
      writeOutcomes(tx, task.id, outcomes, true)
      return []
    },
  )
  if (judged.length > 0)
    await transact(pool, asWorker(tenantId), [], async ({ tx }) => writeOutcomes(tx, task.id, judged, false))
}

/** The code is that of the first fault; the message lists all faults. */
const refusalOf = (result: RefusedRow) =>
  'skipped' in result
    ? { code: result.skipped, message: result.message }
    : { code: result.refused[0]!.code, message: result.refused.map(({ message }) => message).join(' ') }

function outcomeOf({ line, input, healed }: ValidRow, verdict: Verdict, isDryRun: boolean): RowOutcome {
  if ('refused' in verdict)
    return { line, code: verdict.refused.code, message: verdict.refused.message, healed }
  const { id, debtor, firstMessage } = verdict.created
  const given = input.debtor
  const identity = isExistingDebtor(given)
    ? given.id
    : (given.siret ?? `${emailKey(given.email)}\n${nameKey(given.name)}`)
  return {
    line,
    code: null,
    message: null,
    healed,
    ...(!isDryRun && { invoice_id: id }),
    debtor_key: debtor.matched ? debtor.id : hash('sha256', identity).slice(0, 32),
    is_new_debtor: !debtor.matched,
    first_on: firstMessage?.on ?? null,
    first_channel: firstMessage?.channel ?? null,
  }
}

const countDebtors = sql(
  'import-rows.count-debtors',
  `select count(distinct debtor_key) filter (where is_new_debtor)::integer as new,
          count(distinct debtor_key) filter (where not is_new_debtor)::integer as matched
     from import_rows where task_id = $1 and code is null`,
).as<{ new: number; matched: number }>()
const countHealed = sql(
  'import-rows.count-healed',
  `select code, example[1] as title, example[2] as value, count
     from (select h ->> 'code' as code, min(array[h ->> 'title', h ->> 'from']) as example, count(*)::integer as count
             from import_rows r, jsonb_array_elements(r.healed) h
            where r.task_id = $1 group by 1) counted
    order by count desc, code`,
).as<{ code: keyof typeof rowHeals; title: string; value: string; count: number }>()
const countFirstMessages = sql(
  'import-rows.count-first-messages',
  `select first_on as date, first_channel as channel, count(*)::integer as count
     from (select distinct on (debtor_key) first_on, first_channel from import_rows
            where task_id = $1 and first_on is not null order by debtor_key, first_on) firsts
    group by 1, 2 order by 1, 2 limit 100`,
).as<{ date: string; channel: 'email'; count: number }>()

/** Saves what the whole file would create: debtors, and first messages by day. */
async function saveFindings(tx: Tx, task: TaskRow): Promise<void> {
  const language = languageOf(task)
  const debtors = await tx.rows(countDebtors, [task.id])
  const healed = await tx.rows(countHealed, [task.id])
  const firstMessages = await tx.rows(countFirstMessages, [task.id])
  const report = {
    ...reportOf(task),
    debtors: debtors[0]!,
    healed: healed.map(({ code, title, value, count }) => ({
      code,
      message: rowHeals[code][language]({ title, value }),
      count,
    })),
    firstMessages,
  }
  await saveReport(tx, task.id, report)
}
