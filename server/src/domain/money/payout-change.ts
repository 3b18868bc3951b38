/** How long a change of where money goes waits: the owners have this time to withdraw it. */
export const payoutWaitMs = 24 * 3_600_000

interface PayoutChange {
  current: string | null
  /** The change that already waits, if there is one. */
  pending: { value: string | null } | undefined
  wanted: string | null
  /** Debtors can pay already: to an account, or by card. */
  isPayoutKnown: boolean
}

/**
 * A first value counts at once while debtors cannot pay yet: nobody was told another one. Afterwards it waits like any other,
 * because a second way to pay redirects money as well. The value that counts or waits already changes nothing.
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
 * A second person confirms, and one who has been an owner for as long as a change waits: otherwise whoever has taken over one
 * owner's account makes a second owner and confirms at once.
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
