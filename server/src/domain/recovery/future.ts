import type { Channel } from '../contact/channel.ts'
import { type ContactFile, nextLegalSlot, type Shift } from '../contact/contact-rules.ts'
import { type Instant, type LocalDate, localTime } from '../time.ts'
import { type Reach, type Step, wayOf } from './cascade.ts'
import { afterSend, afterSkip, type Ground, type Motion, type Position, replan } from './motion.ts'
import { planFirst } from './plan.ts'
import { type DueMessage, decideWake } from './wake.ts'

export interface Due {
  readonly at: Instant | null
  readonly because: string | null
  readonly shifts: readonly Shift[]
}

/** A recovery that runs. */
export interface Pursuit {
  readonly invoiceId: string
  readonly position: Position
  readonly due: Due
  readonly reach: Reach
  readonly dueDate: LocalDate
  /** The last day on which the debtor may be reminded at all; null: no such day. */
  readonly lastDay: LocalDate | null
}

/** A message asked for beside the cascade. */
export interface ExtraDue {
  readonly invoiceId: string
  readonly step: string
  readonly channel: Channel
  readonly at: Instant
  readonly dueDate: LocalDate
}

export interface FutureAction {
  readonly invoiceId: string
  readonly step: string
  /** Of the cascade; null for what is beside it. */
  readonly day: number | null
  readonly channel: Channel | null
  /** `stand`: it cannot be done and must not be left out, so nothing follows. */
  readonly kind: 'send' | 'skip' | 'decide' | 'stand'
  readonly at: Instant | null
  readonly because: string | null
  readonly shifts: readonly Shift[]
}

interface Running extends Omit<Pursuit, 'position' | 'due'> {
  position: Position
  due: Due
}

interface Candidate extends DueMessage {
  readonly running: Running | null
  readonly extra: ExtraDue | null
}

/** The days as they are played through. */
interface Play {
  readonly seed: string
  readonly running: Running[]
  readonly beside: ExtraDue[]
  readonly actions: FutureAction[]
  rules: ContactFile
  now: Instant
  /** Nothing that is due may be sent before. */
  sleepsUntil: Instant | null
}

/** More looks than any cascade needs: a plan that is still not at its end is cut, not computed for ever. */
const looksMost = 2_000

/**
 * What will happen to a debtor if nothing else does: every message is accepted at its planned moment, nothing is heard and
 * nothing is paid. The same judgements as on the day itself, one after another, in the order of their moments.
 */
export function future(
  pursuits: readonly Pursuit[],
  extras: readonly ExtraDue[],
  { rules, now, seed }: Omit<Ground, 'reach'>,
): FutureAction[] {
  const running = pursuits.filter(({ due }) => due.at !== null).map(pursuit => ({ ...pursuit }))
  const play: Play = { seed, running, beside: [...extras], actions: [], rules, now, sleepsUntil: null }
  for (let looks = 0; looks < looksMost; looks++) {
    const moment = nextMoment(play)
    if (moment === null) break
    play.now = moment
    play.sleepsUntil = null
    const [one, ...others] = sortOut(play)
    if (!one) continue
    const decision = decideWake(play.rules, [one, ...others], play.now, seed)
    if (decision.kind === 'wait') play.sleepsUntil = decision.until
    else if (decision.kind === 'contact') contact(play, decision.serve, decision.along)
    else standStill(play, [one, ...others], decision.because)
  }
  return play.actions
}

/** What waits for a legal moment wakes nobody before it; what comes due in the meantime does. */
function nextMoment({ running, beside, sleepsUntil, now }: Play): Instant | null {
  const dues = [...running.map(({ due }) => due.at!), ...beside.map(({ at }) => at)]
  const moments = sleepsUntil === null ? dues : [sleepsUntil, ...dues.filter(at => at > now)]
  return moments.length === 0 ? null : Math.max(now, Math.min(...moments))
}

const stepOf = ({ position }: Running): Step => position.cascade.steps[position.step]!

type Told = Pick<FutureAction, 'channel' | 'kind' | 'at' | 'because' | 'shifts'>

function tell({ actions }: Play, of: Running, told: Told): void {
  const { name, day } = stepOf(of)
  actions.push({ invoiceId: of.invoiceId, step: name, day, ...told })
}

const leave = ({ running }: Play, of: Running) => void running.splice(running.indexOf(of), 1)

/** Nothing follows until somebody does something. */
function stand(play: Play, of: Running, because: string): void {
  tell(play, of, { channel: stepOf(of).channel, kind: 'stand', at: null, because, shifts: [] })
  leave(play, of)
}

function moveTo(play: Play, of: Running, { step, attempt, notice, next }: Motion): void {
  of.position = { ...of.position, step, attempt, notice }
  if (next.at !== null) of.due = next
  else if (next.because !== null) stand(play, of, next.because)
  else leave(play, of)
}

