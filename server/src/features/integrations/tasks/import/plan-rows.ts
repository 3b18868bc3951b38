import { asWorker, type Tx, transact } from '../../../../kit/db/transaction.ts'
import type { Header } from '../../../receivables/file-rows/match-header.ts'
import { nextSheet } from '../../../receivables/file-rows/next-sheet.ts'
import type { ColumnMapping } from '../../../receivables/file-rows/row-fields.ts'
import { planInThread } from '../../../receivables/file-rows/rows-in-thread.ts'
import type { TaskRow } from '../schema.ts'
import { saveReport } from '../store.ts'
import type { ChunkRef, TaskContext } from '../task-context.ts'
import type { ChunkDone } from '../task-work.ts'
import { languageOf } from './import-request.ts'
import { recallMapping, reportOf, savePlan } from './import-store.ts'
import type { SheetChoice } from './read-file.ts'
import { readingFile } from './reading-file.ts'
import { beforeLines, countRows, readRows } from './rows-store.ts'
import type { ImportReport } from './schema.ts'

const pageSize = 2_000

/** The columns of the file as they are read: as proposed, or as a person chose. */
const columnsOf = (
  header: Header,
  mapping: ColumnMapping,
  currencyColumns: readonly number[],
): ImportReport['columns'] =>
  header.columns.map(({ column, title, field, confidence }) => {
    const mapped = (Object.keys(mapping) as (keyof ColumnMapping)[]).find(name => mapping[name] === column)
    const read = mapped ?? (currencyColumns.includes(column) ? 'currency' : undefined)
    return {
      column,
      title,
      field: read ?? null,
      confidence: read === undefined ? 0 : read === field ? confidence : 1,
    }
  })

/** One pass over all rows: finds the header and the columns, and decides how to read ambiguous cells. */
export async function planRows(
  context: TaskContext,
  task: TaskRow,
  ref: ChunkRef,
  { isChosen }: SheetChoice,
): Promise<ChunkDone> {
  const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
    transact(context.pool, asWorker(ref.tenantId), [], ({ tx }) => work(tx))
  let after = beforeLines
  const nextRows = async () => {
    const rows = await inTransaction(tx => readRows(tx, task.id, after, pageSize))
    after = rows.at(-1)?.line ?? after
    return rows
  }
  let chosen: ColumnMapping | undefined
  const planned = await readingFile(task, () =>
    planInThread(languageOf(task), nextRows, async signature => {
      chosen = await inTransaction(tx => recallMapping(tx, signature, context.clock.wall()))
      return chosen
    }),
  )
  const { header } = planned
  const { file } = reportOf(task)
  // A sheet of notes may be in front: the first one with titles is read.
  const next = header || isChosen ? null : nextSheet(file.sheets, file.sheet)
  if (next !== null) return { cursor: { phase: 'drop', sheet: next } }
  const currencyColumns = 'plan' in planned ? planned.currencyColumns : []
  const report: ImportReport = {
    ...reportOf(task),
    headerLine: header?.line ?? null,
    columns: header ? columnsOf(header, chosen ?? header.mapping, currencyColumns) : [],
    faults: 'faults' in planned ? planned.faults : [],
  }
  return {
    // Without a plan nothing can be judged: the task waits in review for a person.
    cursor: 'plan' in planned ? { phase: 'judge', line: header!.line } : null,
    async settle(tx) {
      const total = header ? await countRows(tx, task.id, header.line) : 0
      await saveReport(tx, task.id, report, { total })
      if ('plan' in planned) savePlan(tx, task.id, planned.plan)
      return []
    },
  }
}
