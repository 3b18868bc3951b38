import { expect, it } from 'vitest'
import { randomAddress } from '../../../harness/tokens.ts'
import {
  type App,
  basic,
  errorOf,
  type HttpReply,
  ownToken,
  registerApp,
  requestToken,
  send,
  useToken,
} from './oauth-calls.ts'
import { useOAuthFixture } from './use-oauth-fixture.ts'

const fixture = useOAuthFixture()

const own = (app: App = fixture.app) => ({
  grant_type: 'client_credentials',
  client_id: app.id,
  client_secret: app.secret,
})
const post = (message: Parameters<typeof send>[3]) => send(fixture, 'POST', '/api/oauth/token', message)

/** Every refusal is a JSON object of RFC 6749 §5.2, in its characters, and kept by no cache. */
function expectRefusal(reply: HttpReply, status: number, error: string): void {
  expect([reply.status, reply.json.error], reply.text).toEqual([status, error])
  expect(Object.keys(reply.json).sort()).toEqual(['error', 'error_description'])
  expect(reply.json.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(reply.headers.get('cache-control')).toBe('no-store')
}

it('RFC 6749 §3.2: the token endpoint is asked by POST alone, and GET is told so', async () => {
  for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect'])
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const reply = await send(fixture, method, `${path}?${new URLSearchParams({ ...own(), token: 'x' })}`)
      expectRefusal(reply, 405, 'invalid_request')
      expect(reply.headers.get('allow')).toBe('POST')
    }
})

it('RFC 6749 §3.2: credentials in the query are not read', async () => {
  const { grant_type, ...secret } = own()
  const reply = await send(fixture, 'POST', `/api/oauth/token?${new URLSearchParams(secret)}`, {
    form: { grant_type },
  })
  expectRefusal(reply, 401, 'invalid_client')
})

it.each(['grant_type', 'client_id', 'client_secret', 'scope'])(
  'RFC 6749 §3.2: %s given twice in a form is refused, equal or not, with a value or without',
  async name => {
    const once = Object.entries({ ...own(), scope: 'invoices:read' })
    const value = Object.fromEntries(once)[name]!
    for (const again of [value, 'other', ''])
      for (const pairs of [
        [...once, [name, again]],
        [[name, again], ...once],
      ] as [string, string][][])
        expectRefusal(await requestToken(fixture, pairs), 400, 'invalid_request')
  },
)

it.each([
  ['as it is', '"grant_type"'],
  ['written with an escape', '"grant\\u005ftype"'],
])('RFC 6749 §3.2: a parameter given twice in JSON, %s, is refused', async (_, again) => {
  const text = JSON.stringify({ ...own(), scope: 'invoices:read' })
  const body = text.replace(/}$/, `,${again}:"client_credentials"}`)
  expectRefusal(await post({ raw: { type: 'application/json', body } }), 400, 'invalid_request')
})

it('RFC 6749 §3.2: what only looks like a parameter given twice, inside another, is not one', async () => {
  const extension = { grant_type: 'x', deeper: [{ scope: 'y', client_id: '",grant_type":"' }] }
  expect((await post({ json: { extension, ...own() } })).status).toBe(200)
})

it('RFC 6749 §3.2: a parameter without a value is as if it were not there', async () => {
  const reply = await requestToken(fixture, { ...own(), scope: '' })
  expect(reply.status).toBe(200)
  expect(String(reply.json.scope).split(' ').length).toBeGreaterThan(10)
  expectRefusal(await requestToken(fixture, { ...own(), grant_type: '' }), 400, 'invalid_request')
  expectRefusal(await post({ json: { ...own(), grant_type: null } }), 400, 'invalid_request')
})

it('RFC 6749 §3.2: parameters nobody here knows are ignored, repeated or of any shape', async () => {
  const form: [string, string][] = [
    ...Object.entries(own()),
    ['resource', 'https://a.example'],
    ['resource', 'https://b.example'],
  ]
  expect((await requestToken(fixture, form)).status).toBe(200)
  expect((await post({ json: { ...own(), resource: ['a', 'b'], extra: { deep: 1 } } })).status).toBe(200)
})

it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x', 'application/jwt', null])(
  'RFC 6749 §3.2: a body of type %s is refused',
  async type => {
    const body = String(new URLSearchParams(own()))
    expectRefusal(await post({ raw: { type, body } }), 400, 'invalid_request')
  },
)

it.each([
  ['no JSON', '{"grant_type":'],
  ['an array', '[{"grant_type":"client_credentials"}]'],
  ['a text', '"grant_type=client_credentials"'],
  ['null', 'null'],
  ['nothing', ''],
  ['a key that means something to JavaScript', '{"__proto__":{"grant_type":"client_credentials"}}'],
])('RFC 6749 §3.2: a JSON body that is %s is refused', async (_, body) => {
  expectRefusal(await post({ raw: { type: 'application/json', body } }), 400, 'invalid_request')
})

