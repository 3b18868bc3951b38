import { proven, type Table } from '../row.ts'

const httpLayer = 'test/scenarios/kit/http-layer.test.ts'
const requests = 'test/conformance/requests.test.ts'
const served = 'test/guards/conformance.pure.test.ts'

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
      'test/conformance/http-contract.test.ts',
      'a credential is refused on the host of the other environment, and the right host is named',
      { 'key.host': 'with a host per environment, each refuses the other’s credentials' },
    ),
    ...proven(
      httpLayer,
      'a key with a whitelist is accepted only from its addresses, as the trusted proxy reports them',
      {
        'key.whitelist': 'a request from an unlisted address: AUTH_005',
      },
    ),
    ...proven(
      'test/conformance/http-layer.test.ts',
      'plain http is refused before its credentials are read; https is told to stay',
      {
        'auth.https': 'HTTPS is mandatory',
      },
    ),
    ...proven(
      'src/features/access/api-keys/create-key.test.ts',
      'a new key is a UUID, the whole key and its masked form, and works at once',
      {
        'key.id': 'UUID',
        'key.prefix': 'masked form',
        'endpoint.POST /api/v1/api-keys': 'a new key, shown once',
      },
    ),
    ...proven(
      'src/features/access/api-keys/create-key.test.ts',
      'a key is in its one answer and nowhere in the database, sealed answers and events included',
      { 'key.apiKey': 'the whole key, returned once' },
    ),
    ...proven(
      'src/features/access/api-keys/rotate-key.test.ts',
      'the list has masked keys and never a whole one, the newest first, by page and by cursor',
      { 'endpoint.GET /api/v1/api-keys': 'masked keys' },
    ),
    ...proven(
      'src/features/access/api-keys/rotate-key.test.ts',
      'rotating gives a new key with a new id and the same settings; the old one is dead and stays in the list',
      { 'endpoint.POST /api/v1/api-keys/:id/rotate': 'a new key; the old one is dead' },
    ),
    ...proven(
      'src/features/access/api-keys/rotate-key.test.ts',
      'deleting deactivates softly, and again answers the same',
      { 'endpoint.DELETE /api/v1/api-keys/:id': 'deactivates a key, softly' },
    ),
    ...proven(
      served,
      'every endpoint of the specification that is served asks for the scopes of the specification',
      { 'key.management.scope': 'keys are managed with webhooks:manage' },
    ),
  ],
}

const flows = 'test/scenarios/access/oauth/flows.test.ts'
const authorize = 'test/scenarios/access/oauth/authorize.test.ts'
const codes = 'test/scenarios/access/oauth/codes.test.ts'
const tokenState = 'test/scenarios/access/oauth/token-state.test.ts'

const oauth: Table = {
  title: 'OAuth 2.1',
  rows: [
    ...proven(
      flows,
      'client_credentials as JSON, credentials in the body or by HTTP Basic: a token for an hour, and none to refresh it',
      {
        'endpoint.POST /api/oauth/token': 'tokens, three grants',
        'oauth.client_credentials.body': 'client_id, client_secret, scope, or HTTP Basic',
        'oauth.client_credentials.reply':
          'access_token, token_type, expires_in 3600, scope; no refresh token',
        'oauth.token.jwt': 'a JWT signed with RS256',
      },
    ),
    ...proven(flows, 'authorization_code as JSON gives the same and a refresh token', {
      'oauth.authorization_code.body': 'client_id, client_secret, code, redirect_uri, code_verifier',
      'oauth.authorization_code.reply': 'the same and a refresh_token',
    }),
    ...proven(
      flows,
      'refresh_token as JSON with client_id and refresh_token alone renews the access token without a consent',
      {
        'oauth.refresh_token.body': 'client_id, refresh_token',
        'oauth.refresh_token.reply': 'a renewed access token without consent',
      },
    ),
    ...proven(flows, 'authorization_code with PKCE, refresh, introspect, revoke', {
      'endpoint.GET /api/oauth/authorize': 'the consent screen',
      'oauth.authorize.query.client_id': 'the client',
      'oauth.authorize.query.redirect_uri': 'where to return',
      'oauth.authorize.query.code_challenge': 'base64url SHA-256 of the verifier',
    }),
    ...proven(authorize, 'RFC 6749 §3.1.1: a response_type other than code is refused', {
      'oauth.authorize.query.response_type': 'code',
    }),
    ...proven(flows, 'scopes may be separated by %s in the authorization request', {
      'oauth.authorize.query.scope': 'space or plus separated',
    }),
    ...proven(
      flows,
      'after consent the browser is sent to redirect_uri with code and the same state, whatever is in it',
      {
        'oauth.authorize.query.state': 'comes back',
        'oauth.authorize.redirect': 'to redirect_uri with code and state',
      },
    ),
    ...proven(authorize, 'RFC 7636 §4.4.1: %s is invalid_request', {
      'oauth.authorize.query.code_challenge_method': 'S256 only',
    }),
    ...proven(codes, 'RFC 7636 §4.6: a verifier that is %s is refused', {
      'oauth.verifier': '43 to 128 characters',
    }),
    ...proven(
      'test/scenarios/access/oauth/companies.test.ts',
      'the code flow reaches several companies, and X-Company-Id chooses among those that were granted',
      { 'oauth.multi-company': 'the code flow is how several companies are reached' },
    ),
    ...proven(
      tokenState,
      'RFC 7009 §2.2: revoking again, a token nobody knows, an expired one or garbage is answered with 200 and nothing',
      { 'endpoint.POST /api/oauth/revoke': 'revokes a token, idempotent' },
    ),
    ...proven(tokenState, 'RFC 7662 §2.2: a living access token is described', {
      'endpoint.POST /api/oauth/introspect': 'active, client_id, scope, token_type',
    }),
    ...proven(
      'test/scenarios/access/oauth/metadata.test.ts',
      'RFC 8414 §2: every endpoint is under the issuer, at the path of the specification',
      { 'endpoint.GET /.well-known/oauth-authorization-server': 'discovery metadata' },
    ),
  ],
}

