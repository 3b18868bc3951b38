import {
  type ClosedStatus,
  type InvoiceFacts,
  type InvoiceStatus,
  invoiceStatus,
  isClosed,
} from '../money/invoice-state.ts'
import { addCents, type Cents, cents, subtractCents } from '../money/money.ts'
import { isRunning, type RecoveryStatus, recoveryStatusAfter } from './recovery-state.ts'

/** Everything about an invoice that a movement of money may change. */
export interface Account {
  facts: InvoiceFacts
  status: InvoiceStatus
  recovery: RecoveryStatus
}

export interface Movement {
  kind: 'payment' | 'refund' | 'reversal' | 'credit'
  /** Reduces what is owed; negative if the money goes back. */
  cents: number
}

/** The events that follow from a movement, in the order in which they are recorded. */
type Consequence = 'invoice.status_changed' | 'debt.paid' | 'workflow.completed'

export function applyMovement(
  before: Account,
  movement: Movement,
): { account: Account; events: Consequence[] } {
  const amount = cents(movement.cents)
  const facts =
    movement.kind === 'credit'
      ? { ...before.facts, credited: addCents(before.facts.credited, amount) }
      : { ...before.facts, paid: addCents(before.facts.paid, amount) }
  const status = invoiceStatus(facts)
  const recovery = recoveryStatusAfter(before.recovery, before.status, status)
  const events: Consequence[] = []
  if (status !== before.status) events.push('invoice.status_changed')
  if (status === 'paid' && before.status !== 'paid') events.push('debt.paid')
  if (recovery === 'completed' && before.recovery !== 'completed') events.push('workflow.completed')
  return { account: { facts, status, recovery }, events }
}

export type Sums = Readonly<Record<'amount' | 'paid' | 'credited', number>>

/**
 * Money goes to the principal first, then to what was claimed for late payment; only what exceeds both is overpaid.
 * Whatever happens: amount = balance + credited + paid − accessories − overpaid.
 */
export function balanceOf({ amount, paid, credited, claimed = 0 }: Sums & { readonly claimed?: number }): {
  balance: Cents
  /** The paid part of the 40 € and the interest. */
  accessories: Cents
  overpaid: Cents
} {
  const open = subtractCents(subtractCents(cents(amount), cents(credited)), cents(paid))
  const excess = Math.max(0, -open)
  const accessories = Math.min(excess, claimed)
  return {
    balance: cents(Math.max(0, open)),
    accessories: cents(accessories),
    overpaid: cents(excess - accessories),
  }
}

/** The amount still owed: the principal, and the unpaid part of the claim for late payment. */
export function owedOf(sums: Sums & { readonly claimed: number }): {
  balance: Cents
  accessories: Cents
  total: Cents
  paidAccessories: Cents
} {
  const { balance, accessories: paidAccessories } = balanceOf(sums)
  const accessories = subtractCents(cents(sums.claimed), paidAccessories)
  return { balance, accessories, total: addCents(balance, accessories), paidAccessories }
}

export const lateClaimStatuses = ['none', 'claimed', 'paid', 'waived'] as const

/**
 * The status of the 40 € and the interest. They are settled separately: paying the principal does not change them. A paid part
 * stays paid when the rest is waived.
 */
export function lateClaimStatus(
  sums: Sums & { readonly claimed: number },
  isWaived: boolean,
): (typeof lateClaimStatuses)[number] {
  if (isWaived) return 'waived'
  if (sums.claimed === 0) return 'none'
  return owedOf(sums).accessories > 0 ? 'claimed' : 'paid'
}

type Verdict<Because extends string> = { allowed: true } | { allowed: false; because: Because }

/** Only for payments reported by a caller. A payment reported by a provider is always recorded: that money has arrived. */
export const mayPay = (status: InvoiceStatus, allowOverpayment: boolean): Verdict<'paid'> =>
  status === 'paid' && !allowOverpayment ? { allowed: false, because: 'paid' } : { allowed: true }

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

/** Every open invoice may be disputed once, unless it is before the court, which then decides. */
export const mayDispute = (status: InvoiceStatus): Verdict<ClosedStatus | 'judicial' | 'disputed'> =>
  isClosed(status) || status === 'judicial' || status === 'disputed'
    ? { allowed: false, because: status }
    : { allowed: true }
