import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { type Actor, missingScopes, type Operation, type Retirement } from '../operation.ts'
import type { Admission } from './limits.ts'

/** Errors for requests that are refused before their content is read. */
export const unknownPath = ({ method, url }: FastifyRequest) =>
  new ApiError(
    'RES_001',
    `There is no ${method} ${url.split('?')[0]!.slice(0, 200)}; GET /openapi.json lists the paths.`,
  )

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

export const endpointRetired = ({ successor }: Retirement) =>
  new ApiError('SYS_003', `This endpoint was retired; use ${successor} instead.`)

export function checkScopes(operation: Operation, actor: Actor): void {
  const missing = missingScopes(operation, actor.scopes)
  if (missing.length > 0)
    throw new ApiError('AUTH_004', `This credential lacks the scope ${missing.join(', ')}.`, {
      requiredScopes: operation.scopes,
    })
}