const registering = 'src/features/access/oauth/register-client.test.ts'
const changing = 'src/features/access/oauth/update-client.test.ts'
const members = 'src/features/access/people/members.test.ts'
const inviting = 'src/features/access/people/invite-member.test.ts'

const clientsAndMembers: Table = {
  title: 'OAuth clients, members and security events (beyond the specification)',
  rows: [
    ...proven(
      registering,
      'a client is registered with an id and a secret that carry the cell, and gets tokens at once',
      { 'endpoint.POST /api/v1/oauth-clients': 'registers an application, its secret shown once' },
    ),
    ...proven(
      registering,
      'the list has the newest first, by page and by cursor, and never another company’s',
      { 'endpoint.GET /api/v1/oauth-clients': 'the applications of this environment' },
    ),
    ...proven(
      registering,
      'the secret is in its one answer and nowhere in the database, nor in any other answer',
      { 'endpoint.GET /api/v1/oauth-clients/:id': 'one of them, without its secret' },
    ),
    ...proven(
      changing,
      'a scope that is taken away is gone at once from living tokens, of the application and of people',
      { 'endpoint.PUT /api/v1/oauth-clients/:id': 'changes an application' },
    ),
    ...proven(
      changing,
      'deleting switches a client off with its tokens and consents, and again answers the same',
      { 'endpoint.DELETE /api/v1/oauth-clients/:id': 'switches an application off' },
    ),
    ...proven(
      changing,
      'a rotated secret works, the one before is dead at once, and the client stays what it was',
      { 'endpoint.POST /api/v1/oauth-clients/:id/rotate-secret': 'a new secret; the old one is dead' },
    ),
    ...proven(
      members,
      'the list has the members of one’s own company in the order they joined, and nobody else',
      { 'endpoint.GET /api/v1/members': 'members and open invitations' },
    ),
    ...proven(
      'test/scenarios/access/console-door.test.ts',
      'the team is everybody of the company by name and role, without an address, to every role',
      { 'endpoint.GET /api/v1/team': 'the people of the company, without addresses' },
    ),
    ...proven(
      inviting,
      'an invitation is answered, listed, audited and mailed; its token is in the sealed mail and nowhere else',
      { 'endpoint.POST /api/v1/members/invitations': 'invites somebody by mail' },
    ),
    ...proven(inviting, 'closes an invitation, and again answers the same', {
      'endpoint.DELETE /api/v1/members/invitations/:id': 'withdraws an invitation',
    }),
    ...proven(members, 'is changed and audited, and setting the same role again records nothing', {
      'endpoint.PUT /api/v1/members/:personId': 'gives a member another role',
    }),
    ...proven(members, 'who is removed is gone and audited, and cannot be removed a second time', {
      'endpoint.DELETE /api/v1/members/:personId': 'removes a member',
    }),
    ...proven(
      'src/features/access/audit/list-security-events.test.ts',
      'what was done to credentials and members is listed with who did it and from where, the newest first',
      { 'endpoint.GET /api/v1/security-events': 'what was done to credentials, and by whom' },
    ),
  ],
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
        'scope.webhooks:manage': 'manage webhooks and API keys',
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
    ...proven(
      'test/guards/authorization.test.ts',
      '$method $path of one’s own, with exactly its scopes and with all',
      {
        'scope.agent:chat': 'use the assistant',
        'scope.company:manage': 'change how the company is set',
        'scope.texts:manage': 'change the texts that debtors read',
      },
    ),
    ...proven(
      'src/features/recovery/workflow/request-message.test.ts',
      'a registered letter needs lrar:send and nothing else, every other channel notifications:send',
      {
        'scope.lrar:send': 'trigger registered letters',
        'scope.notifications:send': 'send email and SMS',
      },
    ),
    ...proven('test/conformance/score.test.ts', 'scoring:read alone opens scores, and nothing else', {
      'scope.scoring:read': 'read scores',
    }),
  ],
}

export const access: readonly Table[] = [keys, oauth, clientsAndMembers, scopes]
