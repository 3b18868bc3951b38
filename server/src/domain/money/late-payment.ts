import type { DebtorType } from '../debtor-type.ts'
import { addDays, daysBetween, type LocalDate } from '../time.ts'
import { type Cents, cents } from './money.ts'

export const rateKinds = ['ecb', 'legal'] as const

/**
 * The legal basis of interest for the half-year that starts on this day. `ecb`: main refinancing rate of the European Central
 * Bank on that day; `legal`: legal interest rate of professionals.
 */
export interface HalfYearRate {
  kind: (typeof rateKinds)[number]
  startsOn: LocalDate
  /** In hundredths of a percent. */
  bps: number
}

/** Points above the central bank's rate: art. L441-10 C. com.; art. R2192-31 C. comm. publique. */
const pointsBps: Record<'business' | 'public_body', number> = { business: 1_000, public_body: 800 }

/** Art. D441-5 C. com. */
const indemnityCents = cents(40_00)

/** Splits a claim for late payment: first the indemnity, the rest is interest. */
export function splitClaim(claimedCents: number): { indemnity: Cents; interest: Cents } {
  const indemnity = Math.min(indemnityCents, claimedCents)
  return { indemnity: cents(indemnity), interest: cents(claimedCents - indemnity) }
}

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
  /** The rates that are known. For a half-year without one no interest is claimed. */
  rates: readonly HalfYearRate[]
  /** The contract's rate where there is one; null: the default of the law. */
  contractRateBps: number | null
  /** The company claims late payment. */
  isClaimed: boolean
  /**
   * No interest from the opening on (art. L622-28 C. com.), and no indemnity for an invoice that was not late before it: then the
   * opening itself forbids to pay in time (art. L441-10 II).
   */
  insolvencyOpenedOn: LocalDate | null
}

const noLatePayment: LatePayment = {
  indemnity: cents(0),
  interest: cents(0),
  counted: null,
  periods: [],
  uncountedDays: 0,
}

const earlierOf = (left: LocalDate, right: LocalDate) => (left < right ? left : right)

export const halfYearStart = (day: LocalDate): LocalDate =>
  `${day.slice(0, 4)}-${day.slice(5) <= '06-30' ? '01-01' : '07-01'}`
const halfYearEnd = (day: LocalDate): LocalDate =>
  `${day.slice(0, 4)}-${day.slice(5) <= '06-30' ? '06-30' : '12-31'}`

/** Null: not known. */
function rateOn(day: LocalDate, type: 'business' | 'public_body', terms: LateTerms): number | null {
  const start = halfYearStart(day)
  const known = (kind: HalfYearRate['kind']) =>
    terms.rates.find(rate => rate.kind === kind && rate.startsOn === start)?.bps
  // A contract rate may not be lower than three times the legal rate (L441-10 II).
  if (terms.contractRateBps !== null && type === 'business')
    return Math.max(terms.contractRateBps, 3 * (known('legal') ?? 0))
  const ecb = known('ecb')
  return ecb === undefined ? null : ecb + pointsBps[type]
}

/**
 * Actual days over 365, rounded to the nearest cent; with BigInt, since the largest sums exceed what a float can hold exactly.
 */
const interestOn = (base: number, days: number, rateBps: number): Cents =>
  cents(Number((BigInt(base) * BigInt(days) * BigInt(rateBps) * 2n + 3_650_000n) / 7_300_000n))

/**
 * The amounts that the law adds to a late invoice between professionals, up to a given day: the flat indemnity, and interest from
 * the day after the due date on the open balance of each day, with one line per rate and balance. Consumers owe neither. For days
 * without a known rate no interest is claimed.
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
  const began = addDays(invoice.dueDate, 1)
  // A public body owes the rate of the half-year in which interest began, for the whole delay: art. R2192-31.
  const isOneRate = type === 'public_body'
  const periods: LatePayment['periods'][number][] = []
  let uncountedDays = 0
  for (let from = began; from <= last; ) {
    const nextMove = movements.find(({ on }) => on > from)
    const rateEnd = isOneRate ? last : halfYearEnd(from)
    const to = [last, rateEnd, ...(nextMove ? [addDays(nextMove.on, -1)] : [])].reduce(earlierOf)
    const days = daysBetween(from, to) + 1
    const base = Math.max(0, openOn(from))
    const rateBps = rateOn(isOneRate ? began : from, type, terms)
    if (rateBps === null) uncountedDays += days
    else if (base > 0)
      periods.push({ from, to, days, base: cents(base), rateBps, interest: interestOn(base, days, rateBps) })
    from = addDays(to, 1)
  }
  return {
    indemnity: opened === null || invoice.dueDate < opened ? indemnityCents : cents(0),
    interest: cents(periods.reduce((sum, period) => sum + period.interest, 0)),
    counted: periods.length === 0 ? null : { from: periods[0]!.from, to: periods.at(-1)!.to },
    periods,
    uncountedDays,
  }
}

/** What stays claimed of an invoice that turns out to be lower: counted anew, and never more than was claimed. */
export const recountedClaim = (
  claimedCents: number,
  invoice: LateInvoice,
  terms: LateTerms,
  today: LocalDate,
): Cents => {
  if (invoice.amountCents <= 0) return cents(0)
  const { indemnity, interest } = latePayment(invoice, terms, today)
  return cents(Math.min(claimedCents, indemnity + interest))
}

/** The half-years since the first known rate for which none is known, by their first days. */
export function unknownHalfYears(rates: readonly HalfYearRate[], today: LocalDate): LocalDate[] {
  const known = rates.flatMap(({ kind, startsOn }) => (kind === 'ecb' ? [startsOn] : [])).toSorted()
  const unknown: LocalDate[] = []
  for (let start = known[0] ?? halfYearStart(today); start <= today; start = addDays(halfYearEnd(start), 1))
    if (!known.includes(start)) unknown.push(start)
  return unknown
}
