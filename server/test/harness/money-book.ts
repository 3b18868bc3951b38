import type { InvoiceStatus } from '../../src/domain/money/invoice-state.ts'
import type { PaymentStatus } from '../../src/domain/money/payment-state.ts'
import type { RecoveryStatus } from '../../src/domain/recovery/recovery-state.ts'

type OfPayment = 'announced' | 'arrived' | 'failed' | 'taken back' | 'given back'
type OfRecovery = 'started' | 'paused' | 'resumed' | 'judicial' | 'cancelled'
type OfInvoice = 'contacted' | 'letter' | 'disputed' | 'dispute over' | 'written off'

export type Happening =
  | { what: OfPayment; payment: number; cents: number }
  | { what: 'credited'; cents: number }
  | { what: OfRecovery | OfInvoice }

/** What everything comes to, told again from the first day at every question. Nothing is carried over, so nothing can drift. */
export interface Book {
  paid: number
  credited: number
  balance: number
  overpaid: number
  status: InvoiceStatus
  recovery: RecoveryStatus
  payments: { cents: number; status: PaymentStatus }[]
}

const lastWord: Record<OfPayment, PaymentStatus> = {
  announced: 'pending',
  arrived: 'completed',
  failed: 'failed',
  'taken back': 'failed',
  'given back': 'refunded',
}

const isOfPayment = (one: Happening): one is Extract<Happening, { payment: number }> => 'payment' in one
const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0)

/** A payment is what was last said about it. */
const paymentsOf = (story: readonly Happening[]) =>
  [...new Map(story.filter(isOfPayment).map(one => [one.payment, one])).values()]
    .sort((left, right) => left.payment - right.payment)
    .map(one => ({ cents: one.cents, status: lastWord[one.what] }))

const paidIn = (story: readonly Happening[]) =>
  sum(
    paymentsOf(story)
      .filter(payment => payment.status === 'completed')
      .map(payment => payment.cents),
  )
const creditedIn = (story: readonly Happening[]) =>
  sum(story.map(one => (one.what === 'credited' ? one.cents : 0)))

/** The table of the domain, line by line: the first that holds wins. */
const lines: [InvoiceStatus, (amount: number, story: readonly Happening[]) => boolean][] = [
  ['cancelled', (_, story) => story.some(one => one.what === 'cancelled')],
  ['written_off', (_, story) => story.some(one => one.what === 'written off')],
  ['paid', (amount, story) => paidIn(story) + creditedIn(story) >= amount],
  ['judicial', (_, story) => story.some(one => one.what === 'judicial')],
  [
    'disputed',
    (_, story) =>
      story.findLast(one => one.what === 'disputed' || one.what === 'dispute over')?.what === 'disputed',
  ],
  ['partial', (_, story) => paidIn(story) > 0],
  [
    'lrar_sent',
    (_, story) => story.findLast(one => one.what === 'letter' || one.what === 'contacted')?.what === 'letter',
  ],
  ['in_recovery', (_, story) => story.some(one => one.what === 'contacted')],
  ['imported', () => true],
]

const statusIn = (amount: number, story: readonly Happening[]) =>
  lines.find(([, holds]) => holds(amount, story))![0]

/** An open recovery stands where it was last put: by a person, or by money that left a paid invoice. */
function recoveryIn(amount: number, story: readonly Happening[]): RecoveryStatus {
  if (!story.some(one => one.what === 'started')) return 'pending'
  const status = statusIn(amount, story)
  if (status === 'cancelled') return 'cancelled'
  if (status === 'paid' || status === 'written_off') return 'completed'
  for (let day = story.length - 1; ; day--) {
    const what = story[day]!.what
    if (what === 'started' || what === 'resumed') return 'in_recovery'
    if (what === 'paused') return 'paused'
    if (what === 'judicial') return 'judicial'
    const isLeaving = what === 'given back' || what === 'taken back'
    if (isLeaving && statusIn(amount, story.slice(0, day)) === 'paid') return 'paused'
  }
}

export function bookOf(amount: number, story: readonly Happening[]): Book {
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

/** What follows from the last happening, if it is one of money. */
export function consequencesOf(amount: number, story: readonly Happening[]): string[] {
  const last = story.at(-1)!
  if (!isOfPayment(last) && last.what !== 'credited') return []
  const [yesterday, today] = [bookOf(amount, story.slice(0, -1)), bookOf(amount, story)]
  const hasChanged = yesterday.status !== today.status
  return [
    ...(hasChanged ? ['invoice.status_changed'] : []),
    ...(hasChanged && today.status === 'paid' ? ['debt.paid'] : []),
    ...(yesterday.recovery !== today.recovery && today.recovery === 'completed'
      ? ['workflow.completed']
      : []),
  ]
}

/** Every event of the whole story, in order. */
export const eventsIn = (amount: number, story: readonly Happening[]): string[] =>
  story.flatMap((one, day) => [
    ...(one.what === 'arrived' ? ['payment.received'] : []),
    ...(one.what === 'failed' || one.what === 'taken back' ? ['payment.failed'] : []),
    ...consequencesOf(amount, story.slice(0, day + 1)),
  ])

/** What the domain forbids, by the name of the reason; null when it is allowed. */
export const refusalOfPayment = (book: Book, isInsisting: boolean) =>
  book.status === 'paid' && !isInsisting ? 'paid' : null

export function refusalOfCredit(amount: number, book: Book, cents: number) {
  const closed = ['paid', 'cancelled', 'written_off'].find(status => status === book.status)
  return closed ?? (book.credited + cents > amount ? 'too_much' : null)
}

export const nextOf: Record<PaymentStatus, Partial<Record<PaymentStatus, OfPayment>>> = {
  pending: { completed: 'arrived', failed: 'failed' },
  completed: { failed: 'taken back', refunded: 'given back' },
  failed: {},
  refunded: {},
}
