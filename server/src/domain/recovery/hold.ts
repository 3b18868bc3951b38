import type { Channel } from '../contact/channel.ts'
import type { Instant } from '../time.ts'
import { type CascadeProgress, type PlanningContext, replan } from './next-step.ts'
import {
  anchorAfterPause,
  type Hold,
  isRunning,
  type RecoveryState,
  withHold,
  withoutHolds,
} from './recovery-state.ts'

/** The next moment of a recovery, and its reason. Without a moment it waits until something happens. */
export interface Due {
  /** As last judged by the contact rules. */
  readonly at: Instant | null
  readonly because: string | null
  /**
   * The wanted moment of the step. Only the cascade, a pause or a person moves it. An obstacle moves `at`, so that the step can
   * be judged again from this moment when the obstacle is gone. Default: `at`.
   */
  readonly wish?: Instant | null
  /** The planned channel; null or absent if nothing would be sent. */
  readonly channel?: Channel | null
}

export const wishOf = ({ at, wish }: Due): Instant | null => wish ?? at

export const nothingDue: Due = { at: null, because: null }

/** When and why a pause ends by itself. */
export interface PauseEnd extends Due {
  readonly at: Instant
  readonly because: 'resume' | 'promise'
}

/** The fields of a recovery that a hold changes. */
export interface Pausable extends RecoveryState {
  readonly pausedAt: Instant | null
  readonly due: Due
}

/** One more reason to wait, until its end or, without one, until a person or an event ends it. */
export function startHold(recovery: Pausable, hold: Hold, end: PauseEnd | null, now: Instant): Pausable {
  if (!isRunning(recovery.status)) return recovery
  const { due } = recovery
  const { status, holds } = withHold(recovery, hold)
  const paused = { status, holds, pausedAt: recovery.pausedAt ?? now }
  if (recovery.status !== 'paused') return { ...paused, due: end ?? nothingDue }
  // The end of an earlier pause stays: it ends only its own hold.
  if (end === null) return { ...paused, due }
  const askedUntil = due.because === 'resume' ? due.at : null
  if (askedUntil === null) return { ...paused, due: end }
  // Two pauses with an end are one, until the later end.
  if (askedUntil > end.at) return { ...paused, due }
  return { ...paused, holds: holds.filter(each => each !== 'asked'), due: end }
}

/** The fields that the end of a hold depends on. */
export interface PausedRecovery extends Pausable {
  readonly progress: CascadeProgress
  /** When the last step was done. */
  readonly lastAt: Instant | null
}

/** A recovery after a hold has ended: still held by another, or planned anew. */
export interface Released extends Pausable {
  readonly anchor: Instant
}

/**
 * Ends holds. After the last one the recovery continues: it is planned from today, with its days moved by the length of the
 * pause. Null: it was not paused.
 */
export function endHolds(
  recovery: PausedRecovery,
  gone: readonly Hold[],
  planningContext: PlanningContext,
): Released | null {
  if (recovery.status !== 'paused') return null
  const { progress, pausedAt, lastAt } = recovery
  const state = withoutHolds(recovery, gone)
  if (state.status === 'paused')
    return {
      ...state,
      pausedAt,
      anchor: progress.anchor,
      due: dueWhileHeld(state.holds, recovery.due, planningContext.now),
    }
  const anchor = anchorAfterPause(progress.anchor, pausedAt!, planningContext.now)
  const last = lastAt === null ? null : { at: lastAt, wasContact: true }
  const { at, because, wish, channel } = replan({ ...progress, anchor }, last, planningContext)
  return { ...state, pausedAt: null, anchor, due: { at, because, wish, channel } }
}

const endedBy: Readonly<Record<string, Hold>> = { promise: 'promise', resume: 'asked', debtor: 'debtor' }

/**
 * The end of a pause belongs to one hold and is removed with it. If a promise or the pause of the debtor remains, the recovery is
 * due now: the look determines when that hold ends.
 */
function dueWhileHeld(holds: readonly Hold[], due: Due, now: Instant): Due {
  const owner = due.because === null ? undefined : endedBy[due.because]
  if (due.at !== null && owner !== undefined && holds.includes(owner)) return due
  if (holds.includes('promise')) return { at: now, because: 'promise' }
  return holds.includes('debtor') ? { at: now, because: 'debtor' } : nothingDue
}

/** The next moment of the recoveries of a paused debtor. */
export const dueAfterPause = (pausedUntil: Instant | null): Due =>
  pausedUntil === null ? nothingDue : { at: pausedUntil, because: 'debtor' }

/**
 * The holds that end when the end of a pause has come, if the debtor itself is not held. A requested pause without an end
 * outlasts a promise.
 */
export const holdsEndingNow = ({ holds, due }: Pick<Pausable, 'holds' | 'due'>): Hold[] =>
  holds.filter(
    hold => hold === 'promise' || hold === 'debtor' || (hold === 'asked' && due.because === 'resume'),
  )
