import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'

/** Records when each key was last used: collected in memory and saved together every few seconds. */
export interface LastUseRecorder {
  record(keyId: string, wall: number): void
  /** Drops the recorded use of a key that turned out to be invalid. */
  forget(keyId: string): void
  stop(): Promise<void>
}

const defaultIntervalMs = 5_000

// A key in constant use is saved once a minute and by one process: the others skip its locked row.
const updateLastUsed = sql(
  'api-keys.update-last-use',
  `update api_keys set last_used_at = ($2::jsonb ->> id::text)::timestamptz
    where id = any (array(
      select id from api_keys
       where id = any ($1::uuid[])
         and (last_used_at is null or last_used_at < ($2::jsonb ->> id::text)::timestamptz - interval '1 minute')
         for no key update skip locked))`,
)

export function startLastUseRecorder(pool: Pool, log: Log, intervalMs = defaultIntervalMs): LastUseRecorder {
  let pending = new Map<string, number>()
  async function flush(): Promise<void> {
    if (pending.size === 0) return
    const taken = pending
    pending = new Map()
    const moments = Object.fromEntries([...taken].map(([id, wall]) => [id, iso(wall)]))
    try {
      await pool.query({ ...updateLastUsed, values: [[...taken.keys()], JSON.stringify(moments)] })
    } catch (error) {
      pending = new Map([...taken, ...pending])
      log.warn({ err: error, keys: taken.size }, 'last use of keys could not be saved; it is retried')
    }
  }
  let flushing = Promise.resolve()
  const timer = setInterval(() => {
    flushing = flushing.then(flush)
  }, intervalMs)
  return {
    record: (keyId, wall) => void pending.set(keyId, wall),
    forget: keyId => void pending.delete(keyId),
    async stop() {
      clearInterval(timer)
      await flushing.then(flush)
    },
  }
}
