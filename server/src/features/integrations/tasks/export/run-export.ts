import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { writeTable } from '../../../../kit/sheets/write-table.ts'
import { excelRowsMax } from '../../../../kit/sheets/write-xlsx.ts'
import { findCompany } from '../../../access/companies/company.ts'
import { renewFile, writePart } from '../files.ts'
import type { TaskRow } from '../task.ts'
import type { TaskContext } from '../task-context.ts'
import { type Cursor, TaskFailure, type TaskFile, type TaskWork } from '../task-work.ts'
import { ExportInput } from './export-input.ts'
import type { Bounds } from './source.ts'
import { sources } from './sources.ts'
import { PartWriter, readStored } from './stored-rows.ts'

/** A chunk ends after so many rows, so much text or so long, whichever comes first. */
const chunkRows = 5_000
const chunkCharacters = 8_000_000
const chunkMs = 3_000
/** So many rows are asked of the database at once. */
const readRows = 1_000
/** The parts of a chunk have the numbers from its own number times this on. */
const partsPerChunk = 1_000

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const

/**
 * The rows of a chunk are stored in the transaction that ends it, with its progress: a chunk that runs twice is stored once, and rows
 * that were changed in between cannot be mixed.
 */
export const exportWork: TaskWork = {
  refusalsBy: 'message',
  async run(context, task, { tenantId, chunk }) {
    const input = ExportInput.parse(task.input)
    const writer = new PartWriter()
    if (chunk === 0) await writer.add(sources[input.what].columns)
    const { count, cursor } = await gatherRows(context, task, tenantId, input, writer)
    if (input.format === 'xlsx' && task.succeeded + count >= excelRowsMax)
      throw new TaskFailure(
        `A sheet of Excel has ${excelRowsMax} rows, and this export has more. Ask for csv, or for fewer rows.`,
      )
    return {
      cursor,
      async settle(tx) {
        for (const [i, bytes] of writer.parts.entries())
          writePart(tx, task.file_id!, chunk * partsPerChunk + i, bytes)
        if (cursor === null) renewFile(tx, task.file_id!, context.clock.wall())
        return [{ code: null, message: null, count }]
      },
    }
  },
  fileOf: exportFile,
}

async function gatherRows(
  { pool, clock }: TaskContext,
  task: TaskRow,
  tenantId: string,
  { what, filter = {}, fromDate = '', toDate = '9999-12-31' }: ExportInput,
  writer: PartWriter,
): Promise<{ count: number; cursor: Cursor | null }> {
  const inTenant = <T>(work: Parameters<typeof transact<T, []>>[3]) =>
    transact(pool, asWorker(tenantId), [], work)
  const company = await inTenant(({ tx }) => findCompany(tx, task.actor.companyId))
  const { time_zone: timeZone, currency } = company
  const bounds: Bounds = { filter, upTo: task.id, createdAt: task.created_at, timeZone, currency }
  const giveUpAt = clock.wall() + chunkMs
  let [cursor, count, read] = [task.cursor, 0, 0]
  do {
    const after: Cursor | null = cursor
    const found = await inTenant(({ tx }) => sources[what].read(tx, bounds, after, readRows))
    for (const { day, cells } of found.rows)
      if (day >= fromDate && day <= toDate) {
        await writer.addRow(cells)
        count++
      }
    cursor = found.next
    read += readRows
  } while (
    cursor !== null &&
    read < chunkRows &&
    writer.characters < chunkCharacters &&
    clock.wall() < giveUpAt
  )
  await writer.finish()
  return { count, cursor }
}

function exportFile(task: TaskRow): TaskFile {
  const { what, format } = ExportInput.parse(task.input)
  const day = new Date(task.created_at).toISOString().slice(0, 10)
  return {
    name: `relance-${what.replace('_', '-')}-${day}.${format}`,
    type: contentTypes[format],
    rows: task.succeeded,
    async *bytesOf(parts) {
      const { columns, rows } = await readStored(parts)
      const header = columns.map(({ title, key }) => (format === 'ndjson' ? key : title))
      yield* writeTable(format, { header, rows, sheet: what })
    },
  }
}
