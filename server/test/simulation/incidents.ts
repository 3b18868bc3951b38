import { channels } from '../../src/domain/contact/channel.ts'
import type { Hold } from '../../src/domain/recovery/recovery-state.ts'
import type { Random } from '../chaos/random.ts'
import type { Debtor } from './debtor.ts'
import type { Judge } from './judge.ts'
import { chance, DAY, oneOf } from './population.ts'
import type { Recovery } from './recovery.ts'

type Incident = (judge: Judge, random: Random, debtor: Debtor, recovery: Recovery, now: number) => void

const pause: Incident = (judge, _random, _debtor, recovery, now) => hold(judge, recovery, 'asked', now, null)

const dispute: Incident = (judge, _random, _debtor, recovery, now) =>
  hold(judge, recovery, 'dispute', now, null)

/** A paused one may be due: that is when its pause ends by itself. */
function hold(judge: Judge, recovery: Recovery, why: Hold, now: number, until: number | null): void {
  if (recovery.state.status === 'in_recovery') recovery.pausedAt = now
  recovery.state = judge.withHold(recovery.state, why)
  if (recovery.state.status === 'paused') recovery.dueAt = until
}

const resume: Incident = (_judge, _random, debtor, recovery, now) => {
  if (recovery.state.status === 'paused') debtor.resume(recovery, now)
}

const debtorResponse: Incident = (judge, _random, debtor, _recovery, now) => {
  debtor.quietUntil = now + judge.quietPeriodAfterResponse
}

const payment: Incident = (judge, random, debtor, recovery, now) => {
  debtorResponse(judge, random, debtor, recovery, now)
  recovery.balance = chance(random, 0.4) ? 0 : Math.ceil(recovery.balance / 2)
  if (recovery.balance > 0) return
  recovery.state = { status: 'completed', holds: [] }
  recovery.dueAt = null
}

const promise: Incident = (judge, random, debtor, recovery, now) => {
  debtorResponse(judge, random, debtor, recovery, now)
  const zone = debtor.calendar.zones[0]
  const payOn = judge.localTime(zone, now + random.between(1, 12) * DAY).date
  hold(judge, recovery, 'promise', now, judge.gracePeriodEnds(debtor.calendar, payOn))
}

const escalate: Incident = (judge, _random, debtor, recovery, now) => {
  if (recovery.state.status !== 'in_recovery' || recovery.dueAt === null) return
  const context = debtor.planningContext(recovery, now)
  const target = judge.escalationTarget(debtor.progress(recovery), recovery.lastStep, context)
  if (target === null) return
  recovery.step = target
  recovery.attempt = 0
  recovery.isEscalated = true
  const stepOutcome = judge.stepOutcomeOf(recovery.cascade.steps[target]!, context.reach)
  recovery.dueAt = judge.planAt(
    context.rules,
    stepOutcome.kind === 'send' ? stepOutcome.channel : null,
    now,
    debtor.person.id,
  ).at
}

const optOut: Incident = (_judge, random, debtor) => {
  const channel = oneOf(random, channels)
  if (!debtor.person.closed.includes(channel)) debtor.person.closed.push(channel)
}

const extra: Incident = (judge, random, debtor, _recovery, now) => {
  const channel = oneOf(random, channels)
  const { at } = judge.planAt(debtor.file(now), channel, now, debtor.person.id)
  if (at !== null) debtor.extras.push({ dueAt: at, step: { name: 'extra', channel }, channel })
}

/** Everything is made due at once, and hints arrive around the edges of the day: whatever goes then must be legal. */
const rush: Incident = (judge, random, debtor, _recovery, now) => {
  const zone = debtor.calendar.zones[0]
  const date = judge.localTime(zone, now + DAY).date
  // Two of them: the first legal one of a day uses it up.
  for (const hour of random.shuffled([8, 8, 9, 10, 12.5, 13, 14, 18.5, 20, 20, 20, 20]).slice(0, 2)) {
    const edge = judge.instantOf(zone, date, hour * 60)
    debtor.hints.push(edge - 1, edge)
  }
  if (chance(random, 0.1)) debtor.hints.push(now + random.between(0, DAY))
  debtor.hints.sort((left, right) => left - right)
  for (const recovery of debtor.recoveries) {
    if (recovery.state.status !== 'in_recovery' || recovery.dueAt === null) continue
    recovery.dueAt = debtor.hints[0]!
    recovery.isEscalated = true
  }
}

const incidents: readonly Incident[] = [
  pause,
  resume,
  resume,
  resume,
  dispute,
  debtorResponse,
  payment,
  promise,
  escalate,
  escalate,
  extra,
  extra,
  rush,
  rush,
  rush,
]

/** A random incident for a debtor. */
export function incident(judge: Judge, random: Random, debtor: Debtor, now: number): void {
  const open = debtor.recoveries.filter(debtor.isOpen)
  if (open.length === 0) return
  const happens = chance(random, 0.02) ? optOut : oneOf(random, incidents)
  happens(judge, random, debtor, oneOf(random, open), now)
  debtor.scheduleNextWake()
}
