import type { FastifyRequest } from 'fastify'
import { type Actor, type Environment, missingRights, type Role } from '../actor.ts'
import { ApiError, defineError } from '../errors.ts'
import { isRecentSignIn } from '../fresh-sign-in.ts'
import type { Operation } from '../operation.ts'
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
  return trailingSlashRefusal(request, routes) ?? unknownPath(request)
}

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

/** Refuses an actor that may not use the operation: by its scopes, by the role of its person, by the age of their sign-in. */
export function checkRights(operation: Operation, actor: Actor, wall: number): void {
  const missing = missingRights(operation, actor)
  if (missing && 'scopes' in missing)
    throw new ApiError('AUTH_004', `${whose(actor)} lacks the scope ${missing.scopes.join(', ')}.`, {
      requiredScopes: operation.scopes,
    })
  if (missing) throw otherRoleNeeded.make(missing.roles)
  if (operation.fresh && actor.kind === 'person' && !isRecentSignIn(actor.signedInAt ?? 0, wall))
    throw freshSignInNeeded.make()
}

const otherRoleNeeded = defineError('AUTH_004', (roles: readonly Role[]) => ({
  message: `This is for the ${roles.length > 1 ? 'roles' : 'role'} ${roles.join(', ')} of the company; ask somebody who has it.`,
  extras: { details: [{ field: 'role', code: 'other_role', message: `must be ${roles.join(' or ')}` }] },
}))

/** The same detail code as for a payout change. */
const freshSignInNeeded = defineError('AUTH_004', () => ({
  message:
    'This needs a sign-in within the last ten minutes; sign in again, read the new csrf from GET /console/me, and repeat the request.',
  extras: { details: [{ field: 'session', code: 'fresh_sign_in', message: 'needs a fresh sign-in' }] },
}))
