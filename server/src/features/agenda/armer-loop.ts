import type { Pool } from '../../kit/db/pool.ts'
import { type ArmerOptions, armOnce, type Dispatcher } from './armer.ts'
import type { Worker } from './worker.ts'

/** 'rlnc' in hexadecimal, and a number for each loop of which a cell wants one at a time. */
const lockClass = 0x726c6e63
const armerLock = 1

/**
 * Runs the armer while this process leads: one leads, the others stand by, and the lock falls with its connection.
 * Two leaders for a moment would only hand over some wake-ups twice, and the second of each is stale.
 */
export function startArmer(
  worker: Worker,
  dispatcher: Dispatcher,
  options: ArmerOptions,
): { stop(): Promise<void> } {
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

  async function lead(pool: Pool): Promise<void> {
    const client = await pool.connect()
    let lost: Error | undefined
    client.once('error', error => {
      lost = error
    })
    try {
      const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', [
        lockClass,
        armerLock,
      ])
      if (!rows[0]?.mine) return
      while (!isStopping && !lost) {
        // A full batch means more is waiting.
        const observePass = worker.metrics.armerPass.startTimer()
        const handed = await armOnce(worker, dispatcher, options)
        observePass()
        if (handed < 500) await pause(options.pollMs)
      }
    } finally {
      // Closing the connection is what gives the lock back, whatever state it is in.
      client.release(true)
    }
  }

  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        await lead(worker.pool)
      } catch (error) {
        worker.log.warn({ err: error }, 'armer paused')
      }
      if (!isStopping) await pause(options.pollMs * 2)
    }
  }

  const running = loop()
  return {
    async stop() {
      isStopping = true
      for (const end of pauses) end()
      await running
    },
  }
}
