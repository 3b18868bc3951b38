import type { FastifyRequest } from 'fastify'
import type { Access, Actor, Environment, Role } from '../actor.ts'
import { ApiError, defineError } from '../errors.ts'
import { type Asking, mayDo } from '../may-do.ts'
import type { Admission } from './limits.ts'
import type { RouteTable } from './route-table.ts'

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0]!
const shown = (path: string) => path.slice(0, 200)

/** Errors for requests that are refused before their content is read. */
export const unknownPath = (request: FastifyRequest) =>
  new ApiError(
    'RES_001',
    `There is no ${request.method} ${shown(pathOf(request))}; GET /openapi.json lists the paths.`,
  )

/** A path without a route may be a known path with another method, or with a slash too many. */
export function unservedPath(request: FastifyRequest, routes: RouteTable): ApiError {
  const path = pathOf(request)
  const allow = routes.methodsOf(path)
  if (allow.length > 0)
    return new ApiError(
      'RES_001',
      `There is no ${request.method} ${shown(path)}; it can be used with ${allow.join(', ')}.`,
      { status: 405, allow },
    )
  const meant = routes.nearestTo(path)
  return (
    trailingSlashRefusal(request, routes) ??
    (meant === undefined
      ? unknownPath(request)
      : new ApiError(
          'RES_001',
          `There is no ${request.method} ${shown(path)}; did you mean ${shown(meant)}? GET /openapi.json lists the paths.`,
        ))
  )
}

/** A path of the sandbox, asked for with a credential of production. */
export const onlyInSandbox = (request: FastifyRequest) =>
  new ApiError(
    'RES_001',
    `There is no ${request.method} ${shown(pathOf(request))} in production; use a sandbox key, which begins with fk_test_, or another credential of the sandbox.`,
  )

/** The router takes the empty text after the slash for a parameter: `/invoices/` would be an invoice without an id. */
export function trailingSlashRefusal(request: FastifyRequest, routes: RouteTable): ApiError | null {
  const path = pathOf(request)
  if (!path.endsWith('/')) return null
  const shorter = path.replace(/(?<!\/)\/+$/, '')
  return shorter !== '' && routes.methodsOf(shorter).length > 0
    ? new ApiError(
        'RES_001',
        `There is no ${shown(path)}; leave out the slash at the end: ${request.method} ${shown(shorter)}.`,
      )
    : null
}

export const wrongHost = (environment: Environment, host: string) =>
  new ApiError('AUTH_002', `This is a ${environment} credential; send it to ${host}.`)

export const reservedToProduction = () =>
  new ApiError('AUTH_007', 'This is done with a production credential, and holds for both environments.')

export function tooMany(admission: Admission): ApiError {
  const extras = { retryAfterSeconds: admission.retryAfterSeconds }
  switch (admission.refusedBy) {
    case 'RATE_001':
      return new ApiError(
        'RATE_001',
        `Too many requests this minute; wait ${extras.retryAfterSeconds} s.`,
        extras,
      )
    case 'RATE_002':
      return new ApiError('RATE_002', 'The daily quota is used up; it starts anew at midnight UTC.', extras)
    default:
      return new ApiError('RATE_003', 'Too many requests at the same time; wait for some to end.', extras)
  }
}

export function inMaintenance(until: number, wall: number): ApiError {
  const retryAfterSeconds = Math.ceil((until - wall) / 1000)
  return new ApiError('SYS_002', `We are in maintenance; come back in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}

const whose = ({ kind }: Pick<Actor, 'kind'>) => (kind === 'person' ? 'Your role' : 'This credential')

/** Throws the error of an actor that may not use the operation. */
export function checkRights(access: Access, actor: Asking, wall: number): void {
  const verdict = mayDo(access, actor, wall)
  if (verdict.allowed) return
  switch (verdict.because) {
    case 'scopes':
      throw new ApiError('AUTH_004', `${whose(actor)} lacks the scope ${verdict.scopes.join(', ')}.`, {
        requiredScopes: access.scopes,
      })
    case 'role':
      throw otherRoleNeeded.make(verdict.roles)
    case 'own_session':
      throw ownSessionNeeded.make()
    case 'fresh_sign_in':
      throw (actor.kind === 'person' ? freshSignInNeeded : freshConsentNeeded).make()
  }
}

const otherRoleNeeded = defineError('AUTH_004', (roles: readonly Role[]) => ({
  message: `This is for the ${roles.length > 1 ? 'roles' : 'role'} ${roles.join(', ')} of the company; ask somebody who has it.`,
  extras: { details: [{ field: 'role', code: 'other_role', message: `must be ${roles.join(' or ')}` }] },
}))

const ownSessionNeeded = defineError('AUTH_004', () => ({
  message:
    'In production this changes what debtors are shown beside where they pay: an owner who has signed in does it, in the console or on the page /account/company; never a key, a token or the assistant. In the sandbox a key does it too.',
  extras: {
    details: [{ field: 'session', code: 'owner_only', message: 'is done by an owner who has signed in' }],
  },
}))

const freshDetails = (message: string) => ({
  details: [{ field: 'session', code: 'fresh_sign_in' as const, message }],
})

/** The same detail code as for a payout change. */
const freshSignInNeeded = defineError('AUTH_004', () => ({
  message:
    'This needs a sign-in within the last ten minutes; sign in again, read the new csrf from GET /console/me, and repeat the request.',
  extras: freshDetails('needs a fresh sign-in'),
}))

const freshConsentNeeded = defineError('AUTH_004', () => ({
  message:
    'For a person this needs their sign-in within the last ten minutes; send them to the consent page again (relance login does so), and repeat the request with the new token.',
  extras: freshDetails('needs a new consent of the person'),
}))
