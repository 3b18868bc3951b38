import type { Clock } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** The dependencies of the background scoring. */
export interface ScoringContext {
  readonly pool: Pool
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
}
