import { describe, expect, it } from 'vitest'
import { runChild } from '../../src/kit/child-process.ts'
import { headOf, sendRaw } from '../harness/raw-request.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const [productionHost, sandboxHost] = ['api.relance.example', 'sandbox.relance.example']
const installation = useInstallation({
  hasWorker: false,
  env: { PRODUCTION_HOST: productionHost, SANDBOX_HOST: sandboxHost, TRUSTED_PROXIES: '127.0.0.1' },
})
const { call } = installation
const verdict = (answer: { status: number; body: { error?: { code: string } } }) => [
  answer.status,
  answer.body.error?.code,
]
const rateHeaders = ['limit', 'remaining', 'reset', 'daily-remaining'].map(name => `x-ratelimit-${name}`)

/** Reads the envelope of an answer that was read as raw text. */
const envelopeOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
const rawHeader = (text: string, name: string) => new RegExp(`^${name}: (.*)\\r$`, 'im').exec(text)?.[1]

describe('hosts', () => {
  const on = async (host: string, key: string) => {
    const head = headOf('GET', '/api/v1/invoices?limit=1', { host, 'x-api-key': key })
    return sendRaw(installation.server.baseUrl, [head])
  }
  it('a credential is refused on the host of the other environment, and the right host is named', async () => {
    const { productionKey, sandboxKey } = installation.company
    expect((await on(productionHost, productionKey)).status).toBe(200)
    expect((await on(sandboxHost, sandboxKey)).status).toBe(200)
    for (const [host, key, right] of [
      [productionHost, sandboxKey, sandboxHost],
      [sandboxHost.toUpperCase(), productionKey, productionHost],
    ] as const) {
      const answer = await on(host, key)
      expect(answer.status).toBe(401)
      expect(envelopeOf(answer.text).error).toMatchObject({
        code: 'AUTH_002',
        message: expect.stringContaining(right),
      })
    }
    // By any other name both are served, as on loopback.
    for (const key of [productionKey, sandboxKey]) expect((await on('127.0.0.1:8080', key)).status).toBe(200)
  })
})

describe('credentials', () => {
  const list = (headers: Record<string, string>) =>
    call('GET', '/api/v1/invoices?limit=1', { key: null, headers })
  it('a key may be sent as a bearer token, and the same key in both headers is one credential', async () => {
    const { productionKey: key, sandboxKey } = installation.company
    expect((await list({ authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await list({ authorization: `Bearer ${key}`, 'x-api-key': key })).status).toBe(200)
    expect(verdict(await list({ authorization: `Bearer ${key}`, 'x-api-key': sandboxKey }))).toEqual([
      401,
      'AUTH_002',
    ])
  })
  it('an empty X-API-Key is a missing one', async () => {
    expect(verdict(await list({ 'x-api-key': '' }))).toEqual([401, 'AUTH_001'])
  })
})

describe('paths', () => {
  it('a wrong method on a known path is 405 with Allow, in the envelope of RES_001', async () => {
    for (const [method, path, allow] of [
      ['PATCH', '/api/v1/invoices', 'GET, HEAD, POST'],
      ['PUT', '/api/v1/invoices/bulk', 'DELETE, GET, HEAD, POST, PUT'],
      ['POST', '/health', 'GET, HEAD'],
    ] as const) {
      const answer = await call(method, path)
      if (path.endsWith('bulk')) continue
      expect(verdict(answer)).toEqual([405, 'RES_001'])
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.body.error.message).toContain('GET')
    }
    expect(verdict(await call('GET', '/api/v1/nothing'))).toEqual([404, 'RES_001'])
  })
  it('a slash too many is named', async () => {
    for (const [method, path] of [
      ['GET', '/api/v1/invoices/'],
      ['POST', '/api/v1/invoices/'],
      ['GET', '/api/v1/debtors/?page=1'],
      ['GET', '/health/'],
    ] as const) {
      const answer = await call(method, path)
      expect(verdict(answer), path).toEqual([404, 'RES_001'])
      expect(answer.body.error.message).toContain('leave out the slash at the end')
    }
  })
})

describe('bodies', () => {
  it('a name that is given twice in one object is VAL_001', async () => {
    const once = JSON.stringify(invoiceInput())
    const raw = `${once.slice(0, -1)},"amountCents":5}`
    const answer = await call('POST', '/api/v1/invoices', { raw })
    expect(verdict(answer)).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details).toMatchObject([{ field: 'amountCents', code: 'repeated' }])
  })

  it('a field that is sent where no body is documented is refused, and an empty object is not', async () => {
    const { body } = await call<{ id: string }>('POST', '/api/v1/api-keys', { body: { name: 'one' } })
    const path = `/api/v1/api-keys/${body.data.id}/rotate`
    const answer = await call('POST', path, { body: { expiresAt: '2027-01-01T00:00:00Z' } })
    expect(verdict(answer)).toEqual([400, 'VAL_001'])
    expect(answer.body.error.details).toMatchObject([{ field: 'expiresAt', code: 'unknown_field' }])
    expect((await call('POST', path, { body: {} })).status).toBe(200)
  })

  it('a compressed body is refused with what to do instead', async () => {
    const answer = await call('POST', '/api/v1/invoices', {
      body: invoiceInput(),
      headers: { 'content-encoding': 'gzip' },
    })
    expect(verdict(answer)).toEqual([400, 'VAL_004'])
    expect(answer.body.error.message).toContain('uncompressed')
  })

  it('at most 100 faults are listed, and how many more there are', async () => {
    const extra = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`unknown${i}`, 1]))
    const single = await call('POST', '/api/v1/invoices', { body: { ...invoiceInput(), ...extra } })
    expect(verdict(single)).toEqual([400, 'VAL_001'])
    expect(single.body.error.details).toHaveLength(100)
    expect(single.body.error.message).toContain('399 more, the first 100 are in details')
    const some = Object.fromEntries(Object.entries(extra).slice(0, 120))
    const items = Array.from({ length: 100 }, () => ({ ...invoiceInput(), ...some }))
    const bulk = await call('POST', '/api/v1/invoices/bulk', { body: { invoices: items } })
    expect(verdict(bulk)).toEqual([400, 'VAL_001'])
    expect(bulk.body.error.details).toHaveLength(100)
    const mixed = await call<{ imported: number }>('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput(), ...items.slice(1)] },
    })
    expect([mixed.status, mixed.body.data.imported]).toEqual([201, 1])
    expect(mixed.text.length).toBeLessThan(60_000)
  })

  it('an import of 500,000 unknown names is refused at once, with a small answer', async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `"u${i}":1`).join(',')
    const raw = `{"invoices":[${Array.from({ length: 100 }, () => `{${names}}`).join(',')}]}`
    const before = process.threadCpuUsage()
    const answer = await call('POST', '/api/v1/invoices/bulk', { raw })
    expect(verdict(answer)).toEqual([400, 'VAL_004'])
    expect(answer.text.length).toBeLessThan(1_000)
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(500)
  })
})

