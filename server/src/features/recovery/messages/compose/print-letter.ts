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
import { type LetterTexts, letterTexts } from './letter-texts.ts'
import { typedOf } from './message-code.ts'
import type { Block, Row } from './texts/block.ts'
import type { Language } from './texts/labels.ts'
import type { Text } from './texts/message-content.ts'

interface Letter {
  /** Above the name of the sender. */
  logo?: Buffer
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
// The law requires a legible quotation: larger than the small print, and black.
const quotation: Style = { size: 9 }

const millimetre = 72 / 25.4
// The window of a French envelope: only the address may be in it. Registered mail needs room above and next to it for the bar
// code.
const window = { x: 110 * millimetre, y: 55 * millimetre, width: 81 * millimetre }
const belowWindow = 96 * millimetre
const labelWidth = 130
const logoSize = { width: 130, height: 44 }
const sumWidth = 100
const gap = 9

const fullLine = (y: number) => ({ x: left, y, width: fullWidth })

const regionName = (country: string, language: Language) =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country

const addressLines = (address: PostalAddress, isAbroad: boolean, language: Language): string =>
  [
    address.name,
    ...address.lines,
    `${address.postalCode} ${address.city.toUpperCase()}`.trim(),
    isAbroad ? regionName(address.country, language).toUpperCase() : '',
  ]
    .filter(line => line !== '')
    .join('\n')

function drawHead(sheet: Sheet, letter: Letter, texts: LetterTexts): void {
  const { from, to, language } = letter
  const isAbroad = from.country !== to.country
  const [name, ...lines] = addressLines(from, isAbroad, language).split('\n') as [string, ...string[]]
  const beside = { x: left, width: window.x - left - 20 }
  if (letter.logo) {
    sheet.picture(name, { ...beside, y: sheet.y, width: logoSize.width }, logoSize.height, letter.logo)
    sheet.moveTo(sheet.y + logoSize.height + 10)
  }
  sheet.write('P', name, { size: 12, font: 'bold' }, { ...beside, y: sheet.y })
  if (lines.length > 0) sheet.write('P', lines.join('\n'), body, { ...beside, y: sheet.y + 2 })
  const senderEnds = sheet.y
  sheet.write('P', addressLines(to, isAbroad, language), { size: 11 }, window)
  const line = Math.max(belowWindow, sheet.y + 12, senderEnds + 12)
  sheet.write('P', texts.registered, strong, { ...beside, y: line })
  sheet.write('P', texts.placeAndDate(from.city, letter.today), body, { ...window, y: line })
  sheet.moveTo(line + 26)
  const style: Style = { size: 13, font: 'bold' }
  const heading = `${texts.subject} ${letter.text.heading}`
  const isLong = sheet.heightOf(heading, style, fullWidth) > sheet.heightOf(texts.subject, style, fullWidth)
  // An invoice number is not split at its hyphens.
  sheet.write('H1', isLong ? heading.replace(', ', ',\n') : heading, style, fullLine(sheet.y))
  sheet.moveTo(sheet.y + gap)
}

function drawTitle(sheet: Sheet, text: string, room: number): void {
  sheet.keepTogether(room)
  sheet.write('H2', text, strong, fullLine(sheet.y))
  sheet.moveTo(sheet.y + 3)
}

const heightOfRow = (sheet: Sheet, [label, value]: Row, style: Style) =>
  Math.max(sheet.heightOf(label, style, labelWidth - 8), sheet.heightOf(value, style, fullWidth - labelWidth))

function drawFacts(sheet: Sheet, rows: readonly Row[], last: Row | undefined): void {
  const table = sheet.element('Table')
  for (const row of last ? [...rows, last] : rows) {
    const style = row === last ? strong : body
    const height = heightOfRow(sheet, row, style)
    sheet.keepTogether(height)
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

function drawTable(
  sheet: Sheet,
  { head, rows, foot, sumColumns = 1 }: Extract<Block, { kind: 'table' }>,
): void {
  const firstSum = head.length - sumColumns
  const between = (fullWidth - sumColumns * sumWidth) / firstSum
  const columns = head.map((text, i) => (i < firstSum ? { title: text, width: between } : sumColumn(text)))
  const sums = foot.map(([label, sum]) => [label, ...head.slice(2).map(() => ''), sum])
  sheet.table(columns, rows, { size: 9 }, sums)
}

function drawStatement(sheet: Sheet, block: Extract<Block, { kind: 'statement' }>, texts: LetterTexts): void {
  sheet.table(
    [{ title: texts.what, width: fullWidth - sumWidth }, sumColumn(texts.sum)],
    block.rows.map(({ label, basis, value }) => [basis === null ? label : `${label} (${basis})`, value]),
    { size: 9.5 },
    [block.total],
  )
  sheet.moveTo(sheet.y + 3)
  for (const note of block.notes) sheet.write('P', note, small, fullLine(sheet.y + 1))
}

const qrCodeWidth = 62

/** The QR code, and next to it the code to type without a camera. */
function drawAction(
  sheet: Sheet,
  { lead, link }: Extract<Block, { kind: 'action' }>,
  texts: LetterTexts,
): void {
  const { address, letterCode } = typedOf(link)
  const beside = { x: left + 8, width: fullWidth - qrCodeWidth - 28 }
  const lines: [text: string, style: Style][] = [
    [lead, body],
    [texts.byCode(address), body],
    [letterCode, { size: 13, font: 'bold' }],
  ]
  const written = lines.reduce((sum, [text, style]) => sum + sheet.heightOf(text, style, beside.width) + 3, 0)
  const height = Math.max(qrCodeWidth, written) + 16
  sheet.keepTogether(height)
  const top = sheet.y
  sheet.shade({ x: left, y: top, width: fullWidth }, height)
  sheet.moveTo(top + 5)
  for (const [text, style] of lines) sheet.write('P', text, style, { ...beside, y: sheet.y + 3 })
  sheet.squares(
    texts.qrCode,
    { x: left + fullWidth - qrCodeWidth - 8, y: top + 8, width: qrCodeWidth },
    encode(link, { ecc: 'M', border: 0 }).data,
  )
  sheet.moveTo(top + height)
}

function drawBlock(sheet: Sheet, block: Block, texts: LetterTexts): void {
  switch (block.kind) {
    case 'paragraph':
      sheet.write('P', block.text, block.isStrong ? strong : body, fullLine(sheet.y))
      break
    case 'facts':
      if (block.title !== null) drawTitle(sheet, block.title, 70)
      drawFacts(sheet, block.rows, block.headline)
      break
    case 'table':
      if (block.isAnnex) sheet.startPage()
      if (block.title !== null) drawTitle(sheet, block.title, 60)
      drawTable(sheet, block)
      break
    case 'statement':
      drawTitle(sheet, block.title, 110)
      drawStatement(sheet, block, texts)
      break
    case 'action':
      drawAction(sheet, block, texts)
      break
    case 'small':
      if (block.title !== null) sheet.write('P', block.title, { ...small, font: 'bold' }, fullLine(sheet.y))
      sheet.write('P', block.text, small, fullLine(sheet.y))
      break
    case 'law':
      sheet.write('P', block.source, quotation, fullLine(sheet.y))
      for (const text of block.paragraphs)
        sheet.write('BlockQuote', text, quotation, { x: left + 10, y: sheet.y + 2, width: fullWidth - 10 })
      break
    case 'signature':
      sheet.keepTogether(40 + 12 * block.lines.length)
      for (const [i, line] of block.lines.entries())
        sheet.write('P', line, i === 0 ? strong : body, { ...window, y: sheet.y + (i === 0 ? 8 : 1) })
  }
}

/** The letter as it is posted: A4, tagged, addressed for a window envelope. The same letter makes the same bytes. */
export async function printLetter(letter: Letter): Promise<Buffer> {
  const texts = letterTexts[letter.language]
  const sheet = await openSheet({ title: texts.title, lang: texts.lang, madeAt: letter.madeAt })
  drawHead(sheet, letter, texts)
  for (const block of letter.text.blocks) {
    drawBlock(sheet, block, texts)
    sheet.moveTo(sheet.y + gap)
  }
  return sheet.close((page, pages) => [`${texts.reference} ${letter.reference}`, texts.page(page, pages)])
}
