import { buffer } from 'node:stream/consumers'
import { addDays } from '../src/domain/time.ts'
import type { Cell } from '../src/kit/sheets/cell.ts'
import { writeTable } from '../src/kit/sheets/write-table.ts'

/** The expected result of importing a line. Blank lines are not listed: the reader skips them. */
export type ExpectedLine =
  | { line: number; input: Record<string, unknown>; healed: string[] }
  | { line: number; refused: string[] }
  | { line: number; skipped: string }

export interface BrokenFile {
  bytes: Buffer
  lines: ExpectedLine[]
}

export interface BrokenFileSettings {
  seed: number
  /** Valid and faulty invoices together; rows such as totals are added to them. */
  invoices: number
  kind: 'csv' | 'xlsx'
  /** Writes the month before the day, as an American program does. */
  isMonthFirst?: boolean
}

/** Mulberry32: the same seed gives the same file. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A way to write a value, and the expected result of its import. */
interface Spelling {
  cell: Cell
  healed?: string
  refused?: string
}

type Pick = <T>(list: readonly T[]) => T

const titles = [
  'N° de pièce',
  'Raison sociale',
  null,
  'E-mail',
  'Téléphone',
  'SIRET',
  'Code postal',
  'Date facture',
  'Date d’échéance',
  'Montant TTC',
]
const names = [
  'Durand & Fils',
  'Société « Éclair »',
  'Café de l’Œuvre',
  'Boulangerie Lefèvre',
  'TOTAL Énergies',
  'Menuiserie; Petit',
  'L’Atelier "Bois"',
]
/** With valid check digits; the last two begin with a zero. */
const sirets = ['73282932000074', '35600000000048', '00552017600016', '00552017600024']

const grouped = (digits: string, sign: string) => digits.replace(/\B(?=(\d{3})+$)/g, sign)

function amountSpellings(cents: number, isXlsx: boolean): Spelling[] {
  const digits = String(cents).padStart(3, '0')
  const [whole, fraction] = [digits.slice(0, -2), digits.slice(-2)]
  return [
    { cell: `${whole},${fraction}` },
    { cell: `${grouped(whole, ' ')},${fraction} €` },
    { cell: `${grouped(whole, '\u00a0')},${fraction}\u00a0€` },
    { cell: `${grouped(whole, '.')},${fraction}` },
    { cell: `EUR ${whole},${fraction}` },
    ...(isXlsx ? [{ cell: { kind: 'number', text: `${whole}.${fraction}` } } as const] : []),
  ]
}

const badAmounts: Spelling[] = [
  { cell: '-120,00', refused: 'amount_negative' },
  { cell: '(120,00 €)', refused: 'amount_negative' },
  { cell: '0,00', refused: 'amount_zero' },
  { cell: 'à définir', refused: 'amount_not_a_number' },
  { cell: '12,3456', refused: 'amount_decimals' },
  { cell: null, refused: 'value_missing' },
]

const monthNames =
  'janvier,février,mars,avril,mai,juin,juillet,août,septembre,octobre,novembre,décembre'.split(',')

function dateSpellings(date: string, isXlsx: boolean, isMonthFirst: boolean): Spelling[] {
  const [year, month, day] = date.split('-') as [string, string, string]
  if (isMonthFirst) {
    const isOpen = Number(day) <= 12 && day !== month
    return [{ cell: `${month}/${day}/${year}`, ...(isOpen && { healed: 'date_by_column' }) }, { cell: date }]
  }
  return [
    { cell: `${day}/${month}/${year}` },
    { cell: `${Number(day)}-${Number(month)}-${year.slice(2)}`, healed: 'year_completed' },
    { cell: date },
    { cell: `${Number(day)} ${monthNames[Number(month) - 1]} ${year}` },
    { cell: `${year}${month}${day}` },
    ...(isXlsx ? [{ cell: { kind: 'date', text: date } } as const] : []),
  ]
}

