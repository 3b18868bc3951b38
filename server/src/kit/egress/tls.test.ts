import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { Duplex } from 'node:stream'
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls'
import { afterEach, expect, test, vi } from 'vitest'
import { selfSigned } from '../../../test/harness/certificate.ts'
import { egress } from './egress.ts'

const name = 'hooks.cliente.example'
const trusted = selfSigned(name, '127.0.0.1')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  vi.unstubAllEnvs()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return (server.address() as AddressInfo).port
}

/** A receiver that answers one request per connection, and remembers how each was greeted. */
async function receive(options: TlsOptions) {
  const seen: { servername: unknown; protocol: unknown; resumed: boolean; request: string }[] = []
  const server = createTlsServer({ ALPNProtocols: ['h2', 'http/1.1'], ...options }, socket => {
    socket.on('error', () => {})
    socket.once('data', data => {
      seen.push({
        servername: socket.servername,
        protocol: socket.alpnProtocol,
        resumed: socket.isSessionReused(),
        request: data.toString(),
      })
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  return { seen, port: await listening(server) }
}

function clientFor(port: number, testCa?: string) {
  const client = egress({
    profile: 'tenant',
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    testAllow: [`${name}:*`, 'elsewhere.example:*', '127.0.0.1:*'],
    ...(testCa && { testCa }),
  })
  cleanups.push(client.close)
  return (host: string) => client.request({ method: 'POST', url: `https://${host}:${port}/in`, body: '{}' })
}

test('the name in the URL is the one asked for, certified and written as host; HTTP/2 is not spoken', async () => {
  const { seen, port } = await receive(trusted)
  expect((await clientFor(port, trusted.cert)(name)).body.toString()).toBe('ok')
  expect(seen).toMatchObject([{ servername: name, protocol: 'http/1.1' }])
  expect(seen[0]?.request).toContain(`\r\nhost: ${name}:${port}\r\n`)
})

test('an address in the URL is certified as an address, and asked for by no name', async () => {
  const { seen, port } = await receive(trusted)
  expect((await clientFor(port, trusted.cert)('127.0.0.1')).status).toBe(200)
  expect(seen).toMatchObject([{ servername: false }])
})

test.each([
  ['nobody vouches for', undefined, name, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['is for another name', trusted.cert, 'elsewhere.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
])(
  'a certificate that %s ends the exchange before the request, whatever the environment says',
  async (_what, ca, host, code) => {
    const { seen, port } = await receive(trusted)
    for (const tolerance of [undefined, '0']) {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', tolerance)
      await expect(clientFor(port, ca)(host)).rejects.toMatchObject({ because: 'unreachable', code })
    }
    expect(seen).toEqual([])
  },
)

test('what one connection was given to remember is never repeated to another', async () => {
  // A TLS ticket is data chosen by the receiver. Sent to the next address of its name, it would be a message from the receiver.
  const { seen, port } = await receive(trusted)
  const post = clientFor(port, trusted.cert)
  for (let i = 0; i < 3; i++) await post(name)
  expect(seen.map(({ resumed }) => resumed)).toEqual([false, false, false])
})

test('a receiver that hangs up as soon as it is reached was not reached, which says nothing about its address', async () => {
  const server = createServer(raw => {
    raw.on('error', () => {})
    const wire = new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        raw.write(chunk)
        // The handshake is complete: the reset arrives before the client reads the remote address.
        if (raw.bytesWritten > 700) raw.resetAndDestroy()
        done()
      },
    })
    raw.on('data', data => wire.push(data))
    new TLSSocket(wire, { isServer: true, ...trusted }).on('error', () => {})
  })
  const post = clientFor(await listening(server), trusted.cert)
  for (let i = 0; i < 5; i++)
    await expect(post(name)).rejects.toMatchObject({ name: 'EgressFailed', because: 'unreachable' })
})
