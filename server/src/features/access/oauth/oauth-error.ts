/** RFC 6749 §5.2 and §4.1.2.1. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable'

const statuses: Partial<Record<OAuthErrorCode, number>> = {
  invalid_client: 401,
  server_error: 500,
  temporarily_unavailable: 503,
}

/** RFC 6749 appendix A.8 allows no quotation mark, no backslash and only ASCII, so other characters are replaced. */
const writable = (text: string) => text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/gu, '?')

/** An error that an OAuth endpoint throws on purpose; the description says what to do. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number
  constructor(code: OAuthErrorCode, description: string, status = statuses[code] ?? 400) {
    super(writable(description))
    this.code = code
    this.status = status
  }
}
