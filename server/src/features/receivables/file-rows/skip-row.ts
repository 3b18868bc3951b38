import type { Row } from '../../../kit/sheets/cell.ts'
import { cellOf, cleanText } from './cell-text.ts'
import type { RowSkipCode } from './row-codes.ts'
import { type ColumnMapping, cellMax, type ImportField, titleMax } from './row-fields.ts'

/** The facts of the whole file that are needed for one row. */
interface Titled {
  header: { titles: ReadonlyMap<number, string> }
  mapping: ColumnMapping
}

const totalWords =
  /^(?:sous[- ]?)?(?:total|totaux)\b|^(?:grand|sub)[- ]?total\b|^report\b|^à reporter\b|^solde (?:général|total)/i

const openWords =
  /impaye|unpaid|\bnon\b|\bnot\b|parti|attente|retard|overdue|open|ouvert|a payer|a regler|pending/
const paidWords = /\b(?:payee?s?|paye|reglee?s?|soldee?s?|encaissee?s?|lettree?s?|paid|settled|closed)\b/
const otherWords =
  /\b(?:avoirs?|credit|credit note|annulee?s?|cancell?ed|written[ _-]off|void|brouillons?|draft|devis|quote|proforma)\b/

function skippedByStatus(status: string): RowSkipCode | null {
  const words = status.slice(0, cellMax.status).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  if (otherWords.test(words)) return 'not_an_open_invoice'
  return paidWords.test(words) && !openWords.test(words) ? 'already_paid' : null
}

/** Programs print their titles again on each page. */
function repeatsHeader(row: Row, { header }: Titled): boolean {
  let titles = 0
  for (const [column, cell] of row.cells.entries()) {
    const text = cleanText(cell).slice(0, titleMax)
    if (text === '') continue
    if (text.toLowerCase() !== header.titles.get(column)?.toLowerCase()) return false
    titles++
  }
  return titles >= 3
}

/** Why a row is no invoice to recover; null if it is one. A debtor may be called "Total": a row with number and dates is read. */
export function skipReason(row: Row, plan: Titled): RowSkipCode | null {
  const text = (field: ImportField) => cleanText(cellOf(row, plan.mapping, field))
  if (row.cells.every(cell => (typeof cell === 'string' ? cell.trim() === '' : cell === null)))
    return 'blank_row'
  if (row.hidden) return 'hidden_row'
  if (repeatsHeader(row, plan)) return 'repeated_header'
  const number = text('invoiceNumber')
  const hasDates = /\d/.test(text('issueDate') + text('dueDate'))
  const hasAmount = (['amount', 'balance', 'amountCents'] as const).some(field => text(field) !== '')
  if (!hasDates && text('debtor.email') === '') {
    if (
      row.cells.some(cell => totalWords.test(cleanText(cell))) &&
      (number === '' || totalWords.test(number))
    )
      return 'total_row'
    if (number === '' && text('debtor.name') === '' && hasAmount) return 'total_row'
    if (!hasAmount && (number === '' || row.cells.filter(cell => cell !== null).length === 1))
      return 'note_row'
  }
  return skippedByStatus(text('status'))
}
