import { defaultCountry } from '../../../domain/country.ts'
import { type Cell, type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { cleanText } from './cell-text.ts'
import {
  readCountry,
  readEmail,
  readLanguage,
  readPhone,
  readPostalCode,
  readSiret,
  readType,
  type SiretRead,
} from './debtor-cells.ts'
import { readOpenAmount } from './open-amount.ts'
import { type CellVerdict, type Language, type Place, type RowSkipCode, rowSkips } from './row-codes.ts'
import type { ImportField } from './row-fields.ts'
import { type HealedCell, type RowFault, RowReader } from './row-reader.ts'
import { skipReason } from './skip-row.ts'
import type { ImportPlan } from './survey-file.ts'

export type ReadCells =
  | { line: number; fields: InvoiceFields; healed: HealedCell[]; places: Partial<Record<ImportField, Place>> }
  | { line: number; refused: RowFault[] }
  | { line: number; skipped: RowSkipCode; message: string }

/** What the cells of a row say, before the schema of the API judges it. */
export type InvoiceFields = Exclude<ReturnType<typeof readInvoice>, 'paid'>

const addressText = (cell: Cell | undefined) =>
  textOfCell(cell)
    .split(/\r\n|\r|\n/)
    .map(cleanText)
    .filter(line => line !== '')
    .join('\n')

/** A free text keeps its lines and its kinds of spaces. */
const noteText = (cell: Cell | undefined) =>
  textOfCell(cell)
    .replace(/\r\n?/g, '\n')
    .replace(/[\v\f\u2028\u2029]/g, '\n')
    .replace(/[\u200b\ufeff\u00ad]/g, '')
    .trim()

function readDebtor(reader: RowReader) {
  const asText = (text: string): CellVerdict<string> => ({ value: text })
  const country = reader.readOptional('debtor.country', 'debtor.country', readCountry)
  const where = country ?? defaultCountry
  const phoneOf = (column: 'debtor.mobile' | 'debtor.phone') =>
    reader.readOptional(column, 'debtor.phone', text => readPhone(text, where))
  const showSiret = (read: SiretRead) => ('siret' in read ? read.siret : '')
  const siret =
    reader.readOptional('debtor.siret', 'debtor.siret', readSiret, showSiret) ??
    reader.readOptional('debtor.siren', 'debtor.siret', readSiret, showSiret)
  const lastName = reader.read('debtor.name', 'debtor.name', asText)
  const firstName = reader.readOptional('debtor.firstName', 'debtor.name', asText)
  const name = lastName === undefined || firstName === undefined ? lastName : `${firstName} ${lastName}`
  const id = reader.readOptional('debtor.id', 'debtor.id', asText)
  const email = reader.read('debtor.email', 'debtor.email', readEmail)
  if (id === undefined) {
    reader.require('debtor.name', 'debtor.name', name)
    reader.require('debtor.email', 'debtor.email', email)
  }
  const linesOf = (column: 'debtor.address' | 'debtor.addressMore') =>
    reader.readOptional(column, 'debtor.address', () => ({ value: addressText(reader.cell(column)) }))
  const address = [linesOf('debtor.address'), linesOf('debtor.addressMore')]
  const type = reader.readOptional('debtor.type', 'debtor.type', readType)
  return {
    id,
    name,
    email,
    phone: phoneOf('debtor.mobile') ?? phoneOf('debtor.phone'),
    siret: siret && 'siret' in siret ? siret.siret : undefined,
    address: address.filter(part => part !== undefined).join('\n') || undefined,
    city: reader.readOptional('debtor.city', 'debtor.city', asText),
    postalCode: reader.readOptional('debtor.postalCode', 'debtor.postalCode', text =>
      readPostalCode(text, where),
    ),
    country,
    // A debtor with a SIREN is a business, as with a SIRET. The SIREN itself is not stored.
    type: type ?? (siret && 'siren' in siret ? 'business' : undefined),
    language: reader.readOptional('debtor.language', 'debtor.language', readLanguage),
  }
}

function readInvoice(reader: RowReader, plan: ImportPlan) {
  const number = reader.require(
    'invoiceNumber',
    'invoiceNumber',
    reader.read('invoiceNumber', 'invoiceNumber', text => ({ value: text })),
  )
  const lines = plan.differing.get(number ?? '')
  if (lines) reader.refuse('invoiceNumber', 'duplicate_number', 'invoiceNumber', lines.join(', '))
  const amount = readOpenAmount(reader)
  if (amount.isPaid) return 'paid' as const
  const issueDate = reader.date('issueDate')
  const dueDate = reader.date('dueDate')
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate)
    reader.refuse('dueDate', 'due_before_issue')
  return {
    invoiceNumber: number,
    amountCents: amount.cents,
    currency: amount.currency,
    issueDate,
    dueDate,
    suppliedOn: reader.optionalDate('suppliedOn'),
    description: reader.readOptional('description', 'description', () => ({
      value: noteText(reader.cell('description')),
    })),
    debtor: readDebtor(reader),
  }
}

/**
 * The second pass: the fields of each row below the header. Each row is read independently, in any order. It knows neither the
 * database nor the schema of the API, so that it can run in a thread that starts quickly.
 */
export function cellsReaderOf(plan: ImportPlan, language: Language): (row: Row) => ReadCells {
  const skip = (line: number, code: RowSkipCode, lines = ''): ReadCells => ({
    line,
    skipped: code,
    message: rowSkips[code][language]({ title: '', value: '', lines }),
  })
  return row => {
    const reason = skipReason(row, plan)
    if (reason) return skip(row.line, reason)
    const reader = new RowReader(row, plan, language)
    const first = plan.repeated.get(reader.text('invoiceNumber'))
    if (first !== undefined && first !== row.line) return skip(row.line, 'repeated_row', String(first))
    const fields = readInvoice(reader, plan)
    if (reader.refused.length > 0) return { line: row.line, refused: reader.refused }
    if (fields === 'paid') return skip(row.line, 'already_paid')
    return { line: row.line, fields, healed: reader.healed, places: reader.places() }
  }
}
