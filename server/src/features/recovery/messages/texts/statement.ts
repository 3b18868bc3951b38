import {
  type LateInvoice,
  type LatePayment,
  type LateTerms,
  latePayment,
} from '../../../../domain/money/late-payment.ts'
import { cents, formatMoney } from '../../../../domain/money/money.ts'
import type { LocalDate } from '../../../../domain/time.ts'
import type { Block } from './block.ts'
import type { Labels } from './layout.ts'

/** The messages that claim what the law adds; those before are reminders, and a closing notice asks for nothing. */
export const claimingSteps: readonly string[] = [
  'relance_email_2',
  'relance_email_3',
  'lrar_mise_en_demeure',
  'email_dernier_avis',
]

/** What is claimed with a message, in euros, over the invoices it names. */
export interface Statement {
  on: LocalDate
  debtorType: 'business' | 'public_body'
  invoices: readonly {
    id: string
    number: string
    principalCents: number
    late: LatePayment
  }[]
  /** The message speaks of others as well, for which nothing is claimed. */
  isPartial: boolean
}

type Claimable = LateInvoice & { id: string; number: string; balanceCents: number }

const accessories = ({ indemnity, interest }: LatePayment) => indemnity + interest

/** Null where nothing is claimed: from a consumer, in another currency, by a company elsewhere, or against its wish. */
export function statementOf(
  invoices: readonly Claimable[],
  furtherCount: number,
  terms: LateTerms,
  today: LocalDate,
): Statement | null {
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

/** What each invoice is claimed beyond its principal. */
export const claimedIn = (statement: Statement | null): { invoiceId: string; cents: number }[] =>
  statement?.invoices.map(({ id, late }) => ({ invoiceId: id, cents: accessories(late) })) ?? []

export interface StatementWords {
  title: (on: string) => string
  principal: string
  indemnity: (count: number) => string
  interest: string
  total: string
  basis: Record<Statement['debtorType'], { indemnity: string; interest: string }>
  period: (period: { rate: string; days: number; from: string; to: string; base: string }) => string
  countedTo: (day: string) => string
  /** Where days are left for which no rate is known. */
  notBeyond: string
  noInterest: string
  partial: string
}

const sumOver = (statement: Statement, of: (invoice: Statement['invoices'][number]) => number) =>
  statement.invoices.reduce((sum, invoice) => sum + of(invoice), 0)

/** Principal, indemnity, interest and total, each apart; which rate on which days is said below. */
export function statementBlock(statement: Statement, labels: Labels, words: StatementWords): Block {
  const money = (amount: number) => formatMoney(cents(amount), 'EUR', labels.language)
  const rate = (bps: number) => {
    const text = (bps / 100).toFixed(2)
    return labels.language === 'fr' ? text.replace('.', ',') : text
  }
  const { invoices, debtorType } = statement
  const basis = words.basis[debtorType]
  const principal = sumOver(statement, invoice => invoice.principalCents)
  const indemnity = sumOver(statement, ({ late }) => late.indemnity)
  const interest = sumOver(statement, ({ late }) => late.interest)
  const withIndemnity = invoices.filter(({ late }) => late.indemnity > 0).length
  const periods = invoices.flatMap(({ number, late }) =>
    late.periods.map(period => {
      const said = words.period({
        rate: rate(period.rateBps),
        days: period.days,
        from: labels.date(period.from),
        to: labels.date(period.to),
        base: money(period.base),
      })
      return invoices.length === 1 ? said : `${number}${labels.language === 'fr' ? ' : ' : ': '}${said}`
    }),
  )
  const counted = invoices.flatMap(({ late }) => (late.counted ? [late.counted.to] : [])).toSorted()
  return {
    kind: 'statement',
    title: words.title(labels.date(statement.on)),
    rows: [
      { label: words.principal, basis: null, value: money(principal) },
      ...(indemnity > 0
        ? [{ label: words.indemnity(withIndemnity), basis: basis.indemnity, value: money(indemnity) }]
        : []),
      ...(interest > 0 ? [{ label: words.interest, basis: basis.interest, value: money(interest) }] : []),
    ],
    total: [words.total, money(principal + indemnity + interest)],
    notes: [
      ...periods,
      counted.length === 0 ? words.noInterest : words.countedTo(labels.date(counted.at(-1)!)),
      ...(counted.length > 0 && invoices.some(({ late }) => late.uncountedDays > 0) ? [words.notBeyond] : []),
      ...(statement.isPartial ? [words.partial] : []),
    ],
  }
}
