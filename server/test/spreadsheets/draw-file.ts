import { addDays } from '../../src/domain/time.ts'
import type { Choices } from './choices.ts'
import * as currencies from './currencies.ts'
import { drawInvoice, type TrueInvoice } from './draw-invoice.ts'
import { drawShape, type Shape } from './draw-shape.ts'
import { drawSums, type Values } from './draw-sums.ts'
import {
  type DrawnCell,
  hasDecimalPoint,
  isNumbersOnly,
  provesOrder,
  writeDay,
  writeSiret,
} from './spellings.ts'
import type { DrawnField } from './titles.ts'

/**
 * What must become of a row. `invoice`: exactly this, or, where `mayBeRefused`, a refusal as well, because a reader without our
 * knowledge cannot be sure. Without it the row must not be imported.
 */
export interface RowTruth {
  invoice?: TrueInvoice
  mayBeRefused?: boolean
}

export interface DrawnRow {
  cells: DrawnCell[]
  isHidden?: true
  /** Null: the row is blank. */
  truth: RowTruth | null
  /** The days and sums that were written, whatever becomes of the row. */
  drawn?: { days: string[]; totalCents: number; openCents: number | null }
}

export interface DrawnFile {
  shape: Shape
  rows: DrawnRow[]
}

/** What may happen to a row; most are as they should be. */
const rowKinds = [
  ...Array.from({ length: 30 }, () => 'good' as const),
  'credit',
  'paid',
  'cancelled',
  'noEmail',
  'badEmail',
  'dueFirst',
  'zero',
  'noAmount',
  'mergedName',
  'repeated',
  'differing',
  'error',
  'formula',
  'total',
  'subtotal',
  'header',
  'blank',
  'hidden',
  'note',
] as const

export function drawFile(choices: Choices, n: number): DrawnFile {
  const shape = drawShape(choices, n)
  const rows: DrawnRow[] = []
  const count = choices.between(2, 12)
  for (let i = 0; i < count; i++) rows.push(...drawRows(choices, shape, rows.length, rows))
  if (shape.kind !== 'ndjson' && choices.happens(30)) rows.push(totalRow(shape, 'Total général'))
  judgeDates(shape, rows)
  return { shape, rows }
}

function drawRows(choices: Choices, shape: Shape, n: number, before: readonly DrawnRow[]): DrawnRow[] {
  const kind = choices.one(rowKinds)
  const isTable = shape.kind !== 'ndjson'
  if (kind === 'total' || kind === 'subtotal')
    return isTable ? [totalRow(shape, kind === 'total' ? 'TOTAL' : 'Sous-total')] : []
  if (kind === 'blank') return isTable ? [{ cells: [], truth: null }] : []
  if (kind === 'header')
    return isTable ? [{ cells: shape.titles.map(title => title || null), truth: {} }] : []
  if (kind === 'note')
    return isTable ? [{ cells: ['Merci de relancer avant la fin du mois'], truth: {} }] : []
  const last = before.findLast(({ truth }) => truth?.invoice)
  if (kind === 'repeated') return last ? [{ ...last, cells: [...last.cells], truth: {} }] : []
  if (kind !== 'differing') return [drawRow(choices, shape, n, kind)]
  if (!last) return []
  // Two rows have one number and different contents: nobody can say which one is right.
  last.truth = {}
  const row = drawRow(choices, shape, n, 'good')
  const at = shape.fields.indexOf('number')
  row.cells[at] = last.cells[at]!
  row.truth = {}
  return [row]
}

const totalRow = ({ fields }: Shape, word: string): DrawnRow => ({
  cells: fields.map((field, at) =>
    at === 0 ? word : ['gross', 'balance', 'debit'].includes(field) ? '12 345,67' : null,
  ),
  truth: {},
})

type Kind = Exclude<
  (typeof rowKinds)[number],
  'total' | 'subtotal' | 'blank' | 'header' | 'note' | 'repeated' | 'differing'
>

const isApi = ({ kind, json }: Shape) => kind === 'ndjson' && json !== 'titles'