const groundOf = ({ rules, now, seed }: Play, { reach }: Running): Ground => ({ rules, reach, now, seed })

/** What is due: what can be sent competes for the day's contact; everything else moves on without one. */
function sortOut(play: Play): Candidate[] {
  const { rules, now } = play
  const candidates: Candidate[] = []
  for (const of of play.running.filter(({ due }) => isToday(rules, due.at!, now))) {
    const step = stepOf(of)
    const way = wayOf(step, of.reach)
    const isOver = of.lastDay !== null && today(rules, now) > of.lastDay
    if (way.kind === 'send' && !isOver) candidates.push(candidateOf(of, way.channel))
    else if (of.due.at! > now) continue
    else if (isOver) stand(play, of, 'time_barred')
    else if (way.kind === 'stand') stand(play, of, way.because)
    else if (way.kind === 'skip') {
      const { shifts } = of.due
      tell(play, of, { channel: step.channel, kind: 'skip', at: now, because: way.because, shifts })
      moveTo(play, of, afterSkip(of.position, groundOf(play, of)))
    } else {
      const { because, shifts } = of.due
      tell(play, of, { channel: null, kind: 'decide', at: now, because, shifts })
      leave(play, of)
    }
  }
  candidates.push(...play.beside.filter(({ at }) => at <= now).map(extraCandidate))
  const isDue = ({ running, extra }: Candidate) => (running ? running.due.at! : extra!.at) <= now
  return candidates.some(isDue) ? candidates : []
}

function contact(play: Play, serve: Candidate, along: readonly Candidate[]): void {
  const { now, rules } = play
  const { channel } = serve
  const due = serve.running?.due ?? { at: serve.extra!.at, because: 'requested', shifts: [] }
  const moved = movedBy(play, channel, due.at!)
  const told: Told = {
    channel,
    kind: 'send',
    at: now,
    because: moved.at(-1)?.because ?? due.because,
    shifts: [...due.shifts, ...moved],
  }
  if (serve.running) tell(play, serve.running, told)
  else if (serve.extra) {
    const { invoiceId, step } = serve.extra
    play.actions.push({ invoiceId, step, day: null, ...told })
    play.beside.splice(play.beside.indexOf(serve.extra), 1)
  }
  const served = [serve, ...along].flatMap(({ running }) => running ?? [])
  for (const of of served)
    if (of !== serve.running) tell(play, of, { ...told, because: 'grouped', shifts: of.due.shifts })
  const made = { at: now, channel }
  play.rules = { ...rules, contacts: [...rules.contacts, made], month: [...rules.month, made] }
  for (const of of served) moveTo(play, of, afterSend(of.position, 'accepted', groundOf(play, of)))
}

/** No legal moment is known, for anybody. */
function standStill(play: Play, candidates: readonly Candidate[], because: string): void {
  for (const { running, extra } of candidates)
    if (running) stand(play, running, because)
    else if (extra) play.beside.splice(play.beside.indexOf(extra), 1)
}

const candidateOf = (of: Running, channel: Channel): Candidate => ({
  invoiceId: of.invoiceId,
  step: stepOf(of),
  channel,
  dueDate: of.dueDate,
  isExtra: false,
  running: of,
  extra: null,
})
const extraCandidate = (extra: ExtraDue): Candidate => ({
  invoiceId: extra.invoiceId,
  step: { name: extra.step, channel: extra.channel },
  channel: extra.channel,
  dueDate: extra.dueDate,
  isExtra: true,
  running: null,
  extra,
})

const today = (rules: ContactFile, now: Instant): LocalDate =>
  rules.calendar ? localTime(rules.calendar.zones[0], now).date : ''

const isToday = (rules: ContactFile, at: Instant, now: Instant): boolean =>
  at <= now || (rules.calendar !== null && today(rules, at) === today(rules, now))

/** What stood between the moment something was due and the moment it is done. */
function movedBy({ rules, now, seed }: Play, channel: Channel, due: Instant): readonly Shift[] {
  if (now <= due) return []
  const plan = nextLegalSlot(rules, channel, due, { spreadSeed: seed })
  return plan.at === null ? [] : plan.shifts
}

/** Only the moment of a waiting step and its last reason are kept: the whole way to it is worked out again. */
export function explain(
  position: Position,
  due: Pick<Due, 'at' | 'because'>,
  past: { startedAt: Instant; dueDate: LocalDate; lastAt: Instant | null },
  ground: Ground,
): Due {
  const { startedAt, dueDate, lastAt } = past
  const { rules, seed } = ground
  const plans =
    lastAt === null
      ? [planFirst(rules, position.cascade, dueDate, startedAt, seed)]
      : [true, false].map(wasContact =>
          replan(position, { at: lastAt, wasContact }, { ...ground, now: lastAt }),
        )
  return { ...due, shifts: plans.find(plan => plan.at === due.at)?.shifts ?? [] }
}