it.each([
  ['an array', ['client_credentials']],
  ['an object', { toString: 'client_credentials' }],
  ['a number', 7],
  ['true', true],
])('RFC 6749 appendix A: %s in JSON is no text', async (_, value) => {
  for (const name of ['grant_type', 'client_id', 'client_secret', 'scope'])
    expectRefusal(await post({ json: { ...own(), [name]: value } }), 400, 'invalid_request')
})

it.each([
  ['NUL', '\0'],
  ['a line feed', '\n'],
  ['a tab', '\t'],
  ['escape', '\x1b'],
  ['delete', '\x7f'],
  ['a control character of Latin-1', '\x85'],
])('RFC 6749 appendix A: %s in a parameter is refused, in a form and in JSON', async (_, character) => {
  for (const name of ['grant_type', 'client_id', 'client_secret', 'scope']) {
    const wrong = { ...own(), scope: 'invoices:read' }
    const given = { ...wrong, [name]: `${wrong[name as 'scope']}${character}x` }
    expectRefusal(await requestToken(fixture, given), 400, 'invalid_request')
    expectRefusal(await post({ json: given }), 400, 'invalid_request')
  }
})

it('RFC 6749 appendix B: half a surrogate pair and bytes that are no UTF-8 are refused', async () => {
  const body = JSON.stringify({ ...own(), scope: 'x' }).replace('"x"', '"\\ud800"')
  expectRefusal(await post({ raw: { type: 'application/json', body } }), 400, 'invalid_request')
  const bytes = (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])
  const form = bytes(`${new URLSearchParams(own())}&scope=`)
  const type = 'application/x-www-form-urlencoded'
  expectRefusal(await post({ raw: { type, body: form } }), 400, 'invalid_request')
  expectRefusal(
    await post({ raw: { type, body: `${new URLSearchParams(own())}&scope=%ff%fe` } }),
    400,
    'invalid_request',
  )
  expectRefusal(
    await post({ raw: { type: 'application/json', body: bytes('{"a":"') } }),
    400,
    'invalid_request',
  )
})

it('RFC 6749 §5.2: values of almost 16 kB are refused like any other wrong one, longer ones by their name, larger bodies by their size', async () => {
  const long = 'a'.repeat(15_000)
  const { grant_type, client_id } = own()
  expectRefusal(await requestToken(fixture, { grant_type, client_id: long }), 401, 'invalid_client')
  expectRefusal(
    await requestToken(fixture, { grant_type, client_id, client_secret: long }),
    401,
    'invalid_client',
  )
  expectRefusal(await post({ json: { ...own(), scope: long } }), 400, 'invalid_scope')
  expectRefusal(await requestToken(fixture, { ...own(), grant_type: long }), 400, 'unsupported_grant_type')
  expectRefusal(await requestToken(fixture, { ...own(), scope: 'a'.repeat(17_000) }), 400, 'invalid_request')
  const larger = { ...own(), scope: 'a'.repeat(1_100_000) }
  expectRefusal(await requestToken(fixture, larger), 413, 'invalid_request')
})

it('RFC 6749 §5.2: an unknown client and a wrong secret are invalid_client, 401, and look the same', async () => {
  const unknown = await requestToken(fixture, { ...own(), client_id: 'oc_e1aaaaaaaaaaaaaaaaaaaa' })
  const wrong = await requestToken(fixture, {
    ...own(),
    client_secret: `${fixture.app.secret.slice(0, -1)}~`,
  })
  const none = await requestToken(fixture, { grant_type: 'client_credentials', client_id: fixture.app.id })
  const nobody = await requestToken(fixture, { grant_type: 'client_credentials' })
  for (const reply of [unknown, wrong, none, nobody]) expectRefusal(reply, 401, 'invalid_client')
  expect(unknown.text).toBe(wrong.text)
})

