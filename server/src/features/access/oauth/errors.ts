import type { Scope } from '../../../kit/actor.ts'
import { defineError } from '../../../kit/errors.ts'
import { scopes } from '../scopes.ts'

export const clientNotFound = defineError('RES_001', () => 'There is no OAuth client with this id.')

export const tooManyClients = defineError(
  'RES_003',
  (max: number) => `${max} OAuth clients are enabled already; delete those nobody uses.`,
)
export const clientIsOff = defineError('RES_003', () => 'This OAuth client was deleted; register a new one.')

/** Lists all scopes that are needed, not only the missing ones. */
export const scopesExceedCaller = defineError('AUTH_004', (needed: readonly Scope[]) => {
  const requiredScopes = scopes.filter(scope => scope === 'webhooks:manage' || needed.includes(scope))
  return {
    message: `To register, change or delete an OAuth client, a credential needs all its scopes: this needs ${requiredScopes.join(', ')}.`,
    extras: { requiredScopes },
  }
})

export const settingsContradict = defineError(
  'VAL_001',
  ({ field, message }: { field: string; message: string }) => ({
    message: `${field} ${message}.`,
    extras: { details: [{ field, code: 'invalid', message }] },
  }),
)
