import {
  type ClosedStatus,
  type InvoiceFacts,
  type InvoiceStatus,
  invoiceStatus,
  isClosed,
} from '../money/invoice-state.ts'
import { splitClaim } from '../money/late-payment.ts'
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
 * Whatever happens: amount = balance + credited + principal, and paid = principal + accessories + overpaid.
 */
export function balanceOf({ amount, paid, credited, claimed = 0 }: Sums & { readonly claimed?: number }): {
  balance: Cents
  /** The paid part of the principal. */
  principal: Cents
  /** The paid part of the 40 € and the interest. */
  accessories: Cents
  overpaid: Cents
} {
  const open = subtractCents(subtractCents(cents(amount), cents(credited)), cents(paid))
  const excess = Math.max(0, -open)
  const accessories = Math.min(excess, claimed)
  return {
    balance: cents(Math.max(0, open)),
    principal: cents(paid - excess),
    accessories: cents(accessories),
    overpaid: cents(excess - accessories),
  }
}

/** What a payment paid, part by part, by what was paid before and after it. The flat sum is paid before the interest. */
export function appliedBy(
  before: Sums & { readonly claimed: number },
  paidCents: number,
): { principal: Cents; indemnity: Cents; interest: Cents; overpaid: Cents; owed: Cents } {
  const afterwards = { ...before, paid: before.paid + paidCents }
  const [was, is] = [balanceOf(before), balanceOf(afterwards)]
  const { indemnity } = splitClaim(before.claimed)
  const ofIndemnity = Math.min(is.accessories, indemnity) - Math.min(was.accessories, indemnity)
  return {
    principal: subtractCents(is.principal, was.principal),
    indemnity: cents(ofIndemnity),
    interest: cents(is.accessories - was.accessories - ofIndemnity),
    overpaid: subtractCents(is.overpaid, was.overpaid),
    owed: owedOf(afterwards).total,
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

/**
 * A payment may settle what is owed: the principal, and what was claimed for late payment. More is most often a mistake in the
 * sum. Only for payments reported by a caller: one that a provider reports is always recorded, because that money has arrived.
 */
export function mayPay(
  sums: Sums & { readonly claimed: number },
  worth: number,
): Verdict<'paid' | 'too_much'> {
  const owed = owedOf(sums).total
  if (worth <= owed) return { allowed: true }
  return { allowed: false, because: owed === 0 ? 'paid' : 'too_much' }
}

/** A credit note lowers the open principal, so it cannot be worth more than that. */
export function mayCredit(
  status: InvoiceStatus,
  sums: Sums,
  worth: number,
): Verdict<ClosedStatus | 'too_much'> {
  if (isClosed(status)) return { allowed: false, because: status }
  return worth > balanceOf(sums).balance ? { allowed: false, because: 'too_much' } : { allowed: true }
}

/**
 * A promise makes the reminders wait, so something must be owed, and there must be reminders. It acknowledges the debt, so nobody
 * is led to make one when the claim is time-barred.
 */
export function mayPromise(
  status: InvoiceStatus,
  recovery: RecoveryStatus,
  isTimeBarred: boolean,
): Verdict<'paid' | 'time_barred' | 'not_running'> {
  if (status === 'paid') return { allowed: false, because: 'paid' }
  if (isTimeBarred) return { allowed: false, because: 'time_barred' }
  return isRunning(recovery) ? { allowed: true } : { allowed: false, because: 'not_running' }
}

/** Every open invoice may be disputed, also after the amicable stage, and by one dispute at a time. */
export function mayDispute(status: InvoiceStatus, isDisputed: boolean): Verdict<ClosedStatus | 'disputed'> {
  if (isClosed(status)) return { allowed: false, because: status }
  return isDisputed ? { allowed: false, because: 'disputed' } : { allowed: true }
}

type DisputeOutcome = 'upheld' | 'rejected' | 'partly'

/**
 * A dispute that is accepted in part is worth a sum, and a consumer whose dispute is not wholly accepted is told who mediates:
 * art. L616-1 C. conso.
 */
export function mayResolve(
  outcome: DisputeOutcome,
  {
    creditedCents,
    isConsumer,
    hasMediator,
  }: {
    readonly creditedCents: number
    readonly isConsumer: boolean
    readonly hasMediator: boolean
  },
): Verdict<'credit_missing' | 'mediator_missing'> {
  if (outcome === 'partly' && creditedCents === 0) return { allowed: false, because: 'credit_missing' }
  if (outcome !== 'upheld' && isConsumer && !hasMediator)
    return { allowed: false, because: 'mediator_missing' }
  return { allowed: true }
}