it('RFC 6749 §5.2: a client that failed by HTTP Basic is answered with WWW-Authenticate: Basic', async () => {
  const wrongs = [
    basic({ ...fixture.app, secret: 'wrong' }),
    basic({ id: 'nobody', secret: fixture.app.secret }),
    basic({ id: fixture.app.id, secret: '' }),
    basic({ id: `${fixture.app.id}\0`, secret: fixture.app.secret }),
    { authorization: 'Basic !!!' },
    { authorization: 'Basic' },
    { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` },
    { authorization: `Basic ${Buffer.from('%zz:%zz').toString('base64')}` },
    { authorization: 'Bearer abc' },
    { authorization: 'Digest username="x"' },
  ]
  for (const headers of wrongs) {
    const reply = await requestToken(fixture, { grant_type: 'client_credentials' }, headers)
    expectRefusal(reply, 401, 'invalid_client')
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm="/)
  }
})

it('RFC 9110 §15.5.2: every 401 names a scheme, the one after a secret in the body too', async () => {
  const reply = await requestToken(fixture, { ...own(), client_secret: 'wrong' })
  expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Basic /),
  ])
})

it('RFC 6749 §2.3: two ways of authentication at once are refused, right or wrong', async () => {
  const both = await requestToken(fixture, own(), basic(fixture.app))
  expectRefusal(both, 400, 'invalid_request')
  const other = await registerApp(fixture, fixture.company)
  const two = await requestToken(
    fixture,
    { grant_type: 'client_credentials', client_id: other.id },
    basic(fixture.app),
  )
  expectRefusal(two, 400, 'invalid_request')
  // The same name twice is no second way.
  const same = await requestToken(
    fixture,
    { grant_type: 'client_credentials', client_id: fixture.app.id },
    basic(fixture.app),
  )
  expect(same.status).toBe(200)
})

it('RFC 6749 §2.3.1: id and secret are form-decoded in HTTP Basic', async () => {
  const escaped = [...fixture.app.secret].map(letter => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const reply = await requestToken(
    fixture,
    { grant_type: 'client_credentials' },
    basic({ ...fixture.app, secret: escaped }),
  )
  expect(reply.status).toBe(200)
})

it('OAuth 2.1 §3.2.4: a client that was switched off is unknown', async () => {
  const app = await registerApp(fixture, fixture.company)
  await fixture.sql('update oauth_clients set enabled = false where id = $1', [app.id])
  expectRefusal(await requestToken(fixture, own(app)), 401, 'invalid_client')
})

it('OAuth 2.1 §3.2.4: a grant type the client is not registered for is unauthorized_client', async () => {
  for (const type of ['client_credentials', 'authorization_code', 'refresh_token']) {
    const others = ['client_credentials', 'authorization_code', 'refresh_token'].filter(
      other => other !== type,
    )
    const app = await registerApp(fixture, fixture.company, { grantTypes: others })
    const reply = await requestToken(fixture, {
      ...own(app),
      grant_type: type,
      code: 'x',
      redirect_uri: app.redirectUri,
      code_verifier: 'v'.repeat(43),
      refresh_token: 'x',
    })
    expectRefusal(reply, 400, 'unauthorized_client')
  }
})

it.each([
  'password',
  'implicit',
  'urn:ietf:params:oauth:grant-type:device_code',
  'Client_Credentials',
  ' client_credentials',
  'client_credentials ',
])('OAuth 2.1 §3.2.4: the grant type "%s" is unsupported_grant_type', async type => {
  expectRefusal(await requestToken(fixture, { ...own(), grant_type: type }), 400, 'unsupported_grant_type')
})

it.each([
  ['unknown', 'invoices:read moon:walk'],
  ['of another case', 'Invoices:read'],
  ['with a quotation mark', 'invoices:"read"\\'],
  ['not of ASCII', 'factures:é😀'],
  ['nothing but spaces', '   '],
  ['a wildcard', '*'],
])('OAuth 2.1 §3.2.4: a scope that is %s is invalid_scope', async (_, scope) => {
  expectRefusal(await requestToken(fixture, { ...own(), scope }), 400, 'invalid_scope')
})

it('OAuth 2.1 §3.2.4: a scope the client was not registered with is invalid_scope, and not silently dropped', async () => {
  const app = await registerApp(fixture, fixture.company, { scopes: ['invoices:read'] })
  expectRefusal(
    await requestToken(fixture, { ...own(app), scope: 'invoices:read invoices:write' }),
    400,
    'invalid_scope',
  )
  const narrow = await ownToken(fixture, fixture.app, 'debtors:read')
  const reply = await useToken(fixture, narrow)
  expect([reply.status, errorOf(reply)]).toEqual([403, 'AUTH_004'])
})

it('OAuth 2.1 §1.4: the token of a sandbox client acts in the sandbox and sees nothing of production', async () => {
  const app = await registerApp(fixture, fixture.company, { environment: 'sandbox' })
  const [sandbox, production] = [await ownToken(fixture, app), await ownToken(fixture, fixture.app)]
  expect((await useToken(fixture, sandbox, {}, '/api/v1/sandbox/clock')).status).toBe(200)
  const refused = await useToken(fixture, production, {}, '/api/v1/sandbox/clock')
  expect([refused.status, errorOf(refused)]).toEqual([404, 'RES_001'])
})

it('RFC 6585 §4: who asks too often is told to come back, in the words of OAuth', async () => {
  const headers = { 'x-forwarded-for': randomAddress() }
  const answers = await Promise.all(Array.from({ length: 70 }, () => requestToken(fixture, own(), headers)))
  const refused = answers.filter(reply => reply.status === 429)
  expect(refused.length).toBeGreaterThan(0)
  for (const reply of refused) {
    expectRefusal(reply, 429, 'temporarily_unavailable')
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})
