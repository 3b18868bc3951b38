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
import type { Parties, ShownInvoice } from './view-store.ts'

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
  invoices: ShownInvoice[],
  now: number,
  isIdentified: boolean,
): DebtorView {
  const { debtor, creditor } = parties
  const zone = calendarFor(debtor)?.zones[0] ?? creditor.timeZone
  return {
    ...parties,
    coded,
    now,
    zone,
    today: localTime(zone, now).date,
    invoices,
    isIdentified,
  }
}

export const isOpen = ({ status }: Pick<ShownInvoice, 'status'>): boolean => !isClosed(status)

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

export const mayDispute = ({ status }: ShownInvoice): boolean => judgeDispute(status).allowed

/** A debtor is not asked for a promise on a disputed invoice; the company may still record one. */
export const mayPromise = ({ status, recovery }: ShownInvoice): boolean =>
  status !== 'disputed' && judgePromise(status, recovery).allowed
