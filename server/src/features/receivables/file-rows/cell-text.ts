import { type Cell, type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import type { ColumnMapping, ImportField } from './row-fields.ts'

/** Most cells have nothing to clean, and a file has a million of them. */
const needsCleaning = /[\u200b\ufeff\u00ad]|[^\S ]|\s\s|^\s|\s$/

/** One line without invisible characters, with single spaces. */
export function cleanText(cell: Cell | undefined): string {
  const text = textOfCell(cell)
  if (!needsCleaning.test(text)) return text
  return text
    .replace(/[\u200b\ufeff\u00ad]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

export function cellOf(row: Row, mapping: ColumnMapping, field: ImportField): Cell | undefined {
  const column = mapping[field]
  return column === undefined ? undefined : row.cells[column]
}
