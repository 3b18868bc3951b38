import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Log } from '../../../kit/log.ts'

/** When each key was last used: noted in memory, written down together every few seconds. */
export interface LastUse {
  note(keyId: string, wall: number): void
  /** It turned out that the key did not stand any more: what was noted was no use of it. */
  forget(keyId: string): void
  stop(): Promise<void>
}

const everyMs = 5_000

// A key in constant use is written once a minute, and by one of the processes that saw it: the others pass over its row.
const write = sql(
  'api-keys.update-last-use',
  `update api_keys set last_used_at = ($2::jsonb ->> id::text)::timestamptz
    where id = any (array(
      select id from api_keys
       where id = any ($1::uuid[])
         and (last_used_at is null or last_used_at < ($2::jsonb ->> id::text)::timestamptz - interval '1 minute')
         for no key update skip locked))`,
)

export function keepLastUse(pool: Pool, log: Log, intervalMs = everyMs): LastUse {
  let used = new Map<string, number>()
  async function flush(): Promise<void> {
    if (used.size === 0) return
    const taken = used
    used = new Map()
    const moments = Object.fromEntries([...taken].map(([id, wall]) => [id, iso(wall)]))
    try {
      await pool.query({ ...write, values: [[...taken.keys()], JSON.stringify(moments)] })
    } catch (error) {
      used = new Map([...taken, ...used])
      log.warn({ err: error, keys: taken.size }, 'last use of keys not written down')
    }
  }
  let flushing = Promise.resolve()
  const timer = setInterval(() => {
    flushing = flushing.then(flush)
  }, intervalMs)
  return {
    note: (keyId, wall) => void used.set(keyId, wall),
    forget: keyId => void used.delete(keyId),
    async stop() {
      clearInterval(timer)
      await flushing.then(flush)
    },
  }
}
