import { cents, formatMoney } from '../../../domain/money.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { countOf, type Language, type Notice, type NoticeInvoice, sumsOf } from './notice.ts'

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
  total: (sum: string) => string
  furtherInvoices: (count: number, sum: string) => string
  alsoOpen: (count: number) => string
}

/** Blocks that apply, a blank line between them. */
export const page = (...blocks: (string | null)[]): string =>
  `${blocks.filter(block => block !== null).join('\n\n')}\n`

const moneyOf = ({ balanceCents, currency }: { balanceCents: number; currency: string }, labels: Labels) =>
  formatMoney(cents(balanceCents), currency, labels.language)

function card(invoice: NoticeInvoice, labels: Labels): string {
  const rows = [
    [labels.invoice, invoice.number],
    [labels.issuedOn, labels.date(invoice.issueDate)],
    [labels.overdueSince, labels.date(invoice.dueDate)],
    [labels.owed, moneyOf(invoice, labels)],
  ] as const
  return rows.map(([label, value]) => `  ${label.padEnd(12)} ${value}`).join('\n')
}

function table(invoices: readonly NoticeInvoice[], labels: Labels): string {
  const rows = [
    [labels.invoice, labels.issuedOn, labels.dueOn, labels.owed],
    ...invoices.map(invoice => [
      invoice.number,
      labels.date(invoice.issueDate),
      labels.date(invoice.dueDate),
      moneyOf(invoice, labels),
    ]),
  ]
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(
      row =>
        `  ${row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('   ')}`,
    )
    .join('\n')
}

/** What this message is about: one invoice as a card, several as a table with its sums. */
export function invoiceBlock(notice: Notice, labels: Labels): string {
  const [first] = notice.invoices
  if (first && countOf(notice) === 1) return card(first, labels)
  return [
    table(notice.invoices, labels),
    ...notice.further.map(more => `  ${labels.furtherInvoices(more.count, moneyOf(more, labels))}`),
    ...sumsOf(notice, labels.language).map(sum => `  ${labels.total(sum)}`),
  ].join('\n')
}

export const alsoOpenBlock = ({ alsoOpen }: Notice, labels: Labels): string | null =>
  alsoOpen.length === 0 ? null : `${labels.alsoOpen(alsoOpen.length)}\n\n${table(alsoOpen, labels)}`

export const ibanInGroups = (iban: string): string =>
  iban.replaceAll(/\s/g, '').replaceAll(/(.{4})(?=.)/g, '$1 ')

/** One no-break space makes a network count 70 characters to a text message instead of 160. */
export const plainSpaces = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')
