import { cents, formatMoney } from '../../../../domain/money/money.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { Block, Row } from './block.ts'
import {
  type AnswerFacts,
  invoiceCountOf,
  type Language,
  type MessageContent,
  type MessageInvoice,
  sumsOf,
} from './message-content.ts'

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

const invoiceCard = (invoice: MessageInvoice, owed: string, labels: Labels): Block => ({
  kind: 'facts',
  title: null,
  rows: [
    [labels.invoice, invoice.number],
    [labels.issuedOn, labels.date(invoice.issueDate)],
    [labels.overdueSince, labels.date(invoice.dueDate)],
  ],
  headline: [owed, moneyOf(invoice, labels)],
})

const invoiceTable = (
  title: string | null,
  invoices: readonly MessageInvoice[],
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

/** The invoices of the message: one as a card, several as a table with sums. */
export function invoiceBlock(content: MessageContent, labels: Labels): Block {
  const [first] = content.invoices
  const claimsMore = content.statement !== null
  if (first && invoiceCountOf(content) === 1)
    return invoiceCard(first, claimsMore ? labels.owedBefore : labels.owed, labels)
  const foot = [
    ...content.further.map(more => labels.furtherInvoices(more.count, moneyOf(more, labels))),
    ...sumsOf(content, labels.language).map(claimsMore ? labels.totalBefore : labels.total),
  ]
  return invoiceTable(null, content.invoices, foot, labels)
}

export const alsoOpenBlock = ({ alsoOpen }: MessageContent, labels: Labels): Block | null =>
  alsoOpen.length === 0 ? null : invoiceTable(labels.alsoOpen(alsoOpen.length), alsoOpen, [], labels)

/** The sum that an answer to the debtor mentions. */
export const answerSum = (
  { amountCents }: AnswerFacts,
  { invoices }: MessageContent,
  language: Language,
): string => formatMoney(cents(amountCents ?? 0), invoices[0]!.currency, language)

export const accessoriesSum = ({ invoices }: MessageContent, language: Language): string =>
  formatMoney(cents(invoices[0]!.accessoriesCents ?? 0), invoices[0]!.currency, language)

/** The rows of a promise: its sum, and the invoice numbers if there are several; each only if known. */
export const promisedRows = (
  about: AnswerFacts,
  content: MessageContent,
  { language }: Labels,
  rowLabels: { sum: string; invoices: string },
): Row[] => [
  ...(about.amountCents === undefined ? [] : [[rowLabels.sum, answerSum(about, content, language)] as const]),
  ...(about.numbers === undefined ? [] : [[rowLabels.invoices, about.numbers] as const]),
]

export const ibanInGroups = (iban: string): string =>
  iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')
