import type { Clock } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** What it takes to work out scores in the background. */
export interface Scorer {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}
