import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sqlState } from '../../../kit/db/transaction.ts'
import { usualBodyBytes } from '../../../kit/http/body.ts'
import { asApiError } from '../../../kit/http/envelope.ts'
import { acceptForms } from '../../../kit/http/form.ts'
import { isOwnForm, type PageContext, sendPage } from '../../../kit/http/pages.ts'
import { defectMessages } from '../../../kit/log.ts'
import { failurePage } from '../people/failure-page.ts'
import { viewOf } from '../people/view.ts'
import { scopes } from '../scopes.ts'
import { tokenReader } from './access-token.ts'
import { foreignForm, getConsent, postConsent } from './authorize.ts'
import { grantTypes } from './client.ts'
import { refusalPage } from './consent-page.ts'
import { OAuthError } from './oauth-error.ts'
import { bodyParameters, required } from './parameters.ts'
import { publishedKeys, withKeys } from './signing-keys.ts'
import { issueToken } from './token-endpoint.ts'
import { introspect, revokeToken } from './token-state.ts'

/** RFC 8414. */
const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/api/oauth/authorize`,
  token_endpoint: `${issuer}/api/oauth/token`,
  revocation_endpoint: `${issuer}/api/oauth/revoke`,
  introspection_endpoint: `${issuer}/api/oauth/introspect`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  introspection_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** Any thrown error as an OAuth error. Null: a bug of ours. */
function toOAuthError(error: unknown): OAuthError | null {
  if (error instanceof OAuthError) return error
  const known = asApiError(error)
  if (!known) return null
  if (known.status === 429) return new OAuthError('temporarily_unavailable', known.message, 429)
  // 423: another request has locked the same code or token; the client may repeat the request.
  if (known.status >= 500 || known.status === 423) {
    const status = known.status === 504 ? 504 : 503
    return new OAuthError('temporarily_unavailable', 'Repeat the request in a few seconds.', status)
  }
  const isOfWrongKind = sqlState(error) === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
  return new OAuthError(
    'invalid_request',
    isOfWrongKind ? 'Send application/json or application/x-www-form-urlencoded.' : known.message,
    known.status === 413 ? 413 : 400,
  )
}

function logFailure(
  context: PageContext,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): OAuthError {
  const oauthError = toOAuthError(error)
  if (!oauthError) context.log.error({ requestId: request.id, err: error }, defectMessages.request)
  const retryAfter = asApiError(error)?.extras.retryAfterSeconds
  if (retryAfter) reply.header('retry-after', String(retryAfter))
  return oauthError ?? new OAuthError('server_error', 'Something went wrong on our side.')
}

function sendError(reply: FastifyReply, error: OAuthError): FastifyReply {
  if (error.status === 401) reply.header('www-authenticate', 'Basic realm="relance", charset="UTF-8"')
  return reply
    .code(error.status)
    .headers(noStore)
    .send({ error: error.code, error_description: error.message })
}

/** Shares one running call between concurrent callers, so that an unlimited endpoint uses one connection at most. */
function shareOneCall<T>(load: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null
  return () => {
    pending ??= load().finally(() => {
      pending = null
    })
    return pending
  }
}

/** The endpoints for programs. */
function addEndpoints(scope: FastifyInstance, context: PageContext): void {
  const readToken = tokenReader(context)
  const endpoints: Record<string, (request: FastifyRequest) => Promise<object | undefined>> = {
    '/api/oauth/token': request => issueToken(context, request, bodyParameters(request)),
    '/api/oauth/revoke': async request => {
      await revokeToken(context, readToken, request, required(bodyParameters(request), 'token'))
      return undefined
    },
    '/api/oauth/introspect': request =>
      introspect(context, readToken, required(bodyParameters(request), 'token')),
  }
  acceptForms(scope)
  scope.setErrorHandler(async (error, request, reply) =>
    sendError(reply, logFailure(context, error, request, reply)),
  )
  for (const [url, answer] of Object.entries(endpoints)) {
    scope.post(url, { bodyLimit: usualBodyBytes }, async (request, reply) =>
      reply.headers(noStore).send(await answer(request)),
    )
    scope.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      handler: (_, reply) =>
        sendError(reply.header('allow', 'POST'), new OAuthError('invalid_request', 'Use POST.', 405)),
    })
  }
  // Clients read these first, so they are not limited.
  const config = { unlimited: true }
  const keys = shareOneCall(() => withKeys(context, () => publishedKeys(context)))
  scope.get('/.well-known/oauth-authorization-server', { config }, async () => metadata(context.publicUrl))
  scope.get('/.well-known/jwks.json', { config }, async (_, reply) =>
    reply.header('cache-control', 'public, max-age=300').send({ keys: await keys() }),
  )
}

/** The consent page; errors are shown as pages too. */
function addConsentRoutes(scope: FastifyInstance, context: PageContext): void {
  acceptForms(scope)
  scope.setErrorHandler(async (error, request, reply) => {
    const { status } = logFailure(context, error, request, reply)
    return sendPage(reply, status, failurePage(viewOf(request, null), status, request.id))
  })
  const url = '/api/oauth/authorize'
  scope.get(url, (request, reply) => getConsent(context, request, reply))
  const refuseForeignForm = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isOwnForm(context, request)) return sendPage(reply, 403, refusalPage(request, foreignForm))
  }
  scope.post(url, { onRequest: refuseForeignForm }, (request, reply) => postConsent(context, request, reply))
  scope.route({
    method: ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url,
    handler: (request, reply) =>
      sendPage(reply.header('allow', 'GET, POST'), 405, failurePage(viewOf(request, null), 405, request.id)),
  })
}

/** The OAuth 2.1 server. Its responses follow the RFCs, without the envelope of the API. */
export function addOAuthRoutes(app: FastifyInstance, context: PageContext): void {
  for (const add of [addEndpoints, addConsentRoutes])
    app.register((scope, _, done) => {
      add(scope, context)
      done()
    })
}
