import { createHash } from 'node:crypto'

/** What one tenant (or one unknown address) may do. `null` a day means as much as it likes. */
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
}

/** The few words of Redis this needs, so that any client will do. */
export interface ScriptRunner {
  isReady: boolean
  sendCommand(args: string[]): Promise<unknown>
}

// One round trip: requests in flight (a set whose members age out, so a crashed process frees them), minute, day.
// A refused request uses nothing up.
const script = `
redis.call('zremrangebyscore', KEYS[3], 0, ARGV[5] - 60000)
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
redis.call('pexpire', KEYS[3], 120000)
return {0, minute, day}`
const scriptSha = createHash('sha1').update(script).digest('hex')

const refusals = [null, 'RATE_001', 'RATE_002', 'RATE_003'] as const

function admission(
  allowance: Allowance,
  wall: number,
  reply: readonly number[],
  release: () => void,
): Admission {
  const [verdict = 0, minute = 0, day = 0] = reply
  const minuteEnds = (Math.floor(wall / 60_000) + 1) * 60
  const dayEnds = (Math.floor(wall / 86_400_000) + 1) * 86_400
  const refusedBy = refusals[verdict] ?? null
  const until = refusedBy === 'RATE_002' ? dayEnds : refusedBy === 'RATE_001' ? minuteEnds : wall / 1000 + 1
  return {
    refusedBy,
    retryAfterSeconds: Math.max(1, Math.ceil(until - wall / 1000)),
    headers: {
      'x-ratelimit-limit': String(allowance.perMinute),
      'x-ratelimit-remaining': String(Math.max(0, allowance.perMinute - minute)),
      'x-ratelimit-reset': String(minuteEnds),
      'x-ratelimit-daily-remaining':
        allowance.perDay === null ? 'unlimited' : String(Math.max(0, allowance.perDay - day)),
    },
    release,
  }
}

/** The same windows in this process alone: development without Redis, and the soft landing when Redis is away. */
export function memoryLimiter(): Limiter {
  let windowOf = { minute: 0, day: 0 }
  const minutes = new Map<string, number>()
  const days = new Map<string, number>()
  const flights = new Map<string, number>()
  return {
    async admit(subject, _requestId, allowance, wall) {
      const current = { minute: Math.floor(wall / 60_000), day: Math.floor(wall / 86_400_000) }
      if (current.minute !== windowOf.minute) minutes.clear()
      if (current.day !== windowOf.day) days.clear()
      windowOf = current
      const [minute, day, flight] = [
        minutes.get(subject) ?? 0,
        days.get(subject) ?? 0,
        flights.get(subject) ?? 0,
      ]
      if (flight >= allowance.inFlight) return admission(allowance, wall, [3, minute, day], () => {})
      if (minute >= allowance.perMinute) return admission(allowance, wall, [1, minute, day], () => {})
      if (allowance.perDay !== null && day >= allowance.perDay)
        return admission(allowance, wall, [2, minute, day], () => {})
      minutes.set(subject, minute + 1)
      days.set(subject, day + 1)
      flights.set(subject, flight + 1)
      return admission(allowance, wall, [0, minute + 1, day + 1], () => {
        const left = (flights.get(subject) ?? 1) - 1
        if (left > 0) flights.set(subject, left)
        else flights.delete(subject)
      })
    },
  }
}

/** A Redis that is slow counts as one that is away. */
const patienceMs = 500

const within = <T>(ms: number, work: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

export function redisLimiter(redis: ScriptRunner, onSoftLanding: (error: unknown) => void): Limiter {
  const alone = memoryLimiter()
  const ask = (args: string[]) => within(patienceMs, redis.sendCommand(args))
  const evaluate = async (args: string[]) => {
    try {
      return await ask(['EVALSHA', scriptSha, ...args])
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('NOSCRIPT'))) throw error
      return await ask(['EVAL', script, ...args])
    }
  }
  return {
    async admit(subject, requestId, allowance, wall) {
      if (!redis.isReady) return alone.admit(subject, requestId, allowance, wall)
      const [minute, day, flight] = [
        `relance:{${subject}}:m:${Math.floor(wall / 60_000)}`,
        `relance:{${subject}}:d:${Math.floor(wall / 86_400_000)}`,
        `relance:{${subject}}:f`,
      ]
      try {
        const reply = (await evaluate([
          '3',
          minute,
          day,
          flight,
          String(allowance.perMinute),
          String(allowance.perDay ?? -1),
          String(allowance.inFlight),
          requestId,
          String(wall),
        ])) as number[]
        return admission(allowance, wall, reply, () => {
          if (reply[0] === 0) ask(['ZREM', flight, requestId]).catch(onSoftLanding)
        })
      } catch (error) {
        onSoftLanding(error)
        return alone.admit(subject, requestId, allowance, wall)
      }
    },
  }
}
