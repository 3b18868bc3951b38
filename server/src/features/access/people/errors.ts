import type { Scope } from '../../../kit/actor.ts'
import { defineError, type FaultCode } from '../../../kit/errors.ts'
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

const aboutHeader = (field: string, code: FaultCode, message: string, detail: string) => ({
  message,
  extras: { details: [{ field, code, message: detail }] },
})

export const notSignedIn = defineError(
  'AUTH_001',
  () => 'Sign in first: at /console the cookie of a session is read, and neither a key nor a token.',
)
export const sessionEnded = defineError('AUTH_002', () => 'This session has ended; sign in again.')

export const foreignPage = defineError('AUTH_004', () =>
  aboutHeader(
    'Origin',
    'foreign_page',
    'This request did not come from a page of ours; programs use a key or a token, without /console.',
    'must be our own',
  ),
)
export const wrongCsrf = defineError('AUTH_004', () =>
  aboutHeader(
    'X-Csrf-Token',
    'csrf',
    'X-Csrf-Token is not that of this session; read csrf from GET /console/me, and repeat the request.',
    'must be the csrf of this session',
  ),
)
export const noSuchMembership = defineError('AUTH_004', () =>
  aboutHeader(
    'X-Company-Id',
    'not_a_member',
    'You belong to no such company; GET /console/me lists yours.',
    'must be a company of yours',
  ),
)
export const companyMissing = defineError('VAL_003', () =>
  aboutHeader(
    'X-Company-Id',
    'missing',
    'Say with X-Company-Id which of your companies this is about; GET /console/me lists them.',
    'is required',
  ),
)
export const environmentMissing = defineError('VAL_003', () =>
  aboutHeader(
    'X-Environment',
    'missing',
    'Say with X-Environment whether this is about production or the sandbox.',
    'is required',
  ),
)
export const environmentMalformed = defineError('VAL_004', () =>
  aboutHeader(
    'X-Environment',
    'invalid',
    'X-Environment must be production or sandbox.',
    'must be production or sandbox',
  ),
)
