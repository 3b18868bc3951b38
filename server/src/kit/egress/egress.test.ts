import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { isPublicAddress } from './address.ts'
import type { ResolvedAddress } from './dns.ts'
import { EgressFailed, egress } from './egress.ts'
import { EgressRefused, judgeTenantUrl } from './url.ts'

const forbidden = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.0.0.53',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.254',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::7f00:1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456:789a::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
]

const disguised = [
  ['https://2130706433', 'decimal'],
  ['https://0x7f000001', 'hexadecimal'],
  ['https://017700000001', 'octal'],
  ['https://0x7f.1', 'hexadecimal and short'],
  ['https://0177.0.0.1', 'octal part'],
  ['https://127.1', 'short'],
  ['https://127.0.0.1.', 'with the dot of the root'],
  ['https://%31%32%37.0.0.1', 'percent-encoded'],
  ['https://127。0。0。1', 'ideographic dots'],
  ['https://①②⑦.0.0.1', 'circled digits'],
  ['https://0', 'zero'],
  ['https://[::ffff:7f00:1]', 'mapped, hexadecimal'],
  ['https://[0:0:0:0:0:0:0:1]', 'written out'],
  ['https://[0000::0001]', 'padded'],
] as const

const asHost = (address: string) => (address.includes(':') ? `[${address}]` : address)
const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<ResolvedAddress[]> =>
    addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(answer: (request: IncomingMessage, reply: ServerResponse) => unknown) {
  const counted = { connections: 0, requests: 0 }
  const server = createServer((request, reply) => {
    counted.requests++
    answer(request, reply)
  })
  server.on('connection', () => counted.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { counted, port: (server.address() as AddressInfo).port }
}

function tenant(
  options: Omit<Parameters<typeof egress>[0], 'profile' | 'baseUrl'> & { testAllow?: string[] } = {},
) {
  const client = egress({ profile: 'tenant', ...options })
  cleanups.push(client.close)
  return client
}

function operator(baseUrl: string) {
  const client = egress({ profile: 'operator', baseUrl })
  cleanups.push(client.close)
  return client
}

describe('a customer can point us at nothing but the public internet', () => {
  let victim: Awaited<ReturnType<typeof listen>>
  beforeEach(async () => {
    victim = await listen((_request, reply) => reply.end('secret'))
  })
  afterEach(() => {
    expect(victim.counted.connections).toBe(0)
  })

  test.each(forbidden)('%s is refused as a literal', async address => {
    const url = `https://${asHost(address)}:${victim.port}/`
    expect(judgeTenantUrl(url)).toEqual({ allowed: false, because: 'non_public_address' })
    await expect(tenant().request({ method: 'POST', url })).rejects.toMatchObject({
      name: 'EgressRefused',
      because: 'non_public_address',
    })
  })

  test.each(forbidden)('%s is refused behind a name, alone or among public addresses', async address => {
    const url = `https://hooks.cliente.example:${victim.port}/`
    for (const resolve of [
      resolvesTo(address),
      resolvesTo('8.8.8.8', address),
      resolvesTo(address, '2606:4700::1111'),
    ]) {
      await expect(tenant({ resolve }).request({ method: 'POST', url })).rejects.toMatchObject({
        name: 'EgressRefused',
        because: 'non_public_address',
      })
    }
  })

  test.each(disguised)('%s (%s) is refused', async start => {
    await expect(tenant().request({ method: 'GET', url: `${start}:${victim.port}/` })).rejects.toMatchObject({
      because: 'non_public_address',
    })
  })

  test.each([
    ['http://hooks.cliente.example/', 'not_https'],
    ['ftp://hooks.cliente.example/', 'not_https'],
    ['file:///etc/passwd', 'not_https'],
    ['https://user:secret@hooks.cliente.example/', 'userinfo'],
    ['https://hooks.cliente.example@127.0.0.1/', 'userinfo'],
    ['https://hooks.cliente.example:22/', 'forbidden_port'],
    ['https://hooks.cliente.example:25/', 'forbidden_port'],
    ['https://hooks.cliente.example:80/', 'forbidden_port'],
    ['https://hooks.cliente.example:1023/', 'forbidden_port'],
    ['https://localhost/', 'local_name'],
    ['https://LOCALHOST./', 'local_name'],
    ['https://ⓛocalhost/', 'local_name'],
    ['https://api.localhost/', 'local_name'],
    ['https://redis:6379/', 'local_name'],
    ['https://engine.internal:9070/', 'local_name'],
    ['https://printer.local/', 'local_name'],
    ['https://[fe80::1%25eth0]/', 'malformed_url'],
    ['https://256.256.256.256/', 'malformed_url'],
    ['hooks.cliente.example', 'malformed_url'],
    ['', 'malformed_url'],
  ])('%s is refused as %s', async (url, because) => {
    const resolve = vi.fn(resolvesTo('127.0.0.1'))
    await expect(tenant({ resolve }).request({ method: 'POST', url })).rejects.toMatchObject({ because })
    expect(resolve).not.toHaveBeenCalled()
    expect(judgeTenantUrl(url)).toEqual({ allowed: false, because })
  })

  test('a redirect towards us is returned, not followed', async () => {
    const front = await listen((_request, reply) =>
      reply.writeHead(307, { location: `http://127.0.0.1:${victim.port}/admin` }).end(),
    )
    const client = tenant({ testAllow: [`127.0.0.1:${front.port}`] })
    const reply = await client.request({ method: 'POST', url: `http://127.0.0.1:${front.port}/`, body: '{}' })
    expect(reply.status).toBe(307)
  })
})

test('a name that moves to a private address after a good request is refused on the next connection', async () => {
  const front = await listen((_request, reply) => reply.setHeader('connection', 'close').end('ok'))
  const here = `hooks.cliente.example:${front.port}`
  const answers = [resolvesTo('127.0.0.1'), resolvesTo('127.0.0.2'), resolvesTo('::1')]
  const resolve = vi.fn(() => (answers.shift() ?? resolvesTo('10.0.0.1'))())
  const client = tenant({ resolve, testAllow: [here, `127.0.0.1:${front.port}`] })
  const request = () => client.request({ method: 'GET', url: `http://${here}/` })
  expect((await request()).status).toBe(200)
  for (let i = 0; i < 3; i++) await expect(request()).rejects.toBeInstanceOf(EgressRefused)
  expect(resolve).toHaveBeenCalledTimes(4)
  expect(front.counted.connections).toBe(1)
})

test('of several addresses the ones that do not answer are passed over, but one that is refused refuses all', async () => {
  const front = await listen((_request, reply) => reply.end('ok'))
  const here = `hooks.cliente.example:${front.port}`
  const allowed = ['127.0.0.8', '127.0.0.9', '127.0.0.1'].map(address => `${address}:${front.port}`)
  const resolve = resolvesTo('127.0.0.8', '127.0.0.9', '127.0.0.1')
  const request = (testAllow: string[]) =>
    tenant({ resolve, testAllow: [here, ...testAllow] }).request({ method: 'GET', url: `http://${here}/` })
  expect((await request(allowed)).status).toBe(200)
  for (const one of allowed)
    await expect(request(allowed.filter(other => other !== one))).rejects.toBeInstanceOf(EgressRefused)
  expect(front.counted.connections).toBe(1)
})

test('an address that changes between the check and the connection is caught on the socket, before any request', async () => {
  const front = await listen((_request, reply) => reply.end('secret'))
  const here = `hooks.cliente.example:${front.port}`
  let reads = 0
  const turncoat = {
    family: 4,
    get address() {
      return reads++ ? '127.0.0.1' : '8.8.8.8'
    },
  }
  const client = tenant({ resolve: async () => [turncoat], testAllow: [here] })
  await expect(client.request({ method: 'GET', url: `http://${here}/` })).rejects.toMatchObject({
    because: 'non_public_address',
  })
  await pause(30)
  expect(reads).toBeGreaterThan(1)
  expect(front.counted.requests).toBe(0)
})

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2a01:e0a::1',
  '2001:200::1',
])('%s is public', address => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each(['', 'cliente.example', '8.8.8', '2606:4700::1111%eth0', '08.8.8.8'])(
  '%j is no address, hence not public',
  address => {
    expect(isPublicAddress(address)).toBe(false)
  },
)

test.each([
  'https://hooks.cliente.example/in?x=1',
  'https://hooks.cliente.example:8443/',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]/',
])('%s may be registered', url => {
  expect(judgeTenantUrl(url)).toMatchObject({ allowed: true })
})

