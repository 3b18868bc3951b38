import type { AccountLine, AccountStatement } from '../../../../../domain/money/account-statement.ts'
import { cents, formatMoney } from '../../../../../domain/money/money.ts'
import { type Block, paragraph, type Row } from './block.ts'
import type { Labels, Language } from './labels.ts'
import {
  type AnswerFacts,
  accessoriesApart,
  accessoriesOf,
  accessoriesPerInvoice,
  amountToPay,
  type MessageContent,
  type MessageInvoice,
  type ReceiptFacts,
  sumsOf,
  sumsToPay,
} from './message-content.ts'

const moneyOf = ({ balanceCents, currency }: { balanceCents: number; currency: string }, labels: Labels) =>
  formatMoney(cents(balanceCents), currency, labels.language)

/** Apart, as art. R124-4 C. pr. civ. d'exécution wants them; a statement has them apart with their basis. */
const accessoriesRows = (content: MessageContent, labels: Labels): Row[] => {
  const accessories = labels.balanceOnly === undefined ? accessoriesOf(content) : 0
  if (accessories === 0) return []
  const { indemnity, interest } = accessoriesApart(content)
  const apart: [label: string, cents: number][] =
    content.statement === null
      ? [
          [labels.indemnity, indemnity],
          [labels.interest, interest],
        ]
      : [[labels.accessories, accessories]]
  return [
    [labels.balance, sumsOf(content, labels.language).join(', ')],
    ...apart
      .filter(([, amount]) => amount > 0)
      .map(([label, amount]): Row => [label, formatMoney(cents(amount), 'EUR', labels.language)]),
  ]
}

const dayOfSum = ({ statement }: MessageContent, { date }: Labels) => statement && date(statement.on)

const headlineOf = (content: MessageContent, labels: Labels): Row =>
  labels.balanceOnly === undefined
    ? [labels.toPay(dayOfSum(content, labels)), amountToPay(content, labels.language)]
    : [labels.balanceOnly, sumsOf(content, labels.language).join(', ')]

const factsOfInvoice = ({ debtor }: MessageContent, invoice: MessageInvoice, labels: Labels): Row[] => [
  [labels.invoice, invoice.number],
  [labels.billedTo, debtor.name],
  [labels.issuedOn, labels.date(invoice.issueDate)],
  [labels.overdueSince, labels.date(invoice.dueDate)],
]

const factsOfSeveral = (content: MessageContent, { several, date }: Labels): Row[] => [
  [several.count, String(content.invoices.length)],
  [several.billedTo, content.debtor.name],
  [several.firstDueOn, date(content.invoices.map(({ dueDate }) => dueDate).toSorted()[0]!)],
]

/** The sum, and the facts by which the reader knows what it is for. */
export const invoiceCard = (content: MessageContent, labels: Labels, headline?: Row): Block => {
  const [only, ...more] = content.invoices
  const isOne = only !== undefined && more.length === 0
  return {
    kind: 'facts',
    title: null,
    rows: isOne
      ? // A statement contains these sums with their legal basis. Who was right about the invoice owes none of them.
        [
          ...factsOfInvoice(content, only, labels),
          ...(content.statement === null && content.about?.outcome !== 'upheld' && !content.isNothingAsked
            ? accessoriesRows(content, labels)
            : []),
        ]
      : factsOfSeveral(content, labels),
    ...((headline !== undefined || !content.isNothingAsked) && {
      headline: headline ?? headlineOf(content, labels),
    }),
  }
}

