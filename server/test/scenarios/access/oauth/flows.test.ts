import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceInput } from '../../../harness/house.ts'
import {
  type App,
  authorization,
  basic,
  consent,
  newCode,
  newPkce,
  redeem,
  refreshWith,
  registerApp,
  send,
  someAddress,
  useToken,
} from './stage.ts'
import { useStage } from './use-stage.ts'

const stage = useStage()

const fetchFromSomewhere = (url: string, init: object): Promise<Response> => {
  const { headers, ...rest } = init as RequestInit
  return fetch(url, { ...rest, headers: { ...(headers as object), 'x-forwarded-for': someAddress() } })
}
const relaxed = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: fetchFromSomewhere,
}

/** What a resource server would do, who knows nothing but the address of the keys. */
async function verified(accessToken: string) {
  const keys = createRemoteJWKSet(new URL(`${stage.issuer}/.well-known/jwks.json`))
  return jwtVerify(accessToken, keys, {
    issuer: stage.issuer,
    audience: stage.issuer,
    algorithms: ['RS256'],
    typ: 'at+jwt',
  })
}

const invoicesWith = async (token: string) => {
  const told = await useToken(stage, token)
  return {
    status: told.status,
    numbers: (told.json.data as { invoiceNumber: string }[])?.map(i => i.invoiceNumber),
  }
}

let invoiceNumber: string
beforeAll(async () => {
  const made = await stage.house.call<{ invoiceNumber: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput(),
  })
  invoiceNumber = made.body.data.invoiceNumber
})

describe('oauth4webapi', () => {
  let as: oauth.AuthorizationServer
  let client: oauth.Client
  beforeAll(async () => {
    const issuer = new URL(stage.issuer)
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...relaxed })
    as = await oauth.processDiscoveryResponse(issuer, response)
    client = { client_id: stage.app.id }
  })

  it.each([
    ['in the body', oauth.ClientSecretPost],
    ['by HTTP Basic', oauth.ClientSecretBasic],
  ])('client_credentials with the secret %s', async (_, authentication) => {
    const response = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      authentication(stage.app.secret),
      { scope: 'invoices:read debtors:read' },
      relaxed,
    )
    const told = await oauth.processClientCredentialsResponse(as, client, response)
    expect(told).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'invoices:read debtors:read',
    })
    expect(told.refresh_token).toBeUndefined()
    const { payload } = await verified(told.access_token)
    expect(payload).toMatchObject({
      sub: stage.app.id,
      client_id: stage.app.id,
      scope: 'invoices:read debtors:read',
    })
    expect(await invoicesWith(told.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })
  })

  it('authorization_code with PKCE, refresh, introspect, revoke', async () => {
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint!)
    url.search = String(
      new URLSearchParams({
        ...authorization(stage.app, { challenge: await oauth.calculatePKCECodeChallenge(verifier) }),
        scope: 'invoices:read',
        state,
      }),
    )
    const back = await consent(stage, stage.cookie, url.search.slice(1), [stage.company.companyId])
    const parameters = oauth.validateAuthResponse(as, client, back, state)
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(stage.app.secret),
      parameters,
      stage.app.redirectUri,
      verifier,
      relaxed,
    )
    const first = await oauth.processAuthorizationCodeResponse(as, client, answer)
    const { payload } = await verified(first.access_token)
    expect(payload).toMatchObject({ sub: stage.person, client_id: stage.app.id, scope: 'invoices:read' })
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
      new Request(`${stage.url}/api/v1/invoices`, {
        headers: { authorization: `Bearer ${second.access_token}` },
      }),
      stage.issuer,
      relaxed,
    )
    expect(claims.sub).toBe(stage.person)

    const asked = await oauth.introspectionRequest(as, client, oauth.None(), second.access_token, relaxed)
    const state2 = await oauth.processIntrospectionResponse(as, client, asked)
    expect(state2).toMatchObject({
      active: true,
      client_id: stage.app.id,
      scope: 'invoices:read',
      token_type: 'Bearer',
    })

    const revoked = await oauth.revocationRequest(as, client, oauth.None(), second.refresh_token!, relaxed)
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
    for (const { access_token } of [first, second])
      expect((await useToken(stage, access_token)).status).toBe(401)
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
      oauth.ClientSecretPost(stage.app.secret),
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
    openid.discovery(new URL(stage.issuer), stage.app.id, undefined, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: fetchFromSomewhere,
    })

  it('the three grants, introspection and revocation', async () => {
    const config = await discover(openid.ClientSecretBasic(stage.app.secret))
    const own = await openid.clientCredentialsGrant(config, { scope: 'invoices:read' })
    expect(await invoicesWith(own.access_token)).toEqual({ status: 200, numbers: [invoiceNumber] })

    const verifier = openid.randomPKCECodeVerifier()
    const state = openid.randomState()
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: stage.app.redirectUri,
      scope: 'invoices:read debtors:read',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    })
    const back = await consent(stage, stage.cookie, url.search.slice(1), [stage.company.companyId])
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
    expect((await useToken(stage, next.access_token)).status).toBe(401)
    expect((await useToken(stage, tokens.access_token)).status).toBe(200)
  })
})

