import { createHook } from 'node:async_hooks'
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Resolve, resolveByNameServers } from './dns.ts'
import { egress } from './egress.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function tenant(resolve?: Resolve, testAllow: string[] = []) {
  const client = egress({ profile: 'tenant', testAllow, connectTimeoutMs: 300, ...(resolve && { resolve }) })
  cleanups.push(client.close)
  return client
}

const url = 'https://hooks.cliente.example:8443/'
type DnsAnswer = string[] | 'no such name' | 'failure' | 'silence'

const rdata = (address: string) =>
  address.includes(':')
    ? Buffer.from(
        address
          .split(':')
          .map(group => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(address.split('.').map(Number))

/** A name server on loopback with scripted answers. */
async function nameServer(answerTo: (name: string, type: 'A' | 'AAAA') => DnsAnswer) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port }) => {
    let end = 12
    const labels: string[] = []
    for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
      labels.push(query.toString('latin1', end + 1, end + 1 + length))
      end += 1 + length
    }
    const type = query.readUInt16BE(end + 1)
    const answer = answerTo(labels.join('.'), type === 28 ? 'AAAA' : 'A')
    if (answer === 'silence') return
    const addresses = Array.isArray(answer) ? answer : []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 + (answer === 'failure' ? 2 : answer === 'no such name' ? 3 : 0), 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt16BE(0, 10)
    const records = addresses.map(address => {
      const data = rdata(address)
      const record = Buffer.alloc(12)
      record.writeUInt16BE(0xc00c, 0)
      record.writeUInt16BE(type, 2)
      record.writeUInt16BE(1, 4)
      record.writeUInt16BE(data.length, 10)
      return Buffer.concat([record, data])
    })
    socket.send(Buffer.concat([header, query.subarray(12, end + 5), ...records]), port, '127.0.0.1')
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  cleanups.push(() => socket.close())
  return resolveByNameServers({ servers: [`127.0.0.1:${socket.address().port}`], timeoutMs: 400 })
}

describe('the name servers are asked', () => {
  test('for addresses of both families', async () => {
    const resolve = await nameServer((_name, type) =>
      type === 'A' ? ['93.184.216.34', '93.184.216.35'] : ['2606:2800:220:1:248:1893:25c8:1946'],
    )
    expect(await resolve('hooks.cliente.example')).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '93.184.216.35', family: 4 },
      { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
    ])
  })

  test.each<[string, DnsAnswer, DnsAnswer, string[] | { code: string }]>([
    ['one family is enough', ['93.184.216.34'], [], ['93.184.216.34']],
    ['one family is enough when the other fails', 'failure', ['2606:0:0:0:0:0:0:1'], ['2606::1']],
    ['one family is enough when the other keeps silent', ['93.184.216.34'], 'silence', ['93.184.216.34']],
    ['a name without addresses has none', [], [], []],
    ['a name that does not exist has none', 'no such name', 'no such name', []],
    ['a failure is no answer', 'failure', 'failure', { code: 'EAI_AGAIN' }],
    ['silence is no answer', 'silence', 'silence', { code: 'EAI_AGAIN' }],
    ['half of no answer is no answer', [], 'failure', { code: 'EAI_AGAIN' }],
  ])('%s', async (_what, four, six, expected) => {
    const resolve = await nameServer((_name, type) => (type === 'A' ? four : six))
    const found = await resolve('hooks.cliente.example').catch(error => error)
    if (Array.isArray(expected))
      expect(found.map(({ address }: { address: string }) => address)).toEqual(expected)
    else expect(found).toMatchObject(expected)
  })

  test.each([`${'a'.repeat(300)}.example`, 'hooks..example', '.', `${'a.'.repeat(200)}example`])(
    '%s is a name without addresses, not a fault',
    async name => {
      const resolve = await nameServer(() => 'no such name')
      expect(await resolve(name)).toEqual([])
    },
  )

  test('and however many are silent, other lookups of the process go on', async () => {
    const resolve = await nameServer(() => 'silence')
    const silent = Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => resolve(`hooks${i}.cliente.example`)),
    )
    expect(
      await Promise.race([silent.then(() => 'silent'), lookup('localhost').then(() => 'localhost')]),
    ).toBe('localhost')
    await silent
  })

  test('about a name that moves inside between its registration and the call', async () => {
    const answers: Record<'A' | 'AAAA', DnsAnswer[]> = {
      A: [['93.184.216.34'], ['127.0.0.1']],
      AAAA: [[], []],
    }
    const client = tenant(await nameServer((_name, type) => answers[type].shift() ?? 'no such name'))
    expect(await client.judgeUrl(url)).toEqual({ allowed: true, resolves: true })
    await expect(client.request({ method: 'POST', url })).rejects.toMatchObject({
      because: 'non_public_address',
    })
  })

  test('and a private address hidden among sixty is found', async () => {
    const many = [...Array.from({ length: 59 }, (_, i) => `93.184.216.${i}`), '10.0.0.1']
    const client = tenant(await nameServer((_name, type) => (type === 'A' ? many : [])))
    expect(await client.judgeUrl(url)).toEqual({ allowed: false, because: 'non_public_address' })
    await expect(client.request({ method: 'POST', url })).rejects.toMatchObject({
      because: 'non_public_address',
    })
  })
})

