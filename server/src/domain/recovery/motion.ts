import type { Channel } from '../contact/channel.ts'
import type { ContactFile } from '../contact/contact-rules.ts'
import { type Instant, MINUTE } from '../time.ts'
import {
  type Cascade,
  formalNotice,
  hasLegalEffect,
  type Reach,
  rankOf,
  type Step,
  wayOf,
} from './cascade.ts'
import type { FormalNotice } from './formal-notice.ts'
import { type Planned, planAt, planStep } from './plan.ts'

/** What became of a message: accepted by its provider, refused for now or for good, or nobody knows. */
export type Fate = 'accepted' | 'retryable' | 'permanent' | 'unknown'

/** Where a recovery stands. */
export interface Position {
  readonly cascade: Cascade
  readonly step: number
  readonly attempt: number
  readonly anchor: Instant
  readonly notice: FormalNotice | null
}

/** What is needed to plan: the rules' file of the debtor, how it can be reached, the moment, and a seed to spread by. */
export interface Ground {
  readonly rules: ContactFile
  readonly reach: Reach
  readonly now: Instant
  readonly seed: string
}

export interface Motion {
  /** The step is over, well or badly, and the cascade goes on. */
  readonly isOver: boolean
  readonly step: number
  readonly attempt: number
  readonly notice: FormalNotice | null
  readonly next: Planned | { at: null; because: null }
}

export const attemptsMax = 3
const retryDelays = [5 * MINUTE, 30 * MINUTE]

/** Delivered or possibly delivered: it counts as a contact. A refusal before delivery does not. */
export const countsAsContact = (fate: Fate): boolean => fate === 'accepted' || fate === 'unknown'

/** The channel a step will use, for its planning: its own where it may be left out, since that is found out on its day. */
export const channelOf = (step: Step, reach: Reach): Channel | null => {
  const way = wayOf(step, reach)
  return way.kind === 'send' ? way.channel : step.channel
}

/** On to the following step. */
function onward(
  position: Position,
  last: { at: Instant; wasContact: boolean },
  { rules, reach, now, seed }: Ground,
): Motion {
  const { anchor, notice } = position
  const following = position.cascade.steps[position.step + 1]
  if (!following)
    return { isOver: true, step: position.step, attempt: 0, notice, next: { at: null, because: null } }
  const timing = { anchor, last, notice }
  return {
    isOver: true,
    step: position.step + 1,
    attempt: 0,
    notice,
    next: planStep(rules, following, channelOf(following, reach), timing, now, seed),
  }
}

/**
 * A failed attempt is repeated, three at most; a message with an unknown fate is never repeated, but a notice with legal
 * effect is given anew, in a new slot. Otherwise the cascade goes on.
 */
export function afterSend(position: Position, fate: Fate, ground: Ground): Motion {
  const { attempt } = position
  const step = position.cascade.steps[position.step]!
  const isGiven = step.name === formalNotice && countsAsContact(fate)
  const notice = isGiven ? { at: ground.now, newsAt: null } : position.notice
  const isWorthRepeating = fate === 'retryable' || (fate === 'unknown' && hasLegalEffect(step))
  if (isWorthRepeating && attempt + 1 < attemptsMax) {
    const { rules, reach, now, seed } = ground
    const channel = channelOf(step, reach)
    // It may have arrived, perhaps as a passenger on another channel: then the gap after a contact holds, not the cooldown.
    const gap = { anchor: position.anchor, last: { at: now, wasContact: true }, notice: null }
    const next =
      fate === 'retryable'
        ? planAt(rules, channel, now + (retryDelays[attempt] ?? retryDelays.at(-1)!), seed)
        : planStep(rules, step, channel, gap, now, seed)
    return { isOver: false, step: position.step, attempt: attempt + 1, notice, next }
  }
  return onward({ ...position, notice }, { at: ground.now, wasContact: countsAsContact(fate) }, ground)
}

/** A step left out leaves a day, not three. */
export const afterSkip = (position: Position, ground: Ground): Motion =>
  onward(position, { at: ground.now, wasContact: false }, ground)

/** The step that waits, planned anew from today: after a pause, or when something was heard of the formal notice. */
export function replan(
  position: Position,
  last: { at: Instant; wasContact: boolean } | null,
  { rules, reach, now, seed }: Ground,
): Planned {
  const step = position.cascade.steps[position.step]!
  const timing = { anchor: position.anchor, last, notice: position.notice }
  return planStep(rules, step, channelOf(step, reach), timing, now, seed)
}

/** To the first remaining step that is more intrusive than the last one and can be sent; null when only a court is left. */
export function escalation(position: Position, lastStep: string | null, { reach }: Ground): number | null {
  const { steps } = position.cascade
  const done = steps.find(step => step.name === lastStep)
  const rank = done ? rankOf(done) : 0
  const target = steps.findIndex(
    (step, i) => i >= position.step && rankOf(step) > rank && wayOf(step, reach).kind === 'send',
  )
  return target === -1 ? null : target
}
