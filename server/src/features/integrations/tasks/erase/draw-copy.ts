import { cents, formatMoney } from '../../../../domain/money/money.ts'
import { scoreMax } from '../../../../domain/score/score.ts'
import { localTime } from '../../../../domain/time.ts'
import {
  colours,
  fullWidth,
  left,
  openSheet,
  type Sheet,
  type Style,
} from '../../../../kit/pdf/tagged-sheet.ts'
import { withoutCodes } from '../../../recovery/messages/compose/message-code.ts'
import { type CopyTexts, copyTexts } from './copy-texts.ts'
import { type Copy, linesMax } from './read-copy.ts'

const body: Style = { size: 9.5 }
const small: Style = { size: 8.5 }
const quiet: Style = { size: 8.5, colour: colours.muted }

/** Of one reply. */
const wordsMax = 1_000

const line = (y: number) => ({ x: left, y, width: fullWidth })

/** What is kept about a person, as pages to read, in their language. */
export async function drawCopy(copy: Copy, madeAt: number): Promise<Buffer> {
  const texts = copyTexts[copy.language]
  const sheet = await openSheet({ title: texts.title, lang: texts.lang, madeAt })
  const { person } = copy
  const dayOf = (at: number) => texts.date(localTime(person.time_zone, at).date)
  sheet.write('H1', texts.title, { size: 20, font: 'bold' }, line(sheet.y))
  sheet.write('P', texts.madeOn(dayOf(madeAt), person.creditor), body, line(sheet.y + 6))
  drawIdentity(sheet, copy, texts)
  section(
    sheet,
    texts,
    [texts.people, 'debtor_people.json'],
    copy.people.map(({ name, role, ground, email, phone }) => {
      const about = [`${name} (${texts.roles[role]})`, email, phone].filter(Boolean).join(', ')
      return ground === null ? about : `${about}. ${texts.ground}${ground}`
    }),
  )
  drawInvoices(sheet, copy, texts)
  const sum = (amountCents: number, currency: string) =>
    formatMoney(cents(amountCents), currency, copy.language)
  section(
    sheet,
    texts,
    [texts.promises, 'promises.json'],
    copy.promises.map(({ number, amount_cents, currency, pay_on, status }) =>
      texts.promise(number, sum(amount_cents, currency), texts.date(pay_on), status),
    ),
  )
  section(
    sheet,
    texts,
    [texts.disputes, 'disputes.json'],
    copy.disputes.map(
      ({ number, opened_at, status, reason }) =>
        `${texts.dispute(number, dayOf(opened_at), status)} ${texts.reason}${reason}`,
    ),
  )
  section(
    sheet,
    texts,
    [texts.calls, 'calls.json'],
    copy.calls.map(({ began_at, note }) => `${dayOf(began_at)} · ${note}`),
  )
  section(
    sheet,
    texts,
    [texts.replies, 'replies.json'],
    copy.replies.map(({ at, words }) => `${dayOf(at)} · ${shortened(words)}`),
  )
  drawHappened(sheet, copy, texts, dayOf)
  section(
    sheet,
    texts,
    [texts.score, 'debtor_scores.json'],
    [texts.scoreIs(copy.score.total, scoreMax), ...copy.score.explanations.map(each => `· ${each}`)],
  )
  section(
    sheet,
    texts,
    [texts.closed, 'closed_channels.json'],
    copy.closed.map(
      ({ channel, because }) => `${texts.closedChannels[channel]} (${texts.closedBecause[because]})`,
    ),
  )
  section(
    sheet,
    texts,
    [texts.requests, 'data_requests.json'],
    copy.requests.map(({ kind, received_on, due_on, decision }) =>
      texts.request(kind, texts.date(received_on), texts.date(due_on), decision),
    ),
  )
  const { creditor, contact } = person
  section(
    sheet,
    texts,
    [texts.why, ''],
    texts.whyText(creditor, contact, copy.keepMonths, providersOf(person.providers)),
  )
  section(sheet, texts, [texts.rights, ''], texts.rightsText(contact))
  section(
    sheet,
    texts,
    [texts.files, ''],
    [texts.filesIntro, ...texts.fileNames.map(([file, text]) => `· ${file}: ${text}`)],
  )
  return sheet.close((page, pages) => [texts.title, texts.page(page, pages)])
}

/** On one line; `replies.json` has all of it. */
const shortened = (words: string) => {
  const shown = words.length > wordsMax ? `${words.slice(0, wordsMax).toWellFormed()}…` : words
  return shown.replaceAll(/\s+/g, ' ')
}

