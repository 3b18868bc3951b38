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

/** Each lane of a tenant runs one task at a time: `act` for tasks that change something, `read` for tasks that only read. */
export type Lane = 'act' | 'read'

/** One chunk of an attempt at a task. */
export interface ChunkRef {
  tenantId: string
  taskId: string
  attempt: number
  chunk: number
}
