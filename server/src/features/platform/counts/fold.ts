import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'

const batch = 5_000
const everyMs = 1_000

/** Folds what was counted, once a second. Several workers may do so at once: each takes lines no other holds. */
export function startFolding(pool: Pool, log: Log): { stop(): Promise<void> } {
  let isStopping = false
  let wake = () => {}
  const pause = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, everyMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        for (let folded = batch; folded === batch && !isStopping; )
          folded = (await pool.query<{ n: number }>('select fold_counts($1) as n', [batch])).rows[0]!.n
      } catch (error) {
        log.warn({ err: error }, 'folding postponed')
      }
      if (!isStopping) await pause()
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopping = true
      wake()
      await running
    },
  }
}
