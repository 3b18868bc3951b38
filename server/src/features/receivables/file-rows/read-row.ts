import type { z } from 'zod'
import { type Cell, type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { defaultCountry } from '../debtors/input-schema.ts'
import { InvoiceInput } from '../invoices/schema.ts'
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
import { readCurrency, readOpenAmount } from './open-amount.ts'
import {
  type CellVerdict,
  type Language,
  type RowFaultCode,
  type RowSkipCode,
  rowSkips,
} from './row-codes.ts'
import type { ImportField } from './row-fields.ts'
import { type HealedCell, type RowFault, RowReader } from './row-reader.ts'
import { skipReason } from './skip-row.ts'
import type { ImportPlan } from './survey-file.ts'

export type RowResult =
  | { line: number; input: InvoiceInput; healed: HealedCell[] }
  | { line: number; refused: RowFault[] }
  | { line: number; skipped: RowSkipCode; message: string }

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

/** Translates an error of the API schema into a code of the import. */
function faultOfIssue({ path, message }: z.core.$ZodIssue): RowFaultCode {
  if (message.startsWith('holds ')) return 'payment_details'
  if (message.startsWith('is longer')) return 'text_too_long'
  if (path.at(-1) === 'email') return 'email_invalid'
  return path.at(-1) === 'phone' ? 'phone_unreadable' : 'value_not_allowed'
}

const columnsOf: Readonly<Record<string, ImportField>> = { amountCents: 'amount' }

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

function validate(reader: RowReader, candidate: unknown): InvoiceInput | undefined {
  const parsed = InvoiceInput.safeParse(candidate)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const field = issue.path.join('.')
    if (!reader.refused.some(fault => fault.field === field))
      reader.refuse(columnsOf[field] ?? (field as ImportField), faultOfIssue(issue), field)
  }
  return undefined
}

function readInvoice(reader: RowReader, plan: ImportPlan): InvoiceInput | 'paid' | undefined {
  const number = reader.require(
    'invoiceNumber',
    'invoiceNumber',
    reader.read('invoiceNumber', 'invoiceNumber', text => ({ value: text })),
  )
  const lines = plan.differing.get(number ?? '')
  if (lines) reader.refuse('invoiceNumber', 'duplicate_number', 'invoiceNumber', lines.join(', '))
  const amount = readOpenAmount(reader)
  if (amount.isPaid) return 'paid'
  const issueDate = reader.date('issueDate')
  const dueDate = reader.date('dueDate')
  if (issueDate !== undefined && dueDate !== undefined && dueDate < issueDate)
    reader.refuse('dueDate', 'due_before_issue')
  const candidate = {
    invoiceNumber: number,
    amountCents: amount.cents,
    currency: readCurrency(reader, amount.currency),
    issueDate,
    dueDate,
    description: reader.readOptional('description', 'description', () => ({
      value: noteText(reader.cell('description')),
    })),
    debtor: readDebtor(reader),
  }
  if (reader.refused.length === 0) return validate(reader, candidate)
  return undefined
}

/** The second pass: the result of each row below the header. Each row is read independently, in any order. */
export function rowReaderOf(plan: ImportPlan, language: Language = 'fr'): (row: Row) => RowResult {
  const skip = (line: number, code: RowSkipCode, lines = ''): RowResult => ({
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
    const input = readInvoice(reader, plan)
    if (input === 'paid' && reader.refused.length === 0) return skip(row.line, 'already_paid')
    if (input === undefined || input === 'paid') return { line: row.line, refused: reader.refused }
    return { line: row.line, input, healed: reader.healed }
  }
}
