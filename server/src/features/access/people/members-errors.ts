import type { Scope } from '../../../kit/actor.ts'
import { defineError } from '../../../kit/errors.ts'
import { scopes } from '../scopes.ts'

export const memberNotFound = defineError('RES_001', () => 'Your company has no such member.')
export const invitationNotFound = defineError('RES_001', () => 'Your company has no such invitation.')

export const alreadyMember = defineError(
  'RES_003',
  () =>
    'Somebody with this address is a member already; change their role with PUT /api/v1/members/:personId.',
)
export const alreadyAccepted = defineError(
  'RES_003',
  () => 'This invitation was accepted; remove the member instead.',
)
export const lastOwner = defineError(
  'RES_003',
  () => 'This is the last owner, and a company has at least one; make somebody else an owner first.',
)
export const tooManyMembers = defineError(
  'RES_003',
  (max: number) =>
    `There are ${max} members and invitations already, which is the most; remove somebody first.`,
)
export const tooManyInvitations = defineError(
  'RES_003',
  (max: number) => `${max} invitations are open already; withdraw some, or wait until they are accepted.`,
)
export const tooManyToday = defineError(
  'RES_003',
  (max: number) => `${max} invitations were sent within a day, which is the most; go on tomorrow.`,
)

export const tooManyToAddress = defineError(
  'RES_003',
  () => 'This address was sent five invitations within the hour, which is the most; wait an hour.',
)

export const onlyOwnersMakeOwners = defineError(
  'AUTH_004',
  () =>
    'No key and no application makes somebody an owner, or takes that role away: an owner does so, signed in, on the account page; the operator makes owners with a command.',
)

/** Lists all scopes that are needed, not only the missing ones. */
export const roleExceedsCaller = defineError('AUTH_004', (needed: readonly Scope[]) => {
  const requiredScopes = scopes.filter(scope => scope === 'webhooks:manage' || needed.includes(scope))
  return {
    message: `To give or take away a role, a credential needs all scopes of that role: this needs ${requiredScopes.join(', ')}.`,
    extras: { requiredScopes },
  }
})