const badDates: Spelling[] = [
  { cell: '31/02/2026', refused: 'date_not_a_day' },
  { cell: 'à réception', refused: 'date_not_a_day' },
  { cell: '00/00/0000', refused: 'date_not_a_day' },
]

function siretSpellings(siret: string, isXlsx: boolean): Spelling[] {
  const short = siret.replace(/^0+/, '')
  const isShorter = short !== siret
  return [
    { cell: siret },
    { cell: `${siret.slice(0, 3)} ${siret.slice(3, 6)} ${siret.slice(6, 9)} ${siret.slice(9)}` },
    { cell: isXlsx ? { kind: 'number', text: short } : short, ...(isShorter && { healed: 'siret_padded' }) },
  ]
}

const badSirets: Spelling[] = [
  { cell: '3,56E+13', refused: 'siret_digits_lost' },
  { cell: '73282932000075', refused: 'siret_check_digit' },
  { cell: '12345', refused: 'siret_length' },
]

const emailSpellings = (email: string): Spelling[] => [
  { cell: email },
  { cell: ` ${email} ` },
  { cell: `Compta <${email}>`, healed: 'email_cleaned' },
  { cell: `${email}; autre@exemple.fr`, healed: 'first_taken' },
]

const badEmails: Spelling[] = [
  { cell: null, refused: 'value_missing' },
  { cell: 'compta(at)exemple.fr', refused: 'email_invalid' },
]

const phoneSpellings = (subscriber: string): Spelling[] => [
  { cell: null },
  { cell: `+33${subscriber}` },
  { cell: `0${subscriber}`, healed: 'phone_completed' },
  {
    cell: `0${subscriber.replace(/(..)(?=(..)+$)/g, '$1.').replace(/^(.)/, '$1')}`,
    healed: 'phone_completed',
  },
  { cell: subscriber, healed: 'phone_zero_restored' },
  { cell: 'néant', healed: 'placeholder_left_out' },
]

const postalSpellings: (Spelling & { value: string })[] = [
  { cell: '69003', value: '69003' },
  { cell: '01000', value: '01000' },
  { cell: '1000', value: '01000', healed: 'postal_code_padded' },
  { cell: '69 003', value: '69003' },
]

/** One invoice with randomly chosen spellings, and its expected result. */
function makeInvoice(at: number, settings: BrokenFileSettings, random: () => number) {
  const pick: Pick = list => list[Math.floor(random() * list.length)]!
  const [isXlsx, isMonthFirst] = [settings.kind === 'xlsx', settings.isMonthFirst ?? false]
  /** About one row in ten has a fault. */
  const faulty = random() < 0.1 ? pick(['amount', 'date', 'siret', 'email'] as const) : null
  // The first row proves the order of day and month, and the decimal sign.
  const issueDate = at === 0 ? '2026-01-25' : addDays('2026-01-01', Math.floor(random() * 250))
  const dueDate = addDays(issueDate, 30)
  const cents = 1 + Math.floor(random() ** 3 * 5_000_000)
  const siret = pick(sirets)
  const subscriber = `61${String(Math.floor(random() * 1e7)).padStart(7, '0')}`
  const email = `compta${at}@exemple.fr`
  const name = pick(names)
  const isFaulty = at > 0 && faulty !== null
  const dates = (date: string) =>
    at === 0
      ? dateSpellings(date, isXlsx, isMonthFirst).slice(0, 1)
      : dateSpellings(date, isXlsx, isMonthFirst)
  const spelled = {
    email: pick(isFaulty && faulty === 'email' ? badEmails : emailSpellings(email)),
    phone: pick(phoneSpellings(subscriber)),
    siret: pick(isFaulty && faulty === 'siret' ? badSirets : siretSpellings(siret, isXlsx)),
    postal: pick(postalSpellings),
    issue: pick(isFaulty && faulty === 'date' ? badDates : dates(issueDate)),
    due: pick(dates(dueDate)),
    amount: pick(isFaulty && faulty === 'amount' ? badAmounts : amountSpellings(cents, isXlsx)),
  }
  const invoiceNumber = `FA-${String(at + 1).padStart(6, '0')}`
  const cells: Cell[] = [
    invoiceNumber,
    name,
    null,
    spelled.email.cell,
    spelled.phone.cell,
    spelled.siret.cell,
    spelled.postal.cell,
    spelled.issue.cell,
    spelled.due.cell,
    spelled.amount.cell,
  ]
  const all: Spelling[] = Object.values(spelled)
  const refused = all.flatMap(({ refused: code }) => code ?? [])
  const amountText = typeof spelled.amount.cell === 'string' ? spelled.amount.cell : ''
  const phone = spelled.phone.cell === null || spelled.phone.cell === 'néant' ? undefined : `+33${subscriber}`
  const input = {
    invoiceNumber,
    amountCents: cents,
    ...(/€|EUR/.test(amountText) && { currency: 'EUR' }),
    issueDate,
    dueDate,
    debtor: { name, email, ...(phone && { phone }), siret, postalCode: spelled.postal.value },
  }
  return { cells, refused, input, healed: all.flatMap(({ healed }) => healed ?? []).sort() }
}

