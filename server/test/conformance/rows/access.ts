import { planned, proven, type Table } from '../row.ts'

const edge = 'test/scenarios/edge.test.ts'
const requests = 'test/conformance/requests.test.ts'
const served = 'test/guards/conformance.test.ts'

const keys: Table = {
  title: 'API keys',
  rows: [
    ...proven(
      requests,
      'a key that begins fk_live_ acts in production, one that begins fk_test_ in the sandbox',
      {
        'key.prefix.fk_live_': 'production',
        'key.prefix.fk_test_': 'sandbox',
      },
    ),
    ...proven(
      edge,
      'a key with a whitelist is heard only from its addresses, as the trusted proxy tells them',
      {
        'key.whitelist': 'a request from an unlisted address: AUTH_005',
      },
    ),
    ...proven(
      'test/conformance/edge.test.ts',
      'plain http is refused before its credentials are read; https is told to stay',
      {
        'auth.https': 'HTTPS is mandatory',
      },
    ),
    ...planned('api keys', {
      'key.id': 'UUID',
      'key.apiKey': 'the whole key, returned once',
      'key.prefix': 'masked form',
      'endpoint.POST /api/v1/api-keys': 'a new key, shown once',
      'endpoint.GET /api/v1/api-keys': 'masked keys',
      'endpoint.POST /api/v1/api-keys/:id/rotate': 'a new key; the old one is dead',
      'endpoint.DELETE /api/v1/api-keys/:id': 'deactivates a key, softly',
      'key.management.scope': 'keys are managed with webhooks:manage',
    }),
  ],
}

const oauth: Table = {
  title: 'OAuth 2.1',
  rows: planned('oauth', {
    'endpoint.POST /api/oauth/token': 'tokens, three grants',
    'oauth.client_credentials.body': 'client_id, client_secret, scope, or HTTP Basic',
    'oauth.client_credentials.reply': 'access_token, token_type, expires_in 3600, scope; no refresh token',
    'oauth.authorization_code.body': 'client_id, client_secret, code, redirect_uri, code_verifier',
    'oauth.authorization_code.reply': 'the same and a refresh_token',
    'oauth.refresh_token.body': 'client_id, refresh_token',
    'oauth.refresh_token.reply': 'a renewed access token without consent',
    'endpoint.GET /api/oauth/authorize': 'the consent screen',
    'oauth.authorize.query.response_type': 'code',
    'oauth.authorize.query.client_id': 'the client',
    'oauth.authorize.query.redirect_uri': 'where to return',
    'oauth.authorize.query.scope': 'space or plus separated',
    'oauth.authorize.query.state': 'comes back',
    'oauth.authorize.query.code_challenge': 'base64url SHA-256 of the verifier',
    'oauth.authorize.query.code_challenge_method': 'S256 only',
    'oauth.authorize.redirect': 'to redirect_uri with code and state',
    'oauth.verifier': '43 to 128 characters',
    'oauth.token.jwt': 'a JWT signed with RS256',
    'oauth.multi-company': 'the code flow is how several companies are reached',
    'endpoint.POST /api/oauth/revoke': 'revokes a token, idempotent',
    'endpoint.POST /api/oauth/introspect': 'active, client_id, scope, token_type',
    'endpoint.GET /.well-known/oauth-authorization-server': 'discovery metadata',
  }),
}

const scopes: Table = {
  title: 'Scopes',
  rows: [
    ...proven(
      served,
      'every endpoint of the specification that is served asks for the scopes of the specification',
      {
        'scope.invoices:read': 'read invoices and statuses',
        'scope.invoices:write': 'create and update invoices',
        'scope.invoices:delete': 'delete invoices before launch',
        'scope.debtors:read': 'read debtors',
        'scope.debtors:write': 'create and update debtors',
        'scope.payments:read': 'read payments',
        'scope.workflow:read': 'read workflow status and history',
        'scope.reports:read': 'statistics and reports',
        'scope.workflow:trigger': 'start, pause, resume, cancel, escalate',
      },
    ),
    ...proven(
      'test/guards/authorization.test.ts',
      '$method $path without all of its scopes, whoever the id belongs to',
      {
        'scope.payments:write': 'manage payments',
        'scope.missing': 'a missing scope is AUTH_004, 403',
      },
    ),
    ...planned('webhooks', { 'scope.webhooks:manage': 'manage webhooks and API keys' }),
    ...planned('assistant', { 'scope.agent:chat': 'use the assistant' }),
    ...proven(
      'src/features/recovery/request-message.test.ts',
      'a registered letter needs lrar:send as well, and the refusal names both scopes',
      {
        'scope.lrar:send': 'trigger registered letters',
        'scope.notifications:send': 'send email and SMS',
      },
    ),
    ...planned('score', { 'scope.scoring:read': 'read scores' }),
  ],
}

export const access: readonly Table[] = [keys, oauth, scopes]
