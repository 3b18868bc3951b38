import { createHash } from 'node:crypto'
import { type Row, textOfCell } from '../../../kit/sheets/cell.ts'
import { splitTitle } from './currency-names.ts'
import {
  type ColumnMapping,
  columnTitles,
  type ImportField,
  importFields,
  otherMeanings,
  requiredFields,
  titleMax,
} from './row-fields.ts'

export interface ColumnMatch {
  column: number
  title: string
  field: ImportField | null
  /** From 0 to 1: 1 for a name with one meaning, 0.7 for a likely one, 0.6 and less for a name with more words in it. */
  confidence: number
}

export interface Header {
  line: number
  columns: ColumnMatch[]
  mapping: ColumnMapping
  /** The same for every file with the same titles in the same order: a mapping is remembered under it. */
  signature: string
  /** Fields that no column has; of alternatives the first is named. */
  missing: ImportField[]
  /** Fields that several columns have, none of them more likely. They are not mapped. */
  ambiguous: { field: ImportField; titles: string[] }[]
}

const fillers = new Set('de d du des la le les l a au aux en un une of the in eur euro euros'.split(' '))
const numbers = new Set(['n', 'no', 'nr', 'num', 'number', 'numero', 'numeros'])

/** The words that carry the meaning of a title: `Date d'échéance (EUR)` is `date echeance`. */
export function titleWords(title: string): string[] {
  const words = title
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[n#][°º]|#/gi, ' numero ')
    .replace(/\be-mail/gi, 'email')
    .replace(/\b(?:[A-Za-z]\.){2,}/g, initials => initials.replaceAll('.', ''))
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(word => word !== '')
  // "Montant dû" without its accent ends like "montant du".
  if (words.length > 1 && words.at(-1) === 'du') words[words.length - 1] = 'due'
  return words.filter(word => !fillers.has(word)).map(word => (numbers.has(word) ? 'numero' : word))
}

const keyOf = (words: readonly string[]) => words.join(' ')

interface KnownTitle {
  field: ImportField
  words: string[]
  confidence: number
}

const knownTitles: KnownTitle[] = importFields.flatMap(field =>
  (['sure', 'likely'] as const).flatMap(level =>
    (columnTitles[field][level] ?? '')
      .split(',')
      .map(titleWords)
      .filter(words => words.length > 0)
      .map(words => ({ field, words, confidence: level === 'sure' ? 1 : 0.7 })),
  ),
)
const byKey = new Map<string, KnownTitle>()
for (const known of knownTitles) if (!byKey.has(keyOf(known.words))) byKey.set(keyOf(known.words), known)

const moreWordsMax = 2

/** Names of our own export that would look like others: an id is that of one company. */
const ownIds = new Set(['debtorId', 'invoiceId'])

/** The field of a title: by its name, or by a sure name that is contained in it, if no other word changes the meaning. */
export function matchTitle(title: string): { field: ImportField | null; confidence: number } {
  if (ownIds.has(title)) return { field: null, confidence: 0 }
  const words = titleWords(splitTitle(title).text)
  const exact = byKey.get(keyOf(words)) ?? byKey.get(keyOf(words.toSorted()))
  if (exact) return { field: exact.field, confidence: exact.confidence }
  let best: KnownTitle | null = null
  for (const known of knownTitles) {
    if (known.confidence < 1 || words.length - known.words.length > moreWordsMax) continue
    if (!known.words.every(word => words.includes(word))) continue
    if (words.some(word => otherMeanings.has(word) && !known.words.includes(word))) continue
    if (!best || known.words.length > best.words.length) best = known
  }
  if (!best) return { field: null, confidence: 0 }
  return { field: best.field, confidence: Math.round((60 * best.words.length) / words.length) / 100 }
}

function columnsOf(row: Row): ColumnMatch[] {
  return row.cells.flatMap((cell, column) => {
    const title = textOfCell(cell).slice(0, titleMax).replace(/\s+/g, ' ').trim()
    return title === '' ? [] : [{ column, title, ...matchTitle(title) }]
  })
}

const fieldsOf = (columns: readonly ColumnMatch[]) =>
  new Set(columns.map(({ field }) => field).filter(field => field !== null)).size

/** A header names at least three fields; titles of a report, dates and totals above it do not. */
const leastFields = 3
export const headerSearchedRows = 40

function signatureOf(row: Row): string {
  const titles = row.cells.map(cell => keyOf(titleWords(textOfCell(cell).slice(0, titleMax))))
  return createHash('sha256').update(titles.join('\u001f')).digest('hex').slice(0, 32)
}

export function missingFields(mapping: ColumnMapping): ImportField[] {
  return requiredFields.flatMap(fields =>
    fields.some(field => mapping[field] !== undefined) ? [] : [fields[0]!],
  )
}

/** The row among the first ones that names the most fields, and what its columns mean. Null if none looks like a header. */
export function findHeader(rows: readonly Row[]): Header | null {
  let [best, most]: [Row | null, number] = [null, leastFields - 1]
  for (const row of rows.slice(0, headerSearchedRows)) {
    const count = fieldsOf(columnsOf(row))
    if (count > most) [best, most] = [row, count]
  }
  if (!best) return null
  const columns = columnsOf(best)
  const mapping: Partial<Record<ImportField, number>> = {}
  const ambiguous: Header['ambiguous'] = []
  for (const field of importFields) {
    const found = columns.filter(match => match.field === field).sort((a, b) => b.confidence - a.confidence)
    const [first] = found
    if (!first) continue
    const equal = found.filter(({ confidence }) => confidence === first.confidence)
    if (equal.length === 1) mapping[field] = first.column
    else ambiguous.push({ field, titles: equal.map(({ title }) => title) })
  }
  const isAmbiguous = (field: ImportField) => ambiguous.some(other => other.field === field)
  return {
    line: best.line,
    columns,
    mapping,
    signature: signatureOf(best),
    missing: missingFields(mapping).filter(field => !isAmbiguous(field)),
    ambiguous,
  }
}
