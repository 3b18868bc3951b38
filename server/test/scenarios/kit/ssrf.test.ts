import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { egress } from '../../../src/kit/egress/egress.ts'
import { useInstallation } from '../../harness/use-installation.ts'
import {
  forms,
  formsWithoutDns,
  hostOf,
  internalAddresses,
  isIpv6,
  newName,
  public4,
} from './ssrf-attempts.ts'

/** Listens on every loopback address and counts connections. */
const victim = { port: 0, connections: 0, bytes: 0 }
const listeners: Server[] = []
/** TCP connections this process began, to wherever: also to where nobody would ever answer. */
const dialled: { port?: number }[] = []
const connectHook = createHook({
  init(_id, type, _by, resource) {
    if (type === 'TCPCONNECTWRAP') dialled.push(resource)
  },
})
/** Without those to the database, which the installations of other files in this process begin at any time. */
const databasePort = Number(new URL(inject('adminUrl')).port)
const connected = () => dialled.filter(({ port }) => port !== databasePort).length

beforeAll(async () => {
  for (const loopback of ['127.0.0.1', '::1', '127.0.0.2', '127.0.0.53', '127.255.255.254']) {
    const listener = createServer(socket => {
      victim.connections++
      socket.on('data', data => {
        victim.bytes += data.length
      })
      socket.on('error', () => {})
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
    })
    listener.listen(victim.port, loopback)
    await once(listener, 'listening')
    victim.port = (listener.address() as AddressInfo).port
    listeners.push(listener)
  }
})
afterAll(() => {
  for (const listener of listeners) listener.close()
})

let answers: string[][] = []
/** What DNS says: one answer per lookup, the last one for good. */
const resolve = async () => {
  const [next = [], ...later] = answers
  if (later.length > 0) answers = later
  return next.map(address => ({ address, family: isIpv6(address) ? 6 : 4 }))
}
let attempts = 0

describe('without any allowance', () => {
  const guardedClient = egress({ profile: 'tenant', resolve })
  beforeAll(() => connectHook.enable())
  afterAll(async () => {
    connectHook.disable()
    await guardedClient.close()
  })

  test.each(Object.entries(forms))('%s: refused, and nobody is dialled', async (_form, attemptsAt) => {
    for (const { url, dns = [], because = 'non_public_address', registered } of attemptsAt(victim.port)) {
      answers = dns
      expect(await guardedClient.judgeUrl(url), url).toEqual(registered ?? { allowed: false, because })
      await expect(guardedClient.request({ method: 'POST', url, body: '{}' }), url).rejects.toMatchObject({
        name: 'EgressRefused',
        because,
      })
      expect([url, connected(), victim.connections]).toEqual([url, 0, 0])
      attempts++
    }
  })

  test('a name that changes at every lookup: refused whenever it leads here', async () => {
    for (const address of internalAddresses) {
      const url = `https://${newName()}:${victim.port}/`
      answers = Array.from({ length: 6 }, (_, lookup) => [lookup % 2 ? address : public4])
      for (let round = 0; round < 3; round++) {
        expect(await guardedClient.judgeUrl(url)).toEqual({ allowed: true, resolves: true })
        await expect(guardedClient.request({ method: 'POST', url })).rejects.toMatchObject({
          because: 'non_public_address',
        })
      }
      expect([connected(), victim.connections]).toEqual([0, 0])
      attempts++
    }
  })

  test('a redirect: returned as the answer it is, and never followed', async () => {
    let [status, location, connections] = [302, '', 0]
    const receiver = createHttpServer((_request, reply) => reply.writeHead(status, { location }).end())
    receiver.on('connection', () => connections++)
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as AddressInfo
    // Somebody has to be reached in order to redirect: this client may reach the receiver, on its port, and nobody else.
    const client = egress({ profile: 'tenant', resolve, testAllow: [`127.0.0.1:${port}`] })
    for (const address of internalAddresses) {
      for (status of [301, 302, 303, 307, 308]) {
        location = `http://${hostOf(address)}:${victim.port}/`
        const reply = await client.request({ method: 'POST', url: `http://127.0.0.1:${port}/`, body: '{}' })
        expect([reply.status, reply.headers.location]).toEqual([status, location])
        attempts++
      }
    }
    expect([connected(), victim.connections]).toEqual([connections, 0])
    dialled.length = 0
    await client.close()
    receiver.close()
  })

  test('thousands of ways in were tried, and nothing arrived', async () => {
    await pause(50)
    console.log(
      `${attempts} ways in, to ${internalAddresses.length} addresses: ${victim.connections} connections, ${victim.bytes} bytes`,
    )
    expect(attempts).toBeGreaterThan(3_000)
    expect(new Set(internalAddresses).size).toBeGreaterThanOrEqual(45)
    expect([connected(), victim.connections, victim.bytes]).toEqual([0, 0, 0])
  })
})

