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
import { registrationOf } from '../../messages/compose/texts/template-writer.ts'
import type { Attestation, AttestedAction, Party } from './attestation.ts'
import { type AttestationTexts, attestationTextsIn } from './attestation-texts.ts'

const body: Style = { size: 9.5 }
const small: Style = { size: 8.5 }
const quiet: Style = { size: 8.5, colour: colours.muted }
const strong: Style = { size: 9.5, font: 'bold' }

const fullLine = (y: number) => ({ x: left, y, width: fullWidth })

/** The attestation as a document: A4, tagged, in the company's language. */
export async function drawAttestation(attestation: Attestation): Promise<Buffer> {
  const texts = attestationTextsIn(attestation.language)
  const sheet = await openSheet({
    title: `${texts.title} ${attestation.id}`,
    lang: texts.lang,
    madeAt: attestation.madeAt,
  })
  drawHead(sheet, attestation, texts)
  drawParties(sheet, attestation, texts)
  drawClaim(sheet, attestation, texts)
  drawCause(sheet, attestation, texts)
  drawActions(sheet, attestation, texts)
  drawProof(sheet, attestation, texts)
  drawStatement(sheet, attestation, texts)
  return sheet.close((page, pages) => [
    `${texts.title} · ${texts.number} ${attestation.id}${attestation.isSandbox ? ` · ${texts.sandbox}` : ''}`,
    texts.page(page, pages),
  ])
}

const dayOf = (attestation: Attestation, texts: AttestationTexts) =>
  texts.date(localTime(attestation.zone, attestation.madeAt).date)

function drawHead(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  const top = sheet.y
  if (attestation.isSandbox) {
    sheet.shade(fullLine(top), 20)
    sheet.write('P', texts.sandbox, strong, { x: left + 8, y: top + 5, width: fullWidth - 16 })
    sheet.moveTo(top + 34)
  }
  sheet.write('H1', texts.title, { size: 20, font: 'bold' }, fullLine(sheet.y))
  const line = sheet.y + 4
  sheet.write('P', texts.madeOn(dayOf(attestation, texts)), quiet, { x: left, y: line, width: 160 })
  sheet.write(
    'P',
    `${texts.number} ${attestation.id}`,
    { ...quiet, align: 'right' },
    {
      x: left + 160,
      y: line,
      width: fullWidth - 160,
    },
  )
  sheet.rule(sheet.y + 8)
  sheet.moveTo(sheet.y + 18)
  sheet.write(
    'P',
    texts.opening(attestation.creditor.name, attestation.invoice.number),
    body,
    fullLine(sheet.y),
  )
}

