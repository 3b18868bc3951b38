import type { Pool } from './db/pool.ts'
import type { Log } from './log.ts'

/** 'rlnc' in hexadecimal; the second half of the lock says which loop it is. */
const lockClass = 0x726c6e63

/** The loops that run in one process of a cell at a time. */
export const loops = { scheduler: 1, deliveries: 2, scores: 3 } as const

export interface LeaderLoop {
  pool: Pool
  log: Log
  loop: keyof typeof loops
  pollMs: number
  /** One iteration; true when there is more work and no pause is needed. */
  pass(): Promise<boolean>
}

/**
 * Runs a loop in the process that is elected leader by an advisory lock; the others stand by. The lock ends with its
 * connection. There may be two leaders for a moment, so an iteration must tolerate that.
 */
export function startLeaderLoop({ pool, log, loop, pollMs, pass }: LeaderLoop): { stop(): Promise<void> } {
  let isStopping = false
  const pauses = new Set<() => void>()
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(end, ms)
      function end() {
        clearTimeout(timer)
        pauses.delete(end)
        resolve()
      }
      pauses.add(end)
    })

  async function runAsLeader(): Promise<void> {
    const client = await pool.connect()
    let lost: Error | undefined
    client.once('error', error => {
      lost = error
    })
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
        lockClass,
        loops[loop],
      ])
      if (!rows[0]?.mine) return
      while (!isStopping && !lost) if (!(await pass())) await pause(pollMs)
    } finally {
      // Closing the connection releases the lock, whatever state the connection is in.
      client.release(true)
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        await runAsLeader()
      } catch (error) {
        log.warn({ err: error, loop }, 'leader loop failed; it is retried')
      }
      if (!isStopping) await pause(Math.max(pollMs * 2, 500))
    }
  }

  const running = run()
  return {
    async stop() {
      isStopping = true
      for (const end of pauses) end()
      await running
    },
  }
}
