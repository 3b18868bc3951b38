import type { Dispatcher } from './armer.ts'
import { driveBatch, type Gates } from './drive.ts'
import type { Worker } from './worker.ts'

/** For a small installation that wants nothing but Postgres, and for most tests: the armer does the work itself. */
export const inProcess = (worker: Worker, gates: Gates): Dispatcher => ({
  name: 'in-process',
  hand: tasks => driveBatch(worker, gates, tasks),
})
