import { expect, it } from 'vitest'
import { randomAddress } from '../../../harness/tokens.ts'
import {
  type App,
  authorization,
  consent,
  decide,
  errorOf,
  type Fields,
  type HttpReply,
  hiddenFields,
  newPkce,
  registerApp,
  requestConsent,
  send,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const request = (changes: Record<string, string> = {}, app: App = fixture.app) => ({
  ...authorization(app, newPkce()),
  ...changes,
})
const without = (name: string) => {
  const { [name]: _, ...rest } = request() as Record<string, string>
  return rest
}
const requestPage = (query: Fields) => requestConsent(fixture, query, fixture.cookie)

/** The error is shown on a page; the browser is not redirected. */
function expectPage(reply: HttpReply, status = 400): void {
  expect([reply.status, reply.headers.get('location')], reply.text.slice(0, 200)).toEqual([status, null])
  expect(reply.headers.get('content-type')).toMatch(/^text\/html/)
  expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

/** The error is sent to the application by redirect, with its state and the issuer. */
function expectErrorRedirect(reply: HttpReply, error: string, state: string | null = 'st4te'): void {
  expect(reply.status, reply.text.slice(0, 200)).toBe(303)
  const back = reply.location!
  expect(back.href.startsWith(`${fixture.app.redirectUri}?`)).toBe(true)
  expect(back.searchParams.get('error')).toBe(error)
  expect(back.searchParams.get('error_description')).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(back.searchParams.get('state')).toBe(state)
  expect(back.searchParams.get('iss')).toBe(fixture.issuer)
  expect(back.searchParams.get('code')).toBeNull()
}

it.each([
  ['longer', 'https://app.example/callback.evil'],
  ['a child', 'https://app.example/callback/evil'],
  ['a way out', 'https://app.example/callback/../evil'],
  ['a slash more', 'https://app.example/callback/'],
  ['shorter', 'https://app.example/callbac'],
  ['the site alone', 'https://app.example'],
  ['a host that begins the same', 'https://app.example.evil.example/callback'],
  ['a host that ends the same', 'https://evilapp.example/callback'],
  ['a subdomain', 'https://a.app.example/callback'],
  ['userinfo that looks like the host', 'https://app.example@evil.example/callback'],
  ['userinfo', 'https://a:b@app.example/callback'],
  ['a backslash', 'https://app.example\\@evil.example/callback'],
  ['the default port written out', 'https://app.example:443/callback'],
  ['another port', 'https://app.example:8443/callback'],
  ['an encoded letter', 'https://app.example/%63allback'],
  ['encoded once more', 'https%3A%2F%2Fapp.example%2Fcallback'],
  ['capital letters in the host', 'https://APP.EXAMPLE/callback'],
  ['capital letters in the path', 'https://app.example/Callback'],
  ['a capital scheme', 'HTTPS://app.example/callback'],
  ['another scheme', 'http://app.example/callback'],
  ['an extra query', 'https://app.example/callback?next=https://evil.example'],
  ['an empty query', 'https://app.example/callback?'],
  ['a fragment', 'https://app.example/callback#x'],
  ['a path parameter', 'https://app.example/callback;x'],
  ['a space before it', ' https://app.example/callback'],
  ['a space after it', 'https://app.example/callback '],
  ['a tab within', 'https://app.example/call\tback'],
  ['NUL behind it', 'https://app.example/callback\0'],
  ['a full-width dot', 'https://app．example/callback'],
  ['the registered one in a query', 'https://evil.example/?https://app.example/callback'],
  ['a script', 'javascript:alert(1)//https://app.example/callback'],
  ['no address at all', 'callback'],
])('RFC 9700 §4.1.1: a redirect_uri that is %s is answered on a page', async (_, redirect_uri) => {
  const reply = await requestPage(request({ redirect_uri }))
  expectPage(reply)
  expect(reply.text).not.toContain('evil.example')
})

it('RFC 9700 §4.1.3: the port of a loopback address is compared too: every client here keeps a secret', async () => {
  const app = await registerApp(fixture, fixture.company, { redirectUris: ['http://127.0.0.1:4000/cb'] })
  expectPage(await requestPage(request({ redirect_uri: 'http://127.0.0.1:4001/cb' }, app)))
  expect((await requestPage(request({}, app))).status).toBe(200)
})

it('RFC 9700 §4.1.1: the address of another client is not an address of this one', async () => {
  const other = await registerApp(fixture, fixture.company, { redirectUris: ['https://other.example/cb'] })
  expectPage(await requestPage(request({ redirect_uri: other.redirectUri })))
})

it('RFC 6749 §4.1.2.1: without client_id or redirect_uri, or with one nobody knows, nobody is redirected', async () => {
  for (const query of [
    without('client_id'),
    without('redirect_uri'),
    request({ client_id: 'oc_e1aaaaaaaaaaaaaaaaaaaa' }),
    request({ client_id: "' or 1=1 --" }),
    request({ client_id: 'x\0' }),
    request({ client_id: '' }),
    request({ redirect_uri: '' }),
    {},
  ])
    expectPage(await requestPage(query))
})

it('RFC 9700 §4.11.2: a bad client is told on a page even when everything else is bad too', async () => {
  expectPage(
    await requestPage(
      request({ redirect_uri: 'https://evil.example/', response_type: 'token', scope: 'moon:walk' }),
    ),
  )
  const off = await registerApp(fixture, fixture.company)
  await fixture.sql('update oauth_clients set enabled = false where id = $1', [off.id])
  expectPage(await requestPage(request({ response_type: 'token' }, off)))
})

it('RFC 9700 §4.11.2: nobody who is not signed in is sent to an application, whatever is wrong with the request', async () => {
  for (const wrong of [
    { response_type: 'token' },
    { scope: 'moon:walk' },
    { code_challenge_method: 'plain' },
  ]) {
    const reply = await requestConsent(fixture, request(wrong))
    expect([reply.status, reply.location?.origin, reply.location?.pathname]).toEqual([
      303,
      new URL(fixture.issuer).origin,
      '/sign-in',
    ])
  }
})

it.each(['client_id', 'redirect_uri'])(
  'RFC 6749 §3.1: %s given twice is answered on a page, equal or not',
  async name => {
    const once = Object.entries(request())
    const value = Object.fromEntries(once)[name]!
    for (const again of [value, 'https://evil.example/', ''])
      for (const pairs of [
        [...once, [name, again]],
        [[name, again], ...once],
      ] as [string, string][][])
        expectPage(await requestPage(pairs))
  },
)

it.each(['response_type', 'scope', 'code_challenge', 'code_challenge_method'])(
  'RFC 6749 §3.1: %s given twice is told to the application as invalid_request',
  async name => {
    const once = Object.entries(request({ scope: 'invoices:read' }))
    expectErrorRedirect(
      await requestPage([...once, [name, Object.fromEntries(once)[name]!]]),
      'invalid_request',
    )
  },
)

it('RFC 6749 §3.1: a state given twice comes back not at all', async () => {
  expectErrorRedirect(
    await requestPage([...Object.entries(request()), ['state', 'other']]),
    'invalid_request',
    null,
  )
})

it('RFC 6749 §3.1: a parameter without a value is as if it were not there', async () => {
  expect((await requestPage(request({ scope: '' }))).status).toBe(200)
  expectErrorRedirect(await requestPage(request({ response_type: '' })), 'invalid_request')
  const back = await consent(fixture, fixture.cookie, request({ state: '' }), [fixture.company.companyId])
  expect(back.searchParams.has('state')).toBe(false)
})

it.each([
  ['NUL', '\0'],
  ['a line feed', '\n'],
  ['delete', '\x7f'],
  ['one of Latin-1', '\x85'],
])('RFC 6749 appendix A: a control character (%s) in a parameter is refused', async (_, character) => {
  expectErrorRedirect(await requestPage(request({ scope: `invoices:read${character}` })), 'invalid_request')
  expectErrorRedirect(await requestPage(request({ state: `a${character}b` })), 'invalid_request', null)
})

it('RFC 6749 appendix B: bytes that are no UTF-8 are refused, and never come back as something else', async () => {
  const query = String(new URLSearchParams(without('state')))
  expectErrorRedirect(await requestPage(`${query}&state=%ff%fe`), 'invalid_request', null)
})

it('RFC 6749 §3.1.1: a response_type other than code is refused', async () => {
  for (const type of ['token', 'code token', 'id_token', 'none', 'CODE'])
    expectErrorRedirect(await requestPage(request({ response_type: type })), 'unsupported_response_type')
  expectErrorRedirect(await requestPage(without('response_type')), 'invalid_request')
})

it.each([
  ['no challenge', { code_challenge: '' }],
  ['the method plain', { code_challenge_method: 'plain' }],
  ['no method, which would mean plain', { code_challenge_method: '' }],
  ['a method nobody knows', { code_challenge_method: 'S512' }],
  ['a method of another case', { code_challenge_method: 's256' }],
  ['a challenge too short for a SHA-256', { code_challenge: 'a'.repeat(42) }],
  ['a challenge too long for one', { code_challenge: 'a'.repeat(44) }],
  ['a padded challenge', { code_challenge: `${'a'.repeat(43)}=` }],
  ['a challenge in base64 that is not base64url', { code_challenge: `${'a'.repeat(42)}+` }],
])('RFC 7636 §4.4.1: %s is invalid_request', async (_, wrong) => {
  expectErrorRedirect(await requestPage(request(wrong as Record<string, string>)), 'invalid_request')
})

it('RFC 6749 §4.1.2.1: an unknown scope, and one the client was not registered with, are invalid_scope', async () => {
  expectErrorRedirect(await requestPage(request({ scope: 'invoices:read moon:walk"\\é' })), 'invalid_scope')
  const app = await registerApp(fixture, fixture.company, { scopes: ['invoices:read'] })
  expectErrorRedirect(await requestPage(request({ scope: 'invoices:write' }, app)), 'invalid_scope')
})

it('RFC 6749 §4.1.2.1: a client that is not registered for codes is unauthorized_client', async () => {
  const app = await registerApp(fixture, fixture.company, { grantTypes: ['client_credentials'] })
  expectErrorRedirect(await requestPage(request({}, app)), 'unauthorized_client')
})

it('RFC 9207 §2: iss comes with the code, and with a refusal, and is the issuer of the metadata', async () => {
  const metadata = await send(fixture, 'GET', '/.well-known/oauth-authorization-server')
  expect(metadata.json.authorization_response_iss_parameter_supported).toBe(true)
  const success = await consent(fixture, fixture.cookie, request(), [fixture.company.companyId])
  const page = await requestPage(request())
  const denied = await decide(fixture, fixture.cookie, { ...hiddenFields(page), decision: 'deny' })
  for (const back of [success, denied.location!])
    expect(back.searchParams.get('iss')).toBe(metadata.json.issuer)
  expectErrorRedirect(denied, 'access_denied')
})

it('RFC 6749 §3.1.2: the query a redirect_uri was registered with stays as it is', async () => {
  const redirectUri = 'https://app.example/cb?tenant=a%20b&empty=&x=~!'
  const app = await registerApp(fixture, fixture.company, { redirectUris: [redirectUri] })
  const page = await requestPage(request({}, app))
  const reply = await decide(fixture, fixture.cookie, [
    ...Object.entries(hiddenFields(page)),
    ['company', fixture.company.companyId],
    ['decision', 'allow'],
  ])
  expect(reply.headers.get('location')).toMatch(
    /^https:\/\/app\.example\/cb\?tenant=a%20b&empty=&x=~!&code=oac_/,
  )
})

it('RFC 8252 §7.1: an address with a scheme of its own is written as it was registered', async () => {
  const app = await registerApp(fixture, fixture.company, { redirectUris: ['com.example.app:/cb'] })
  const reply = await requestPage(request({ response_type: 'token' }, app))
  expect(reply.headers.get('location')).toMatch(/^com\.example\.app:\/cb\?error=unsupported_response_type&/)
})

it('RFC 9700 §4.12: the browser is sent back with 303, which repeats no form', async () => {
  const page = await requestPage(request())
  const reply = await decide(fixture, fixture.cookie, { ...hiddenFields(page), decision: 'deny' })
  expect(reply.status).toBe(303)
})

it('RFC 9700 §4.16: the consent page is framed by nobody, kept by no cache, and leaks no referrer', async () => {
  const page = await requestPage(request())
  expectPage(page, 200)
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('referrer-policy')).toBe('same-origin')
})

it('RFC 6749 §10.14: what the request says is text on every page', async () => {
  const script = '"><script>alert(1)</script>'
  const app = await registerApp(fixture, fixture.company)
  await fixture.sql('update oauth_clients set name = $2 where id = $1', [app.id, script])
  for (const reply of [
    await requestPage(request({ state: script }, app)),
    await requestPage(request({ client_id: script })),
    await requestPage([...Object.entries(request()), [script, 'a'], [script, 'b'], ['client_id', script]]),
  ])
    expect(reply.text).not.toContain('<script>alert')
})

it('RFC 6749 §3.1: the way back from signing in is a path of ours, however the request was written', async () => {
  const reply = await rawGet(`${'http://evil.example'}/api/oauth/authorize?${new URLSearchParams(request())}`)
  expect(reply).toMatch(/^HTTP\/1\.1 (303|400|404) /)
  const next = /location: \/sign-in\?next=(\S+)/i.exec(reply)?.[1]
  if (next !== undefined) expect(decodeURIComponent(next)).toMatch(/^\/api\/oauth\/authorize\?/)
})

/** Sends a request line that fetch would not write. */
async function rawGet(target: string): Promise<string> {
  const { connect } = await import('node:net')
  const { port, host } = new URL(fixture.url)
  return new Promise((resolve, reject) => {
    let reply = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    )
    socket.on('data', chunk => {
      reply += chunk
    })
    socket.on('close', () => resolve(reply))
    socket.on('error', reject)
  })
}

it('RFC 6749 §3.1: the endpoint is asked by GET, the decision comes by POST, and nothing else is understood', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const reply = await send(fixture, method, `/api/oauth/authorize?${new URLSearchParams(request())}`, {
      headers: { cookie: fixture.cookie },
    })
    expectPage(reply, 405)
    expect(reply.headers.get('allow')).toBe('GET, POST')
  }
})

it('RFC 6749 §3.1: an error of ours on the way to the page is a page as well', async () => {
  const headers = { 'x-forwarded-for': randomAddress(), cookie: fixture.cookie }
  const answers = await Promise.all(
    Array.from({ length: 70 }, () =>
      send(fixture, 'GET', `/api/oauth/authorize?${new URLSearchParams(request())}`, { headers }),
    ),
  )
  const refused = answers.filter(reply => reply.status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const reply of refused) expectPage(reply, 429)
  expect(refused.map(errorOf)).toEqual(refused.map(() => 'undefined'))
})
