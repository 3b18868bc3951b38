import { type Random, randomFrom } from '../chaos/random.ts'
import { type Kind, type Violation, violationsIn } from './checker.ts'
import { Debtor } from './debtor.ts'
import { incident } from './incidents.ts'
import type { Judge } from './judge.ts'
import { cascadeFor, chance, DAY, household, oneOf, randomStart } from './population.ts'
import type { Logs, Recovery, Slots } from './recovery.ts'
import { startWaits, type Waits } from './slot-bounds.ts'
import { type StepFault, stepFaultsIn } from './step-checker.ts'

export interface Outcome {
  debtorDays: number
  debtors: number
  wakes: number
  contacts: number
  perChannel: Record<string, number>
  violations: Violation[]
  faults: StepFault[]
  waits: Waits
}

/** Enough to report; a sabotaged rule causes thousands. */
const violationsMax = 200

/**
 * Simulates households one after the other until enough debtor-days have passed, and runs the checkers over the log. With
 * `until` it stops at the first violation of that kind.
 */
export function simulate(
  judge: Judge,
  { debtorDays, seed, until }: { debtorDays: number; seed: number; until?: Kind },
): Outcome {
  const random = randomFrom(seed)
  const perChannel: Record<string, number> = { email: 0, sms: 0, voice: 0, lrar: 0 }
  const outcome: Outcome = {
    debtorDays: 0,
    debtors: 0,
    wakes: 0,
    contacts: 0,
    perChannel,
    violations: [],
    faults: [],
    waits: startWaits(),
  }
  for (let index = 0; outcome.debtorDays < debtorDays; index++) {
    const logs: Logs = { contacts: [], steps: [], wakes: 0 }
    outcome.debtorDays += simulateHousehold(judge, random, index, logs, outcome)
    outcome.wakes += logs.wakes
    outcome.contacts += logs.contacts.length
    for (const { channel } of logs.contacts) perChannel[channel]!++
    if (outcome.violations.length < violationsMax) outcome.violations.push(...violationsIn(logs.contacts))
    if (outcome.faults.length < violationsMax) outcome.faults.push(...stepFaultsIn(logs.steps))
    if (until && outcome.violations.some(({ kind }) => kind === until)) break
  }
  return outcome
}

/** From the first invoice of a household until five months have passed or nothing is open; answers the debtor-days. */
function simulateHousehold(
  judge: Judge,
  random: Random,
  index: number,
  logs: Logs,
  outcome: Outcome,
): number {
  const slots: Slots = new Map()
  const debtors = household(random, index).map(person => new Debtor(judge, random, person, slots, logs))
  outcome.debtors += debtors.length
  let now = randomStart(random)
  const end = now + 150 * DAY
  let invoices = 0
  for (const debtor of debtors) {
    const count = random.between(1, 4)
    for (let i = 0; i < count; i++)
      debtor.recoveries.push(pending(judge, random, debtor, `${index}.${invoices++}`, now))
  }
  let days = 0
  let incidentAt = now + random.between(0, 4 * DAY)
  while (now < end) {
    let next = incidentAt
    for (const debtor of debtors) next = Math.min(next, soonest(debtor))
    next = Math.max(now, next)
    for (const debtor of debtors) if (isBusy(debtor)) days += (Math.min(next, end) - now) / DAY
    now = next
    if (now >= end || !debtors.some(isBusy)) break
    for (const debtor of debtors) {
      startDue(judge, debtor, now)
      applyReceipts(debtor, now)
      const isHinted = debtor.hints[0] !== undefined && debtor.hints[0] <= now
      if (isHinted) debtor.hints.shift()
      if (!isHinted && (debtor.wakeAt === null || debtor.wakeAt > now)) continue
      const before = logs.contacts.length
      debtor.wake(now)
      // Right after a contact the next slot is as far away as it can be.
      const sent = logs.contacts[before]
      if (sent && chance(random, 0.1)) outcome.waits.measure(judge, debtor.file(sent.at), sent.at)
    }
    if (now >= incidentAt) {
      const debtor = oneOf(random, debtors)
      incident(judge, random, debtor, now)
      if (chance(random, 0.05)) outcome.waits.measure(judge, debtor.file(now), now)
      incidentAt = now + random.between(60_000, 6 * DAY)
    }
  }
  return days
}

const isBusy = (debtor: Debtor) =>
  debtor.recoveries.some(
    recovery =>
      recovery.state.status === 'pending' ||
      recovery.state.status === 'paused' ||
      (recovery.state.status === 'in_recovery' && recovery.dueAt !== null),
  )

function soonest(debtor: Debtor): number {
  let first = Math.min(debtor.wakeAt ?? Number.POSITIVE_INFINITY, debtor.hints[0] ?? Number.POSITIVE_INFINITY)
  for (const { state, pausedAt, receiptDueAt } of debtor.recoveries) {
    if (state.status === 'pending') first = Math.min(first, pausedAt)
    if (receiptDueAt !== null) first = Math.min(first, receiptDueAt)
  }
  return first
}

/** An invoice that will be handed over within three weeks, due in the past or a little later. */
function pending(judge: Judge, random: Random, debtor: Debtor, id: string, from: number): Recovery {
  const startsAt = from + (chance(random, 0.4) ? 0 : random.between(0, 21 * DAY))
  const zone = debtor.calendar.zones[0]
  return {
    id,
    cascade: cascadeFor(judge, random, debtor.person.type),
    step: 0,
    attempt: 0,
    anchor: startsAt,
    notice: null,
    receiptDueAt: null,
    dueAt: null,
    state: { status: 'pending', holds: [] },
    pausedAt: startsAt,
    last: null,
    lastStep: null,
    dueDate: judge.localTime(zone, startsAt + random.between(-60, 6) * DAY).date,
    balance: oneOf(random, [50_00, 280_00, 900_00, 1_500_00, 7_500_00]),
    isEscalated: false,
  }
}

function startDue(judge: Judge, debtor: Debtor, now: number): void {
  for (const recovery of debtor.recoveries) {
    if (recovery.state.status !== 'pending' || recovery.pausedAt > now) continue
    recovery.state = { status: 'in_recovery', holds: [] }
    recovery.anchor = judge.anchorOf(debtor.calendar, now, recovery.dueDate)
    const { cascade, dueDate } = recovery
    recovery.dueAt = judge.planFirstStep(debtor.file(now), cascade, dueDate, now, debtor.person.id).at
    debtor.scheduleNextWake()
  }
}

function applyReceipts(debtor: Debtor, now: number): void {
  for (const recovery of debtor.recoveries) {
    if (recovery.receiptDueAt === null || recovery.receiptDueAt > now) continue
    const newsAt = recovery.receiptDueAt
    recovery.receiptDueAt = null
    if (!recovery.notice || !debtor.isOpen(recovery)) continue
    recovery.notice = { ...recovery.notice, receiptAt: newsAt }
    if (recovery.state.status !== 'in_recovery' || recovery.dueAt === null) continue
    debtor.replan(recovery, now)
    debtor.scheduleNextWake()
  }
}
