import { createClient } from '@redis/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRedis, startRedis } from '../../../dev/redis.ts'
import { type Limiter, memoryLimiter, redisLimiter } from './limits.ts'

const allowance = { perMinute: 3, perDay: 5, inFlight: 2 }
const noon = Date.parse('2026-11-16T12:00:10Z')

const limiterTests = (limiter: () => Limiter) => {
  const subject = () => `test-${Math.random()}`

  it('counts down the minute and the day, and refuses what is beyond, saying when to come back', async () => {
    const subjectId = subject()
    for (const left of ['2', '1', '0']) {
      const admitted = await limiter().admit(subjectId, `r${left}`, allowance, noon)
      expect(admitted.refusedBy).toBeNull()
      expect(admitted.headers).toMatchObject({ 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': left })
      admitted.release()
    }
    await new Promise(resolve => setTimeout(resolve, 20))
    const refused = await limiter().admit(subjectId, 'r4', allowance, noon)
    expect(refused).toMatchObject({ refusedBy: 'RATE_001', retryAfterSeconds: 50 })
    expect(refused.headers['x-ratelimit-reset']).toBe(String(Math.floor(noon / 60_000) * 60 + 60))
  })

  it('a new minute is a new window, but the day goes on', async () => {
    const subjectId = subject()
    for (let minute = 0; minute < 2; minute++)
      for (let i = 0; i < 3; i++) {
        const admitted = await limiter().admit(subjectId, `m${minute}${i}`, allowance, noon + minute * 60_000)
        admitted.release()
        await new Promise(resolve => setTimeout(resolve, 5))
        if (minute === 1 && i === 2) expect(admitted.refusedBy).toBe('RATE_002')
        else expect(admitted.refusedBy).toBeNull()
      }
  })

  it('refuses what is too much at the same time, until something ends', async () => {
    const subjectId = subject()
    const roomy = { ...allowance, perMinute: 100, perDay: null }
    const first = await limiter().admit(subjectId, 'a', roomy, noon)
    await limiter().admit(subjectId, 'b', roomy, noon)
    expect((await limiter().admit(subjectId, 'c', roomy, noon)).refusedBy).toBe('RATE_003')
    first.release()
    await new Promise(resolve => setTimeout(resolve, 20))
    const again = await limiter().admit(subjectId, 'd', roomy, noon)
    expect(again.refusedBy).toBeNull()
    expect(again.headers['x-ratelimit-daily-remaining']).toBe('unlimited')
  })
}

describe('in this process', () => {
  const limiter = memoryLimiter()
  limiterTests(() => limiter)
})

describe('in Redis', async () => {
  const found = await findRedis(process.env.REDIS_URL)
  const own = found ? null : await startRedis()
  const url = found ?? own?.url
  describe.runIf(url)('that answers', () => {
    const redis = createClient({ url: url!, disableOfflineQueue: true })
    let fallbacks = 0
    const limiter = redisLimiter(redis as never, 'https://one.example', () => fallbacks++)
    beforeAll(async () => {
      redis.on('error', () => {})
      await redis.connect()
    })
    afterAll(async () => {
      redis.destroy()
      await own?.stop()
    })
    limiterTests(() => limiter)
    it('counts for each installation by itself, although they share the Redis and the address', async () => {
      const other = redisLimiter(redis as never, 'https://other.example', () => fallbacks++)
      const address = `2001:db8::${Math.random()}`
      const admit = (one: Limiter, id: string) => one.admit(address, id, allowance, noon)
      for (const id of ['a', 'b', 'c']) (await admit(limiter, id)).release()
      const fresh = await admit(other, 'd')
      expect(fresh.headers['x-ratelimit-remaining']).toBe('2')
      expect((await other.look(address, allowance, noon))['x-ratelimit-remaining']).toBe('2')
    })
    it('never needed the in-memory fallback', () => expect(fallbacks).toBe(0))
  })

  it('that is away: counts in this process and still says what is left', async () => {
    const limiter = redisLimiter(
      { isReady: true, sendCommand: () => Promise.reject(new Error('gone')) },
      'https://one.example',
      () => {},
    )
    const admitted = await limiter.admit('x', 'r', allowance, noon)
    expect(admitted.refusedBy).toBeNull()
    expect(admitted.headers['x-ratelimit-remaining']).toBe('2')
  })
})
