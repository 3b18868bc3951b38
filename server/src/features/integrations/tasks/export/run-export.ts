import { asWorker, transact } from '../../../../kit/db/transaction.ts'
import { writeTable } from '../../../../kit/sheets/write-table.ts'
import { excelRowsMax } from '../../../../kit/sheets/write-xlsx.ts'
import { findCompany } from '../../../access/companies/company.ts'
import { partOf, renewFile } from '../files.ts'
import { storeMadeParts } from '../made-files.ts'
import type { Cursor, TaskRow } from '../schema.ts'
import type { TaskContext } from '../task-context.ts'
import { TaskFailure, type TaskFile, type TaskWork } from '../task-work.ts'
import { ExportInput } from './schema.ts'
import type { Bounds } from './source.ts'
import { sources } from './sources.ts'
import { PartWriter, readStored } from './stored-rows.ts'

/** A chunk ends at the first of these limits. */
const chunkRows = 5_000
const chunkCharacters = 8_000_000
const chunkMs = 3_000
/** How many rows one query reads. */
const readRows = 1_000
/** The parts of a chunk are numbered from the chunk number times this value. */
const partsPerChunk = 1_000

const contentTypes = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ndjson: 'application/x-ndjson',
} as const

/**
 * The rows of a chunk are stored in the transaction that ends it, with its progress: a chunk that runs twice is stored once, and
 * rows of the two runs are never mixed.
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
        const parts = writer.parts.map((bytes, i) => partOf(task.file_id!, chunk * partsPerChunk + i, bytes))
        await storeMadeParts(tx, task, parts)
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
  const { companyId } = task.actor
  const bounds: Bounds = {
    filter,
    tenantId,
    companyId,
    upTo: task.id,
    createdAt: task.created_at,
    timeZone,
    currency,
  }
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
      const { columns, rows } = await readStored(parts, format)
      const header = columns.map(({ title, key }) => (format === 'ndjson' ? key : title))
      yield* writeTable(format, { header, rows, sheet: what })
    },
  }
}
