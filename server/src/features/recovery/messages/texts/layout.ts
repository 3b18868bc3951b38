import { cents, formatMoney } from '../../../../domain/money/money.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { Block, Row } from './block.ts'
import {
  type AnswerFacts,
  accessoriesOf,
  amountToPay,
  invoiceCountOf,
  type Language,
  type MessageContent,
  type MessageInvoice,
  sumsOf,
  sumsToPay,
} from './message-content.ts'

export interface Labels {
  language: Language
  date: (date: LocalDate) => string
  invoice: string
  billedTo: string
  issuedOn: string
  /** Of an invoice known to be overdue. */
  overdueSince: string
  /** Of any invoice: those listed for information may not be due yet. */
  dueOn: string
  /** Everything to pay; with the day where the sum grows. */
  toPay: (day: string | null) => string
  /** Of the invoices alone, beside what the law adds. */
  balance: string
  accessories: string
  total: (sum: string) => string
  line: (label: string, sum: string) => string
  furtherInvoices: (count: number, sum: string) => string
  alsoOpen: (count: number) => string
  /** In a message that asks for nothing: only what the invoice itself comes to, and how that is called. */
  balanceOnly?: string
}

const moneyOf = ({ balanceCents, currency }: { balanceCents: number; currency: string }, labels: Labels) =>
  formatMoney(cents(balanceCents), currency, labels.language)

const accessoriesRows = (content: MessageContent, labels: Labels): Row[] => {
  const accessories = labels.balanceOnly === undefined ? accessoriesOf(content) : 0
  if (accessories === 0) return []
  return [
    [labels.balance, sumsOf(content, labels.language).join(', ')],
    [labels.accessories, formatMoney(cents(accessories), 'EUR', labels.language)],
  ]
}

const dayOfSum = ({ statement }: MessageContent, { date }: Labels) => statement && date(statement.on)

const invoiceCard = (content: MessageContent, invoice: MessageInvoice, labels: Labels): Block => ({
  kind: 'facts',
  title: null,
  rows: [
    [labels.invoice, invoice.number],
    [labels.billedTo, content.debtor.name],
    [labels.issuedOn, labels.date(invoice.issueDate)],
    [labels.overdueSince, labels.date(invoice.dueDate)],
    ...accessoriesRows(content, labels),
  ],
  headline:
    labels.balanceOnly === undefined
      ? [labels.toPay(dayOfSum(content, labels)), amountToPay(content, labels.language)]
      : [labels.balanceOnly, moneyOf(invoice, labels)],
})

const invoiceTable = (
  title: string | null,
  invoices: readonly MessageInvoice[],
  foot: readonly string[],
  labels: Labels,
): Block => ({
  kind: 'table',
  title,
  head: [labels.invoice, labels.issuedOn, labels.dueOn, labels.balance],
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
  if (first && invoiceCountOf(content) === 1) return invoiceCard(content, first, labels)
  const added = accessoriesRows(content, labels)
  const foot = [
    ...content.further.map(more => labels.furtherInvoices(more.count, moneyOf(more, labels))),
    ...added.map(([label, sum]) => labels.line(label, sum)),
    ...(labels.balanceOnly === undefined ? sumsToPay : sumsOf)(content, labels.language).map(labels.total),
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
