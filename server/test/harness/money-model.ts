import type { InvoiceStatus } from '../../src/domain/money/invoice-state.ts'
import type { PaymentStatus } from '../../src/domain/money/payment-state.ts'
import type { RecoveryStatus } from '../../src/domain/recovery/recovery-state.ts'

type PaymentEventKind = 'announced' | 'arrived' | 'failed' | 'taken back' | 'given back'
type RecoveryEventKind = 'started' | 'paused' | 'resumed' | 'judicial' | 'cancelled'
type InvoiceEventKind = 'contacted' | 'letter' | 'disputed' | 'dispute over' | 'written off'

export type MoneyEvent =
  | { what: PaymentEventKind; payment: number; cents: number }
  | { what: 'credited'; cents: number }
  | { what: RecoveryEventKind | InvoiceEventKind }

/** The state of an invoice, computed from all its events each time. Nothing is stored in between, so nothing can drift. */
export interface ModelState {
  paid: number
  credited: number
  balance: number
  overpaid: number
  status: InvoiceStatus
  recovery: RecoveryStatus
  payments: { cents: number; status: PaymentStatus }[]
}

const statusAfter: Record<PaymentEventKind, PaymentStatus> = {
  announced: 'pending',
  arrived: 'completed',
  failed: 'failed',
  'taken back': 'failed',
  'given back': 'refunded',
}

const isPaymentEvent = (event: MoneyEvent): event is Extract<MoneyEvent, { payment: number }> =>
  'payment' in event
const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0)

/** A payment has the status of its last event. */
const paymentsOf = (story: readonly MoneyEvent[]) =>
  [...new Map(story.filter(isPaymentEvent).map(event => [event.payment, event])).values()]
    .sort((left, right) => left.payment - right.payment)
    .map(event => ({ cents: event.cents, status: statusAfter[event.what] }))

const paidIn = (story: readonly MoneyEvent[]) =>
  sum(
    paymentsOf(story)
      .filter(payment => payment.status === 'completed')
      .map(payment => payment.cents),
  )
const creditedIn = (story: readonly MoneyEvent[]) =>
  sum(story.map(event => (event.what === 'credited' ? event.cents : 0)))

/** The status rules of the domain, in order: the first that holds wins. */
const statusRules: [InvoiceStatus, (amount: number, story: readonly MoneyEvent[]) => boolean][] = [
  ['cancelled', (_, story) => story.some(event => event.what === 'cancelled')],
  ['written_off', (_, story) => story.some(event => event.what === 'written off')],
  ['paid', (amount, story) => paidIn(story) + creditedIn(story) >= amount],
  ['judicial', (_, story) => story.some(event => event.what === 'judicial')],
  [
    'disputed',
    (_, story) =>
      story.findLast(event => event.what === 'disputed' || event.what === 'dispute over')?.what ===
      'disputed',
  ],
  ['partial', (_, story) => paidIn(story) > 0],
  [
    'lrar_sent',
    (_, story) =>
      story.findLast(event => event.what === 'letter' || event.what === 'contacted')?.what === 'letter',
  ],
  ['in_recovery', (_, story) => story.some(event => event.what === 'contacted')],
  ['imported', () => true],
]

const statusIn = (amount: number, story: readonly MoneyEvent[]) =>
  statusRules.find(([, holds]) => holds(amount, story))![0]

/** An open recovery has the status it got last: from a person, or from money that left a paid invoice. */
function recoveryIn(amount: number, story: readonly MoneyEvent[]): RecoveryStatus {
  if (!story.some(event => event.what === 'started')) return 'pending'
  const status = statusIn(amount, story)
  if (status === 'cancelled') return 'cancelled'
  if (status === 'paid' || status === 'written_off') return 'completed'
  for (let index = story.length - 1; ; index--) {
    const what = story[index]!.what
    if (what === 'started' || what === 'resumed') return 'in_recovery'
    if (what === 'paused') return 'paused'
    if (what === 'judicial') return 'judicial'
    const isLeaving = what === 'given back' || what === 'taken back'
    if (isLeaving && statusIn(amount, story.slice(0, index)) === 'paid') return 'paused'
  }
}

export function stateAfter(amount: number, story: readonly MoneyEvent[]): ModelState {
  const paid = paidIn(story)
  const credited = creditedIn(story)
  const open = amount - credited - paid
  return {
    paid,
    credited,
    balance: open > 0 ? open : 0,
    overpaid: open < 0 ? -open : 0,
    status: statusIn(amount, story),
    recovery: recoveryIn(amount, story),
    payments: paymentsOf(story),
  }
}

/** The events that follow from the last one, if it moved money. */
export function consequencesOf(amount: number, story: readonly MoneyEvent[]): string[] {
  const last = story.at(-1)!
  if (!isPaymentEvent(last) && last.what !== 'credited') return []
  const [before, after] = [stateAfter(amount, story.slice(0, -1)), stateAfter(amount, story)]
  const hasChanged = before.status !== after.status
  return [
    ...(hasChanged ? ['invoice.status_changed'] : []),
    ...(hasChanged && after.status === 'paid' ? ['debt.paid'] : []),
    ...(before.recovery !== after.recovery && after.recovery === 'completed' ? ['workflow.completed'] : []),
  ]
}

/** All events that follow from the list, in order. */
export const eventsIn = (amount: number, story: readonly MoneyEvent[]): string[] =>
  story.flatMap((event, index) => [
    ...(event.what === 'arrived' ? ['payment.received'] : []),
    ...(event.what === 'failed' || event.what === 'taken back' ? ['payment.failed'] : []),
    ...consequencesOf(amount, story.slice(0, index + 1)),
    ...(isPausedBy(amount, story.slice(0, index + 1)) ? ['workflow.paused'] : []),
  ])

const isPausedBy = (amount: number, story: readonly MoneyEvent[]): boolean =>
  recoveryIn(amount, story) === 'paused' && recoveryIn(amount, story.slice(0, -1)) !== 'paused'

/** What the domain forbids, by the name of the reason; null when it is allowed. */
export function refusalOfPayment(state: ModelState, cents: number, allowsOverpayment: boolean) {
  if (allowsOverpayment || cents <= state.balance) return null
  return state.balance === 0 ? 'paid' : 'too_much'
}

export function refusalOfCredit(state: ModelState, cents: number) {
  const closed = ['paid', 'cancelled', 'written_off'].find(status => status === state.status)
  return closed ?? (cents > state.balance ? 'too_much' : null)
}

export const paymentTransitions: Record<PaymentStatus, Partial<Record<PaymentStatus, PaymentEventKind>>> = {
  pending: { completed: 'arrived', failed: 'failed' },
  completed: { failed: 'taken back', refunded: 'given back' },
  failed: {},
  refunded: {},
}
