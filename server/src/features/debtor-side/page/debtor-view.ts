import { calendarFor } from '../../../domain/contact/calendar.ts'
import { isClosed } from '../../../domain/money/invoice-state.ts'
import { sumPerCurrency } from '../../../domain/money/money.ts'
import {
  mayDispute as judgeDispute,
  mayPromise as judgePromise,
  owedOf as owed,
} from '../../../domain/recovery/account.ts'
import { type LocalDate, localTime } from '../../../domain/time.ts'
import type { CodeRow } from '../../recovery/messages/compose/code-store.ts'
import type { Parties, ShownInvoice, StoredInvoice } from './view-store.ts'

export interface DebtorView extends Parties {
  coded: CodeRow
  now: number
  /** The debtor's time zone. */
  zone: string
  today: LocalDate
  /** The invoices of the message, paid or not, and no other. */
  invoices: ShownInvoice[]
  /** The link asks nothing, or this browser gave the right answer. Before that nothing personal is shown. */
  isIdentified: boolean
}

export function debtorViewOf(
  coded: CodeRow,
  parties: Parties,
  stored: readonly StoredInvoice[],
  now: number,
  isIdentified: boolean,
): DebtorView {
  const { debtor, creditor } = parties
  const zone = calendarFor(debtor)?.zones[0] ?? creditor.timeZone
  const today = localTime(zone, now).date
  const invoices = stored.map(({ limitationEndsOn, ...invoice }): ShownInvoice => {
    const isTimeBarred = today > limitationEndsOn
    const isNothingAsked = isTimeBarred && debtor.type === 'consumer' && isOpen(invoice)
    return { ...invoice, isTimeBarred, isNothingAsked }
  })
  return {
    ...parties,
    coded,
    now,
    zone,
    today,
    invoices,
    isIdentified,
  }
}

export const isOpen = ({ status }: Pick<ShownInvoice, 'status'>): boolean => !isClosed(status)

/** The creditor accepted the dispute: nothing is asked for this invoice until the reminders are resumed. */
export const isUpheld = ({ decision, dispute, holds, recovery }: ShownInvoice): boolean =>
  dispute === null &&
  decision?.outcome === 'upheld' &&
  (holds.includes('upheld') || recovery === 'pending' || recovery === 'judicial')

/** Money is asked for it. */
export const isAsked = (invoice: ShownInvoice): boolean =>
  isOpen(invoice) && !isUpheld(invoice) && !invoice.isNothingAsked

type Sums = Pick<ShownInvoice, 'amountCents' | 'paidCents' | 'creditedCents' | 'claimedCents' | 'currency'>

export const amountsOwed = ({ amountCents, paidCents, creditedCents, claimedCents }: Sums) =>
  owed({ amount: amountCents, paid: paidCents, credited: creditedCents, claimed: claimedCents })

export const totalsOf = (invoices: readonly Sums[]): { currency: string; cents: number }[] =>
  sumPerCurrency(invoices.map(invoice => ({ cents: amountsOwed(invoice).total, currency: invoice.currency })))

/** What was paid, per currency. */
export const paidIn = (invoices: readonly Sums[]): { currency: string; cents: number }[] =>
  sumPerCurrency(
    invoices
      .filter(({ paidCents }) => paidCents > 0)
      .map(({ paidCents, currency }) => ({ cents: paidCents, currency })),
  )

/**
 * Proceedings are open: earlier claims may not be paid, and a payment can be annulled (art. L622-7 C. com., L722-5 C. conso.), so
 * the page offers no payment and no promise.
 */
export const isInsolvent = ({ debtor }: Pick<DebtorView, 'debtor'>): boolean => debtor.insolvencyKind !== null

export const mayDispute = (invoice: ShownInvoice): boolean =>
  isOpen(invoice) && !isUpheld(invoice) && judgeDispute(invoice.status, invoice.dispute !== null).allowed

/** A debtor is not asked for a promise on a disputed invoice; the company may still record one. */
export const mayPromise = (invoice: ShownInvoice): boolean =>
  isAsked(invoice) &&
  invoice.dispute === null &&
  judgePromise(invoice.status, invoice.recovery, invoice.isTimeBarred).allowed
