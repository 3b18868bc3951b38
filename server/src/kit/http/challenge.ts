import type { ApiError } from '../errors.ts'
import type { Door } from './door.ts'

const realm = 'Bearer realm="relance"'

/** RFC 6750 §3: how to authenticate and, for a request with a token, what is wrong with it. Null: the error is not about authentication. */
export function challengeFor(
  error: ApiError,
  door: Door | undefined,
  authorization: string | undefined,
): string | null {
  // HTTP requires a challenge with every 401. Browsers ignore an unknown scheme and do not ask for a password.
  if (door === 'console') return error.status === 401 ? 'Session realm="relance"' : null
  const hasToken = /^bearer /i.test(authorization ?? '')
  switch (error.code) {
    case 'AUTH_001':
    case 'AUTH_002':
    case 'AUTH_003':
      return hasToken ? `${realm}, error="invalid_token"` : realm
    case 'AUTH_004': {
      const scope = error.extras.requiredScopes?.join(' ')
      return hasToken ? `${realm}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}` : null
    }
    default:
      return null
  }
}
