import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import { startPollLoop } from '../../../kit/poll-loop.ts'

const batchSize = 5_000
const intervalMs = 1_000

/** Folds the deltas into the totals once a second. Several workers may run it at once: each takes unlocked rows. */
export const startFoldingCounts = (pool: Pool, log: Log): { stop(): Promise<void> } =>
  startPollLoop({
    pollMs: intervalMs,
    log,
    failure: 'folding of counts failed; it is retried',
    async pass() {
      const { rows } = await pool.query<{ n: number }>('select fold_counts($1) as n', [batchSize])
      return rows[0]!.n === batchSize
    },
  })