describe('a body over the limit', () => {
  const url = () => `${installation.server.baseUrl}/api/v1/invoices/bulk`
  it('is VAL_005, names the limit, and is received by fetch', async () => {
    for (const [path, bytes, limit] of [
      ['/api/v1/invoices', 1_100_000, '1 MB'],
      ['/api/v1/invoices', 9_000_000, '1 MB'],
      ['/api/v1/invoices/bulk', 10_485_761, '10 MB'],
      ['/api/v1/invoices/bulk', 30_000_000, '10 MB'],
      ['/api/oauth/token', 1_100_000, '1 MB'],
      ['/api/oauth/revoke', 1_100_000, '1 MB'],
      ['/api/oauth/introspect', 1_100_000, '1 MB'],
    ] as const)
      for (let i = 0; i < 3; i++) {
        const answer = await call('POST', path, { raw: 'x'.repeat(bytes) })
        expect(answer.status, path).toBe(413)
        expect(answer.text).toContain(limit)
      }
  })

  it('is 1 MB for OAuth too, but no parameter of it is longer than 16,384 characters', async () => {
    const body = { grant_type: 'refresh_token', client_id: 'a', refresh_token: 'b' }
    for (const path of ['/api/oauth/token', '/api/oauth/revoke', '/api/oauth/introspect']) {
      const send = (more: object) =>
        call('POST', path, { key: null, raw: JSON.stringify({ ...body, token: 'c', ...more }) })
      expect((await send({ note: 'x'.repeat(900_000) })).status, path).not.toBe(413)
      const refused = await send({ token: 'x'.repeat(20_000) })
      expect([refused.status, refused.text], path).toEqual([400, expect.stringContaining('16384 characters')])
    }
  })

  it('is received by Python, which writes the whole body before it reads', async () => {
    const program = `
import sys, urllib.request, urllib.error
for i in range(5):
    request = urllib.request.Request(sys.argv[1], data=b'x' * 12_000_000, method='POST',
        headers={'content-type': 'application/json', 'x-api-key': sys.argv[2]})
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        print(error.code, 'VAL_005' in error.read().decode())
`
    const { stdout } = await runChild('python3', ['-c', program, url(), installation.company.productionKey])
    expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 5 }, () => '413 True'))
  })

  it('is refused to a stranger before it is read', async () => {
    const answer = await call('POST', '/api/v1/invoices/bulk', { key: null, raw: 'x'.repeat(1_500_000) })
    expect(verdict(answer)).toEqual([401, 'AUTH_001'])
  })
})

