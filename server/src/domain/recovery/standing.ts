import { type Hold, holds, type RecoveryState } from './recovery-state.ts'

/**
 * The standing of an invoice follows from its recovery alone. Of several holds, the first in this order names the pause: holds
 * that a person has to settle come before holds that end by themselves.
 */
const holdOrder = [
  'situation',
  'dispute',
  'wrong_person',
  'address_refused',
  'insolvency',
  'reply',
  'upheld',
  'reopened',
  'promise',
  'asked',
  'debtor',
] as const satisfies readonly Hold[]

export type Standing = 'pending' | 'running' | `held:${Hold}` | 'decide' | 'judicial' | 'ended'

export const heldStandings = holdOrder.map(hold => `held:${hold}` as const)

export const standings = ['pending', 'running', ...heldStandings, 'decide', 'judicial', 'ended'] as const

/** Groups of standings: reminded, waiting for something that ends by itself, waiting for a person, amicable stage ended, over. */
export const standingGroups = ['running', 'waiting', 'decide', 'judicial', 'ended'] as const
export type StandingGroup = (typeof standingGroups)[number]

const groups: Record<Standing, StandingGroup> = {
  pending: 'waiting',
  running: 'running',
  'held:situation': 'decide',
  'held:dispute': 'decide',
  'held:wrong_person': 'decide',
  'held:address_refused': 'decide',
  'held:insolvency': 'waiting',
  'held:reply': 'decide',
  'held:upheld': 'decide',
  'held:reopened': 'decide',
  'held:promise': 'waiting',
  'held:asked': 'waiting',
  'held:debtor': 'waiting',
  decide: 'decide',
  judicial: 'judicial',
  ended: 'ended',
}

export const standingsOfGroup = (group: StandingGroup): Standing[] =>
  standings.filter(standing => groups[standing] === group)

/** A recovery that runs without a moment waits for a person, and so does a dispute before the start or after the reminders. */
export function standingOf({ status, holds: active }: RecoveryState, hasMoment: boolean): Standing {
  switch (status) {
    case 'pending':
    case 'judicial':
      return active.includes('dispute') ? 'held:dispute' : status
    case 'in_recovery':
      return hasMoment ? 'running' : 'decide'
    case 'paused':
      return `held:${holdOrder.find(hold => active.includes(hold)) ?? holds[0]}`
    case 'completed':
    case 'cancelled':
      return 'ended'
  }
}