function drawHeading(sheet: Sheet, text: string, room: number): void {
  sheet.moveTo(sheet.y + 14)
  sheet.keepTogether(room)
  sheet.write('H2', text, { size: 11, font: 'bold' }, fullLine(sheet.y))
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

const registrationLines = ({ legalForm, ...registered }: Attestation['creditor']): string[] =>
  [legalForm, registrationOf(registered)].filter((line): line is string => Boolean(line))

function drawParties(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  sheet.moveTo(sheet.y + 14)
  const top = sheet.y
  const half = (fullWidth - 24) / 2
  const column = (title: string, party: Party, more: string[], x: number) => {
    const place = (y: number) => ({ x, y, width: half })
    const section = sheet.element('Sect')
    sheet.write('H2', title, { size: 11, font: 'bold' }, place(top), section)
    sheet.write('P', party.name, strong, place(sheet.y + 4), section)
    sheet.write(
      'P',
      [...linesOf(party, attestation.language), ...more].join('\n'),
      body,
      place(sheet.y),
      section,
    )
    section.end()
    return sheet.y
  }
  const { siret } = attestation.debtor
  const ends = [
    column(texts.creditor, attestation.creditor, registrationLines(attestation.creditor), left),
    column(
      texts.debtor,
      attestation.debtor,
      siret ? [`${texts.siret} ${formatSiret(siret)}`] : [],
      left + half + 24,
    ),
  ]
  sheet.moveTo(Math.max(...ends))
}

const formatSiret = (siret: string) => siret.replace(/^(\d{3})(\d{3})(\d{3})(\d{5})$/, '$1 $2 $3 $4')

/** If the fonts do not have the currency symbol, the code of the currency is printed instead. */
export function sumOf(amountCents: number, currency: string, language: 'fr' | 'en'): string {
  const sum = formatMoney(cents(amountCents), currency, language)
  if (printable(sum).isExact) return sum
  const digits = formatMoney(cents(amountCents), 'EUR', language).replace('€', '').trim()
  return `${digits}\u00a0${currency}`
}

function drawClaim(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  drawHeading(sheet, texts.claim, 140)
  const { invoice } = attestation
  const sum = (amountCents: number) => sumOf(amountCents, invoice.currency, attestation.language)
  const rows: [string, string][] = [
    [texts.invoiceNumber, invoice.number],
    [texts.issuedOn, texts.date(invoice.issueDate)],
    [texts.dueOn, texts.date(invoice.dueDate)],
    [texts.amount, sum(invoice.amountCents)],
    [texts.paid, sum(invoice.paidCents)],
    [texts.credited, sum(invoice.creditedCents)],
    [texts.writtenOff, sum(invoice.writtenOffCents)],
  ]
  const table = sheet.element('Table')
  for (const [i, [label, value]] of rows.entries()) {
    const row = sheet.element('TR', table)
    const isLast = i === rows.length - 1
    const top = sheet.y
    if (isLast) sheet.shade(fullLine(top), 19)
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

/** Keeps the line breaks of a note, unless it has so many lines that it would fill pages. */
const noteLines = (note: string) => {
  const lines = note
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
  return lines.join(lines.length > 20 ? ' · ' : '\n')
}

function drawCause(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  drawHeading(sheet, texts.cause, 60)
  const { basis, isBasisOnRecord } = attestation
  const onRecord = isBasisOnRecord ? texts.bases[basis] : undefined
  const opened = onRecord !== undefined && basis === 'liquidation' && attestation.liquidationOpenedOn
  const cause = [
    onRecord ?? texts.declared[basis],
    ...(opened ? [texts.liquidationOpened(texts.date(opened))] : []),
  ]
  sheet.write('P', cause.join(' '), body, fullLine(sheet.y))
  const note = attestation.note === null ? '' : noteLines(attestation.note)
  if (note === '') return
  sheet.write('P', texts.note, { ...quiet, size: 9.5 }, fullLine(sheet.y + 4))
  sheet.write('BlockQuote', note, body, { x: left + 12, y: sheet.y + 1, width: fullWidth - 12 })
}

function cellsOf(
  { at, action, channel, status, groupedWith, proof }: AttestedAction,
  zone: string,
  texts: AttestationTexts,
) {
  const { date, minuteOfDay } = localTime(zone, at)
  const two = (value: number) => String(value).padStart(2, '0')
  const time = `${two(Math.floor(minuteOfDay / 60))}:${two(minuteOfDay % 60)}`
  return [
    texts.dateTime(date, time),
    groupedWith === null
      ? texts.actionNames[action]
      : texts.groupedWith(texts.actionNames[action], groupedWith),
    texts.channels[channel],
    channel === 'voice' && status === 'sent' ? texts.called : texts.results[status],
    proof === null ? '–' : `${proof.position} · ${proof.hash.slice(0, 16)}`,
  ]
}

function drawActions(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  drawHeading(sheet, texts.actions, 70)
  if (attestation.actions.length === 0) return void sheet.write('P', texts.noActions, body, fullLine(sheet.y))
  const { columns } = texts
  sheet.table(
    [
      { title: columns.at, width: 84 },
      { title: columns.action, width: 126 },
      { title: columns.channel, width: 82 },
      { title: columns.result, width: 78 },
      { title: columns.proof, width: fullWidth - 370, style: { font: 'mono', size: 7.5 }, baselineShift: 1 },
    ],
    attestation.actions.map(action => cellsOf(action, attestation.zone, texts)),
    { size: 8 },
  )
  if (attestation.unlisted > 0)
    sheet.write('P', texts.unlisted(attestation.unlisted), small, fullLine(sheet.y + 6))
}

function drawProof(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  const { length, head } = attestation.chain
  const proven = texts.howProven(length, attestation.zone)
  drawHeading(sheet, texts.proof, sheet.heightOf(proven, small, fullWidth) + 60)
  if (head === null)
    return void sheet.write('P', texts.noContacts(attestation.zone), small, fullLine(sheet.y))
  sheet.write('P', proven, small, fullLine(sheet.y))
  sheet.write('P', texts.head, small, fullLine(sheet.y + 4))
  sheet.write('P', head, { size: 8.5, font: 'mono' }, fullLine(sheet.y + 1))
}

function drawStatement(sheet: Sheet, attestation: Attestation, texts: AttestationTexts): void {
  const { creditor, collector, language } = attestation
  const issuer = [creditor.name, ...linesOf(creditor, language), ...registrationLines(creditor)].join(', ')
  const statement = [
    texts.statement(issuer.replaceAll('\n', ', '), dayOf(attestation, texts)),
    ...(collector
      ? [
          texts.collector(
            [collector.name, collector.address, `SIREN ${collector.siren}`].join(', '),
            texts.date(collector.mandateSignedOn),
          ),
        ]
      : []),
  ].join(' ')
  sheet.moveTo(sheet.y + 12)
  const remarks = [
    // The rule is French.
    ...(creditor.country === 'FR' ? [texts.vat] : []),
    texts.integrity,
    ...(sheet.isExact ? [] : [texts.inexact]),
  ]
  const heights = remarks.map(remark => sheet.heightOf(remark, quiet, fullWidth) + 4)
  sheet.keepTogether(
    sheet.heightOf(statement, body, fullWidth) + 10 + heights.reduce((sum, height) => sum + height),
  )
  sheet.rule(sheet.y)
  sheet.write('P', statement, body, fullLine(sheet.y + 10))
  for (const remark of remarks) sheet.write('P', remark, quiet, fullLine(sheet.y + 4))
}