describe('the exchange is bounded', () => {
  test('method, path, headers and body arrive; status, headers and body come back', async () => {
    const seen: unknown[] = []
    const front = await listen(async (request, reply) => {
      const body = Buffer.concat(await request.toArray()).toString()
      seen.push([request.method, request.url, request.headers['x-signature'], body])
      reply.writeHead(422, { 'x-answer': 'no' }).end('because')
    })
    const client = tenant({ testAllow: [`127.0.0.1:${front.port}`] })
    const url = `http://127.0.0.1:${front.port}/in?a=1#part`
    const reply = await client.request({
      method: 'POST',
      url,
      headers: { 'x-signature': 'v1' },
      body: '{"é":1}',
    })
    expect(seen).toEqual([['POST', '/in?a=1', 'v1', '{"é":1}']])
    expect(reply).toMatchObject({ status: 422, headers: { 'x-answer': 'no' }, truncated: false })
    expect(reply.body.toString()).toBe('because')
  })

  test('a reply of exactly the limit is whole', async () => {
    const front = await listen((_request, reply) => reply.end('x'.repeat(2500)))
    const client = tenant({ testAllow: [`127.0.0.1:${front.port}`] })
    const url = `http://127.0.0.1:${front.port}/`
    const reply = await client.request({ method: 'GET', url, maxResponseBytes: 2500 })
    expect(reply.truncated).toBe(false)
    expect(reply.body).toHaveLength(2500)
  })

  test('a name server slower than the time allowed is a timeout, and nothing is sent afterwards', async () => {
    const front = await listen((_request, reply) => reply.end())
    const here = `hooks.cliente.example:${front.port}`
    const resolve = async () => {
      await pause(150)
      return resolvesTo('127.0.0.1')()
    }
    const client = tenant({ resolve, testAllow: [here, `127.0.0.1:${front.port}`] })
    const pending = client.request({ method: 'POST', url: `http://${here}/`, timeoutMs: 50 })
    await expect(pending).rejects.toMatchObject({ because: 'timeout' })
    await pause(250)
    expect(front.counted.requests).toBe(0)
  })

  test('a name server that never answers does not outlive the time allowed', async () => {
    const client = tenant({ resolve: () => new Promise(() => {}), connectTimeoutMs: 400 })
    const pending = client.request({ method: 'POST', url: 'https://hooks.cliente.example/', timeoutMs: 50 })
    await expect(pending).rejects.toMatchObject({ because: 'timeout' })
  })

  test('a request that was provably not sent is distinguished from one that may have arrived', async () => {
    const front = await listen(request => request.socket.destroy())
    const gone = await listen(() => {})
    await cleanups.pop()?.()
    const client = tenant({
      testAllow: [`127.0.0.1:${front.port}`, `127.0.0.1:${gone.port}`],
      resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    })
    const request = (url: string) => client.request({ method: 'POST', url }).catch(error => error)
    expect(await request(`http://127.0.0.1:${front.port}/`)).toMatchObject({ because: 'interrupted' })
    expect(await request(`http://127.0.0.1:${gone.port}/`)).toMatchObject({
      because: 'unreachable',
      code: 'ECONNREFUSED',
    })
    const unknown = await request('https://hooks.cliente.example/')
    expect(unknown).toBeInstanceOf(EgressFailed)
    expect(unknown).toMatchObject({ because: 'unreachable', code: 'ENOTFOUND' })
  })

  test('connections are used again', async () => {
    const front = await listen((_request, reply) => reply.end('ok'))
    const client = tenant({ testAllow: [`127.0.0.1:${front.port}`], connections: 2 })
    const request = () => client.request({ method: 'GET', url: `http://127.0.0.1:${front.port}/` })
    await Promise.all(Array.from({ length: 20 }, request))
    expect(front.counted).toEqual({ connections: 2, requests: 20 })
  })
})

