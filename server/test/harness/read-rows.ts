import { checkFields, type RowResult } from '../../src/features/receivables/file-rows/check-fields.ts'
import type { ColumnMatch } from '../../src/features/receivables/file-rows/match-header.ts'
import { nextSheet } from '../../src/features/receivables/file-rows/next-sheet.ts'
import { type HeaderFault, planImport } from '../../src/features/receivables/file-rows/plan-file.ts'
import { cellsReaderOf } from '../../src/features/receivables/file-rows/read-cells.ts'
import type { Language } from '../../src/features/receivables/file-rows/row-codes.ts'
import type { ImportPlan } from '../../src/features/receivables/file-rows/survey-file.ts'
import type { Row } from '../../src/kit/sheets/cell.ts'
import { readTable } from '../../src/kit/sheets/read-table.ts'
import { defaultTableLimits } from '../../src/kit/sheets/sheet-error.ts'

/** Reads rows as an import does, without its thread. */
export function rowReaderOf(plan: ImportPlan, language: Language = 'fr'): (row: Row) => RowResult {
  const read = cellsReaderOf(plan, language)
  return row => checkFields(read(row), language)
}

export interface FileReading {
  columns: ColumnMatch[]
  faults: HeaderFault[]
  results: RowResult[]
}

/** Reads a whole file as an import does, without its threads and its database. */
export async function readInvoiceFile(bytes: Uint8Array, language: Language = 'fr'): Promise<FileReading> {
  for (let sheet: string | undefined; ; ) {
    const table = await readTable(bytes, defaultTableLimits, sheet)
    const rows: Row[] = []
    for await (const row of table.rows) rows.push(row)
    async function* batches() {
      yield rows
    }
    const planned = await planImport(batches(), { language })
    const next = planned.header ? null : nextSheet(table.sheets, table.sheet)
    if (next !== null) {
      sheet = next
      continue
    }
    const columns = planned.header?.columns ?? []
    if ('faults' in planned) return { columns, faults: planned.faults, results: [] }
    const read = rowReaderOf(planned.plan, language)
    const results = rows.filter(({ line }) => line > planned.header.line).map(read)
    return { columns, faults: [], results }
  }
}
