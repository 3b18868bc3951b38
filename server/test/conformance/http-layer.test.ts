import { Agent, get, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { ApiError } from '../../src/kit/errors.ts'
import { operationThat, selectOne, serveOperation, unreachablePool } from './serve-operation.ts'

const nothing = operationThat(async () => ({}))
const request = { method: 'GET', url: '/do' } as const

it('the minute’s limit is RATE_001, the day’s quota RATE_002, both 429 with the time to wait', async () => {
  for (const [code, allowance, wait] of [
    ['RATE_001', { perMinute: 1, perDay: null, inFlight: 10 }, 60],
    ['RATE_002', { perMinute: 60, perDay: 1, inFlight: 10 }, 15 * 3_600],
  ] as const) {
    const app = await serveOperation(nothing, { allowance })
    expect((await app.inject(request)).statusCode).toBe(200)
    const refused = await app.inject(request)
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, code])
    expect(refused.headers['retry-after']).toBe(String(wait))
    await app.close()
  }
})

it('too many requests at the same time are RATE_003, and one that ends makes room', async () => {
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const app = await serveOperation(
    operationThat(async () => {
      await held
      return {}
    }),
    { allowance: { perMinute: 60, perDay: null, inFlight: 1 } },
  )
  const first = app.inject(request)
  await new Promise(resolve => setTimeout(resolve, 50))
  const refused = await app.inject(request)
  expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'RATE_003'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  release()
  expect((await first).statusCode).toBe(200)
  expect((await app.inject(request)).statusCode).toBe(200)
  await app.close()
})

it('a server that is asked to end gives its last answer and ends, though a proxy keeps its connections', async () => {
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const app = await serveOperation(
    operationThat(async () => {
      reached.resolve()
      await held.promise
      return {}
    }),
  )
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const proxy = new Agent({ keepAlive: true })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address}/do`, { agent: proxy }, resolve).once('error', reject)
  })
  await reached.promise
  const ended = app.close()
  while (app.server.listening) await new Promise(resolve => setImmediate(resolve))
  held.resolve()
  const answer = await answered
  expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close'])
  answer.resume()
  await ended
  proxy.destroy()
})

it('a defect of ours is SYS_001, 500, and shows nothing of what happened', async () => {
  const app = await serveOperation(
    operationThat(async () => {
      throw new Error('the password is swordfish')
    }),
  )
  const answer = await app.inject(request)
  expect([answer.statusCode, answer.json().error.code]).toEqual([500, 'SYS_001'])
  expect(answer.body).not.toContain('swordfish')
  await app.close()
})

it('a database that is away is SVC_001, 503, with the time to wait', async () => {
  const pool = unreachablePool()
  const app = await serveOperation(
    operationThat(async ({ tx }) => {
      await tx.rows(selectOne, [])
      return {}
    }),
    { pool },
  )
  const answer = await app.inject(request)
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'SVC_001'])
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await app.close()
  await pool.end()
})

it('a statement that took too long is SVC_002, 504', async () => {
  const app = await serveOperation(
    operationThat(async () => {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    }),
  )
  const answer = await app.inject(request)
  expect([answer.statusCode, answer.json().error.code]).toEqual([504, 'SVC_002'])
  await app.close()
})

it('plain http is refused before its credentials are read; https is told to stay', async () => {
  let isAsked = false
  const app = await serveOperation(nothing, {
    requireHttps: true,
    trustedProxies: ['127.0.0.1'],
    authenticate: async () => {
      isAsked = true
      throw new Error('nobody comes here')
    },
  })
  const plain = await app.inject({ ...request, headers: { 'x-api-key': 'fk_live_x' } })
  expect([plain.statusCode, plain.json().error.code]).toEqual([400, 'VAL_004'])
  expect(isAsked).toBe(false)
  const secure = await app.inject({ ...request, headers: { 'x-forwarded-proto': 'https' } })
  expect(isAsked).toBe(true)
  expect(secure.headers['strict-transport-security']).toMatch(/max-age=\d+/)
  await app.close()
})

it('strangers of one /64 of IPv6 are counted as one, and an IPv4 address by itself', async () => {
  const app = await serveOperation(nothing, {
    trustedProxies: ['127.0.0.1'],
    anonymousAllowance: { perMinute: 3, perDay: null, inFlight: 10 },
    authenticate: async () => {
      throw new ApiError('AUTH_001', 'Nobody is known here.')
    },
  })
  const from = async (address: string) =>
    (await app.inject({ ...request, headers: { 'x-forwarded-for': address } })).statusCode
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::', '2001:db8:1:2:1:2:3:4'])
    expect(await from(address)).toBe(401)
  expect(await from('2001:db8:1:2::5')).toBe(429)
  expect(await from('2001:db8:1:3::5')).toBe(401)
  for (const last of [1, 2, 3, 4, 5]) expect(await from(`192.0.2.${last}`)).toBe(401)
  await app.close()
})

it('no answer is kept by a cache on the way: some are shown this once', async () => {
  const app = await serveOperation(nothing)
  for (const url of ['/do', '/nowhere']) {
    const answer = await app.inject({ ...request, url })
    expect([url, answer.headers['cache-control']]).toEqual([url, 'no-store'])
  }
  await app.close()
})

it('what is never refused by limits is still refused in plain http', async () => {
  const app = await serveOperation(nothing, { requireHttps: true, trustedProxies: ['127.0.0.1'] })
  app.get('/public', { config: { unlimited: true } }, async () => ({}))
  expect((await app.inject('/public')).statusCode).toBe(400)
  const secure = { url: '/public', headers: { 'x-forwarded-proto': 'https' } }
  for (let i = 0; i < 80; i++) {
    const answer = await app.inject(secure)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['x-ratelimit-remaining']).toBe('60')
  }
  await app.close()
})
