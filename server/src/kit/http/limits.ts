import { createHash } from 'node:crypto'

/** The limits of one tenant (or one anonymous address). `perDay: null` means no daily limit. */
export interface Allowance {
  readonly perMinute: number
  readonly perDay: number | null
  readonly inFlight: number
}

export interface Admission {
  readonly refusedBy: 'RATE_001' | 'RATE_002' | 'RATE_003' | null
  readonly headers: Record<string, string>
  readonly retryAfterSeconds: number
  release(): void
}

export interface Limiter {
  admit(subject: string, requestId: string, allowance: Allowance, wall: number): Promise<Admission>
  /** The headers of an answer that is not counted. */
  look(subject: string, allowance: Allowance, wall: number): Promise<Record<string, string>>
}

/** The part of a Redis client that is used here, so that any client fits. */
export interface ScriptRunner {
  isReady: boolean
  sendCommand(args: string[]): Promise<unknown>
}

// One round trip checks the concurrent requests (a set whose members expire, so a crashed process frees them; no request takes
// two minutes), the minute and the day.
// A refused request is not counted.
const script = `
redis.call('zremrangebyscore', KEYS[3], 0, ARGV[5] - 120000)
local minute = tonumber(redis.call('get', KEYS[1]) or '0')
local day = tonumber(redis.call('get', KEYS[2]) or '0')
if redis.call('zcard', KEYS[3]) >= tonumber(ARGV[3]) then return {3, minute, day} end
if minute >= tonumber(ARGV[1]) then return {1, minute, day} end
if tonumber(ARGV[2]) >= 0 and day >= tonumber(ARGV[2]) then return {2, minute, day} end
minute = redis.call('incr', KEYS[1])
if minute == 1 then redis.call('expire', KEYS[1], 120) end
day = redis.call('incr', KEYS[2])
if day == 1 then redis.call('expire', KEYS[2], 172800) end
redis.call('zadd', KEYS[3], ARGV[5], ARGV[4])
redis.call('pexpire', KEYS[3], 180000)
return {0, minute, day}`
const scriptSha = createHash('sha1').update(script).digest('hex')

const refusals = [null, 'RATE_001', 'RATE_002', 'RATE_003'] as const

const minuteEndOf = (wall: number) => (Math.floor(wall / 60_000) + 1) * 60

const headersOf = ({ perMinute, perDay }: Allowance, wall: number, minute: number, day: number) => ({
  'x-ratelimit-limit': String(perMinute),
  'x-ratelimit-remaining': String(Math.max(0, perMinute - minute)),
  'x-ratelimit-reset': String(minuteEndOf(wall)),
  'x-ratelimit-daily-remaining': perDay === null ? 'unlimited' : String(Math.max(0, perDay - day)),
})

function admission(
  allowance: Allowance,
  wall: number,
  reply: readonly number[],
  release: () => void,
): Admission {
  const [verdict = 0, minute = 0, day = 0] = reply
  const minuteEnds = minuteEndOf(wall)
  const dayEnds = (Math.floor(wall / 86_400_000) + 1) * 86_400
  const refusedBy = refusals[verdict] ?? null
  const until = refusedBy === 'RATE_002' ? dayEnds : refusedBy === 'RATE_001' ? minuteEnds : wall / 1000 + 1
  return {
    refusedBy,
    retryAfterSeconds: Math.max(1, Math.ceil(until - wall / 1000)),
    headers: headersOf(allowance, wall, minute, day),
    release,
  }
}

/** The same limits counted in this process: for development without Redis, and as the fallback when Redis is down. */
export function memoryLimiter(): Limiter {
  let currentWindow = { minute: 0, day: 0 }
  const minutes = new Map<string, number>()
  const days = new Map<string, number>()
  const inFlightCounts = new Map<string, number>()
  const startWindow = (wall: number) => {
    const current = { minute: Math.floor(wall / 60_000), day: Math.floor(wall / 86_400_000) }
    if (current.minute !== currentWindow.minute) minutes.clear()
    if (current.day !== currentWindow.day) days.clear()
    currentWindow = current
  }
  return {
    async look(subject, allowance, wall) {
      startWindow(wall)
      return headersOf(allowance, wall, minutes.get(subject) ?? 0, days.get(subject) ?? 0)
    },
    async admit(subject, _requestId, allowance, wall) {
      startWindow(wall)
      const [minute, day, inFlight] = [
        minutes.get(subject) ?? 0,
        days.get(subject) ?? 0,
        inFlightCounts.get(subject) ?? 0,
      ]
      if (inFlight >= allowance.inFlight) return admission(allowance, wall, [3, minute, day], () => {})
      if (minute >= allowance.perMinute) return admission(allowance, wall, [1, minute, day], () => {})
      if (allowance.perDay !== null && day >= allowance.perDay)
        return admission(allowance, wall, [2, minute, day], () => {})
      minutes.set(subject, minute + 1)
      days.set(subject, day + 1)
      inFlightCounts.set(subject, inFlight + 1)
      return admission(allowance, wall, [0, minute + 1, day + 1], () => {
        const left = (inFlightCounts.get(subject) ?? 1) - 1
        if (left > 0) inFlightCounts.set(subject, left)
        else inFlightCounts.delete(subject)
      })
    },
  }
}

/** A Redis that is slower than this is treated as down. */
const redisTimeoutMs = 500

const withTimeout = <T>(ms: number, work: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Several installations may use one Redis: each counts under its own name. */
export function redisLimiter(
  redis: ScriptRunner,
  installation: string,
  onFallback: (error: unknown) => void,
): Limiter {
  const prefix = `relance:${createHash('sha256').update(installation).digest('base64url').slice(0, 12)}`
  const fallback = memoryLimiter()
  const send = (args: string[]) => withTimeout(redisTimeoutMs, redis.sendCommand(args))
  const evaluate = async (args: string[]) => {
    try {
      return await send(['EVALSHA', scriptSha, ...args])
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error
      return await send(['EVAL', script, ...args])
    }
  }
  const keysOf = (subject: string, wall: number) =>
    [
      `${prefix}:{${subject}}:m:${Math.floor(wall / 60_000)}`,
      `${prefix}:{${subject}}:d:${Math.floor(wall / 86_400_000)}`,
      `${prefix}:{${subject}}:f`,
    ] as const
  return {
    async look(subject, allowance, wall) {
      if (!redis.isReady) return fallback.look(subject, allowance, wall)
      try {
        const [minute, day] = keysOf(subject, wall)
        const counts = (await send(['MGET', minute, day])) as (string | null)[]
        return headersOf(allowance, wall, Number(counts[0] ?? 0), Number(counts[1] ?? 0))
      } catch (error) {
        onFallback(error)
        return fallback.look(subject, allowance, wall)
      }
    },
    async admit(subject, requestId, allowance, wall) {
      if (!redis.isReady) return fallback.admit(subject, requestId, allowance, wall)
      const [minute, day, inFlight] = keysOf(subject, wall)
      try {
        const reply = (await evaluate([
          '3',
          minute,
          day,
          inFlight,
          String(allowance.perMinute),
          String(allowance.perDay ?? -1),
          String(allowance.inFlight),
          requestId,
          String(wall),
        ])) as number[]
        return admission(allowance, wall, reply, () => {
          if (reply[0] === 0) send(['ZREM', inFlight, requestId]).catch(onFallback)
        })
      } catch (error) {
        onFallback(error)
        return fallback.admit(subject, requestId, allowance, wall)
      }
    },
  }
}
