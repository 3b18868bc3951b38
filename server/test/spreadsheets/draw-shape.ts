import type { Choices } from './choices.ts'
import * as currencies from './currencies.ts'
import { type DateStyle, dateStyles, type NumberStyle, numberStyles } from './spellings.ts'
import { type DrawnField, englishTitles, frenchTitles } from './titles.ts'

const encodings = ['utf-8', 'utf-8-bom', 'windows-1252', 'utf-16le'] as const
const separators = [';', ',', '\t'] as const
const workbookShapes = ['plain', 'shared', 'from1904', 'notesFirst', 'hiddenFirst', 'moreSheets'] as const
const jsonShapes = ['nested', 'flat', 'titles', 'ownExport'] as const

const sumColumns = [
  ['gross'],
  ['net', 'tax', 'gross'],
  ['gross', 'balance'],
  ['gross', 'paid'],
  ['net', 'gross', 'paid', 'balance'],
  ['debit', 'credit'],
] as const satisfies readonly (readonly DrawnField[])[]

/** Where a file names its currency. */
const currencyPlaces = ['nowhere', 'column', 'cell', 'title', 'format', 'untitled', 'preamble'] as const
type CurrencyPlace = (typeof currencyPlaces)[number]

export interface Shape {
  kind: 'csv' | 'xlsx' | 'ndjson'
  encoding: (typeof encodings)[number]
  separator: (typeof separators)[number]
  workbook: (typeof workbookShapes)[number]
  json: (typeof jsonShapes)[number]
  isEnglish: boolean
  fields: DrawnField[]
  titles: string[]
  preamble: string[]
  numbers: NumberStyle
  /** Sums are numbers of the workbook or of JSON, not texts. */
  areSumsNumbers: boolean
  dates: DateStyle
  currency: CurrencyPlace
  /** The one of the whole file, where it has one. */
  fileCurrency: currencies.CurrencyName
  /** Sums are in thousands, or without tax only: nothing of it can be imported. */
  isUnreadable: boolean
}

/** The n-th shape: formats, and within them their variants, take turns; everything else is drawn. */
export function drawShape(choices: Choices, n: number): Shape {
  const kind = (['csv', 'xlsx', 'ndjson'] as const)[n % 3]!
  const turn = Math.floor(n / 3)
  const encoding = encodings[turn % encodings.length]!
  const json = jsonShapes[turn % jsonShapes.length]!
  const hasTitles = kind !== 'ndjson' || json === 'titles'
  const isEnglish = hasTitles && choices.happens(17)
  const currency = placeOf(choices, kind, hasTitles)
  const areSumsNumbers =
    currency === 'format' || !hasTitles || (kind !== 'csv' && currency !== 'cell' && choices.happens(60))
  const isUnreadable = hasTitles && choices.happens(3)
  const fields = hasTitles ? drawFields(choices, currency, isUnreadable) : apiFields(choices, currency)
  const fileCurrency = choices.one(currencies.signs.filter(currencies.isWestern))
  const titles = fields.map(field => choices.one((isEnglish ? englishTitles : frenchTitles)[field]))
  const shape: Shape = {
    kind,
    encoding,
    separator: separators[turn % separators.length]!,
    workbook: workbookShapes[turn % workbookShapes.length]!,
    json,
    isEnglish,
    fields,
    titles,
    preamble: [],
    numbers: drawNumbers(choices, isEnglish),
    areSumsNumbers,
    dates: drawDates(choices, kind, isEnglish, hasTitles),
    currency,
    fileCurrency,
    isUnreadable,
  }
  addToTitles(choices, shape)
  if (kind !== 'ndjson') shape.preamble = drawPreamble(choices, shape)
  return shape
}

function placeOf(choices: Choices, kind: Shape['kind'], hasTitles: boolean): CurrencyPlace {
  if (!hasTitles) return choices.one(['nowhere', 'column'])
  return choices.one(
    currencyPlaces.filter(
      place =>
        (place !== 'format' || kind === 'xlsx') &&
        (kind !== 'ndjson' || (place !== 'untitled' && place !== 'preamble')),
    ),
  )
}

