import { scopes } from '../scopes.ts'
import { grantTypes } from './client.ts'

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const headers = Object.fromEntries(
  [
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Daily-Remaining',
  ].map(name => [name, { $ref: `#/components/headers/${name}` }]),
)
const json = (schema: object) => ({ 'application/json': { schema } })
const failed = (description: string) => ({ description, headers, content: json(ref('OAuthError')) })
const failures = {
  '400': failed('The request is wrong; `error` says how'),
  '429': {
    ...failed('Too many requests'),
    headers: { ...headers, 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
  },
  '503': failed('Repeat the request in a few seconds'),
}
const inJsonOrForm = (name: string) => ({
  required: true,
  content: {
    'application/json': { schema: ref(name) },
    'application/x-www-form-urlencoded': { schema: ref(name) },
  },
})
const endpoint = (operationId: string, summary: string, more: object) => ({
  operationId,
  tags: ['oauth'],
  summary,
  security: [],
  ...more,
})
const queryParameter = (name: string, schema: object, required = true) => ({
  name,
  in: 'query',
  required,
  schema,
})

/** The schemas of the OAuth endpoints, in the words of the RFCs. */
export const oauthSchemas = {
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: { error: text('The code of RFC 6749 §5.2'), error_description: text('What to do') },
  },
  OAuthTokenRequest: {
    type: 'object',
    description: 'Which fields are needed depends on `grant_type`',
    required: ['grant_type'],
    properties: {
      grant_type: { enum: grantTypes },
      client_id: text('May also be sent by HTTP Basic, with the secret'),
      client_secret: text('Not needed to refresh'),
      scope: text('Separated by spaces; without it, all scopes that can be granted'),
      code: text('The authorization code; valid for 60 seconds, once'),
      redirect_uri: text('The one of the authorization request'),
      code_verifier: text('PKCE', { minLength: 43, maxLength: 128 }),
      refresh_token: text('Valid for one use'),
    },
  },
  OAuthToken: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    properties: {
      access_token: text('A JWT, signed with RS256'),
      token_type: { const: 'Bearer' },
      expires_in: { type: 'integer', description: 'Seconds: 3600' },
      scope: text('Separated by spaces'),
      refresh_token: text('With authorization_code and refresh_token; valid for 30 days, once'),
    },
  },
  OAuthTokenInput: {
    type: 'object',
    required: ['token'],
    properties: { token: text('An access token or a refresh token') },
  },
  OAuthIntrospection: {
    type: 'object',
    required: ['active'],
    properties: {
      active: { type: 'boolean', description: 'False for anything that is not an active access token' },
      client_id: text('Of the application'),
      scope: text('Separated by spaces'),
      token_type: { const: 'Bearer' },
    },
  },
  OAuthServerMetadata: {
    type: 'object',
    description: 'RFC 8414',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
    properties: Object.fromEntries([
      ...[
        'issuer',
        'authorization_endpoint',
        'token_endpoint',
        'revocation_endpoint',
        'introspection_endpoint',
        'jwks_uri',
      ].map(name => [name, { type: 'string', format: 'uri' }]),
      ...[
        'response_types_supported',
        'grant_types_supported',
        'token_endpoint_auth_methods_supported',
        'code_challenge_methods_supported',
      ].map(name => [name, { type: 'array', items: { type: 'string' } }]),
      ['scopes_supported', { type: 'array', items: { type: 'string', enum: scopes } }],
    ]),
  },
}

/** The OAuth endpoints in the OpenAPI document. Their responses follow the RFCs, without the envelope. */
export const oauthPaths = {
  '/api/oauth/token': {
    post: endpoint('oauth.token', 'Get an access token, by one of three grants', {
      requestBody: inJsonOrForm('OAuthTokenRequest'),
      responses: {
        '200': { description: 'A token', headers, content: json(ref('OAuthToken')) },
        ...failures,
        '401': failed('The client is unknown, or its secret is wrong'),
      },
    }),
  },
  '/api/oauth/authorize': {
    get: endpoint('oauth.authorize', 'Show the consent screen to a person, in a browser', {
      parameters: [
        queryParameter('response_type', { const: 'code' }),
        queryParameter('client_id', { type: 'string' }),
        queryParameter('redirect_uri', { type: 'string', format: 'uri' }),
        queryParameter('scope', text('Separated by spaces or pluses'), false),
        queryParameter('state', text('Comes back unchanged'), false),
        queryParameter('code_challenge', text('base64url of the SHA-256 of the verifier')),
        queryParameter('code_challenge_method', { const: 'S256' }),
      ],
      responses: {
        '200': { description: 'The page', content: { 'text/html': { schema: { type: 'string' } } } },
        '303': { description: 'To the sign-in, or back to `redirect_uri` with `code` or `error`' },
        '400': {
          description: 'The application or its address is unknown, so nobody is sent there',
          content: { 'text/html': { schema: { type: 'string' } } },
        },
      },
    }),
  },
  '/api/oauth/revoke': {
    post: endpoint('oauth.revoke', 'Revoke a token (RFC 7009); repeating it gives the same answer', {
      requestBody: inJsonOrForm('OAuthTokenInput'),
      responses: {
        '200': { description: 'The token is no longer valid, or never was', headers },
        ...failures,
      },
    }),
  },
  '/api/oauth/introspect': {
    post: endpoint('oauth.introspect', 'Check whether an access token is valid (RFC 7662)', {
      requestBody: inJsonOrForm('OAuthTokenInput'),
      responses: {
        '200': { description: 'What it is', headers, content: json(ref('OAuthIntrospection')) },
        ...failures,
      },
    }),
  },
  '/.well-known/oauth-authorization-server': {
    get: endpoint('oauth.metadata', 'Read where the endpoints are and what they can do (RFC 8414)', {
      responses: { '200': { description: 'The metadata', content: json(ref('OAuthServerMetadata')) } },
    }),
  },
}
