import type { Pool } from './db/pool.ts'
import type { Log } from './log.ts'

/** 'rlnc' in hexadecimal; the second half of the lock says which loop it is. */
const lockClass = 0x726c6e63

/** The loops of which a cell wants one at a time. */
export const loops = { armer: 1, couriers: 2, scores: 3 } as const

export interface Leading {
  pool: Pool
  log: Log
  loop: keyof typeof loops
  pollMs: number
  /** One look at what is waiting; true when there is more and no reason to pause. */
  pass(): Promise<boolean>
}

/**
 * Runs a loop while this process leads it: one leads, the others stand by, and the lock falls with its connection. Two leaders
 * for a moment must do no harm.
 */
export function startLeading({ pool, log, loop, pollMs, pass }: Leading): { stop(): Promise<void> } {
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

  async function lead(): Promise<void> {
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
      // Closing the connection is what gives the lock back, whatever state it is in.
      client.release(true)
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      try {
        await lead()
      } catch (error) {
        log.warn({ err: error, loop }, 'loop paused')
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