describe('the machine is not asked', () => {
  let lookupCount = 0
  const lookupHook = createHook({
    init(_id, type) {
      if (type === 'GETADDRINFOREQWRAP') lookupCount++
    },
  })
  beforeEach(() => {
    lookupCount = 0
    lookupHook.enable()
  })
  afterEach(() => lookupHook.disable())

  test('about a name of a customer, neither when it is judged nor when it is called', async () => {
    // A name that no resolver sends anywhere.
    const hidden = 'https://hooks.cliente.onion/'
    expect(await tenant().judgeUrl(hidden)).toEqual({ allowed: true, resolves: false })
    await expect(tenant().request({ method: 'POST', url: hidden })).rejects.toMatchObject({
      code: 'ENOTFOUND',
    })
    expect(lookupCount).toBe(0)
  })

  test('but about one spared for tests, which may stand in its hosts file', async () => {
    const client = tenant(undefined, ['localhost:*', '127.0.0.1:*', '::1:*'])
    expect(await client.judgeUrl('http://localhost:8080/')).toEqual({ allowed: true, resolves: true })
    expect(lookupCount).toBe(1)
  })
})

describe('a resolver that misbehaves', () => {
  const unhandled = vi.fn()
  beforeEach(() => {
    unhandled.mockReset()
    process.on('unhandledRejection', unhandled)
  })
  afterEach(() => {
    vi.useRealTimers()
    process.off('unhandledRejection', unhandled)
  })

  test('is waited for three seconds by whoever registers a name, and its late failure troubles nobody', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const late = Promise.withResolvers<never>()
    let answered: unknown
    const judged = tenant(() => late.promise)
      .judgeUrl(url)
      .then(verdict => {
        answered = verdict
      })
    await vi.advanceTimersByTimeAsync(2_999)
    expect(answered).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    await judged
    expect(answered).toEqual({ allowed: true, resolves: false })
    vi.useRealTimers()
    late.reject(new Error('too late'))
    await pause(20)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('or is in time leaves no timer running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (const resolve of [async () => [], () => Promise.reject(new Error('no'))]) {
      await tenant(resolve).judgeUrl(url)
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  test.each<[string, () => Promise<never>]>([
    ['fails', () => Promise.reject(new Error('late'))],
    ['answers', async () => [{ address: '10.0.0.1', family: 4 }] as never],
  ])('and only %s after the time allowed for a request leaves nothing behind', async (_what, after) => {
    const client = tenant(() => pause(60).then(after))
    await expect(client.request({ method: 'POST', url, timeoutMs: 20 })).rejects.toMatchObject({
      because: 'timeout',
    })
    await pause(120)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('and knows no address makes a name that does not resolve, and cannot be reached', async () => {
    const client = tenant(async () => [])
    expect(await client.judgeUrl(url)).toEqual({ allowed: true, resolves: false })
    await expect(client.request({ method: 'POST', url })).rejects.toMatchObject({
      because: 'unreachable',
      code: 'ENOTFOUND',
    })
  })

  test.each([
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '::ffff:7f00:1',
    '93.184.216.34%eth0',
    ' 93.184.216.34',
  ])('and says %j, which is no public address, is not believed', async address => {
    const client = tenant(async () => [{ address, family: 4 }])
    expect(await client.judgeUrl(url)).toEqual({ allowed: false, because: 'non_public_address' })
    await expect(client.request({ method: 'POST', url })).rejects.toMatchObject({
      because: 'non_public_address',
    })
  })
})