describe('by hand', () => {
  const ask = (json: object, headers = {}) => send(stage, 'POST', '/api/oauth/token', { json, headers })
  const isFresh = { token_type: 'Bearer', expires_in: 3600, scope: 'invoices:read' }
  const own = (app: App) => ({ client_id: app.id, client_secret: app.secret })

  it('client_credentials as JSON, credentials in the body or by HTTP Basic: a token for an hour, and none to refresh it', async () => {
    const wish = { grant_type: 'client_credentials', scope: 'invoices:read' }
    for (const told of [await ask({ ...wish, ...own(stage.app) }), await ask(wish, basic(stage.app))]) {
      expect(told.status).toBe(200)
      expect(told.headers.get('cache-control')).toBe('no-store')
      expect(told.json).toEqual({ ...isFresh, access_token: expect.any(String) })
      expect((await useToken(stage, told.json.access_token as string)).status).toBe(200)
      const { payload, protectedHeader } = await verified(told.json.access_token as string)
      expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) })
      expect(payload.exp! - payload.iat!).toBe(3600)
    }
  })

  it('authorization_code as JSON gives the same and a refresh token', async () => {
    const code = await newCode(stage, stage.app, stage.cookie, [stage.company.companyId], {
      scope: 'invoices:read',
    })
    const told = await ask(code)
    expect(told.json).toEqual({
      ...isFresh,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect(told.json.refresh_token).toMatch(/^ort_e1[0-9A-Za-z]{43}$/)
    expect(code.code).toMatch(/^oac_e1[0-9A-Za-z]{43}$/)
  })

  it('refresh_token as JSON with client_id and refresh_token alone renews the access token without a consent', async () => {
    const code = await newCode(stage, stage.app, stage.cookie, [stage.company.companyId], {
      scope: 'invoices:read',
    })
    const first = await redeem(stage, code)
    const told = await ask(refreshWith(stage.app, first.refresh_token))
    expect(told.json).toEqual({
      ...isFresh,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect((await useToken(stage, told.json.access_token as string)).status).toBe(200)
  })

  it('scope left out is everything the client may have', async () => {
    const app = await registerApp(stage, stage.company, { scopes: ['debtors:read', 'invoices:read'] })
    expect((await ask({ grant_type: 'client_credentials', ...own(app) })).json.scope).toBe(
      'debtors:read invoices:read',
    )
  })

  it.each([
    ['a space', 'invoices:read debtors:read'],
    ['a plus', 'invoices:read+debtors:read'],
  ])('scopes may be separated by %s in the authorization request', async (_, scope) => {
    const pkce = newPkce()
    for (const separated of [encodeURIComponent(scope), scope.replace(' ', '+'), scope.replace(' ', '%20')]) {
      const query = `${new URLSearchParams(authorization(stage.app, pkce))}&scope=${separated}`
      const back = await consent(stage, stage.cookie, query, [stage.company.companyId])
      const told = await ask({
        grant_type: 'authorization_code',
        ...own(stage.app),
        code: back.searchParams.get('code'),
        redirect_uri: stage.app.redirectUri,
        code_verifier: pkce.verifier,
      })
      expect(String(told.json.scope).split(' ').sort()).toEqual(['debtors:read', 'invoices:read'])
    }
  })

  it('after consent the browser is sent to redirect_uri with code and the same state, whatever is in it', async () => {
    const state = 'é"\'<>&=+%20 /?#😀'
    const back = await consent(stage, stage.cookie, { ...authorization(stage.app, newPkce()), state }, [
      stage.company.companyId,
    ])
    expect(back.href.startsWith(`${stage.app.redirectUri}?`)).toBe(true)
    expect(back.searchParams.get('state')).toBe(state)
    expect([...back.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
  })

  it('without a session the person is sent to sign in, and comes back to the very same request', async () => {
    const query = String(new URLSearchParams({ ...authorization(stage.app, newPkce()), state: 'a b&c' }))
    const told = await send(stage, 'GET', `/api/oauth/authorize?${query}`)
    expect([told.status, told.location?.pathname]).toEqual([303, '/sign-in'])
    expect(told.location!.searchParams.get('next')).toBe(`/api/oauth/authorize?${query}`)
  })

  it('OAuth is spoken under /api/oauth without a version, and never in the envelope', async () => {
    const answers = [
      await ask({ grant_type: 'client_credentials', ...own(stage.app) }),
      await ask({}),
      await send(stage, 'POST', '/api/oauth/introspect', { json: { token: 'x' } }),
      await send(stage, 'POST', '/api/oauth/revoke', { json: { token: 'x' } }),
      await send(stage, 'GET', '/.well-known/oauth-authorization-server'),
    ]
    expect(answers.map(told => told.status)).toEqual([200, 400, 200, 200, 200])
    for (const { json } of answers)
      for (const name of ['success', 'data', 'requestId']) expect(json).not.toHaveProperty(name)
  })
})
