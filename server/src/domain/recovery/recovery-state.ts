import type { InvoiceStatus } from '../money/invoice-state.ts'

export const recoveryStatuses = [
  'pending',
  'in_recovery',
  'paused',
  'completed',
  'cancelled',
  'judicial',
] as const
export type RecoveryStatus = (typeof recoveryStatuses)[number]

/** Why a recovery is paused. A recovery has a set of holds and continues when the last one ends. */
export const holds = [
  'asked',
  'promise',
  'dispute',
  'upheld',
  'reopened',
  'insolvency',
  'wrong_person',
  'address_refused',
  'situation',
  'reply',
  'debtor',
] as const
export type Hold = (typeof holds)[number]

/** A recovery with one of these holds cannot be resumed: the cause has to end first. */
const blocking: readonly Hold[] = [
  'dispute',
  'insolvency',
  'wrong_person',
  'address_refused',
  'situation',
  'reply',
  'debtor',
]
export const blockingHolds = (activeHolds: readonly Hold[]): Hold[] =>
  activeHolds.filter(hold => blocking.includes(hold))

/** Holds that concern the person apply to all its recoveries, also to those that are started later. */
export const debtorHolds = (debtor: {
  readonly isInsolvent: boolean
  readonly isWrongPerson: boolean
  /** They reported a situation, and nobody has decided what it means. */
  readonly hasSituation: boolean
  readonly hasUnreadReply: boolean
  readonly isPaused: boolean
}): Hold[] => [
  ...(debtor.isInsolvent ? (['insolvency'] as const) : []),
  ...(debtor.isWrongPerson ? (['wrong_person'] as const) : []),
  ...(debtor.hasSituation ? (['situation'] as const) : []),
  ...(debtor.hasUnreadReply ? (['reply'] as const) : []),
  ...(debtor.isPaused ? (['debtor'] as const) : []),
]

export interface RecoveryState {
  readonly status: RecoveryStatus
  readonly holds: readonly Hold[]
}

/** Started and not over: it can be held, and a promise or a payment concerns it. */
export const isRunning = (status: RecoveryStatus): boolean => status === 'in_recovery' || status === 'paused'

/** Adds a hold. A recovery that is not running or paused is left unchanged. */
export const withHold = (state: RecoveryState, hold: Hold): RecoveryState =>
  isRunning(state.status) ? { status: 'paused', holds: [...new Set([...state.holds, hold])] } : state

export function withoutHolds(state: RecoveryState, endedHolds: readonly Hold[]): RecoveryState {
  if (state.status !== 'paused') return state
  const left = state.holds.filter(hold => !endedHolds.includes(hold))
  return { status: left.length === 0 ? 'in_recovery' : 'paused', holds: left }
}

/**
 * The days of a cascade are counted from its anchor, so a pause moves the anchor by its length. Time before the anchor does not
 * count.
 */
export const anchorAfterPause = (anchor: number, pausedAt: number, now: number): number =>
  anchor + Math.max(0, now - Math.max(pausedAt, anchor))

export const triggerActions = ['start', 'pause', 'resume', 'cancel', 'escalate'] as const
export type TriggerAction = (typeof triggerActions)[number]

export type TriggerVerdict =
  | { allowed: true }
  | { allowed: false; because: SettledStatus | 'already_started' | 'wrong_status' }
  | { allowed: false; because: 'held'; by: Hold[] }

const requiredStatuses: Record<Exclude<TriggerAction, 'start'>, readonly RecoveryStatus[]> = {
  pause: ['in_recovery'],
  resume: ['paused'],
  cancel: ['in_recovery', 'paused'],
  escalate: ['in_recovery'],
}

export function mayTrigger(
  action: TriggerAction,
  state: RecoveryState,
  invoice: InvoiceStatus,
): TriggerVerdict {
  if (action === 'start') {
    if (state.status !== 'pending') return { allowed: false, because: 'already_started' }
    return isSettled(invoice) ? { allowed: false, because: invoice } : { allowed: true }
  }
  if (!requiredStatuses[action].includes(state.status)) return { allowed: false, because: 'wrong_status' }
  const by = action === 'resume' ? blockingHolds(state.holds) : []
  return by.length > 0 ? { allowed: false, because: 'held', by } : { allowed: true }
}

type SettledStatus = 'paid' | 'written_off'
const isSettled = (status: InvoiceStatus): status is SettledStatus =>
  status === 'paid' || status === 'written_off'

/**
 * How a change of the invoice's status changes its recovery. Paid or written off completes a recovery that was started. If
 * the money goes back, the recovery is reopened as paused: a person decides whether to remind a debtor who had paid.
 */
export function recoveryStatusAfter(
  recovery: RecoveryStatus,
  before: InvoiceStatus,
  after: InvoiceStatus,
): RecoveryStatus {
  if (recovery === 'pending' || recovery === 'cancelled') return recovery
  if (isSettled(after)) return 'completed'
  if (recovery === 'completed' && isSettled(before)) return 'paused'
  return recovery
}
