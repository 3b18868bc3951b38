import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceInput } from '../../../harness/use-installation.ts'
import {
  type App,
  authorization,
  basic,
  consent,
  newCode,
  newPkce,
  randomAddress,
  redeem,
  refreshWith,
  registerApp,
  send,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const fetchFromSomewhere = (url: string, init: object): Promise<Response> => {
  const { headers, ...rest } = init as RequestInit
  return fetch(url, { ...rest, headers: { ...(headers as object), 'x-forwarded-for': randomAddress() } })
}
const relaxed = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: fetchFromSomewhere,
}

/** What a resource server would do, who knows nothing but the address of the keys. */
async function verified(accessToken: string) {
  const keys = createRemoteJWKSet(new URL(`${fixture.issuer}/.well-known/jwks.json`))
  return jwtVerify(accessToken, keys, {
    issuer: fixture.issuer,
    audience: fixture.issuer,
    algorithms: ['RS256'],
    typ: 'at+jwt',
  })
}

const invoicesWith = async (token: string) => {
  const reply = await useToken(fixture, token)
  return {
    status: reply.status,
    numbers: (reply.json.data as { invoiceNumber: string }[])?.map(i => i.invoiceNumber),
  }
}

let invoiceNumber: string
beforeAll(async () => {
  const made = await fixture.installation.call<{ invoiceNumber: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  invoiceNumber = made.body.data.invoiceNumber
})

describe('oauth4webapi', () => {
  let as: oauth.AuthorizationServer
  let client: oauth.Client
  beforeAll(async () => {
    const issuer = new URL(fixture.issuer)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...relaxed })
    as = await oauth.processDiscoveryResponse(issuer, response)
    client = { client_id: fixture.app.id }
  })

  it.each([
    ['in the body', oauth.ClientSecretPost],
    ['by HTTP Basic', oauth.ClientSecretBasic],
  ])('client_credentials with the secret %s', async (_, authentication) => {
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      authentication(fixture.app.secret),
      { scope: 'invoices:read debtors:read' },
      relaxed,
    )
    const reply = await oauth.processClientCredentialsResponse(as, client, response)
    expect(reply).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'invoices:read debtors:read',
    })
    expect(reply.refresh_token).toBeUndefined()
    const { payload } = await verified(reply.access_token)
    expect(payload).toMatchObject({
      sub: fixture.app.id,
      client_id: fixture.app.id,
      scope: 'invoices:read debtors:read',
    })
    expect(await invoicesWith(reply.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })
  })

  it('authorization_code with PKCE, refresh, introspect, revoke', async () => {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint!)
    url.search = String(
      new URLSearchParams({
        ...authorization(fixture.app, { challenge: await oauth.calculatePKCECodeChallenge(verifier) }),
        scope: 'invoices:read',
        state,
      }),
    )
    const back = await consent(fixture, fixture.cookie, url.search.slice(1), [fixture.company.companyId])
    const parameters = oauth.validateAuthResponse(as, client, back, state)
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(fixture.app.secret),
      parameters,
      fixture.app.redirectUri,
      verifier,
      relaxed,
    )
    const first = await oauth.processAuthorizationCodeResponse(as, client, answer)
    const { payload } = await verified(first.access_token)
    expect(payload).toMatchObject({ sub: fixture.person, client_id: fixture.app.id, scope: 'invoices:read' })
    expect(await invoicesWith(first.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })

    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      client,
      oauth.None(),
      first.refresh_token!,
      relaxed,
    )
    const second = await oauth.processRefreshTokenResponse(as, client, refreshed)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(await invoicesWith(second.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })
    // What a resource server that speaks RFC 9068 makes of it.
    const claims = await oauth.validateJwtAccessToken(
      as,
      new Request(`${fixture.url}/api/v1/invoices`, {
        headers: { authorization: `Bearer ${second.access_token}` },
      }),
      fixture.issuer,
      relaxed,
    )
    expect(claims.sub).toBe(fixture.person)

    const asked = await oauth.introspectionRequest(as, client, oauth.None(), second.access_token, relaxed)
    const state2 = await oauth.processIntrospectionResponse(as, client, asked)
    expect(state2).toMatchObject({
      active: true,
      client_id: fixture.app.id,
      scope: 'invoices:read',
      token_type: 'Bearer',
    })

    const revoked = await oauth.revocationRequest(as, client, oauth.None(), second.refresh_token!, relaxed)
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
    for (const { access_token } of [first, second])
      expect((await useToken(fixture, access_token)).status).toBe(401)
  })

  it('what is refused arrives as the error the client knows', async () => {
    const wrong = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretBasic('wrong'),
      {},
      relaxed,
    )
    await expect(oauth.processClientCredentialsResponse(as, client, wrong)).rejects.toMatchObject({
      code: oauth.WWW_AUTHENTICATE_CHALLENGE,
      cause: [{ scheme: 'basic' }],
    })
    const unknown = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(fixture.app.secret),
      { scope: 'moon:walk' },
      relaxed,
    )
    await expect(oauth.processClientCredentialsResponse(as, client, unknown)).rejects.toMatchObject({
      code: oauth.RESPONSE_BODY_ERROR,
      error: 'invalid_scope',
    })
  })
})

