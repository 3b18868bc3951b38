import type { DebtorType } from '../debtor-type.ts'
import { addDays, daysBetween, type LocalDate } from '../time.ts'
import { type Cents, cents } from './money.ts'

/** The rate of the European Central Bank for one period. For a period that is missing here, no interest is claimed. */
interface HalfYearRate {
  from: LocalDate
  to: LocalDate
  /** Main refinancing rate of the European Central Bank on the first day, in hundredths of a percent. */
  ecbBps: number
  source: string
  verifiedOn: LocalDate
}

export const ecbRates: readonly HalfYearRate[] = [
  {
    from: '2025-07-01',
    to: '2025-12-31',
    ecbBps: 215,
    source: 'European Central Bank, main refinancing operations, rate of 11 June 2025',
    verifiedOn: '2026-11-14',
  },
  {
    from: '2026-01-01',
    to: '2026-06-30',
    ecbBps: 215,
    source:
      'European Central Bank, main refinancing operations, rate of 11 June 2025, unchanged on 1 January 2026',
    verifiedOn: '2026-11-14',
  },
]

/** Points above the central bank's rate: art. L441-10 C. com.; art. R2192-31 C. comm. publique. */
const pointsBps: Record<'business' | 'public_body', number> = { business: 1_000, public_body: 800 }

/** Art. D441-5 C. com. */
export const indemnityCents = cents(40_00)

export interface LatePayment {
  /** The flat sum for recovery costs. */
  indemnity: Cents
  interest: Cents
  /** First and last day counted; null when nothing is. */
  counted: { from: LocalDate; to: LocalDate } | null
  periods: readonly {
    from: LocalDate
    to: LocalDate
    days: number
    base: Cents
    rateBps: number
    interest: Cents
  }[]
  /** Days since the due date for which no rate is known: nothing is claimed for them. */
  uncountedDays: number
}

export interface LateInvoice {
  dueDate: LocalDate
  amountCents: number
  currency: string
  /** Payments and credits, each on its day; money that came back is negative. */
  movements: readonly { on: LocalDate; cents: number }[]
}

export interface LateTerms {
  debtorType: DebtorType
  creditorCountry: string
  /** The contract's rate where there is one; null: the default of the law. */
  contractRateBps: number | null
  /** The company wants it claimed. */
  isClaimed: boolean
  /** No interest after the opening, and no indemnity: art. L622-28 C. com. */
  insolvencyOpenedOn: LocalDate | null
}

/** The legal rate by half-year. A contract rate may not be lower than three times the legal rate (L441-10 II). */
const legalRates: readonly {
  from: LocalDate
  to: LocalDate
  bps: number
  source: string
  verifiedOn: LocalDate
}[] = [
  {
    from: '2026-01-01',
    to: '2026-06-30',
    bps: 262,
    source:
      'Legal interest rate of professionals, first half of 2026, order published in the Journal officiel',
    verifiedOn: '2026-11-14',
  },
]

const noLatePayment: LatePayment = {
  indemnity: cents(0),
  interest: cents(0),
  counted: null,
  periods: [],
  uncountedDays: 0,
}

const isWithin = ({ from, to }: { from: LocalDate; to: LocalDate }, day: LocalDate) =>
  from <= day && day <= to
const earlierOf = (left: LocalDate, right: LocalDate) => (left < right ? left : right)
const halfYearEnd = (day: LocalDate) => `${day.slice(0, 4)}-${day.slice(5) <= '06-30' ? '06-30' : '12-31'}`

function rateOn(day: LocalDate, type: 'business' | 'public_body', contractBps: number | null): number | null {
  if (contractBps !== null && type === 'business') {
    const legal = legalRates.find(rate => isWithin(rate, day))
    return Math.max(contractBps, legal ? 3 * legal.bps : 0)
  }
  const ecb = ecbRates.find(rate => isWithin(rate, day))
  return ecb ? ecb.ecbBps + pointsBps[type] : null
}

/**
 * Actual days over 365, rounded to the nearest cent; with BigInt, since the largest sums exceed what a float can hold exactly.
 */
const interestOn = (base: number, days: number, rateBps: number): Cents =>
  cents(Number((BigInt(base) * BigInt(days) * BigInt(rateBps) * 2n + 3_650_000n) / 7_300_000n))

/**
 * What the law adds to an invoice between professionals that is paid late, up to a given day: the flat indemnity, and interest
 * from the day after the due date on the open balance of each day, with one line per rate and balance. Consumers owe neither.
 * For days without a known rate no interest is claimed.
 */
export function latePayment(invoice: LateInvoice, terms: LateTerms, today: LocalDate): LatePayment {
  const { debtorType: type } = terms
  if (!terms.isClaimed || type === 'consumer' || terms.creditorCountry !== 'FR' || invoice.currency !== 'EUR')
    return noLatePayment
  if (invoice.dueDate >= today) return noLatePayment
  const opened = terms.insolvencyOpenedOn
  const last = opened === null ? today : earlierOf(today, addDays(opened, -1))
  const movements = invoice.movements.toSorted((left, right) => (left.on < right.on ? -1 : 1))
  const openOn = (day: LocalDate) =>
    movements.reduce((open, { on, cents: moved }) => (on <= day ? open - moved : open), invoice.amountCents)
  const periods: LatePayment['periods'][number][] = []
  let uncountedDays = 0
  for (let from = addDays(invoice.dueDate, 1); from <= last; ) {
    const nextMove = movements.find(({ on }) => on > from)
    const to = [last, halfYearEnd(from), ...(nextMove ? [addDays(nextMove.on, -1)] : [])].reduce(earlierOf)
    const days = daysBetween(from, to) + 1
    const base = Math.max(0, openOn(from))
    const rateBps = rateOn(from, type, terms.contractRateBps)
    if (rateBps === null) uncountedDays += days
    else if (base > 0)
      periods.push({ from, to, days, base: cents(base), rateBps, interest: interestOn(base, days, rateBps) })
    from = addDays(to, 1)
  }
  return {
    indemnity: opened === null ? indemnityCents : cents(0),
    interest: cents(periods.reduce((sum, period) => sum + period.interest, 0)),
    counted: periods.length === 0 ? null : { from: periods[0]!.from, to: periods.at(-1)!.to },
    periods,
    uncountedDays,
  }
}

/** The last day for which a rate is known; the tables have to be extended before it. */
export const ratesKnownUntil: LocalDate = ecbRates.at(-1)!.to
