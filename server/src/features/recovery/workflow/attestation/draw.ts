import { cents, formatMoney } from '../../../../domain/money/money.ts'
import { localTime } from '../../../../domain/time.ts'
import { printable } from '../../../../kit/pdf/printable.ts'
import {
  colours,
  fullWidth,
  left,
  openSheet,
  type Sheet,
  type Style,
} from '../../../../kit/pdf/tagged-sheet.ts'
import type { Attestation, AttestedAction, Party } from './attestation.ts'
import { type AnrWords, wordsIn } from './words.ts'

const body: Style = { size: 9.5 }
const small: Style = { size: 8.5 }
const quiet: Style = { size: 8.5, colour: colours.muted }
const strong: Style = { size: 9.5, font: 'bold' }

const whole = (y: number) => ({ x: left, y, width: fullWidth })

/** The attestation as a document: A4, tagged, in the company's language. */
export async function drawAttestation(of: Attestation): Promise<Buffer> {
  const words = wordsIn(of.language)
  const sheet = await openSheet({
    title: `${words.title} ${of.id}`,
    lang: words.lang,
    madeAt: of.madeAt,
  })
  drawHead(sheet, of, words)
  drawParties(sheet, of, words)
  drawClaim(sheet, of, words)
  drawCause(sheet, of, words)
  drawActions(sheet, of, words)
  drawProof(sheet, of, words)
  drawStatement(sheet, of, words)
  return sheet.close((page, pages) => [
    `${words.title} · ${words.number} ${of.id}${of.isSandbox ? ` · ${words.sandbox}` : ''}`,
    words.page(page, pages),
  ])
}

const dayOf = (of: Attestation, words: AnrWords) => words.date(localTime(of.zone, of.madeAt).date)

function drawHead(sheet: Sheet, of: Attestation, words: AnrWords): void {
  const top = sheet.y
  if (of.isSandbox) {
    sheet.shade(whole(top), 20)
    sheet.write('P', words.sandbox, strong, { x: left + 8, y: top + 5, width: fullWidth - 16 })
    sheet.moveTo(top + 34)
  }
  sheet.write('H1', words.title, { size: 20, font: 'bold' }, whole(sheet.y))
  const line = sheet.y + 4
  sheet.write('P', words.madeOn(dayOf(of, words)), quiet, { x: left, y: line, width: 160 })
  sheet.write(
    'P',
    `${words.number} ${of.id}`,
    { ...quiet, align: 'right' },
    {
      x: left + 160,
      y: line,
      width: fullWidth - 160,
    },
  )
  sheet.rule(sheet.y + 8)
  sheet.moveTo(sheet.y + 18)
  sheet.write('P', words.opening(of.creditor.name, of.invoice.number), body, whole(sheet.y))
}

function heading(sheet: Sheet, text: string, room: number): void {
  sheet.moveTo(sheet.y + 14)
  sheet.keep(room)
  sheet.write('H2', text, { size: 11, font: 'bold' }, whole(sheet.y))
  sheet.moveTo(sheet.y + 4)
}

const regionName = (country: string, language: 'fr' | 'en') =>
  new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? country

const linesOf = (party: Party, language: 'fr' | 'en'): string[] =>
  [
    party.address,
    [party.postalCode, party.city].filter(part => part !== null).join(' '),
    regionName(party.country, language),
  ].filter((line): line is string => line !== null && line !== '')

function drawParties(sheet: Sheet, of: Attestation, words: AnrWords): void {
  sheet.moveTo(sheet.y + 14)
  const top = sheet.y
  const half = (fullWidth - 24) / 2
  const column = (title: string, party: Party, more: string[], x: number) => {
    const place = (y: number) => ({ x, y, width: half })
    const section = sheet.element('Sect')
    sheet.write('H2', title, { size: 11, font: 'bold' }, place(top), section)
    sheet.write('P', party.name, strong, place(sheet.y + 4), section)
    sheet.write('P', [...linesOf(party, of.language), ...more].join('\n'), body, place(sheet.y), section)
    section.end()
    return sheet.y
  }
  const { siret } = of.debtor
  const ends = [
    column(words.creditor, of.creditor, [], left),
    column(words.debtor, of.debtor, siret ? [`${words.siret} ${spaced(siret)}`] : [], left + half + 24),
  ]
  sheet.moveTo(Math.max(...ends))
}

const spaced = (siret: string) => siret.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, '$1 $2 $3 $4')

/** A symbol the fonts do not have would leave a gap in a sum: the code of the currency then stands for it. */
function sumOf(amountCents: number, currency: string, language: 'fr' | 'en'): string {
  const sum = formatMoney(cents(amountCents), currency, language)
  if (printable(sum).isExact) return sum
  const digits = formatMoney(cents(amountCents), 'EUR', language).replace('€', '').trim()
  return `${digits}\u00a0${currency}`
}

