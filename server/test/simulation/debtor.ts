import type { LocalCalendar } from '../../src/domain/contact/calendar.ts'
import type { Channel } from '../../src/domain/contact/channel.ts'
import type { ContactFile, PastContact } from '../../src/domain/contact/contact-rules.ts'
import { cents } from '../../src/domain/money/money.ts'
import { type Reach, rankOf, type StepOutcome } from '../../src/domain/recovery/cascade.ts'
import type {
  CascadeProgress,
  NextStep,
  PlanningContext,
  SendOutcome,
} from '../../src/domain/recovery/next-step.ts'
import type { Random } from '../chaos/random.ts'
import type { Judge } from './judge.ts'
import { chance, DAY, oneOf, type Person } from './population.ts'
import type { Candidate, Extra, Logs, Recovery, Slots } from './recovery.ts'
import type { StepRecord } from './step-checker.ts'

const minute = 60_000

/** One debtor record, and everything that a wake of the real system does with it, using the domain functions only. */
export class Debtor {
  readonly calendar: LocalCalendar
  recoveries: Recovery[] = []
  extras: Extra[] = []
  month: PastContact[] = []
  quietUntil: number | null = null
  wakeAt: number | null = null
  /** Extra wake-ups: late, repeated, or at the edges of the day. */
  hints: number[] = []
  readonly person: Person
  readonly #judge: Judge
  readonly #random: Random
  readonly #slots: Slots
  readonly #logs: Logs

  constructor(judge: Judge, random: Random, person: Person, slots: Slots, logs: Logs) {
    this.#judge = judge
    this.#random = random
    this.person = person
    this.#slots = slots
    this.#logs = logs
    const calendar = judge.calendarFor(person)
    if (!calendar) throw new Error(`no calendar for ${person.country}`)
    this.calendar = calendar
  }

  isOpen = (recovery: Recovery): boolean =>
    recovery.state.status === 'in_recovery' || recovery.state.status === 'paused'

  file(now: number): ContactFile {
    const contacts: PastContact[] = []
    for (const point of this.person.points)
      for (const contact of this.#slots.get(point) ?? [])
        if (contact.at > now - 5 * DAY && !contacts.includes(contact)) contacts.push(contact)
    this.month = this.month.filter(contact => contact.at > now - 31 * DAY)
    return {
      calendar: this.calendar,
      contacts,
      month: this.month,
      caps: this.person.caps,
      isConsumer: this.person.type === 'consumer',
      quietUntil: this.quietUntil,
    }
  }

  reach = ({ hasPhone, hasMobile, hasAddress, closed, missing }: Person, balance: number): Reach => ({
    hasPhone,
    hasMobile,
    hasAddress,
    closed,
    missing,
    balance: cents(balance),
  })

  planningContext(recovery: Recovery, now: number): PlanningContext {
    const reach = this.reach(this.person, recovery.balance)
    return { rules: this.file(now), reach, now, seed: this.person.id }
  }

  progress = ({ cascade, step, attempt, anchor, notice }: Recovery): CascadeProgress => ({
    cascade,
    step,
    attempt,
    anchor,
    notice,
  })

  /** Sets the next wake to the earliest due moment. */
  scheduleNextWake(): void {
    const times = [...this.recoveries, ...this.extras].flatMap(({ dueAt }) => dueAt ?? [])
    this.wakeAt = times.length === 0 ? null : Math.min(...times)
  }

  /** A wake; it may come at any moment, also when nothing is due. */
  wake(now: number): void {
    this.#logs.wakes++
    const [one, ...others] = this.#dueCandidates(now)
    if (!one) {
      this.scheduleNextWake()
      return
    }
    const decision = this.#judge.decideWake(this.file(now), [one, ...others], now, this.person.id)
    if (decision.kind === 'contact') this.#send(decision.lead, decision.grouped, now)
    else if (decision.kind === 'park') this.wakeAt = null
    // What is due before that is not held up by what waits today.
    else this.#wakeBy(decision.until, now)
  }

  #wakeBy(until: number, now: number): void {
    const later = this.recoveries.map(({ dueAt }) => dueAt ?? 0).filter(dueAt => dueAt > now)
    this.wakeAt = Math.min(until, ...later)
  }

