import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'

const batchSize = 5_000
const intervalMs = 1_000

/** Folds the deltas into the totals once a second. Several workers may run it at once: each takes rows that no other has locked. */
export function startFoldingCounts(pool: Pool, log: Log): { stop(): Promise<void> } {
  let isStopping = false
  let endPause = () => {}
  const pause = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, intervalMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function loop(): Promise<void> {
    while (!isStopping) {
      try {
        for (let folded = batchSize; folded === batchSize && !isStopping; )
          folded = (await pool.query<{ n: number }>('select fold_counts($1) as n', [batchSize])).rows[0]!.n
      } catch (error) {
        log.warn({ err: error }, 'folding of counts failed; it is retried')
      }
      if (!isStopping) await pause()
    }
  }
  const running = loop()
  return {
    async stop() {
      isStopping = true
      endPause()
      await running
    },
  }
}