/** A mail server of the operator has no name of its own. */
function providersOf(configured: Readonly<Record<string, string>>): string | null {
  const names = Object.values(configured)
    .map(name => name.replace(/-(?:sms|voice)$/, ''))
    .filter(name => !['smtp', 'simulator'].includes(name))
  return names.length === 0 ? null : [...new Set(names)].sort().join(', ')
}

function heading(sheet: Sheet, text: string): void {
  sheet.moveTo(sheet.y + 14)
  sheet.keepTogether(48)
  sheet.write('H2', text, { size: 12, font: 'bold' }, line(sheet.y))
  sheet.moveTo(sheet.y + 3)
}

function section(
  sheet: Sheet,
  texts: CopyTexts,
  [title, file]: readonly [string, string],
  lines: readonly string[],
): void {
  heading(sheet, title)
  if (lines.length === 0) sheet.write('P', texts.none, quiet, line(sheet.y))
  for (const each of lines.slice(0, linesMax)) sheet.write('P', withoutCodes(each), body, line(sheet.y + 2))
  if (lines.length > linesMax) sheet.write('P', texts.more(file), quiet, line(sheet.y + 2))
}

function drawIdentity(sheet: Sheet, { person }: Copy, texts: CopyTexts): void {
  heading(sheet, texts.identity)
  const address = [
    person.address,
    [person.postal_code, person.city].filter(Boolean).join(' '),
    person.country,
  ]
  const rows = {
    name: person.name,
    email: person.email,
    phone: person.phone,
    siret: person.siret,
    address: address.filter(Boolean).join(', '),
    language: texts.languages[person.language],
    type: texts.types[person.type],
    notes: person.notes,
  }
  const table = sheet.element('Table')
  for (const [name, value] of Object.entries(rows)) {
    if (!value) continue
    const width = fullWidth - 150
    sheet.keepTogether(sheet.heightOf(value, body, width))
    const row = sheet.element('TR', table)
    const { y } = sheet
    sheet.write(
      'TH.Row',
      texts.identityRows[name as keyof typeof rows],
      quiet,
      { x: left, y, width: 140 },
      row,
    )
    const labelEnd = sheet.y
    sheet.write('TD', value, body, { x: left + 150, y, width }, row)
    row.end()
    sheet.moveTo(Math.max(labelEnd, sheet.y) + 2)
  }
  table.end()
  if (person.insolvency_opened_on !== null)
    sheet.write('P', texts.insolvency(texts.date(person.insolvency_opened_on)), body, line(sheet.y + 2))
}

function drawInvoices(sheet: Sheet, { invoices, language }: Copy, texts: CopyTexts): void {
  if (invoices.length === 0) return void section(sheet, texts, [texts.invoices, ''], [])
  heading(sheet, texts.invoices)
  const right = { style: { align: 'right' as const } }
  const titles = texts.invoiceColumns
  const columns = [
    { title: titles[0], width: fullWidth - 400 },
    { title: titles[1], width: 90 },
    { title: titles[2], width: 70, ...right },
    { title: titles[3], width: 70, ...right },
    { title: titles[4], width: 60, ...right },
    { title: titles[5], width: 110 },
  ]
  const rows = invoices.slice(0, linesMax).map(invoice => {
    const sum = (amountCents: number) => formatMoney(cents(amountCents), invoice.currency, language)
    return [
      invoice.number,
      texts.date(invoice.due_date),
      sum(invoice.amount_cents),
      sum(invoice.paid_cents),
      sum(invoice.credited_cents),
      texts.statuses[invoice.status],
    ]
  })
  sheet.table(columns, rows, small)
  if (invoices.length > linesMax) sheet.write('P', texts.more('invoices.json'), quiet, line(sheet.y + 2))
}

function drawHappened(sheet: Sheet, { lines }: Copy, texts: CopyTexts, dayOf: (at: number) => string): void {
  if (lines.length === 0) return void section(sheet, texts, [texts.happened, ''], [])
  heading(sheet, texts.happened)
  const [at, invoice, what] = texts.happenedColumns
  const columns = [
    { title: at, width: 95 },
    { title: invoice, width: 95 },
    { title: what, width: fullWidth - 190 },
  ]
  const rows = lines
    .slice(0, linesMax)
    .map(each => [dayOf(each.at), each.number ?? '', withoutCodes(each.sentence)])
  sheet.table(columns, rows, small)
  if (lines.length > linesMax) sheet.write('P', texts.more('actions.json'), quiet, line(sheet.y + 2))
}
