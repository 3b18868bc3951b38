import type { Channel } from '../contact/channel.ts'
import { type ContactFile, forAnswers, nextLegalSlot, type Shift } from '../contact/contact-rules.ts'
import type { Instant, LocalDate } from '../time.ts'
import type { Step } from './cascade.ts'
import type { Due, Released } from './hold.ts'
import {
  type Advance,
  decideLook,
  type LookContext,
  type WaitingExtra,
  type WaitingRecovery,
} from './look.ts'
import { afterSend, type Ground, type Motion, type Position, replan } from './motion.ts'
import { planFirst } from './plan.ts'

/** A planned moment, with everything that moved it. */
export interface ExplainedDue extends Due {
  readonly shifts: readonly Shift[]
}

/** A recovery whose next moment is explained. */
export interface Pursuit extends WaitingRecovery {
  readonly due: ExplainedDue
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

/** A recovery as it is played through. */
type Running = { -readonly [Field in keyof WaitingRecovery]: WaitingRecovery[Field] } & {
  /** When it was to happen, before it had to wait. */
  planned: ExplainedDue
}

interface Beside extends WaitingExtra {
  at: Instant
  readonly plannedAt: Instant
}

/** The days as they are played through. */
interface Play extends LookContext {
  running: Running[]
  beside: Beside[]
  readonly actions: FutureAction[]
  rules: ContactFile
  now: Instant
}

/** More looks than any cascade needs: a plan that is still not at its end is cut, not computed for ever. */
const looksMost = 2_000

/**
 * What will happen to a debtor if nothing else does: every message is accepted at its planned moment, nothing is heard and
 * nothing is paid. Each look is decided as on the day itself.
 */
export function future(
  pursuits: readonly Pursuit[],
  extras: readonly WaitingExtra[],
  context: LookContext,
): FutureAction[] {
  const play: Play = {
    ...context,
    running: pursuits
      .filter(({ due }) => due.at !== null)
      .map(pursuit => ({ ...pursuit, planned: pursuit.due })),
    beside: extras.map(extra => ({ ...extra, plannedAt: extra.at })),
    actions: [],
  }
  for (let looks = 0; looks < looksMost; looks++) {
    play.running.sort((left, right) => left.due.at! - right.due.at!)
    play.beside.sort((left, right) => left.at - right.at)
    const moments = [play.running[0]?.due.at, play.beside[0]?.at].filter(at => at != null)
    if (moments.length === 0) break
    play.now = Math.max(play.now, Math.min(...moments))
    playLook(play)
  }
  return play.actions
}

function playLook(play: Play): void {
  const { advanced, undeliverable, postponed, next } = decideLook(play.running, play.beside, play)
  for (const { recovery, advance } of advanced) playAdvance(play, recovery, advance)
  for (const extra of undeliverable) drop(play, extra)
  for (const { recovery, extra, at, because } of postponed)
    if (recovery) moveTo(play, recovery, { at, because })
    else if (at !== null) extra!.at = at
    else drop(play, extra!)
  if (next?.kind === 'answer') tellExtra(play, next.extra, forAnswers(play.rules))
  else if (next?.kind === 'contact') playContact(play, next)
  else if (next?.kind === 'park') {
    for (const recovery of [...play.running]) stand(play, recovery, next.because)
    play.beside = []
  }
}

const stepOf = ({ position }: Running): Step => position.cascade.steps[position.step]!

type Told = Pick<FutureAction, 'channel' | 'kind' | 'at' | 'because' | 'shifts'>

function tell({ actions }: Play, recovery: Running, told: Told): void {
  const { name, day } = stepOf(recovery)
  actions.push({ invoiceId: recovery.invoiceId, step: name, day, ...told })
}

function leave(play: Play, recovery: Running): void {
  play.running = play.running.filter(other => other !== recovery)
}

function drop(play: Play, extra: Beside): void {
  play.beside = play.beside.filter(other => other !== extra)
}

/** Nothing follows until somebody does something. */
function stand(play: Play, recovery: Running, because: string): void {
  tell(play, recovery, { channel: stepOf(recovery).channel, kind: 'stand', at: null, because, shifts: [] })
  leave(play, recovery)
}

/** To another moment; without one the recovery stands, or its cascade is over. */
function moveTo(play: Play, recovery: Running, due: Due): void {
  recovery.due = due
  if (due.at !== null) return
  if (due.because !== null) stand(play, recovery, due.because)
  else leave(play, recovery)
}

function planAnew(play: Play, recovery: Running, due: Due & { readonly shifts?: readonly Shift[] }): void {
  recovery.planned = { at: due.at, because: due.because, shifts: due.shifts ?? [] }
  moveTo(play, recovery, due)
}

function follow(play: Play, recovery: Running, { step, attempt, notice, next }: Motion): void {
  recovery.position = { ...recovery.position, step, attempt, notice }
  recovery.lastAt = play.now
  planAnew(play, recovery, next)
}

function become(recovery: Running, { status, holds, pausedAt, anchor }: Released): void {
  recovery.status = status
  recovery.holds = holds
  recovery.pausedAt = pausedAt
  recovery.position = { ...recovery.position, anchor }
}

function playAdvance(play: Play, recovery: Running, advance: Advance): void {
  const { now } = play
  const { because, shifts } = recovery.planned
  switch (advance.kind) {
    case 'held':
      stand(play, recovery, advance.by)
      break
    case 'pause_over':
      become(recovery, advance.change)
      planAnew(play, recovery, advance.change.due)
      break
    case 'stand':
      stand(play, recovery, advance.because)
      break
    case 'skip':
      tell(play, recovery, {
        channel: stepOf(recovery).channel,
        kind: 'skip',
        at: now,
        because: advance.because,
        shifts,
      })
      follow(play, recovery, advance.motion)
      break
    case 'decide':
      tell(play, recovery, { channel: null, kind: 'decide', at: now, because, shifts })
      leave(play, recovery)
  }
}

type Contact = Extract<ReturnType<typeof decideLook<Running, Beside>>['next'], { kind: 'contact' }>

function playContact(play: Play, { serve, along }: Contact): void {
  const { now, rules, seed } = play
  const { channel } = serve
  const told = { channel, kind: 'send' as const, at: now }
  if (serve.extra) tellExtra(play, serve.extra, rules)
  if (serve.recovery) {
    const { planned } = serve.recovery
    const moved = movedBy(play, rules, channel, planned.at!)
    const because = moved.at(-1)?.because ?? planned.because
    tell(play, serve.recovery, { ...told, because, shifts: [...planned.shifts, ...moved] })
  }
  for (const { recovery } of along)
    if (recovery) tell(play, recovery, { ...told, because: 'grouped', shifts: recovery.planned.shifts })
  const made = { at: now, channel }
  play.rules = { ...rules, contacts: [...rules.contacts, made], month: [...rules.month, made] }
  for (const { recovery } of [serve, ...along]) {
    if (!recovery) continue
    const ground: Ground = { rules: play.rules, reach: recovery.reach, now, seed }
    follow(play, recovery, afterSend(recovery.position, 'accepted', ground))
  }
}

function tellExtra(play: Play, extra: Beside, rules: ContactFile): void {
  const { invoiceId, step, channel, plannedAt } = extra
  const shifts = movedBy(play, rules, channel, plannedAt)
  const because = shifts.at(-1)?.because ?? 'requested'
  play.actions.push({ invoiceId, step, day: null, channel, kind: 'send', at: play.now, because, shifts })
  drop(play, extra)
}

/** What stood between the moment something was due and the moment it is done. */
function movedBy({ now, seed }: Play, rules: ContactFile, channel: Channel, due: Instant): readonly Shift[] {
  if (now <= due) return []
  const plan = nextLegalSlot(rules, channel, due, { spreadSeed: seed })
  return plan.at === null ? [] : plan.shifts
}

/** Only the moment of a waiting step and its last reason are kept: the whole way to it is worked out again. */
export function explain(
  position: Position,
  due: Due,
  past: { startedAt: Instant; dueDate: LocalDate; lastAt: Instant | null },
  ground: Ground,
): ExplainedDue {
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
