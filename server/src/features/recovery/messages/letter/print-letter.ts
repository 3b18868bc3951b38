import { encode } from 'uqr'
import type { PostalAddress } from '../../../../adapters/channel.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import {
  colours,
  fullWidth,
  left,
  openSheet,
  type Sheet,
  type Style,
} from '../../../../kit/pdf/tagged-sheet.ts'
import type { Block, Row } from '../texts/block.ts'
import type { Language, Text } from '../texts/notice.ts'
import { type LetterWords, letterWords } from './words.ts'

interface Letter {
  from: PostalAddress
  to: PostalAddress
  reference: string
  text: Text
  language: Language
  today: LocalDate
  madeAt: number
}

const body: Style = { size: 10 }
const strong: Style = { size: 10, font: 'bold' }
const small: Style = { size: 8, colour: colours.muted }

const millimetre = 72 / 25.4
// NF Z 11-001: what the window of a French envelope shows begins here, and nothing else may stand in it.
const window = { x: 105 * millimetre, y: 50 * millimetre, width: 85 * millimetre }
const belowWindow = 96 * millimetre
const labelWidth = 130
const sumWidth = 100
const gap = 9

const whole = (y: number) => ({ x: left, y, width: fullWidth })

const regionName = (country: string, language: Language) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country

const addressLines = (of: PostalAddress, isAbroad: boolean, language: Language): string =>
  [
    of.name,
    ...of.lines,
    `${of.postalCode} ${of.city.toUpperCase()}`.trim(),
    isAbroad ? regionName(of.country, language).toUpperCase() : '',
  ]
    .filter(line => line !== '')
    .join('\n')

function drawHead(sheet: Sheet, letter: Letter, words: LetterWords): void {
  const { from, to, language } = letter
  const isAbroad = from.country !== to.country
  const [name, ...lines] = addressLines(from, isAbroad, language).split('\n') as [string, ...string[]]
  const beside = { x: left, width: window.x - left - 20 }
  sheet.write('P', name, { size: 12, font: 'bold' }, { ...beside, y: sheet.y })
  if (lines.length > 0) sheet.write('P', lines.join('\n'), body, { ...beside, y: sheet.y + 2 })
  const senderEnds = sheet.y
  sheet.write('P', addressLines(to, isAbroad, language), { size: 11 }, window)
  const line = Math.max(belowWindow, sheet.y + 12, senderEnds + 12)
  sheet.write('P', `${words.reference} ${letter.reference}\n${words.registered}`, small, {
    ...beside,
    y: line,
  })
  sheet.write('P', words.placeAndDate(from.city, letter.today), body, { ...window, y: line })
  sheet.moveTo(line + 38)
  sheet.write('H1', `${words.subject} ${letter.text.heading}`, { size: 13, font: 'bold' }, whole(sheet.y))
  sheet.moveTo(sheet.y + gap)
}

function title(sheet: Sheet, text: string, room: number): void {
  sheet.keep(room)
  sheet.write('H2', text, strong, whole(sheet.y))
  sheet.moveTo(sheet.y + 3)
}

const heightOfRow = (sheet: Sheet, [label, value]: Row, style: Style) =>
  Math.max(sheet.heightOf(label, style, labelWidth - 8), sheet.heightOf(value, style, fullWidth - labelWidth))

function drawFacts(sheet: Sheet, rows: readonly Row[], last: Row | undefined): void {
  const table = sheet.element('Table')
  for (const row of last ? [...rows, last] : rows) {
    const style = row === last ? strong : body
    const height = heightOfRow(sheet, row, style)
    sheet.keep(height)
    const y = sheet.y
    const line = sheet.element('TR', table)
    sheet.write(
      'TH.Row',
      row[0],
      { ...style, colour: colours.muted },
      { x: left, y, width: labelWidth - 8 },
      line,
    )
    sheet.write('TD', row[1], style, { x: left + labelWidth, y, width: fullWidth - labelWidth }, line)
    line.end()
    sheet.moveTo(y + height + 2)
  }
  table.end()
}

