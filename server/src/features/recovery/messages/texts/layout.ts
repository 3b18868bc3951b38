import { cents, formatMoney } from '../../../../domain/money/money.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { Block, Row } from './block.ts'
import { type Answered, countOf, type Language, type Notice, type NoticeInvoice, sumsOf } from './notice.ts'

export interface Labels {
  language: Language
  date: (date: LocalDate) => string
  invoice: string
  issuedOn: string
  /** Of an invoice known to be overdue. */
  overdueSince: string
  /** Of any invoice: those listed for information may not be due yet. */
  dueOn: string
  owed: string
  /** The same, in a message that claims more. */
  owedBefore: string
  total: (sum: string) => string
  totalBefore: (sum: string) => string
  furtherInvoices: (count: number, sum: string) => string
  alsoOpen: (count: number) => string
}

const moneyOf = ({ balanceCents, currency }: { balanceCents: number; currency: string }, labels: Labels) =>
  formatMoney(cents(balanceCents), currency, labels.language)

const card = (invoice: NoticeInvoice, owed: string, labels: Labels): Block => ({
  kind: 'facts',
  title: null,
  rows: [
    [labels.invoice, invoice.number],
    [labels.issuedOn, labels.date(invoice.issueDate)],
    [labels.overdueSince, labels.date(invoice.dueDate)],
  ],
  headline: [owed, moneyOf(invoice, labels)],
})

const table = (
  title: string | null,
  invoices: readonly NoticeInvoice[],
  foot: readonly string[],
  labels: Labels,
): Block => ({
  kind: 'table',
  title,
  head: [labels.invoice, labels.issuedOn, labels.dueOn, labels.owed],
  rows: invoices.map(invoice => [
    invoice.number,
    labels.date(invoice.issueDate),
    labels.date(invoice.dueDate),
    moneyOf(invoice, labels),
  ]),
  foot,
})

/** What this message is about: one invoice as a card, several as a table with its sums. */
export function invoiceBlock(notice: Notice, labels: Labels): Block {
  const [first] = notice.invoices
  const claimsMore = notice.statement !== null
  if (first && countOf(notice) === 1) return card(first, claimsMore ? labels.owedBefore : labels.owed, labels)
  const foot = [
    ...notice.further.map(more => labels.furtherInvoices(more.count, moneyOf(more, labels))),
    ...sumsOf(notice, labels.language).map(claimsMore ? labels.totalBefore : labels.total),
  ]
  return table(null, notice.invoices, foot, labels)
}

export const alsoOpenBlock = ({ alsoOpen }: Notice, labels: Labels): Block | null =>
  alsoOpen.length === 0 ? null : table(labels.alsoOpen(alsoOpen.length), alsoOpen, [], labels)

/** The sum an answer to the debtor speaks of. */
export const answeredSum = ({ amountCents }: Answered, { invoices }: Notice, language: Language): string =>
  formatMoney(cents(amountCents ?? 0), invoices[0]!.currency, language)

/** Of a promise its sum, and the invoices where they are several, each as far as it is known. */
export const promisedRows = (
  about: Answered,
  notice: Notice,
  { language }: Labels,
  said: { sum: string; invoices: string },
): Row[] => [
  ...(about.amountCents === undefined ? [] : [[said.sum, answeredSum(about, notice, language)] as const]),
  ...(about.numbers === undefined ? [] : [[said.invoices, about.numbers] as const]),
]

export const ibanInGroups = (iban: string): string =>
  iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
