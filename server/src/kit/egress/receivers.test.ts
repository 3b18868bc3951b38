import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runChild } from '../child-process.ts'
import { egress } from './egress.ts'
import { EgressRefused, judgeTenantUrl } from './url.ts'

const cleanups: (() => unknown)[] = []
const unhandled = vi.fn()
beforeEach(() => {
  unhandled.mockReset()
  process.on('unhandledRejection', unhandled)
  process.on('uncaughtException', unhandled)
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  process.off('unhandledRejection', unhandled)
  process.off('uncaughtException', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

/** A receiver that speaks bytes, not HTTP: `answer` is called once per request, with the connection and the request. */
async function receive(onRequest: (socket: Socket, request: string) => unknown) {
  const seen = { connections: 0, open: 0, accepted: 0, requests: [] as string[] }
  const server = createServer(socket => {
    seen.connections++
    seen.open++
    socket.on('error', () => {})
    socket.on('close', () => {
      seen.open--
      seen.accepted += socket.bytesWritten
    })
    socket.on('data', data => {
      seen.requests.push(data.toString('latin1'))
      onRequest(socket, data.toString('latin1'))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const client = egress({ profile: 'tenant', testAllow: [`127.0.0.1:${port}`], connections: 1 })
  cleanups.push(client.close)
  const post = (options: { timeoutMs?: number; maxResponseBytes?: number; path?: string } = {}) => {
    const { path = '/', ...limits } = options
    return client.request({ method: 'POST', url: `http://127.0.0.1:${port}${path}`, body: '{}', ...limits })
  }
  /** Waits until all connections to the receiver are closed. */
  const released = () => vi.waitFor(() => expect(seen.open).toBe(0), { timeout: 2_000 })
  return { seen, ask: post, released, port }
}

const ok = (body: string, headers = '') =>
  `HTTP/1.1 200 OK\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const writeForever = (socket: Socket, first: string, then: string) => {
  socket.write(first)
  const pour = setInterval(() => socket.write(then), 2)
  socket.on('close', () => clearInterval(pour))
}

describe('no receiver decides how much we read', () => {
  test('of a hundred megabytes the first kilobytes are read, and the rest is refused', async () => {
    const size = 100 * 1024 * 1024
    const part = Buffer.alloc(64 * 1024, 'x')
    const {
      ask: post,
      seen,
      released,
    } = await receive(socket => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
      const pour = () => {
        while (!socket.destroyed && socket.bytesWritten < size && socket.write(part));
      }
      socket.on('drain', pour)
      pour()
    })
    const reply = await post({ maxResponseBytes: 16 * 1024 })
    expect([reply.status, reply.truncated, reply.body.length]).toEqual([200, true, 16 * 1024])
    await released()
    expect(seen.accepted).toBeLessThan(size / 4)
  })

  test('chunks without end are cut at the limit', async () => {
    const { ask: post, released } = await receive(socket =>
      writeForever(socket, chunked, '3e8\r\n'.concat('x'.repeat(1000), '\r\n')),
    )
    const reply = await post({ maxResponseBytes: 2_500 })
    expect([reply.truncated, reply.body.length]).toEqual([true, 2_500])
    await released()
  })

  test('what was compressed stays compressed: a bomb is as small as it was sent', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
    const { ask: post } = await receive(socket =>
      socket.write(
        Buffer.concat([
          Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
          bomb,
        ]),
      ),
    )
    const reply = await post()
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(reply.body.equals(bomb)).toBe(true)
    expect(gunzipSync(reply.body)).toHaveLength(20 * 1024 * 1024)
  })

  test.each([
    ['one header of 100 kB', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['100 kB of headers', `HTTP/1.1 200 OK\r\n${`x: ${'x'.repeat(95)}\r\n`.repeat(1_000)}\r\n`],
    ['a header name of 100 kB', `HTTP/1.1 200 OK\r\n${'x'.repeat(100_000)}: x\r\n\r\n`],
    ['100 kB of trailers', `${chunked}2\r\nok\r\n0\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
  ])('%s: too much', async (_what, bytes) => {
    const { ask: post, released } = await receive(socket => socket.write(bytes))
    await expect(post()).rejects.toMatchObject({ because: 'interrupted', code: 'UND_ERR_HEADERS_OVERFLOW' })
    await released()
  })

  test('thousands of small headers cost us hardly more than one long one', async () => {
    let flood = ''
    const { ask: post } = await receive(socket => socket.write(flood))
    const cost = async (bytes: string) => {
      flood = bytes
      const before = process.cpuUsage()
      for (let i = 0; i < 5; i++) await expect(post()).rejects.toMatchObject({ because: 'interrupted' })
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const long = `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(128_000)}`
    await cost(long)
    // About ten times; it was five hundred.
    expect(await cost(`HTTP/1.1 200 OK\r\n${'x:\r\n'.repeat(32_000)}`)).toBeLessThan(60 * (await cost(long)))
  })

  test('what is within the limits arrives to the last byte', async () => {
    const bytes = randomBytes(1 << 20)
    const { ask: post } = await receive((socket, request) => {
      if (request.startsWith('POST /chunked')) {
        socket.write(chunked)
        for (let at = 0; at < bytes.length; at += 65_536)
          socket.write(
            Buffer.concat([Buffer.from('10000\r\n'), bytes.subarray(at, at + 65_536), Buffer.from('\r\n')]),
          )
        socket.write('0\r\n\r\n')
      } else if (request.startsWith('POST /until-closed')) {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.end(bytes)
      } else {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`)
        socket.write(bytes)
      }
    })
    for (const path of ['/', '/chunked', '/until-closed']) {
      const reply = await post({ path })
      expect([path, reply.truncated, reply.body.equals(bytes)]).toEqual([path, false, true])
    }
  })
})

describe('no receiver decides how long we wait', () => {
  test.each<[string, (socket: Socket) => unknown]>([
    ['a reply without a byte', () => {}],
    [
      'a reply byte by byte',
      socket => writeForever(socket, `HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n`, 'x'),
    ],
    ['chunks byte by byte', socket => writeForever(socket, chunked, '1\r\nx\r\n')],
    ['headers byte by byte', socket => writeForever(socket, 'HTTP/1.1 200 OK\r\nx: ', 'x')],
    ['a status line byte by byte', socket => writeForever(socket, 'HTTP/1.1 200 ', 'x')],
    ['a status line without end', socket => writeForever(socket, 'HTTP/1.1 200 ', 'x'.repeat(50_000))],
    ['a chunk extension without end', socket => writeForever(socket, `${chunked}2;`, 'x'.repeat(50_000))],
    ['empty lines without end', socket => writeForever(socket, '', '\r\n'.repeat(1_000))],
    [
      'early hints without end',
      socket => writeForever(socket, '', 'HTTP/1.1 103 Wait\r\nlink: x\r\n\r\n'.repeat(50)),
    ],
    ['half a reply', socket => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')],
  ])('%s ends with the time allowed, and so does the connection', async (_what, answer) => {
    const { ask: post, released, seen } = await receive(answer)
    await expect(post({ timeoutMs: 120 })).rejects.toMatchObject({ name: 'EgressFailed', because: 'timeout' })
    await released()
    expect(seen.connections).toBe(1)
  })
})

describe('whatever is answered, the exchange ends, and the next one is none the worse', () => {
  test.each([
    ['nothing, and hangs up', ''],
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', 'hello'],
    ['the greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['status 000', 'HTTP/1.1 000 No\r\ncontent-length: 0\r\n\r\n'],
    ['status 099', 'HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n'],
    ['status 100, which nobody waited for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a change of protocol', 'HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
    ['a change of protocol to nothing', 'HTTP/1.1 101 Switching\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a negative length', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nab'],
    ['an endless length', 'HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\nab'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a chunk of no length', `${chunked}zz\r\n`],
    ['a chunk of endless length', `${chunked}ffffffffffffffffff\r\n`],
    ['a header without colon', 'HTTP/1.1 200 OK\r\nx\r\n\r\n'],
    ['a header with a zero byte', 'HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n'],
    ['a folded header', 'HTTP/1.1 200 OK\r\nx: a\r\n b\r\ncontent-length: 0\r\n\r\n'],
    ['lines without carriage return', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
    ['less than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'],
  ])('%s', async (_what, bytes) => {
    let isFirst = true
    const { ask: post } = await receive(socket => {
      socket.end(isFirst ? bytes : ok('mine', 'connection: close\r\n'))
      isFirst = false
    })
    await expect(post({ timeoutMs: 2_000 })).rejects.toMatchObject({
      name: 'EgressFailed',
      because: 'interrupted',
    })
    expect((await post()).body.toString()).toBe('mine')
  })

  test.each<[string, string, number]>([
    ['a status nobody ever defined', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n', 999],
    ['a body where there can be none', 'HTTP/1.1 204 No\r\ncontent-length: 9\r\n\r\nHTTP/1.1 ', 204],
    ['early hints, then the reply', `HTTP/1.1 103 Wait\r\nlink: x\r\n\r\n${ok('')}`, 200],
    [
      'headers named like ours',
      'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n',
      200,
    ],
    ['an absurd patience', ok('', 'keep-alive: timeout=99999999999999\r\n'), 200],
    ['a negative patience', ok('', 'keep-alive: timeout=-1\r\n'), 200],
  ])('%s', async (_what, bytes, status) => {
    let isFirst = true
    const { ask: post } = await receive(socket => {
      socket.write(isFirst ? bytes : ok('mine'))
      isFirst = false
    })
    expect((await post()).status).toBe(status)
    expect((await post()).body.toString()).toBe('mine')
  })
})

describe('a reply answers its own request', () => {
  const answerOf = (request: string) => ok(`to ${/POST (\S+)/.exec(request)?.[1]}`)

  test('what was left unread of a long reply is not the beginning of the next', async () => {
    const { ask: post, seen } = await receive((socket, request) =>
      socket.write(
        request.startsWith('POST /long')
          ? `HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'x'.repeat(4_000)}${ok('forged')}`
          : answerOf(request),
      ),
    )
    expect(await post({ path: '/long', maxResponseBytes: 1_000 })).toMatchObject({ truncated: true })
    expect((await post({ path: '/next' })).body.toString()).toBe('to /next')
    expect(seen.connections).toBe(2)
  })

  // One that is sent when the next request is already on its way cannot be told from an answer; but then its sender only
  // answers his own mail wrongly.
  test.each<[string, (socket: Socket, reply: string) => unknown]>([
    ['in one piece', (socket, reply) => socket.write(reply + ok('forged'))],
    ['after a reply without body', socket => socket.write(`HTTP/1.1 304 Same\r\n\r\n${ok('forged')}`)],
    ['in two pieces', (socket, reply) => [reply, ok('forged')].map(piece => socket.write(piece))],
    [
      'a moment later',
      (socket, reply) => {
        socket.write(reply)
        setTimeout(() => socket.write(ok('forged')), 5)
      },
    ],
  ])('a second reply to one request, %s, answers no other', async (_when, send) => {
    const { ask: post } = await receive((socket, request) => {
      socket.setNoDelay(true)
      if (request.startsWith('POST /first')) send(socket, answerOf(request))
      else socket.write(answerOf(request))
    })
    for (let round = 0; round < 10; round++) {
      await post({ path: '/first' })
      await pause(25)
      expect((await post({ path: `/next${round}` })).body.toString()).toBe(`to /next${round}`)
    }
  })

  test('a second reply does not answer a request that already waits its turn', async () => {
    const { ask: post } = await receive((socket, request) =>
      socket.write(request.startsWith('POST /first') ? answerOf(request) + ok('forged') : answerOf(request)),
    )
    const replies = await Promise.allSettled([
      post({ path: '/first' }),
      post({ path: '/a' }),
      post({ path: '/b' }),
    ])
    const bodies = replies.map(reply =>
      reply.status === 'fulfilled' ? reply.value.body.toString() : 'nothing',
    )
    expect(bodies).not.toContain('forged')
    expect(bodies[0]).toBe('to /first')
  })
})

describe('what is asked is what was meant', () => {
  test('no path and no query writes a header', async () => {
    const { ask: post, seen, port } = await receive(socket => socket.write(ok('')))
    const tricks = [
      '/a\r\nx-evil: 1',
      '/%0d%0ax-evil:%201',
      '/?q=1 HTTP/1.1\r\nx-evil: 1\r\n\r\n',
      '/\u0000\t é#x',
      '//evil/',
      '/\\evil/',
    ]
    for (const path of tricks) await post({ path })
    expect(seen.requests).toHaveLength(tricks.length)
    for (const request of seen.requests) {
      const [line = '', ...headers] = request.split('\r\n')
      expect(line).toMatch(/^POST \/[\x21-\x7e]* HTTP\/1\.1$/)
      expect(headers.slice(0, -2).map(header => header.split(':')[0]?.toLowerCase())).toEqual([
        'host',
        'connection',
        'content-length',
      ])
      expect(headers[0]).toBe(`host: 127.0.0.1:${port}`)
    }
  })

  test('any text at all is a URL that is refused, or a name that is asked about', async () => {
    const lookedUp = new Set<string>()
    const client = egress({
      profile: 'tenant',
      resolve: async hostname => {
        lookedUp.add(hostname)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    cleanups.push(client.close)
    const text = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: 'binary' }),
      fc
        .tuple(
          fc.constantFrom('https://', 'HTTPS:\\\\', 'https:', 'http://'),
          fc.string({ unit: 'grapheme', maxLength: 40 }),
          fc.string(),
        )
        .map(parts => parts.join('')),
      fc.tuple(fc.ipV4Extended(), fc.nat(70_000)).map(([address, port]) => `https://${address}:${port}/`),
      fc.ipV6().map(address => `https://[${address}]/`),
    )
    await fc.assert(
      fc.asyncProperty(text, async url => {
        // A literal of the public internet would really be called.
        const verdict = judgeTenantUrl(url)
        if (verdict.allowed && /^[\d.]+$|^\[/.test(verdict.url.hostname)) return
        const failure = await client.request({ method: 'POST', url, body: '{}' }).catch(error => error)
        expect(failure).toBeInstanceOf(EgressRefused)
        if (verdict.allowed) expect(lookedUp).toContain(verdict.url.hostname)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a proxy in the environment the process starts with is not used', async () => {
    const { port } = await receive(socket => socket.write(ok('direct')))
    const { port: proxy, seen } = await receive(socket => socket.write(ok('by proxy')))
    const script = `
      import { egress } from ${JSON.stringify(new URL('./egress.ts', import.meta.url).href)}
      const client = egress({ profile: 'tenant', testAllow: ['127.0.0.1:*'] })
      const { body } = await client.request({ method: 'POST', url: 'http://127.0.0.1:${port}/' })
      process.stdout.write(body.toString())
      await client.close()`
    const to = `http://127.0.0.1:${proxy}`
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
    const { stdout } = await runChild(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...Object.fromEntries(names.map(name => [name, to])), NODE_USE_ENV_PROXY: '1', NO_PROXY: '' },
    })
    expect([stdout, seen.connections]).toEqual(['direct', 0])
  })
})
