import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  consequencesOf,
  type MoneyEvent,
  paymentTransitions,
  refusalOfCredit,
  refusalOfPayment,
  stateAfter,
} from '../../../test/harness/money-model.ts'
import { type InvoiceFacts, invoiceStatus, invoiceStatuses } from '../money/invoice-state.ts'
import { cents } from '../money/money.ts'
import { type PaymentStatus, paymentActs } from '../money/payment-state.ts'
import { type Account, applyMovement, balanceOf, type Movement, mayCredit, mayPay } from './account.ts'
import { type RecoveryStatus, recoveryStatusAfter } from './recovery-state.ts'

const runs = Number(process.env.MODEL_RUNS ?? 2_000)

interface Story {
  amount: number
  story: MoneyEvent[]
}
interface Desk {
  account: Account
  payments: { cents: number; status: PaymentStatus }[]
  debtsPaid: number
  timesPaid: number
}

const seen = new Set<string>()
const note = (what: string | null) => what !== null && seen.add(what)

function open(amount: number): { model: Story; real: Desk } {
  const facts: InvoiceFacts = {
    amount: cents(amount),
    paid: cents(0),
    credited: cents(0),
    isCancelled: false,
    isWrittenOff: false,
    isJudicial: false,
    isDisputed: false,
    lastActionIsLetter: false,
    wasContacted: false,
  }
  return {
    model: { amount, story: [] },
    real: {
      account: { facts, status: invoiceStatus(facts), recovery: 'pending' },
      payments: [],
      debtsPaid: 0,
      timesPaid: 0,
    },
  }
}

/** Frozen, so that a rule that changes its input fails. */
function put(desk: Desk, account: Account): void {
  if (account.status === 'paid' && desk.account.status !== 'paid') desk.timesPaid++
  if (account.recovery === 'paused' && desk.account.recovery === 'completed') note('reopened')
  desk.account = Object.freeze({ ...account, facts: Object.freeze(account.facts) })
}

function moveMoney(desk: Desk, movement: Movement): string[] {
  const { account, events } = applyMovement(desk.account, movement)
  if (desk.account.facts.isCancelled || desk.account.facts.isWrittenOff) note('money after the end')
  desk.debtsPaid += events.filter(type => type === 'debt.paid').length
  put(desk, account)
  return events
}

function compare({ amount, story }: Story, { account, payments, debtsPaid, timesPaid }: Desk): void {
  const { facts, status, recovery } = account
  const { balance, principal, overpaid } = balanceOf(facts)
  const claimed = 4_000
  const withClaim = balanceOf({ ...facts, claimed })
  const book = stateAfter(amount, story)
  expect({
    paid: facts.paid,
    credited: facts.credited,
    balance,
    overpaid,
    status,
    recovery,
    payments,
  }).toEqual(book)
  const isFinal = facts.isCancelled || facts.isWrittenOff
  const promises = {
    'money is conserved':
      amount === balance + facts.credited + principal && facts.paid === principal + overpaid,
    'a claim does not change what was paid of the principal': withClaim.principal === principal,
    'and with a claim beside the principal':
      amount === withClaim.balance + facts.credited + facts.paid - withClaim.accessories - withClaim.overpaid,
    'the principal comes first, then what was claimed, and only the rest is overpaid':
      withClaim.balance === balance &&
      withClaim.accessories === Math.min(claimed, overpaid) &&
      withClaim.overpaid === overpaid - withClaim.accessories,
    'owed or overpaid, never both': balance === 0 || overpaid === 0,
    'nothing is below zero': Math.min(balance, overpaid, facts.paid, facts.credited) >= 0,
    'paid if and only if paid reaches the amount less credits, unless final':
      (status === 'paid') === (!isFinal && facts.paid >= amount - facts.credited),
    'one debt.paid for each time it becomes paid': debtsPaid === timesPaid,
  }
  expect(Object.entries(promises).filter(([, holds]) => !holds)).toEqual([])
  note(status)
}

type Size = 'rest' | number
const sizeOf = (size: Size, { amount, story }: Story) =>
  size === 'rest' ? stateAfter(amount, story).balance || 1 : size

const command = (name: string, run: (model: Story, desk: Desk) => void): fc.Command<Story, Desk> => ({
  check: () => true,
  run(model, desk) {
    run(model, desk)
    compare(model, desk)
  },
  toString: () => name,
})

const pay = (size: Size, isPending: boolean, allowOverpayment: boolean) =>
  command(
    `pay ${size}${isPending ? ' pending' : ''}${allowOverpayment ? ' insisting' : ''}`,
    (model, desk) => {
      const worth = sizeOf(size, model)
      const refusal = refusalOfPayment(stateAfter(model.amount, model.story), worth, false)
      const verdict = mayPay({ ...desk.account.facts, claimed: 0 }, worth)
      expect(verdict).toEqual(refusal === null ? { allowed: true } : { allowed: false, because: refusal })
      note(refusal && `pay on ${refusal}`)
      if (refusal !== null && !allowOverpayment) return
      const what = isPending ? 'announced' : 'arrived'
      model.story.push({ what, payment: desk.payments.length, cents: worth })
      desk.payments.push({ cents: worth, status: isPending ? 'pending' : 'completed' })
      const events = isPending ? [] : moveMoney(desk, { kind: 'payment', cents: worth })
      expect(events).toEqual(consequencesOf(model.amount, model.story))
    },
  )

