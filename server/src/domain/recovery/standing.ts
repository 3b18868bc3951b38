import { type Hold, holds, type RecoveryState } from './recovery-state.ts'

/**
 * Where an invoice stands, by its recovery alone. Of several holds the first of this order names the pause: what a person has to
 * settle comes before what ends by itself.
 */
const holdOrder = [
  'dispute',
  'wrong_person',
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

/** A recovery that runs without a moment waits for a person. */
export function standingOf({ status, holds: active }: RecoveryState, hasMoment: boolean): Standing {
  switch (status) {
    case 'pending':
    case 'judicial':
      return status
    case 'in_recovery':
      return hasMoment ? 'running' : 'decide'
    case 'paused':
      return `held:${holdOrder.find(hold => active.includes(hold)) ?? holds[0]}`
    case 'completed':
    case 'cancelled':
      return 'ended'
  }
}
