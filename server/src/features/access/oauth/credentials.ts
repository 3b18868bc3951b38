import { ApiError } from '../../../kit/errors.ts'
import type { HttpContext, Principal } from '../../../kit/http/http-context.ts'
import type { keyAuthentication } from '../api-keys/authenticate.ts'
import type { bearerAuthentication } from './authenticate-bearer.ts'
import { type ChosenCompany, chosenCompany, malformedCompany } from './chosen-company.ts'

const oneCredential =
  'Send one credential: an API key in X-API-Key, or an access token as Authorization: Bearer.'

/** A key works for its own company only. A request that names another company is refused. */
function requireCompany(principal: Principal, company: ChosenCompany): Principal {
  if (company === 'malformed') throw malformedCompany()
  if (company !== null && company !== principal.actor.companyId)
    throw new ApiError('AUTH_004', 'This key does not open that company.')
  return principal
}

const isKey = (text: string) => /^fk_(live|test)_/.test(text)

/** Authenticates a request by its key or its token; exactly one must be sent. */
export function credentials(
  keys: ReturnType<typeof keyAuthentication>,
  bearer: ReturnType<typeof bearerAuthentication>,
): Pick<HttpContext, 'authenticate' | 'forget'> {
  return {
    async authenticate(headers, address, wall) {
      const { authorization } = headers
      // An unset variable in a script gives an empty header.
      const inHeader = headers['x-api-key'] === '' ? undefined : headers['x-api-key']
      if (inHeader === undefined && authorization === undefined) throw new ApiError('AUTH_001', oneCredential)
      const token = /^Bearer +([\w.~+/=-]+) *$/i.exec(String(authorization))?.[1]
      // A key may also be sent as a bearer token.
      const asBearer = token && isKey(token) ? token : undefined
      if (inHeader !== undefined && authorization !== undefined && inHeader !== asBearer)
        throw new ApiError('AUTH_002', oneCredential)
      const company = chosenCompany(headers)
      const key = inHeader ?? asBearer
      if (typeof key === 'string') return requireCompany(await keys.authenticate(key, address, wall), company)
      if (!token) throw new ApiError('AUTH_002', oneCredential)
      return bearer(token, company)
    },
    // Tokens are not cached.
    forget(actor) {
      if (actor.kind === 'api_key') keys.forget(actor)
    },
  }
}