const settle = (which: number, to: 'completed' | 'failed' | 'refunded') =>
  command(`payment ${which} becomes ${to}`, (model, desk) => {
    const index = which % Math.max(1, desk.payments.length)
    const payment = desk.payments[index]
    if (!payment) return
    const what = paymentTransitions[stateAfter(model.amount, model.story).payments[index]!.status][to]
    const act = Object.values(paymentActs).find(({ from, to: end }) => from === payment.status && end === to)
    expect(act !== undefined).toBe(what !== undefined)
    if (what === undefined || act === undefined) return note(`${payment.status} to ${to}`)
    model.story.push({ what, payment: index, cents: payment.cents })
    payment.status = to
    const events =
      act.movement === null ? [] : moveMoney(desk, { kind: act.movement, cents: act.effect * payment.cents })
    expect(events).toEqual(consequencesOf(model.amount, model.story))
  })

const credit = (size: Size) =>
  command(`credit ${size}`, (model, desk) => {
    const worth = sizeOf(size, model)
    const refusal = refusalOfCredit(stateAfter(model.amount, model.story), worth)
    const verdict = mayCredit(desk.account.status, desk.account.facts, worth)
    expect(verdict).toEqual(refusal === null ? { allowed: true } : { allowed: false, because: refusal })
    note(refusal && `credit on ${refusal}`)
    if (refusal !== null) return
    model.story.push({ what: 'credited', cents: worth })
    const events = moveMoney(desk, { kind: 'credit', cents: worth })
    expect(events).toEqual(consequencesOf(model.amount, model.story))
  })

type Turn = Exclude<MoneyEvent, { cents: number }>['what']

const isOpen = ({ status }: Account) => !['paid', 'cancelled', 'written_off'].includes(status)
const isRunning = ({ recovery }: Account) => recovery === 'in_recovery' || recovery === 'paused'

/** What others do to the invoice between two movements of money: when, and to which facts and recovery. */
const turns: Record<Turn, [(account: Account) => boolean, Partial<InvoiceFacts>, RecoveryStatus?]> = {
  started: [account => account.recovery === 'pending' && isOpen(account), {}, 'in_recovery'],
  paused: [account => account.recovery === 'in_recovery', {}, 'paused'],
  resumed: [account => account.recovery === 'paused', {}, 'in_recovery'],
  judicial: [account => isRunning(account) && isOpen(account), { isJudicial: true }, 'judicial'],
  cancelled: [account => isRunning(account) && isOpen(account), { isCancelled: true }, 'cancelled'],
  'written off': [isOpen, { isWrittenOff: true }],
  contacted: [isRunning, { wasContacted: true, lastActionIsLetter: false }],
  letter: [isRunning, { wasContacted: true, lastActionIsLetter: true }],
  disputed: [isOpen, { isDisputed: true }],
  'dispute over': [account => account.facts.isDisputed, { isDisputed: false }],
}

const turn = (what: Turn) =>
  command(what, (model, desk) => {
    const [isPossible, change, to] = turns[what]
    if (!isPossible(desk.account)) return
    model.story.push({ what })
    const facts = { ...desk.account.facts, ...change }
    const status = invoiceStatus(facts)
    const recovery = to ?? recoveryStatusAfter(desk.account.recovery, desk.account.status, status)
    put(desk, { facts, status, recovery })
  })

const amount = 100
const size = fc.oneof(fc.constant<Size>('rest'), fc.integer({ min: 1, max: amount + 20 }))
const often = (weight: number, arbitrary: fc.Arbitrary<fc.Command<Story, Desk>>) => ({ weight, arbitrary })
const commands = fc.commands(
  [
    fc.oneof(
      often(
        6,
        fc.tuple(size, fc.boolean(), fc.boolean()).map(args => pay(...args)),
      ),
      often(
        6,
        fc.tuple(fc.nat(9), fc.constantFrom('completed', 'failed', 'refunded')).map(args => settle(...args)),
      ),
      often(2, size.map(credit)),
      often(3, fc.constantFrom(turn('started'), turn('paused'), turn('resumed'))),
      often(2, fc.constantFrom(turn('contacted'), turn('letter'), turn('disputed'), turn('dispute over'))),
      often(1, fc.constantFrom(turn('judicial'), turn('cancelled'), turn('written off'))),
    ),
  ],
  { maxCommands: 30, size: 'max' },
)

it(`whatever happens to an invoice, in ${runs} orders, it stands as its whole story told from scratch says`, () => {
  fc.assert(
    fc.property(commands, steps => fc.modelRun(() => open(amount), steps)),
    { numRuns: runs },
  )
}, 600_000)

it.skipIf(runs < 1_000)('these stories reached every status and met every refusal', () => {
  expect([...seen].sort()).toEqual(
    [
      ...invoiceStatuses.filter(status => status !== 'draft'),
      ...['paid', 'cancelled', 'written_off', 'too_much'].map(reason => `credit on ${reason}`),
      'reopened',
      'money after the end',
      'pay on paid',
      'pay on too_much',
      'pending to refunded',
      'completed to completed',
      ...['completed', 'failed', 'refunded'].flatMap(to => [`failed to ${to}`, `refunded to ${to}`]),
    ].sort(),
  )
})