describe('through the API', () => {
  const installation = useInstallation({ env: { EGRESS_TEST_ALLOW: '' } })
  const path = '/api/v1/webhooks'
  const events = ['invoice.created']

  test('no webhook is made with such a URL, nor given one', async () => {
    const made = await installation.call<{ id: string }>('POST', path, {
      body: { url: 'https://hooks.cliente.onion/', events },
    })
    expect([made.status, made.body.warnings?.[0]?.code]).toEqual([201, 'url_not_resolving'])
    const sample = Object.values(formsWithoutDns).flatMap(attemptsAt =>
      attemptsAt(victim.port).filter((_, i) => i % 23 === 0),
    )
    for (const { url } of sample) {
      for (const [method, at] of [
        ['POST', path],
        ['PUT', `${path}/${made.body.data.id}`],
      ] as const) {
        const { status, body } = await installation.call(method, at, { body: { url, events } })
        // What is no line of text is refused before anybody reads it as a URL.
        const code = url.trim() === '' || /\p{Cc}/u.test(url) ? /^VAL_/ : /^WH_002$/
        expect([url, method, status, body.error?.code]).toEqual([
          url,
          method,
          400,
          expect.stringMatching(code),
        ])
      }
    }
    expect(sample.length).toBeGreaterThan(100)
    expect(await installation.sql('select url from webhooks')).toEqual([
      { url: 'https://hooks.cliente.onion/' },
    ])
    expect(victim).toMatchObject({ connections: 0, bytes: 0 })
  })

  test('and one that has it all the same, because its name moved, reaches nobody', async () => {
    const [webhook] = await installation.sql<{ id: string }>('select id from webhooks')
    for (const address of ['127.0.0.1', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433']) {
      await installation.sql('update webhooks set url = $1', [`https://${address}:${victim.port}/`])
      const { status, body } = await installation.call('POST', `${path}/${webhook!.id}/test`, { body: {} })
      expect([status, body.error.code]).toEqual([502, 'WH_001'])
      expect(body.error.message).toContain('non_public_address')
    }
    expect(victim).toMatchObject({ connections: 0, bytes: 0 })
  })
})

describe('the traps are set', () => {
  beforeAll(() => connectHook.enable())
  afterEach(() => {
    dialled.length = victim.connections = victim.bytes = 0
  })
  afterAll(() => connectHook.disable())

  test.each(['127.0.0.1', '::1', '127.0.0.53', '0.0.0.0'])(
    'who is spared is dialled at %s, and arrives',
    async address => {
      const spared = [address, '127.0.0.1', 'hooks.cliente.example'].map(host => `${host}:${victim.port}`)
      const client = egress({ profile: 'tenant', resolve, testAllow: spared })
      answers = [[address]]
      for (const host of [hostOf(address), 'hooks.cliente.example']) {
        const reply = await client.request({ method: 'GET', url: `http://${host}:${victim.port}/` })
        expect(reply.body.toString()).toBe('secret')
      }
      await client
        .request({ method: 'GET', url: `https://${hostOf(address)}:${victim.port}/` })
        .catch(() => {})
      expect([connected(), victim.connections]).toEqual([3, 3])
      expect(victim.bytes).toBeGreaterThan(0)
      await client.close()
    },
  )
})
