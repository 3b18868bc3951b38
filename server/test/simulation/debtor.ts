import type { LocalCalendar } from '../../src/domain/contact/calendar.ts'
import type { Channel } from '../../src/domain/contact/channel.ts'
import type { ContactFile, PastContact } from '../../src/domain/contact/contact-rules.ts'
import { cents } from '../../src/domain/money/money.ts'
import { type Reach, rankOf } from '../../src/domain/recovery/cascade.ts'
import type { Fate, Ground, Motion, Position } from '../../src/domain/recovery/motion.ts'
import type { Random } from '../chaos/random.ts'
import type { Judge } from './judge.ts'
import type { Move } from './motion-checker.ts'
import { chance, DAY, oneOf, type Person } from './population.ts'
import type { Candidate, Extra, Logs, Recovery, Slots } from './recovery.ts'

const minute = 60_000

/** One record of a debtor, and everything a wake of the real system does with it, on the domain alone. */
export class Debtor {
  readonly calendar: LocalCalendar
  recoveries: Recovery[] = []
  extras: Extra[] = []
  month: PastContact[] = []
  quietUntil: number | null = null
  wakeAt: number | null = null
  /** Wake-ups nobody asked for: late, doubled, or at the worst moment of the day. */
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

  ground(recovery: Recovery, now: number): Ground {
    const reach = this.reach(this.person, recovery.balance)
    return { rules: this.file(now), reach, now, seed: this.person.id }
  }

  position = ({ cascade, step, attempt, anchor, notice }: Recovery): Position => ({
    cascade,
    step,
    attempt,
    anchor,
    notice,
  })

  /** When to look next: at the earliest of what waits. */
  rest(): void {
    const times = [...this.recoveries, ...this.extras].flatMap(({ dueAt }) => dueAt ?? [])
    this.wakeAt = times.length === 0 ? null : Math.min(...times)
  }

  /** A look at the debtor; it may come at any moment, also when nothing is due. */
  wake(now: number): void {
    this.#logs.wakes++
    const [one, ...others] = this.#sortOut(now)
    if (!one) {
      this.rest()
      return
    }
    const decision = this.#judge.decideWake(this.file(now), [one, ...others], now, this.person.id)
    if (decision.kind === 'contact') this.#send(decision.serve, decision.along, now)
    else if (decision.kind === 'park') this.wakeAt = null
    // What is due before that is not held up by what waits today.
    else this.#restUntil(decision.until, now)
  }

  #restUntil(until: number, now: number): void {
    const later = this.recoveries.map(({ dueAt }) => dueAt ?? 0).filter(dueAt => dueAt > now)
    this.wakeAt = Math.min(until, ...later)
  }

  #sortOut(now: number): Candidate[] {
    const candidates: Candidate[] = []
    const zone = this.calendar.zones[0]
    const today = this.#judge.localTime(zone, now).date
    let isDue = false
    for (const recovery of this.recoveries) {
      const { dueAt, cascade, dueDate } = recovery
      if (dueAt === null || (dueAt > now && this.#judge.localTime(zone, dueAt).date !== today)) continue
      const step = cascade.steps[recovery.step]!
      const way = this.#judge.wayOf(step, this.reach(this.person, recovery.balance))
      if (recovery.state.status === 'in_recovery' && way.kind === 'send') {
        isDue ||= dueAt <= now
        const message = { invoiceId: recovery.id, step, channel: way.channel, dueDate, isExtra: false }
        candidates.push({ ...message, recovery, extra: null })
      } else if (dueAt <= now) this.#moveOn(recovery, way.kind, now)
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

  #moveOn(recovery: Recovery, way: 'send' | 'skip' | 'stand' | 'decide', now: number): void {
    if (recovery.state.status === 'paused') this.resume(recovery, now)
    else if (way === 'skip') {
      this.#note(recovery, now, 'skipped')
      this.#move(recovery, this.#judge.afterSkip(this.position(recovery), this.ground(recovery, now)))
      recovery.last = { at: now, wasContact: false }
    } else recovery.dueAt = null
  }

  resume(recovery: Recovery, now: number): void {
    recovery.state = this.#judge.released(recovery.state, recovery.state.holds)
    recovery.anchor = this.#judge.anchorAfterPause(recovery.anchor, recovery.pausedAt, now)
    this.replan(recovery, now)
  }

  replan(recovery: Recovery, now: number): void {
    recovery.dueAt = this.#judge.replan(this.position(recovery), recovery.last, this.ground(recovery, now)).at
  }

  #move(recovery: Recovery, motion: Motion): void {
    recovery.step = motion.step
    recovery.attempt = motion.attempt
    recovery.notice = motion.notice
    recovery.dueAt = motion.next.at
    if (motion.isOver) recovery.isEscalated = false
  }

  #note(recovery: Recovery, at: number, kind: Move['kind'], by?: Candidate): void {
    const step = recovery.cascade.steps[recovery.step]!
    this.#logs.moves.push({
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
  #send(serve: Candidate, along: readonly Candidate[], now: number): void {
    const delay = chance(this.#random, 0.2)
      ? this.#random.between(0, 10 * minute)
      : this.#random.between(0, 900)
    const at = now + delay
    if (!this.#judge.judgeContact(this.file(at), serve.channel, at).allowed) {
      // Too late for this day's rules: the reservation lapses, and the debtor is looked at anew.
      this.wakeAt = at
      return
    }
    const fate = oneOf<Fate>(
      this.#random,
      fates[serve.channel === 'email' && serve.extra === null ? 'usual' : 'rough'],
    )
    const isContact = this.#judge.countsAsContact(fate)
    if (isContact) this.#contact(serve.channel, at)
    for (const candidate of [serve, ...along]) {
      const { recovery, extra } = candidate
      if (extra) this.extras = this.extras.filter(other => other !== extra)
      if (recovery) this.#settle(recovery, serve, fate, at)
    }
    this.rest()
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

  #settle(recovery: Recovery, serve: Candidate, fate: Fate, at: number): void {
    const isContact = this.#judge.countsAsContact(fate)
    this.#note(recovery, at, isContact ? 'contacted' : 'refused', serve)
    const before = recovery.notice
    const { name } = recovery.cascade.steps[recovery.step]!
    const motion = this.#judge.afterSend(this.position(recovery), fate, this.ground(recovery, at))
    this.#move(recovery, motion)
    if (motion.notice !== before && chance(this.#random, 0.8))
      recovery.newsDueAt = at + this.#random.between(DAY / 2, 16 * DAY)
    if (motion.isOver || isContact) recovery.last = { at, wasContact: isContact }
    if (isContact) recovery.lastStep = name
  }
}

const fates: Record<'usual' | 'rough', readonly Fate[]> = {
  usual: [...Array<Fate>(17).fill('accepted'), 'unknown', 'retryable', 'permanent'],
  rough: [...Array<Fate>(7).fill('accepted'), 'unknown', 'retryable', 'permanent'],
}