function drawFields(choices: Choices, currency: CurrencyPlace, isUnreadable: boolean): DrawnField[] {
  const sums: readonly DrawnField[] = isUnreadable && choices.happens(50) ? ['net'] : choices.one(sumColumns)
  const more = (
    ['phone', 'address', 'postalCode', 'city', 'country', 'status', 'description'] as const
  ).filter(() => choices.happens(40))
  const identity = choices.one([[], ['siret'], ['siren']] as const)
  const fields: DrawnField[] = [
    'number',
    'name',
    ...(choices.happens(8) ? ['firstName' as const] : []),
    'email',
    'issued',
    'due',
    ...sums,
    ...more,
    ...identity,
    ...(currency === 'column' ? ['currency' as const] : []),
    ...(choices.happens(50) ? ['noise' as const] : []),
  ]
  const shuffled = choices.happens(50) ? choices.shuffled(fields) : fields
  const last = Math.max(...sums.map(field => shuffled.indexOf(field)))
  return currency === 'untitled' ? shuffled.toSpliced(last + 1, 0, 'untitledCurrency') : shuffled
}

/** The names of the API have no columns of other meanings. */
function apiFields(choices: Choices, currency: CurrencyPlace): DrawnField[] {
  const more = (
    ['phone', 'siret', 'address', 'postalCode', 'city', 'country', 'description'] as const
  ).filter(() => choices.happens(40))
  const base = ['number', 'name', 'email', 'issued', 'due', 'gross'] as const
  return [...base, ...more, ...(currency === 'column' ? ['currency' as const] : [])]
}

function drawNumbers(choices: Choices, isEnglish: boolean): NumberStyle {
  if (isEnglish) return choices.one(['commaGroups', 'plainPoint'])
  return choices.one(numberStyles.filter(style => style !== 'commaGroups'))
}

function drawDates(choices: Choices, kind: Shape['kind'], isEnglish: boolean, hasTitles: boolean): DateStyle {
  if (!hasTitles) return 'iso'
  if (isEnglish && choices.happens(60)) return 'monthFirst'
  if (kind === 'xlsx' && choices.happens(60)) return 'cell'
  return choices.one(dateStyles.filter(style => style !== 'serial' || kind !== 'ndjson'))
}

const sumFields: readonly DrawnField[] = ['net', 'tax', 'gross', 'balance', 'paid', 'debit', 'credit']

function addToTitles(choices: Choices, shape: Shape): void {
  const unit = shape.currency === 'title' ? shape.fileCurrency.text : null
  const thousands = choices.one([' (k€)', ' en K€', ' (en milliers)', ' (KEUR)'])
  const isThousands =
    shape.isUnreadable && shape.fields.some(field => field !== 'net' && sumFields.includes(field))
  const writes = choices.one([
    (text: string) => ` (${text})`,
    (text: string) => ` en ${text}`,
    (text: string) => ` ${text}`,
  ])
  for (const [at, field] of shape.fields.entries()) {
    if (!sumFields.includes(field)) continue
    if (isThousands) shape.titles[at] += thousands
    else if (unit !== null) shape.titles[at] += writes(unit)
  }
}

function drawPreamble(choices: Choices, { currency, fileCurrency, isEnglish }: Shape): string[] {
  const lines = choices.happens(40)
    ? choices
        .shuffled(['Factures impayées', 'Balance âgée au 30/09/2026', 'ACME SAS', 'Édité le 01/10/2026'])
        .slice(0, choices.between(1, 3))
    : []
  const named = isEnglish
    ? ['Currency: ', 'Amounts in ']
    : ['Devise : ', 'Montants en ', 'Montants exprimés en ']
  return currency === 'preamble' ? [...lines, choices.one(named) + fileCurrency.text] : lines
}