const sumColumn = (text: string) => ({
  title: text,
  width: sumWidth,
  style: { align: 'right' as const },
})

function drawTable(sheet: Sheet, { head, rows, foot }: Extract<Block, { kind: 'table' }>): void {
  const between = (fullWidth - sumWidth) / (head.length - 1)
  const columns = head.map((text, i) =>
    i === head.length - 1 ? sumColumn(text) : { title: text, width: between },
  )
  sheet.table(columns, rows, { size: 9 })
  for (const text of foot) sheet.write('P', text, { ...strong, align: 'right' }, whole(sheet.y + 3))
}

function drawStatement(sheet: Sheet, block: Extract<Block, { kind: 'statement' }>, words: LetterWords): void {
  sheet.table(
    [{ title: words.what, width: fullWidth - sumWidth }, sumColumn(words.sum)],
    block.rows.map(({ label, basis, value }) => [basis === null ? label : `${label} (${basis})`, value]),
    { size: 9.5 },
  )
  const y = sheet.y + 4
  sheet.write(
    'P',
    `${block.total[0]} ${block.total[1]}`,
    { ...strong, align: 'right' },
    { ...whole(y), width: fullWidth - 3 },
  )
  sheet.moveTo(sheet.y + 3)
  for (const note of block.notes) sheet.write('P', note, small, whole(sheet.y + 1))
}

const squareWidth = 62

function drawAction(
  sheet: Sheet,
  { lead, link }: Extract<Block, { kind: 'action' }>,
  words: LetterWords,
): void {
  sheet.keep(squareWidth + 16)
  const top = sheet.y
  const beside = fullWidth - squareWidth - 28
  sheet.shade({ x: left, y: top, width: fullWidth }, squareWidth + 16)
  sheet.squares(
    words.square,
    { x: left + fullWidth - squareWidth - 8, y: top + 8, width: squareWidth },
    encode(link, { ecc: 'M', border: 0 }).data,
  )
  sheet.write('P', lead, body, { x: left + 8, y: top + 8, width: beside })
  sheet.write('P', link, { size: 9.5, font: 'bold' }, { x: left + 8, y: sheet.y + 4, width: beside })
  sheet.moveTo(top + squareWidth + 16)
}

function drawBlock(sheet: Sheet, block: Block, words: LetterWords): void {
  switch (block.kind) {
    case 'paragraph':
      sheet.write('P', block.text, body, whole(sheet.y))
      break
    case 'facts':
      if (block.title !== null) title(sheet, block.title, 70)
      drawFacts(sheet, block.rows, block.headline)
      break
    case 'table':
      if (block.title !== null) title(sheet, block.title, 60)
      drawTable(sheet, block)
      break
    case 'statement':
      title(sheet, block.title, 110)
      drawStatement(sheet, block, words)
      break
    case 'action':
      drawAction(sheet, block, words)
      break
    case 'small':
      if (block.title !== null) sheet.write('P', block.title, { ...small, font: 'bold' }, whole(sheet.y))
      sheet.write('P', block.text, small, whole(sheet.y))
      break
    case 'law':
      sheet.write('P', block.source, small, whole(sheet.y))
      sheet.write('BlockQuote', block.text, small, { x: left + 10, y: sheet.y + 2, width: fullWidth - 10 })
      break
    case 'signature':
      sheet.keep(40)
      sheet.write('P', block.text, strong, { ...window, y: sheet.y + 8 })
  }
}

/** The letter as it is posted: A4, tagged, addressed for a window envelope. The same letter makes the same bytes. */
export async function printLetter(letter: Letter): Promise<Buffer> {
  const words = letterWords[letter.language]
  const sheet = await openSheet({ title: words.title, lang: words.lang, madeAt: letter.madeAt })
  drawHead(sheet, letter, words)
  for (const block of letter.text.blocks) {
    drawBlock(sheet, block, words)
    sheet.moveTo(sheet.y + gap)
  }
  return sheet.close((page, pages) => [`${words.reference} ${letter.reference}`, words.page(page, pages)])
}