  #dueCandidates(now: number): Candidate[] {
    const candidates: Candidate[] = []
    const zone = this.calendar.zones[0]
    const today = this.#judge.localTime(zone, now).date
    let isDue = false
    for (const recovery of this.recoveries) {
      const { dueAt, cascade, dueDate } = recovery
      if (dueAt === null || (dueAt > now && this.#judge.localTime(zone, dueAt).date !== today)) continue
      const step = cascade.steps[recovery.step]!
      const stepOutcome = this.#judge.stepOutcomeOf(step, this.reach(this.person, recovery.balance))
      if (recovery.state.status === 'in_recovery' && stepOutcome.kind === 'send') {
        isDue ||= dueAt <= now
        const message = {
          invoiceId: recovery.id,
          step,
          channel: stepOutcome.channel,
          dueDate,
          isExtra: false,
        }
        candidates.push({ ...message, recovery, extra: null })
      } else if (dueAt <= now) this.#advanceWithoutMessage(recovery, stepOutcome.kind, now)
    }
    for (const extra of this.extras) {
      if (extra.dueAt > now) continue
      isDue = true
      const { step, channel, dueAt } = extra
      const message = { invoiceId: `x${dueAt}`, step, channel, dueDate: '', isExtra: true }
      candidates.push({ ...message, recovery: null, extra })
    }
    return isDue ? candidates : []
  }

  #advanceWithoutMessage(recovery: Recovery, stepOutcome: StepOutcome['kind'], now: number): void {
    if (recovery.state.status === 'paused') this.resume(recovery, now)
    else if (stepOutcome === 'skip') {
      this.#recordStep(recovery, now, 'skipped')
      this.#applyNextStep(
        recovery,
        this.#judge.afterSkip(this.progress(recovery), this.planningContext(recovery, now)),
      )
      recovery.last = { at: now, wasContact: false }
    } else recovery.dueAt = null
  }

  resume(recovery: Recovery, now: number): void {
    recovery.state = this.#judge.withoutHolds(recovery.state, recovery.state.holds)
    recovery.anchor = this.#judge.anchorAfterPause(recovery.anchor, recovery.pausedAt, now)
    this.replan(recovery, now)
  }

  replan(recovery: Recovery, now: number): void {
    recovery.dueAt = this.#judge.replan(
      this.progress(recovery),
      recovery.last,
      this.planningContext(recovery, now),
    ).at
  }

  #applyNextStep(recovery: Recovery, nextStep: NextStep): void {
    recovery.step = nextStep.step
    recovery.attempt = nextStep.attempt
    recovery.notice = nextStep.notice
    recovery.dueAt = nextStep.plan.at
    if (nextStep.isOver) recovery.isEscalated = false
  }

  #recordStep(recovery: Recovery, at: number, kind: StepRecord['kind'], by?: Candidate): void {
    const step = recovery.cascade.steps[recovery.step]!
    this.#logs.steps.push({
      recoveryId: recovery.id,
      step: step.name,
      rank: rankOf(step),
      byRank: by ? rankOf(by.step) : rankOf(step),
      at,
      zone: this.calendar.zones[0],
      day: step.day,
      anchor: recovery.anchor,
      kind,
      isEscalated: recovery.isEscalated,
      isPaused: recovery.state.status !== 'in_recovery',
      notice: recovery.notice,
    })
  }

  /** Reserved now, claimed within ten minutes and judged again, sent, settled. */
  #send(lead: Candidate, grouped: readonly Candidate[], now: number): void {
    const delay = chance(this.#random, 0.2)
      ? this.#random.between(0, 10 * minute)
      : this.#random.between(0, 900)
    const at = now + delay
    if (!this.#judge.judgeContact(this.file(at), lead.channel, at).allowed) {
      // Too late for this day's rules: the reservation expires, and the debtor is woken again.
      this.wakeAt = at
      return
    }
    const outcome = oneOf<SendOutcome>(
      this.#random,
      outcomes[lead.channel === 'email' && lead.extra === null ? 'usual' : 'unreliable'],
    )
    const isContact = this.#judge.countsAsContact(outcome)
    if (isContact) this.#contact(lead.channel, at)
    for (const candidate of [lead, ...grouped]) {
      const { recovery, extra } = candidate
      if (extra) this.extras = this.extras.filter(other => other !== extra)
      if (recovery) this.#settle(recovery, lead, outcome, at)
    }
    this.scheduleNextWake()
  }

  #contact(channel: Channel, at: number): void {
    const contact = { at, channel }
    for (const point of this.person.points) {
      const slots = this.#slots.get(point) ?? []
      this.#slots.set(point, slots)
      slots.push(contact)
      if (slots.length > 20) slots.shift()
    }
    this.month.push(contact)
    const { id: debtorId, points, country, postalCode, caps, type } = this.person
    this.#logs.contacts.push({
      debtorId,
      points,
      channel,
      at,
      country,
      postalCode,
      isConsumer: type === 'consumer',
      caps,
    })
  }

  #settle(recovery: Recovery, lead: Candidate, outcome: SendOutcome, at: number): void {
    const isContact = this.#judge.countsAsContact(outcome)
    this.#recordStep(recovery, at, isContact ? 'contacted' : 'refused', lead)
    const before = recovery.notice
    const { name } = recovery.cascade.steps[recovery.step]!
    const nextStep = this.#judge.afterSend(
      this.progress(recovery),
      outcome,
      this.planningContext(recovery, at),
    )
    this.#applyNextStep(recovery, nextStep)
    if (nextStep.notice !== before && chance(this.#random, 0.8))
      recovery.receiptDueAt = at + this.#random.between(DAY / 2, 16 * DAY)
    if (nextStep.isOver || isContact) recovery.last = { at, wasContact: isContact }
    if (isContact) recovery.lastStep = name
  }
}

const outcomes: Record<'usual' | 'unreliable', readonly SendOutcome[]> = {
  usual: [...Array<SendOutcome>(17).fill('accepted'), 'unknown', 'retryable', 'permanent'],
  unreliable: [...Array<SendOutcome>(7).fill('accepted'), 'unknown', 'retryable', 'permanent'],
}