describe('a configured base fixes the host', () => {
  test('private addresses are allowed and paths are joined to the base', async () => {
    const seen: (string | undefined)[] = []
    const front = await listen((request, reply) => {
      seen.push(request.url)
      reply.end()
    })
    const client = operator(`http://127.0.0.1:${front.port}/v2/`)
    await client.request({ method: 'GET', path: '/messages?to=1' })
    await client.request({ method: 'GET', path: '//elsewhere.example/x' })
    await client.request({ method: 'GET', path: '/\\elsewhere.example' })
    expect(seen).toEqual(['/v2/messages?to=1', '/v2//elsewhere.example/x', '/v2//elsewhere.example'])
  })

  test.each([
    ['messages', 'malformed_url'],
    ['@elsewhere.example/', 'malformed_url'],
    ['http://elsewhere.example/', 'malformed_url'],
    ['/../admin', 'outside_base'],
    ['/%2e%2e/admin', 'outside_base'],
    ['/../v2x/messages', 'outside_base'],
  ])('%s is refused as %s', async (path, because) => {
    const front = await listen((_request, reply) => reply.end())
    const client = operator(`http://127.0.0.1:${front.port}/v2`)
    await expect(client.request({ method: 'GET', path })).rejects.toMatchObject({ because })
    expect(front.counted.connections).toBe(0)
  })

  test('a redirect is returned, not followed', async () => {
    const other = await listen((_request, reply) => reply.end())
    const front = await listen((_request, reply) =>
      reply.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
    )
    expect(
      (await operator(`http://127.0.0.1:${front.port}`).request({ method: 'GET', path: '/' })).status,
    ).toBe(302)
    expect(other.counted.connections).toBe(0)
  })

  test.each(['ftp://provider.example', 'https://user:secret@provider.example', 'provider.example'])(
    '%s is no base',
    baseUrl => {
      expect(() => egress({ profile: 'operator', baseUrl })).toThrow(EgressRefused)
    },
  )
})
