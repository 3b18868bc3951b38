import {
  type ClosedStatus,
  type InvoiceFacts,
  type InvoiceStatus,
  invoiceStatus,
  isClosed,
} from '../money/invoice-state.ts'
import { add, type Cents, cents, subtract } from '../money/money.ts'
import { isRunning, type RecoveryStatus, recoveryAfter } from './recovery-state.ts'

/** All that money may change about an invoice. */
export interface Account {
  facts: InvoiceFacts
  status: InvoiceStatus
  recovery: RecoveryStatus
}

export interface Movement {
  kind: 'payment' | 'refund' | 'reversal' | 'credit'
  /** Taken off what is owed; negative when it comes back. */
  cents: number
}

/** What follows from a movement, in the order it is told. */
type Consequence = 'invoice.status_changed' | 'debt.paid' | 'workflow.completed'

export function move(before: Account, movement: Movement): { account: Account; events: Consequence[] } {
  const moved = cents(movement.cents)
  const facts =
    movement.kind === 'credit'
      ? { ...before.facts, credited: add(before.facts.credited, moved) }
      : { ...before.facts, paid: add(before.facts.paid, moved) }
  const status = invoiceStatus(facts)
  const recovery = recoveryAfter(before.recovery, before.status, status)
  const events: Consequence[] = []
  if (status !== before.status) events.push('invoice.status_changed')
  if (status === 'paid' && before.status !== 'paid') events.push('debt.paid')
  if (recovery === 'completed' && before.recovery !== 'completed') events.push('workflow.completed')
  return { account: { facts, status, recovery }, events }
}

type Sums = Readonly<Record<'amount' | 'paid' | 'credited', number>>

/**
 * Money goes to the principal first, then to what was claimed for late payment; only what exceeds both is overpaid.
 * Whatever happens: amount = balance + credited + paid − accessories − overpaid.
 */
export function balanceOf({ amount, paid, credited, claimed = 0 }: Sums & { readonly claimed?: number }): {
  balance: Cents
  /** Paid of the 40 € and the interest. */
  accessories: Cents
  overpaid: Cents
} {
  const open = subtract(subtract(cents(amount), cents(credited)), cents(paid))
  const beyond = Math.max(0, -open)
  const accessories = Math.min(beyond, claimed)
  return {
    balance: cents(Math.max(0, open)),
    accessories: cents(accessories),
    overpaid: cents(beyond - accessories),
  }
}

/** What is still asked for: the principal, and what of the claim for late payment is not paid yet. */
export function owedOf(sums: Sums & { readonly claimed: number }): {
  balance: Cents
  accessories: Cents
  total: Cents
  paidAccessories: Cents
} {
  const { balance, accessories: paidAccessories } = balanceOf(sums)
  const accessories = subtract(cents(sums.claimed), paidAccessories)
  return { balance, accessories, total: add(balance, accessories), paidAccessories }
}

type Verdict<Because extends string> = { allowed: true } | { allowed: false; because: Because }

/** Judges what a caller tells us. What a provider reports is never asked: that money arrived, whatever the invoice says. */
export const mayPay = (status: InvoiceStatus, isInsisting: boolean): Verdict<'paid'> =>
  status === 'paid' && !isInsisting ? { allowed: false, because: 'paid' } : { allowed: true }

/** A credit note lowers what is owed, so something must be owed, and it cannot be worth more than the invoice. */
export function mayCredit(
  status: InvoiceStatus,
  { amount, credited }: Sums,
  worth: number,
): Verdict<ClosedStatus | 'too_much'> {
  if (isClosed(status)) return { allowed: false, because: status }
  return worth > amount - credited ? { allowed: false, because: 'too_much' } : { allowed: true }
}

/** A promise makes the reminders wait, so something must be owed, and there must be reminders. */
export function mayPromise(status: InvoiceStatus, recovery: RecoveryStatus): Verdict<'paid' | 'not_running'> {
  if (status === 'paid') return { allowed: false, because: 'paid' }
  return isRunning(recovery) ? { allowed: true } : { allowed: false, because: 'not_running' }
}

/** Whatever is open may be disputed, once; before the court it is for the court to hear. */
export const mayDispute = (status: InvoiceStatus): Verdict<ClosedStatus | 'judicial' | 'disputed'> =>
  isClosed(status) || status === 'judicial' || status === 'disputed'
    ? { allowed: false, because: status }
    : { allowed: true }
