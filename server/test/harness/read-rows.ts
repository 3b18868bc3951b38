import { checkFields, type RowResult } from '../../src/features/receivables/file-rows/check-fields.ts'
import { cellsReaderOf } from '../../src/features/receivables/file-rows/read-cells.ts'
import type { Language } from '../../src/features/receivables/file-rows/row-codes.ts'
import type { ImportPlan } from '../../src/features/receivables/file-rows/survey-file.ts'
import type { Row } from '../../src/kit/sheets/cell.ts'

/** Reads rows as an import does, without its thread. */
export function rowReaderOf(plan: ImportPlan, language: Language = 'fr'): (row: Row) => RowResult {
  const read = cellsReaderOf(plan, language)
  return row => checkFields(read(row), language)
}
