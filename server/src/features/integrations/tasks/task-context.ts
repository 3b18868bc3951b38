import type { Clock } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { Log } from '../../../kit/log.ts'
import type { Metrics } from '../../platform/metrics.ts'

/** What a worker needs to run tasks. */
export interface TaskContext {
  pool: Pool
  clock: Clock
  newId: () => string
  keyring: Keyring
  publicUrl: string
  log: Log
  metrics: Pick<Metrics, 'poisonedItems'>
}

/** One chunk of a task. `v` is the version of the format: it is stored by the engine, and workers of two releases must agree on it. */
export interface ChunkRef {
  v: 1
  tenantId: string
  taskId: string
  attempt: number
  chunk: number
}

/** A running task that nobody has heard of for so long is handed over again. */
export const silentAfterMs = 30_000