const invoiceTable = (
  title: string | null,
  invoices: readonly MessageInvoice[],
  foot: readonly Row[],
  labels: Labels,
): Extract<Block, { kind: 'table' }> => ({
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

/** A longer list is an annex, so that what the message asks for stays near its beginning. */
export const listedMax = 20

export const hasAnnex = ({ invoices }: Pick<MessageContent, 'invoices'>): boolean =>
  invoices.length > listedMax

function footOf(content: MessageContent, labels: Labels): Row[] {
  return [
    ...accessoriesRows(content, labels).map(([label, sum]) => [labels.line(label), sum] as const),
    ...(labels.balanceOnly === undefined ? sumsToPay : sumsOf)(content, labels.language).map(
      sum => [labels.total, sum] as const,
    ),
  ]
}

/** Several invoices, each on a line, with their total; null for a single one, which the card shows completely. */
export function invoiceList(content: MessageContent, labels: Labels): Block | null {
  const { invoices } = content
  if (invoices.length === 1) return null
  return hasAnnex(content)
    ? paragraph(labels.several.annexed(invoices.length))
    : invoiceTable(labels.several.list, invoices, footOf(content, labels), labels)
}

/** Every invoice of a long list, also with what the law adds to it. */
export function invoiceAnnex(content: MessageContent, labels: Labels): Block | null {
  if (!hasAnnex(content)) return null
  const { invoices } = content
  const table = invoiceTable(labels.several.annex(invoices.length), invoices, footOf(content, labels), labels)
  const added = labels.balanceOnly === undefined ? accessoriesPerInvoice(content) : []
  if (!added.some(amount => amount > 0)) return { ...table, isAnnex: true }
  return {
    ...table,
    head: [...table.head, labels.accessories],
    rows: table.rows.map((row, i) => [...row, formatMoney(cents(added[i]!), 'EUR', labels.language)]),
    sumColumns: 2,
    isAnnex: true,
  }
}

export const alsoOpenBlock = ({ alsoOpen }: MessageContent, labels: Labels): Block | null =>
  alsoOpen.length === 0 ? null : invoiceTable(labels.alsoOpen(alsoOpen.length), alsoOpen, [], labels)

/** The sum that an answer to the debtor mentions. */
export const answerSum = (
  { amountCents }: AnswerFacts,
  { invoices }: MessageContent,
  language: Language,
): string => formatMoney(cents(amountCents ?? 0), invoices[0]!.currency, language)

/** What a payment was applied to, each part that is not zero with its word. */
export const appliedParts = (
  about: AnswerFacts,
  { invoices }: MessageContent,
  language: Language,
  words: Record<'principal' | 'indemnity' | 'interest' | 'overpaid', string>,
): string =>
  (
    [
      [words.principal, about.principalCents],
      [words.indemnity, about.indemnityCents],
      [words.interest, about.interestCents],
      [words.overpaid, about.overpaidCents],
    ] as const
  )
    .flatMap(([word, sum]) =>
      sum ? [`${word} ${formatMoney(cents(sum), invoices[0]!.currency, language)}`] : [],
    )
    .join(', ')

/** What is still owed after a payment. */
export const owedSum = (
  { owedCents = 0 }: AnswerFacts,
  { invoices }: MessageContent,
  language: Language,
): string => formatMoney(cents(owedCents), invoices[0]!.currency, language)

/** What each invoice got of one sum that paid several; null where it paid one. */
export const partsTable = (
  about: AnswerFacts & ReceiptFacts,
  { invoices, isNothingAsked }: MessageContent,
  language: Language,
  words: { title: string; row: (sum: string, owed: string | null) => string },
): Block | null => {
  const { currency } = invoices[0]!
  const sum = (amountCents: number) => formatMoney(cents(amountCents), currency, language)
  if (!about.parts) return null
  const rows = about.parts.map(({ number, amountCents, owedCents }): Row => {
    if (isNothingAsked) return [number, sum(amountCents)]
    return [number, words.row(sum(amountCents), owedCents > 0 ? sum(owedCents) : null)]
  })
  return { kind: 'facts', title: words.title, rows }
}

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

export const standingOf = (
  { standing, daysLate }: AccountLine,
  { account }: Pick<Labels, 'account'>,
): string => {
  switch (standing) {
    case 'due':
      return account.late(daysLate)
    case 'not_due':
      return account.notDue
    case 'disputed':
      return account.disputed
  }
}

/** The sums under a statement of account, each currency apart. */
export const accountTotals = (
  { sums }: AccountStatement,
  { account }: Pick<Labels, 'account'>,
  shown: (sumCents: number, currency: string) => string,
): Row[] =>
  sums.flatMap(({ currency, dueCents, notDueCents, disputedCents }) => [
    [account.due, shown(dueCents, currency)] as const,
    ...(notDueCents > 0 ? [[account.notDueYet, shown(notDueCents, currency)] as const] : []),
    ...(disputedCents > 0 ? [[account.disputedSum, shown(disputedCents, currency)] as const] : []),
  ])

/** Everything that is open, those due first. */
export function accountBlock({ account }: MessageContent, labels: Labels): Block | null {
  if (!account || account.lines.length === 0) return null
  const texts = labels.account
  const shown = (sumCents: number, currency: string) =>
    formatMoney(cents(sumCents), currency, labels.language)
  return {
    kind: 'table',
    title: texts.title(labels.date(account.on)),
    head: [
      labels.invoice,
      labels.issuedOn,
      labels.dueOn,
      texts.standing,
      texts.amount,
      texts.paid,
      texts.open,
    ],
    rows: account.lines.map(line => [
      line.number,
      labels.date(line.issueDate),
      labels.date(line.dueDate),
      standingOf(line, labels),
      shown(line.amountCents, line.currency),
      shown(line.paidCents, line.currency),
      shown(line.balanceCents, line.currency),
    ]),
    foot: accountTotals(account, labels, shown),
    sumColumns: 3,
    ...(account.lines.length > listedMax && { isAnnex: true }),
  }
}

/** What a statement of account does not hold. */
export function accountNote({ account }: MessageContent, { account: texts, date }: Labels): Block | null {
  const last = account?.lines.at(-1)
  if (!account || !last) return null
  return paragraph(
    [...(account.leftOut > 0 ? [texts.leftOut(account.leftOut, date(last.dueDate))] : []), texts.note].join(
      ' ',
    ),
  )
}
