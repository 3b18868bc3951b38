import type { FastifyRequest } from 'fastify'
import type { Form } from '../../../kit/http/form.ts'
import { OAuthError } from './oauth-error.ts'

/** Parameters by name, each given once, each a text without control characters (RFC 6749 §3.1, §3.2, appendix A). */
export type Parameters = ReadonlyMap<string, string>

/** The parameters we read. Others are ignored, as RFC 6749 requires. */
const knownParameters = new Set([
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'response_type',
  'scope',
  'state',
  'token',
  'token_type_hint',
])

/** Longer than any token or secret. A body may have 1 MB, but no parameter is worth more work than this. */
const charactersMax = 16_384

// U+FFFD marks invalid UTF-8.
const plainText = /^[\x20-\x7e\u{a0}-\u{fffc}\u{10000}-\u{10ffff}]*$/u

interface ReadParameters {
  /** The valid parameters. */
  parameters: Parameters
  /** The first invalid parameter. */
  fault: OAuthError | null
}

function readParameters(pairs: Iterable<readonly [string, unknown]>): ReadParameters {
  const found = new Map<string, string>()
  const seen = new Set<string>()
  let fault: OAuthError | null = null
  for (const [name, value] of pairs) {
    if (!knownParameters.has(name)) continue
    const isLong = typeof value === 'string' && value.length > charactersMax
    const isText = typeof value === 'string' && !isLong && plainText.test(value) && value.isWellFormed()
    const isRepeated = seen.has(name)
    seen.add(name)
    // An empty value counts as absent.
    if (isText && !isRepeated && value !== '') found.set(name, value)
    if (isText && !isRepeated) continue
    found.delete(name)
    fault ??= new OAuthError(
      'invalid_request',
      isRepeated
        ? `${name} is given more than once.`
        : isLong
          ? `${name} is longer than ${charactersMax} characters.`
          : `${name} must be a text without control characters.`,
    )
  }
  return { parameters: found, fault }
}

function* fieldsOf(form: Form): Iterable<readonly [string, string]> {
  for (const [name, values] of form) for (const value of values) yield [name, value]
}

/** The parameters of a body: JSON as in our specification, or a form as in the RFCs. */
export function bodyParameters({ body }: Pick<FastifyRequest, 'body'>): Parameters {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new OAuthError('invalid_request', 'Send a JSON object or a form.')
  const pairs =
    body instanceof Map
      ? fieldsOf(body)
      : Object.entries(body).map(([name, value]) => [name, value ?? ''] as const)
  const { parameters, fault } = readParameters(pairs)
  if (fault) throw fault
  return parameters
}

/** The raw query, so that repeated parameters can be seen. */
export const queryOf = (request: FastifyRequest): string =>
  request.raw.url?.split('?').slice(1).join('?') ?? ''

export const queryParameters = (request: FastifyRequest): ReadParameters =>
  readParameters(new URLSearchParams(queryOf(request)))

export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** Separated by spaces, or by a plus, which stays in the text if a client escaped it in the query. */
export const scopeList = (text: string | undefined): string[] | null =>
  text === undefined ? null : [...new Set(text.split(/[ +]+/).filter(Boolean))]
