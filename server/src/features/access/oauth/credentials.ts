import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../kit/errors.ts'
import type { HttpContext, Principal } from '../../../kit/http/http-context.ts'
import type { keyAuthentication } from '../api-keys/authenticate.ts'
import { type ChosenCompany, chosenCompany, malformedCompany } from '../chosen-company.ts'
import type { bearerAuthentication } from './authenticate-bearer.ts'

const oneCredential =
  'Send one credential: an API key in X-API-Key, or an access token as Authorization: Bearer.'

/** A key works for its own company only. A request that names another company is refused. */
function requireCompany(principal: Principal, company: ChosenCompany): Principal {
  if (company === 'malformed') throw malformedCompany()
  if (company !== null && company !== principal.actor.companyId)
    throw new ApiError('AUTH_004', 'This key does not open that company.')
  return principal
}

type Credential = { key: string; token?: never } | { key?: never; token: string }

/**
 * A key goes into X-API-Key, but may also be sent as a bearer token; generated clients send it in both. An empty header is an
 * unset variable of the caller: a missing credential.
 */
function readCredential({ 'x-api-key': given, authorization = '' }: IncomingHttpHeaders): Credential {
  const key = given === undefined ? '' : String(given)
  const isEmptyBearer = /^(Bearer)?$/i.test(authorization.trim())
  if (key === '' && isEmptyBearer) throw new ApiError('AUTH_001', oneCredential)
  if (isEmptyBearer) return { key }
  const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  if (!token || (key !== '' && key !== token)) throw new ApiError('AUTH_002', oneCredential)
  return token.startsWith('fk_') ? { key: token } : { token }
}

/** Authenticates a request by its key or its token; exactly one must be sent. */
export function credentials(
  keys: ReturnType<typeof keyAuthentication>,
  bearer: ReturnType<typeof bearerAuthentication>,
): Pick<HttpContext, 'authenticate' | 'forget'> {
  return {
    async authenticate(headers, address, wall) {
      const { key, token } = readCredential(headers)
      const company = chosenCompany(headers)
      if (key !== undefined) return requireCompany(await keys.authenticate(key, address, wall), company)
      return bearer(token, company)
    },
    // Tokens are not cached.
    forget(actor) {
      if (actor.kind === 'api_key') keys.forget(actor)
    },
  }
}