function drawRow(choices: Choices, shape: Shape, n: number, kind: Kind): DrawnRow {
  const { invoice: drawn, phoneText } = drawInvoice(choices, n)
  const has = (field: DrawnField) => shape.fields.includes(field)
  const values = writeValues(choices, shape, drawn, phoneText)
  const invoice: TrueInvoice = {
    invoiceNumber: drawn.invoiceNumber,
    amountCents: 0,
    issueDate: drawn.issueDate,
    dueDate: drawn.dueDate,
    debtor: { name: drawn.debtor.name, email: drawn.debtor.email },
  }
  for (const field of ['phone', 'address', 'postalCode', 'city', 'country'] as const)
    if (has(field)) invoice.debtor[field] = drawn.debtor[field]!
  if (has('firstName')) invoice.debtor.name = `Anne ${drawn.debtor.name}`
  if (has('description')) invoice.description = drawn.description
  const isLost = writeIdentity(choices, shape, values, drawn.debtor.siret!)
  if (has('siret')) invoice.debtor.siret = drawn.debtor.siret!
  const sumKinds = { credit: 'credit', zero: 'zero', noAmount: 'none', paid: 'paid' } as const
  const sumKind = kind in sumKinds ? sumKinds[kind as keyof typeof sumKinds] : 'usual'
  const sums = drawSums(choices, shape, drawn.amountCents, values, sumKind)
  const ofFile = writeCurrency(choices, shape, values)
  const currency = sums.currency === 'none' ? ofFile : sums.currency
  if (currency !== 'none' && currency !== null) invoice.currency = currency
  if (sums.openCents !== null) invoice.amountCents = sums.openCents
  const isSpoilt = spoil(choices, shape, values, kind, drawn.issueDate)
  const isHidden = kind === 'hidden' && shape.kind === 'xlsx'
  const isRefused =
    shape.isUnreadable ||
    isLost ||
    currency === null ||
    sums.openCents === null ||
    sums.openCents <= 0 ||
    isSpoilt ||
    isHidden
  return {
    cells: shape.fields.map(field => values[field] ?? null),
    ...(isHidden && { isHidden: true as const }),
    truth: isRefused ? {} : { invoice, ...(sums.isUnsure && { mayBeRefused: true }) },
    drawn: {
      days: isHidden ? [] : [drawn.issueDate, drawn.dueDate],
      totalCents: sums.totalCents,
      openCents: sums.openCents,
    },
  }
}

function writeValues(
  choices: Choices,
  shape: Shape,
  drawn: Required<TrueInvoice>,
  phoneText: string,
): Values {
  const { debtor } = drawn
  const postalCode = debtor.postalCode!
  return {
    number: drawn.invoiceNumber,
    name: debtor.name,
    firstName: 'Anne',
    email: choices.happens(10) ? `Compta <${debtor.email}>` : debtor.email,
    issued: writeDay(drawn.issueDate, shape.dates),
    due: writeDay(drawn.dueDate, shape.dates),
    status: shape.isEnglish ? 'Open' : choices.one(['Impayée', 'À payer', 'En retard', 'Envoyée']),
    noise: choices.one(['CL001', '411DURAND', 'Virement', '', '12']),
    phone: isApi(shape) ? debtor.phone! : phoneText,
    address: debtor.address!,
    // Excel removes the zero at the start.
    postalCode: !isApi(shape) && choices.happens(20) ? postalCode.replace(/^0/, '') : postalCode,
    city: debtor.city!,
    country: isApi(shape) ? 'FR' : choices.one(['FR', 'France']),
    description: drawn.description,
  }
}

/** Says whether digits are lost that nobody can restore. */
function writeIdentity(choices: Choices, shape: Shape, values: Values, siret: string): boolean {
  const field = shape.fields.includes('siret') ? 'siret' : 'siren'
  const digits = field === 'siret' ? siret : siret.slice(0, 9)
  const written = isApi(shape) ? { text: digits } : writeSiret(digits, choices)
  values[field] = written.text
  return shape.fields.includes(field) && 'isLost' in written
}

/** Writes the currency outside of the sums; null: nobody can say which one is meant. */
function writeCurrency(choices: Choices, shape: Shape, values: Values): string | null | 'none' {
  const { currency, fileCurrency, encoding, kind } = shape
  if (currency === 'title' || currency === 'preamble') return fileCurrency.code
  if (currency !== 'column' && currency !== 'untitled') return 'none'
  const known = currencies.names.filter(
    name =>
      (!isApi(shape) || name.text === name.code) &&
      (kind !== 'csv' || encoding !== 'windows-1252' || currencies.isWestern(name)),
  )
  const written = choices.one(choices.happens(50) ? known.filter(({ code }) => code === 'EUR') : known)
  values.currency = written.text
  values.untitledCurrency = written.text
  return written.code
}

/** Makes a value of the row wrong; false: this file has no place for it. */
function spoil(choices: Choices, shape: Shape, values: Values, kind: Kind, issueDate: string): boolean {
  if (kind === 'cancelled' && shape.fields.includes('status'))
    values.status = choices.one(['Annulée', 'Avoir', 'Brouillon', 'Payée'])
  else if (kind === 'noEmail') values.email = null
  else if (kind === 'badEmail') values.email = choices.one(['à compléter', 'durand.example', 'compta@durand'])
  else if (kind === 'dueFirst') values.due = writeDay(addDays(issueDate, -40), shape.dates)
  // The name is in the first of the merged cells only.
  else if (kind === 'mergedName') values.name = null
  else if (kind === 'error' && shape.kind === 'xlsx') values.due = { error: '#N/A' }
  else if (kind === 'formula' && shape.kind === 'xlsx') values.number = { formulaWithoutValue: true }
  else return false
  return true
}

/**
 * Days whose order nothing in the file proves: in a French file the day is first; in a file with English titles or a decimal
 * point a reader may ask.
 */
function judgeDates(shape: Shape, rows: readonly DrawnRow[]): void {
  const isForeign = shape.isEnglish || (hasDecimalPoint(shape.numbers) && !shape.areSumsNumbers)
  if (!isForeign || !isNumbersOnly(shape.dates)) return
  if (rows.some(({ drawn }) => drawn?.days.some(provesOrder))) return
  for (const row of rows) if (row.truth?.invoice) row.truth.mayBeRefused = true
}