describe('openid-client', () => {
  const discover = (authentication: openid.ClientAuth) =>
    openid.discovery(new URL(fixture.issuer), fixture.app.id, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fetchFromSomewhere,
    })

  it('the three grants, introspection and revocation', async () => {
    const config = await discover(openid.ClientSecretBasic(fixture.app.secret))
    const own = await openid.clientCredentialsGrant(config, { scope: 'invoices:read' })
    expect(await invoicesWith(own.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })

    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: fixture.app.redirectUri,
      scope: 'invoices:read debtors:read',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const back = await consent(fixture, fixture.cookie, url.search.slice(1), [fixture.company.companyId])
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    })
    await verified(tokens.access_token)
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!, { scope: 'invoices:read' })
    expect(next.scope).toBe('invoices:read')
    expect(await invoicesWith(next.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })
    expect(await openid.tokenIntrospection(config, next.access_token)).toMatchObject({ active: true })
    await openid.tokenRevocation(config, next.access_token)
    expect(await openid.tokenIntrospection(config, next.access_token)).toEqual({ active: false })
    expect((await useToken(fixture, next.access_token)).status).toBe(401)
    expect((await useToken(fixture, tokens.access_token)).status).toBe(200)
  })
})

describe('by hand', () => {
  const requestTokenAsJson = (json: object, headers = {}) =>
    send(fixture, 'POST', '/api/oauth/token', { json, headers })
  const isFresh = { token_type: 'Bearer', expires_in: 3600, scope: 'invoices:read' }
  const own = (app: App) => ({ client_id: app.id, client_secret: app.secret })

  it('client_credentials as JSON, credentials in the body or by HTTP Basic: a token for an hour, and none to refresh it', async () => {
    const grant = { grant_type: 'client_credentials', scope: 'invoices:read' }
    for (const reply of [
      await requestTokenAsJson({ ...grant, ...own(fixture.app) }),
      await requestTokenAsJson(grant, basic(fixture.app)),
    ]) {
      expect(reply.status).toBe(200)
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(reply.json).toEqual({ ...isFresh, access_token: expect.any(String) })
      expect((await useToken(fixture, reply.json.access_token as string)).status).toBe(200)
      const { payload, protectedHeader } = await verified(reply.json.access_token as string)
      expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) })
      expect(payload.exp! - payload.iat!).toBe(3600)
    }
  })

  it('authorization_code as JSON gives the same and a refresh token', async () => {
    const code = await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId], {
      scope: 'invoices:read',
    })
    const reply = await requestTokenAsJson(code)
    expect(reply.json).toEqual({
      ...isFresh,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect(reply.json.refresh_token).toMatch(/^ort_e1[0-9A-Za-z]{43}$/)
    expect(code.code).toMatch(/^oac_e1[0-9A-Za-z]{43}$/)
  })

  it('refresh_token as JSON with client_id and refresh_token alone renews the access token without a consent', async () => {
    const code = await newCode(fixture, fixture.app, fixture.cookie, [fixture.company.companyId], {
      scope: 'invoices:read',
    })
    const first = await redeem(fixture, code)
    const reply = await requestTokenAsJson(refreshWith(fixture.app, first.refresh_token))
    expect(reply.json).toEqual({
      ...isFresh,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect((await useToken(fixture, reply.json.access_token as string)).status).toBe(200)
  })

  it('scope left out is everything the client may have', async () => {
    const app = await registerApp(fixture, fixture.company, { scopes: ['debtors:read', 'invoices:read'] })
    expect((await requestTokenAsJson({ grant_type: 'client_credentials', ...own(app) })).json.scope).toBe(
      'debtors:read invoices:read',
    )
  })

  it.each([
    ['a space', 'invoices:read debtors:read'],
    ['a plus', 'invoices:read+debtors:read'],
  ])('scopes may be separated by %s in the authorization request', async (_, scope) => {
    const pkce = newPkce()
    for (const separated of [encodeURIComponent(scope), scope.replace(' ', '+'), scope.replace(' ', '%20')]) {
      const query = `${new URLSearchParams(authorization(fixture.app, pkce))}&scope=${separated}`
      const back = await consent(fixture, fixture.cookie, query, [fixture.company.companyId])
      const reply = await requestTokenAsJson({
        grant_type: 'authorization_code',
        ...own(fixture.app),
        code: back.searchParams.get('code'),
        redirect_uri: fixture.app.redirectUri,
        code_verifier: pkce.verifier,
      })
      expect(String(reply.json.scope).split(' ').sort()).toEqual(['debtors:read', 'invoices:read'])
    }
  })

  it('after consent the browser is sent to redirect_uri with code and the same state, whatever is in it', async () => {
    const state = 'é"\'<>&=+%20 /?#😀'
    const back = await consent(fixture, fixture.cookie, { ...authorization(fixture.app, newPkce()), state }, [
      fixture.company.companyId,
    ])
    expect(back.href.startsWith(`${fixture.app.redirectUri}?`)).toBe(true)
    expect(back.searchParams.get('state')).toBe(state)
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  })

  it('without a session the person is sent to sign in, and comes back to the very same request', async () => {
    const query = String(new URLSearchParams({ ...authorization(fixture.app, newPkce()), state: 'a b&c' }))
    const reply = await send(fixture, 'GET', `/api/oauth/authorize?${query}`)
    expect([reply.status, reply.location?.pathname]).toEqual([303, '/sign-in'])
    expect(reply.location!.searchParams.get('next')).toBe(`/api/oauth/authorize?${query}`)
  })

  it('OAuth is spoken under /api/oauth without a version, and never in the envelope', async () => {
    const answers = [
      await requestTokenAsJson({ grant_type: 'client_credentials', ...own(fixture.app) }),
      await requestTokenAsJson({}),
      await send(fixture, 'POST', '/api/oauth/introspect', { json: { token: 'x' } }),
      await send(fixture, 'POST', '/api/oauth/revoke', { json: { token: 'x' } }),
      await send(fixture, 'GET', '/.well-known/oauth-authorization-server'),
    ]
    expect(answers.map(reply => reply.status)).toEqual([200, 400, 200, 200, 200])
    for (const { json } of answers)
      for (const name of ['success', 'data', 'requestId']) expect(json).not.toHaveProperty(name)
  })
})
