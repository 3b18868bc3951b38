import {
  type LateInvoice,
  type LatePayment,
  type LateTerms,
  latePayment,
} from '../../../../../domain/money/late-payment.ts'
import { cents, formatMoney } from '../../../../../domain/money/money.ts'
import type { LocalDate } from '../../../../../domain/time.ts'
import type { Block } from './block.ts'
import type { Labels } from './labels.ts'

/** The steps whose messages claim interest and indemnity. Earlier steps only remind; a closing notice asks for nothing. */
export const claimingSteps: readonly string[] = [
  'relance_email_2',
  'relance_email_3',
  'lrar_mise_en_demeure',
  'email_dernier_avis',
]

/** What a message claims for late payment, in euros, for the invoices it names. */
export interface LatePaymentStatement {
  on: LocalDate
  debtorType: 'business' | 'public_body'
  invoices: readonly {
    id: string
    number: string
    principalCents: number
    late: LatePayment
  }[]
  /** The message also contains invoices for which nothing is claimed. */
  isPartial: boolean
}

type Claimable = LateInvoice & { id: string; number: string; balanceCents: number }

const accessories = ({ indemnity, interest }: LatePayment) => indemnity + interest

/** Null if nothing is claimed: for a consumer, another currency, a company outside France, or one that does not want it. */
export function latePaymentStatement(
  invoices: readonly Claimable[],
  furtherCount: number,
  terms: LateTerms,
  today: LocalDate,
): LatePaymentStatement | null {
  const claimed = invoices
    .map(invoice => ({ invoice, late: latePayment(invoice, terms, today) }))
    .filter(({ late }) => accessories(late) > 0)
  if (claimed.length === 0 || terms.debtorType === 'consumer') return null
  return {
    on: today,
    debtorType: terms.debtorType,
    invoices: claimed.map(({ invoice, late }) => ({
      id: invoice.id,
      number: invoice.number,
      principalCents: invoice.balanceCents,
      late,
    })),
    isPartial: claimed.length < invoices.length + furtherCount,
  }
}

/** What is claimed for each invoice in addition to its principal. */
export const claimedIn = (statement: LatePaymentStatement | null): { invoiceId: string; cents: number }[] =>
  statement?.invoices.map(({ id, late }) => ({ invoiceId: id, cents: accessories(late) })) ?? []

export interface StatementTexts {
  title: (on: string) => string
  principal: string
  indemnity: (count: number) => string
  interest: Record<LatePaymentStatement['debtorType'], string>
  total: string
  basis: Record<LatePaymentStatement['debtorType'], { indemnity: string; interest: string }>
  period: (period: { rate: string; days: number; from: string; to: string; base: string }) => string
  /** One rate, for many invoices. */
  rate: (period: { rate: string; from: string; to: string }) => string
  /** Says where the sums of each invoice are. */
  perInvoice: string
  countedTo: (day: string) => string
  /** Shown if there are days for which no rate is known, before or after those that are counted. */
  uncounted: string
  noInterest: string
  partial: string
}

const sumOver = (
  statement: LatePaymentStatement,
  amountOf: (invoice: LatePaymentStatement['invoices'][number]) => number,
) => statement.invoices.reduce((sum, invoice) => sum + amountOf(invoice), 0)

/** The half-year in which a period begins. */
const halfOf = (day: LocalDate) => `${day.slice(0, 4)} ${day.slice(5, 7) <= '06' ? 1 : 2}`

/** The rates by half-year, each from the first to the last day that is counted. */
function ratesIn(statement: LatePaymentStatement): { rateBps: number; from: LocalDate; to: LocalDate }[] {
  const rates = new Map<string, { rateBps: number; from: LocalDate; to: LocalDate }>()
  for (const { rateBps, from, to } of statement.invoices.flatMap(({ late }) => late.periods)) {
    const key = `${halfOf(from)} ${rateBps}`
    const known = rates.get(key) ?? { rateBps, from, to }
    rates.set(key, {
      rateBps,
      from: from < known.from ? from : known.from,
      to: to > known.to ? to : known.to,
    })
  }
  return [...rates.values()].toSorted((left, right) => (left.from < right.from ? -1 : 1))
}

/** Principal, indemnity, interest and total as separate rows; the notes below give the rate of each period. */
export function statementBlock(
  statement: LatePaymentStatement,
  labels: Labels,
  texts: StatementTexts,
  /** The sums of each invoice are in an annex: the notes give the rates only. */
  hasAnnex = false,
): Block {
  const money = (amount: number) => formatMoney(cents(amount), 'EUR', labels.language)
  const rate = (bps: number) => {
    const text = (bps / 100).toFixed(2)
    return labels.language === 'fr' ? text.replace('.', ',') : text
  }
  const { invoices, debtorType } = statement
  const basis = texts.basis[debtorType]
  const principal = sumOver(statement, invoice => invoice.principalCents)
  const indemnity = sumOver(statement, ({ late }) => late.indemnity)
  const interest = sumOver(statement, ({ late }) => late.interest)
  const withIndemnity = invoices.filter(({ late }) => late.indemnity > 0).length
  const rates = ratesIn(statement).map(period =>
    texts.rate({
      rate: rate(period.rateBps),
      from: labels.date(period.from),
      to: labels.date(period.to),
    }),
  )
  const periods = invoices.flatMap(({ number, late }) =>
    late.periods.map(period => {
      const sentence = texts.period({
        rate: rate(period.rateBps),
        days: period.days,
        from: labels.date(period.from),
        to: labels.date(period.to),
        base: money(period.base),
      })
      return invoices.length === 1
        ? sentence
        : `${number}${labels.language === 'fr' ? '\u00a0: ' : ': '}${sentence}`
    }),
  )
  const counted = invoices.flatMap(({ late }) => (late.counted ? [late.counted.to] : [])).toSorted()
  return {
    kind: 'statement',
    title: texts.title(labels.date(statement.on)),
    rows: [
      { label: texts.principal, basis: null, value: money(principal) },
      ...(indemnity > 0
        ? [{ label: texts.indemnity(withIndemnity), basis: basis.indemnity, value: money(indemnity) }]
        : []),
      ...(interest > 0
        ? [{ label: texts.interest[debtorType], basis: basis.interest, value: money(interest) }]
        : []),
    ],
    total: [texts.total, money(principal + indemnity + interest)],
    notes: [
      ...(hasAnnex ? [...rates, texts.perInvoice] : periods),
      counted.length === 0 ? texts.noInterest : texts.countedTo(labels.date(counted.at(-1)!)),
      ...(counted.length > 0 && invoices.some(({ late }) => late.uncountedDays > 0) ? [texts.uncounted] : []),
      ...(statement.isPartial ? [texts.partial] : []),
    ],
  }
}
