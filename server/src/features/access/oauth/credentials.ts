import { ApiError } from '../../../kit/errors.ts'
import type { Edge, Principal } from '../../../kit/http/edge.ts'
import type { keyAuthentication } from '../api-keys/authenticate.ts'
import type { bearerAuthentication } from './authenticate-bearer.ts'
import { type ChosenCompany, chosenCompany, malformedCompany } from './chosen-company.ts'

const one = 'Send one credential: an API key in X-API-Key, or an access token as Authorization: Bearer.'

/** A key opens its own company. Whoever means another one is told so, rather than served in the wrong one. */
function ofCompany(principal: Principal, company: ChosenCompany): Principal {
  if (company === 'malformed') throw malformedCompany()
  if (company !== null && company !== principal.actor.companyId)
    throw new ApiError('AUTH_004', 'This key does not open that company.')
  return principal
}

/** A request comes with a key or with a token, and with one of them. */
export function credentials(
  keys: ReturnType<typeof keyAuthentication>,
  bearer: ReturnType<typeof bearerAuthentication>,
): Pick<Edge, 'authenticate' | 'forget'> {
  return {
    async authenticate(headers, address, wall) {
      const { 'x-api-key': key, authorization } = headers
      if (key === undefined && authorization === undefined) throw new ApiError('AUTH_001', one)
      if (key !== undefined && authorization !== undefined) throw new ApiError('AUTH_002', one)
      const company = chosenCompany(headers)
      if (typeof key === 'string') return ofCompany(await keys.authenticate(key, address, wall), company)
      const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(String(authorization))?.[1]
      if (!token) throw new ApiError('AUTH_002', one)
      return bearer(token, company)
    },
    // Of a token nothing is remembered.
    forget(actor) {
      if (actor.kind === 'api_key') keys.forget(actor)
    },
  }
}
