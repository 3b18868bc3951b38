import type { Scope } from '../../../kit/actor.ts'
import { defineError } from '../../../kit/errors.ts'
import { scopes } from '../scopes.ts'

export const keyNotFound = defineError('RES_001', () => 'There is no API key with this id.')

export const tooManyKeys = defineError(
  'RES_003',
  (max: number) =>
    `${max} keys are enabled already; delete those nobody uses (the list says when each was last used).`,
)
export const keyIsOff = defineError('RES_003', () => 'This key is deactivated; create a new one.')
export const keyHasExpired = defineError('RES_003', () => 'This key has expired; create a new one.')

/** Lists all scopes that are needed, not only the missing ones. */
export const scopesExceedCaller = defineError('AUTH_004', (needed: readonly Scope[]) => {
  const requiredScopes = scopes.filter(scope => scope === 'webhooks:manage' || needed.includes(scope))
  return {
    message: `A key can create, rotate and delete only keys with the same or fewer permissions: this needs ${requiredScopes.join(', ')}.`,
    extras: { requiredScopes },
  }
})
export const expiryExceedsCaller = defineError(
  'AUTH_004',
  (expiresAt: string) =>
    `Your own key expires at ${expiresAt} and cannot create one that expires later; choose an earlier expiresAt, or use a key that expires later.`,
)
export const whitelistExceedsCaller = defineError(
  'AUTH_004',
  (block: string | null) =>
    `Your own key has a whitelist and cannot give one that is used from outside it; ${
      block === null ? 'send an ipWhitelist within it' : `${block} is not within it`
    }, or use a key without.`,
)

export const callerIsGone = defineError(
  'AUTH_002',
  () => 'This credential was withdrawn meanwhile; use another one.',
)
export const limitedCaller = defineError(
  'AUTH_004',
  () =>
    'Your own key has an expiry date or an IP whitelist, and what it would create here has neither; use a key without expiresAt and ipWhitelist, or an access token.',
)

export const reservedToProduction = defineError(
  'AUTH_007',
  () => 'A sandbox key makes sandbox keys only; use a production key to make one for production.',
)
export const wrongEnvironment = defineError('VAL_001', () => ({
  message:
    'environment must be production for a production key; use a sandbox key to make one for the sandbox.',
  extras: { details: [{ field: 'environment', code: 'invalid', message: 'must be that of your own key' }] },
}))
export const expiryHasPassed = defineError('VAL_001', () => ({
  message: 'expiresAt must be in the future.',
  extras: { details: [{ field: 'expiresAt', code: 'invalid', message: 'must be in the future' }] },
}))