/** Characters of Windows-1252 that have another number in Unicode. */
const windowsBytes: Readonly<Record<string, number>> = { '€': 0x80, '’': 0x92, Œ: 0x8c, œ: 0x9c }

function csvBytes(rows: readonly Cell[][]): Buffer {
  const quoted = (cell: Cell) => {
    const text = typeof cell === 'string' ? cell : (cell?.text ?? '')
    return /[";\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  const text = rows.map(cells => `${cells.map(quoted).join(';')}\r\n`).join('')
  return Buffer.from(Array.from(text, letter => windowsBytes[letter] ?? letter.charCodeAt(0)))
}

/**
 * A file from a French accounting program that a person has edited in Excel: titles above the header, blank columns and lines,
 * totals, repeated headers, different spellings, and a fault in about one invoice in ten. CSV is Windows-1252.
 */
export async function brokenFile(settings: BrokenFileSettings): Promise<BrokenFile> {
  const random = randomOf(settings.seed)
  const rows: Cell[][] = [['Balance clients au 31/10/2026'], [null], titles]
  const lines: ExpectedLine[] = []
  const add = (
    cells: Cell[],
    expected?:
      | { skipped: string }
      | { refused: string[] }
      | { input: Record<string, unknown>; healed: string[] },
  ) => {
    rows.push(cells)
    if (expected) lines.push({ line: rows.length, ...expected })
  }
  for (let at = 0; at < settings.invoices; at++) {
    const { cells, refused, input, healed } = makeInvoice(at, settings, random)
    const chance = random()
    const isGood = refused.length === 0
    if (isGood && at > 0 && chance < 0.01) {
      // The same number with another amount: it is not known which row is right.
      const other = cells.with(9, '1,11')
      add(cells, { refused: ['duplicate_number'] })
      add(other, { refused: ['duplicate_number'] })
      continue
    }
    add(cells, isGood ? { input, healed } : { refused })
    if (chance < 0.02) continue
    if (isGood && chance < 0.03) add(cells, { skipped: 'repeated_row' })
    else if (chance < 0.04) add([' ', null, null, null, '\u00a0'], { skipped: 'blank_row' })
    else if (chance < 0.05) add([])
    else if (chance < 0.06)
      add([null, 'Sous-total', null, null, null, null, null, null, null, '9 999,00'], {
        skipped: 'total_row',
      })
    else if (chance < 0.07) add(titles.slice(), { skipped: 'repeated_header' })
    else if (chance < 0.08) add([`Page ${at}`], { skipped: 'note_row' })
  }
  add(['TOTAL', null, null, null, null, null, null, null, null, '123 456,00 €'], { skipped: 'total_row' })
  if (settings.kind === 'csv') return { bytes: csvBytes(rows), lines }
  const header = [String(rows[0]![0]), ...Array.from({ length: titles.length - 1 }, () => '')]
  return { bytes: await buffer(writeTable('xlsx', { header, rows: rows.slice(1) }) as never), lines }
}