function drawClaim(sheet: Sheet, of: Attestation, words: AnrWords): void {
  heading(sheet, words.claim, 140)
  const { invoice } = of
  const sum = (amountCents: number) => sumOf(amountCents, invoice.currency, of.language)
  const rows: [string, string][] = [
    [words.invoiceNumber, invoice.number],
    [words.issuedOn, words.date(invoice.issueDate)],
    [words.dueOn, words.date(invoice.dueDate)],
    [words.amount, sum(invoice.amountCents)],
    [words.paid, sum(invoice.paidCents)],
    [words.credited, sum(invoice.creditedCents)],
    [words.writtenOff, sum(invoice.writtenOffCents)],
  ]
  const table = sheet.element('Table')
  for (const [i, [label, value]] of rows.entries()) {
    const row = sheet.element('TR', table)
    const isLast = i === rows.length - 1
    const top = sheet.y
    if (isLast) sheet.shade(whole(top), 19)
    const y = top + (isLast ? 5 : 2.5)
    const style = isLast ? strong : body
    sheet.write('TH.Row', label, style, { x: left + 8, y, width: 170 }, row)
    sheet.write('TD', value, { ...style, align: 'right' }, { x: left + 186, y, width: fullWidth - 194 }, row)
    row.end()
    sheet.moveTo(sheet.y + (isLast ? 4 : 0.5))
    if (!isLast) sheet.rule(sheet.y)
  }
  table.end()
}

/** As many lines as it has, unless it has so many that they would push the document over pages. */
const noteLines = (note: string) => {
  const lines = note
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return lines.join(lines.length > 20 ? ' · ' : '\n')
}

function drawCause(sheet: Sheet, of: Attestation, words: AnrWords): void {
  heading(sheet, words.cause, 60)
  const opened = of.basis === 'liquidation' && of.liquidationOpenedOn
  const cause = [words.bases[of.basis], ...(opened ? [words.liquidationOpened(words.date(opened))] : [])]
  sheet.write('P', cause.join(' '), body, whole(sheet.y))
  const note = of.note === null ? '' : noteLines(of.note)
  if (note === '') return
  sheet.write('P', words.note, { ...quiet, size: 9.5 }, whole(sheet.y + 4))
  sheet.write('BlockQuote', note, body, { x: left + 12, y: sheet.y + 1, width: fullWidth - 12 })
}

const unnamed = (action: string) => {
  const text = action.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function cellsOf({ at, action, channel, status, proof }: AttestedAction, zone: string, words: AnrWords) {
  const { date, minuteOfDay } = localTime(zone, at)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
  return [
    words.dateTime(date, time),
    words.actionNames[action] ?? unnamed(action),
    channel === null ? '–' : words.channels[channel],
    channel === 'voice' && status === 'sent' ? words.called : words.results[status],
    proof === null ? '–' : `${proof.position} · ${proof.hash.slice(0, 16)}`,
  ]
}

function drawActions(sheet: Sheet, of: Attestation, words: AnrWords): void {
  heading(sheet, words.actions, 70)
  if (of.actions.length === 0) return void sheet.write('P', words.noActions, body, whole(sheet.y))
  const { columns } = words
  sheet.table(
    [
      { title: columns.at, width: 84 },
      { title: columns.action, width: 126 },
      { title: columns.channel, width: 82 },
      { title: columns.result, width: 78 },
      { title: columns.proof, width: fullWidth - 370, style: { font: 'mono', size: 7.5 }, drop: 1 },
    ],
    of.actions.map(action => cellsOf(action, of.zone, words)),
    { size: 8 },
  )
  if (of.unlisted > 0) sheet.write('P', words.unlisted(of.unlisted), small, whole(sheet.y + 6))
}

function drawProof(sheet: Sheet, of: Attestation, words: AnrWords): void {
  const { length, head } = of.chain
  const proven = words.howProven(length, of.zone)
  heading(sheet, words.proof, sheet.heightOf(proven, small, fullWidth) + 60)
  if (head === null) return void sheet.write('P', words.noContacts(of.zone), small, whole(sheet.y))
  sheet.write('P', proven, small, whole(sheet.y))
  sheet.write('P', words.head, small, whole(sheet.y + 4))
  sheet.write('P', head, { size: 8.5, font: 'mono' }, whole(sheet.y + 1))
}

function drawStatement(sheet: Sheet, of: Attestation, words: AnrWords): void {
  const statement = words.statement(of.creditor.name, dayOf(of, words))
  sheet.moveTo(sheet.y + 12)
  const remarks = sheet.isExact ? [words.integrity] : [words.integrity, words.inexact]
  const heights = remarks.map(remark => sheet.heightOf(remark, quiet, fullWidth) + 4)
  sheet.keep(sheet.heightOf(statement, body, fullWidth) + 10 + heights.reduce((sum, height) => sum + height))
  sheet.rule(sheet.y)
  sheet.write('P', statement, body, whole(sheet.y + 10))
  for (const remark of remarks) sheet.write('P', remark, quiet, whole(sheet.y + 4))
}