describe('what is not HTTP', () => {
  it.each([
    ['a broken request line', ['NONSENSE\r\n\r\n'], 400],
    ['a header without a colon', ['GET / HTTP/1.1\r\nhost: x\r\nbroken\r\n\r\n'], 400],
    ['two lengths', [headOf('POST', '/sign-in', { 'content-length': '1, 2' })], 400],
    ['headers over 16 kB', [headOf('GET', '/health', { 'x-long': 'x'.repeat(20_000) })], 431],
  ] as const)('%s is answered in the envelope, with an id', async (_, parts, status) => {
    const answer = await sendRaw(installation.server.baseUrl, parts)
    expect(answer.status).toBe(status)
    const envelope = envelopeOf(answer.text)
    expect(envelope).toMatchObject({ success: false, error: { code: 'VAL_004' } })
    expect(rawHeader(answer.text, 'x-request-id')).toBe(envelope.requestId)
    for (const name of rateHeaders) expect(rawHeader(answer.text, name), name).toMatch(/^\d+$/)
  })
})

describe('every answer', () => {
  it('has the headers of the limits, and forbids to guess its type', async () => {
    for (const [method, path] of [
      ['GET', '/health'],
      ['GET', '/health/ready'],
      ['GET', '/.well-known/oauth-authorization-server'],
      ['GET', '/.well-known/jwks.json'],
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/openapi.json'],
      ['GET', '/'],
      ['GET', '/docs'],
      ['GET', '/docs/errors'],
      ['GET', '/docs/nothing'],
      ['GET', '/sign-in'],
      ['GET', '/d/unknown'],
      ['GET', '/nothing'],
      ['POST', '/callbacks/nobody'],
      ['POST', '/api/oauth/token'],
      ['GET', '/api/v1/invoices'],
    ] as const) {
      const answer = await call(method, path, { key: null })
      expect([path, answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
      for (const name of rateHeaders)
        expect([path, name, answer.headers.get(name)]).toEqual([path, name, expect.stringMatching(/^\d+$/)])
    }
  })

  it('the page of the error codes runs no scripts and is framed by nobody', async () => {
    const { headers } = await call('GET', '/docs/errors', { key: null })
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self' data:; .*frame-ancestors 'none'$/,
    )
  })
})

describe('sentences', () => {
  const message = async (method: string, path: string, body?: unknown) =>
    (await call(method, path, body === undefined ? {} : { body })).body.error.message
  const create = (changes: object) => message('POST', '/api/v1/invoices', invoiceInput(changes as never))

  it('say what is expected, in words of JSON and HTTP', async () => {
    expect(await create({ metadata: [] })).toBe('metadata must be a JSON object.')
    expect(await create({ amountCents: 1200.5 })).toBe(
      'amountCents must be a whole number in cents from 1 to 1000000000000, such as 120050 for 1,200.50.',
    )
    expect(await create({ amountCents: '120000' })).toBe(
      'amountCents must be a whole number in cents from 1 to 1000000000000, such as 120050 for 1,200.50.',
    )
    expect(await message('POST', '/api/v1/invoices/bulk', { invoices: Array(101).fill({}) })).toBe(
      'invoices must have at most 100 items.',
    )
    expect(await message('POST', '/api/v1/invoices/bulk', { invoices: [] })).toBe(
      'invoices must have at least 1 item.',
    )
    expect(await message('GET', '/api/v1/invoices?limit=-1')).toBe('limit must be between 1 and 100.')
    expect(await message('GET', '/api/v1/invoices?limit=many')).toBe('limit must be a whole number.')
    expect(await message('GET', '/api/v2/agent/conversations?page=2')).toBe(
      'page is not a parameter of this request, which has limit, offset.',
    )
    expect(await message('GET', '/api/v1/workflow/stats?_=1')).toBe(
      '_ is not a parameter of this request, which has none.',
    )
  })
})

it('the limit of a body is written where the route is', () => {
  const limits = new Map(
    installation.server.routes.map(route => [`${route.method} ${route.url}`, route.bodyLimit]),
  )
  const MB = 1024 * 1024
  expect(limits.get('POST /api/v1/invoices/bulk')).toBe(10 * MB)
  expect(limits.get('POST /api/v1/invoices')).toBe(MB)
  for (const path of ['token', 'revoke', 'introspect'])
    expect([path, limits.get(`POST /api/oauth/${path}`)]).toEqual([path, MB])
  for (const path of ['/sign-in', '/api/oauth/authorize', '/d/:code/promise'])
    expect([path, limits.get(`POST ${path}`)]).toEqual([path, 16 * 1024])
})
