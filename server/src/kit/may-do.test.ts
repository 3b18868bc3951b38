import { expect, it } from 'vitest'
import { type Asking, mayDo } from './may-do.ts'

const access = { scopes: ['webhooks:manage'], roles: ['owner'], fresh: true } as const
const wall = Date.parse('2026-11-16T09:00:00Z')
const owner: Asking = {
  kind: 'person',
  environment: 'production',
  scopes: ['webhooks:manage'],
  role: 'owner',
  signedInAt: wall - 599_999,
}
const application: Asking = { ...owner, kind: 'oauth_client', onBehalfOf: 'p' }
const { role: _, signedInAt: __, ...operatorsKey } = { ...owner, kind: 'api_key' } as const

const judged = (actor: Asking, at: number | null = wall) => {
  const verdict = mayDo(access, actor, at)
  return verdict.allowed || verdict.because
}

it.each([
  ['an owner', owner, true],
  ['an owner whose sign-in is ten minutes old', { ...owner, signedInAt: wall - 600_000 }, 'fresh_sign_in'],
  ['an owner without the scope', { ...owner, scopes: [] }, 'scopes'],
  ['a manager', { ...owner, role: 'manager' }, 'role'],
  ['an application for an owner', application, true],
  [
    'an application for an owner who signed in ten minutes ago',
    { ...application, signedInAt: wall - 600_000 },
    'fresh_sign_in',
  ],
  ['an application for a developer', { ...application, role: 'developer' }, 'role'],
  ['a key of the operator', operatorsKey, true],
  ['a key of an owner', { ...operatorsKey, role: 'owner' }, true],
  ['a key of a developer', { ...operatorsKey, role: 'developer' }, 'role'],
  ['a person whose role is not known', { ...operatorsKey, kind: 'person', signedInAt: wall }, 'role'],
] as [string, Asking, true | string][])('%s', (_name, actor, expected) => {
  expect(judged(actor)).toBe(expected)
})

it('work that was accepted before is not asked for a sign-in again', () => {
  expect(judged({ ...owner, signedInAt: 0 }, null)).toBe(true)
})

it('what follows the rule of payouts in production is for a person in their own session', () => {
  const logo = {
    scopes: ['company:manage'],
    inProduction: { roles: ['owner'], fresh: true, ownSession: true },
  } as const
  const asks = (actor: Asking) => {
    const verdict = mayDo(logo, { ...actor, scopes: ['company:manage'] }, wall)
    return verdict.allowed || verdict.because
  }
  expect(asks(owner)).toBe(true)
  expect(asks({ ...owner, role: 'manager' })).toBe('role')
  expect(asks({ ...owner, conversationId: 'c' })).toBe('own_session')
  for (const actor of [application, operatorsKey]) {
    expect(asks(actor)).toBe('own_session')
    expect(asks({ ...actor, environment: 'sandbox' })).toBe(true)
  }
})
