import type { z } from 'zod'
import { InvoiceInput } from '../invoices/schema.ts'
import { fieldNames } from './file-sentences.ts'
import type { ReadCells } from './read-cells.ts'
import { type Language, type RowFaultCode, rowFaults } from './row-codes.ts'
import type { ImportField } from './row-fields.ts'
import type { HealedCell, RowFault } from './row-reader.ts'

export type RowResult =
  | { line: number; input: InvoiceInput; healed: HealedCell[] }
  | Exclude<ReadCells, { fields: unknown }>

/** Translates an error of the API schema into a code of the import. */
function faultOfIssue({ path, message }: z.core.$ZodIssue): RowFaultCode {
  if (message.startsWith('holds ')) return 'payment_details'
  if (message.startsWith('is longer')) return 'text_too_long'
  if (path.at(-1) === 'email') return 'email_invalid'
  return path.at(-1) === 'phone' ? 'phone_unreadable' : 'value_not_allowed'
}

const columnsOf: Readonly<Record<string, ImportField>> = { amountCents: 'amount' }

/** Judges the fields of a row by the schema of the API. */
export function checkFields(read: ReadCells, language: Language): RowResult {
  if (!('fields' in read)) return read
  const { line, fields, healed, places } = read
  const parsed = InvoiceInput.safeParse(fields)
  if (parsed.success) return { line, input: parsed.data, healed }
  const refused = new Map<string, RowFault>()
  for (const issue of parsed.error.issues) {
    const field = issue.path.join('.')
    if (refused.has(field)) continue
    const column = columnsOf[field] ?? (field as ImportField)
    const place = places[column] ?? { title: fieldNames[column]?.[language] ?? field, value: '' }
    const code = faultOfIssue(issue)
    refused.set(field, { field, code, message: rowFaults[code][language](place) })
  }
  return { line, refused: [...refused.values()] }
}
