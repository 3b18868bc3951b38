/** The waiting time of a payout change: the owners can withdraw it until then. */
export const payoutWaitMs = 24 * 3_600_000

interface PayoutChange {
  current: string | null
  /** The change that already waits, if there is one. */
  pending: { value: string | null } | undefined
  wanted: string | null
  /** Debtors were told once where to pay: an account, or by card. It stays true after the value is removed. */
  isPayoutKnown: boolean
}

/**
 * A first value applies at once while debtors were never told where to pay, because no other value is known to them. Later it waits like any
 * other, because a second way to pay redirects money as well. A value that already applies or waits changes nothing.
 */
export function judgePayoutChange({
  current,
  pending,
  wanted,
  isPayoutKnown,
}: PayoutChange): 'unchanged' | 'at_once' | 'waits' {
  if (wanted === current || (pending && wanted === pending.value)) return 'unchanged'
  return current === null && !isPayoutKnown ? 'at_once' : 'waits'
}

interface Confirmation {
  /** Null: not a person. */
  requestedBy: string | null
  personId: string
  ownerSince: number
  wall: number
}

/**
 * A second person confirms, who has been an owner for at least the waiting time. Otherwise an attacker with one owner's account
 * could make a second owner and confirm at once.
 */
export function mayConfirmPayout({
  requestedBy,
  personId,
  ownerSince,
  wall,
}: Confirmation): { allowed: true } | { allowed: false; because: 'own_change' | 'new_owner' } {
  if (requestedBy === personId) return { allowed: false, because: 'own_change' }
  return ownerSince <= wall - payoutWaitMs ? { allowed: true } : { allowed: false, because: 'new_owner' }
}
