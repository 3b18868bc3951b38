import type { Dispatcher } from './armer.ts'
import { driveBatch, type Turnstile } from './drive.ts'
import type { Worker } from './worker.ts'

/** For a small installation that wants nothing but Postgres, and for most tests: the armer does the work itself. */
export const inProcess = (worker: Worker, gate: Turnstile): Dispatcher => ({
  name: 'in-process',
  hand: tasks => driveBatch(worker, gate, tasks),
})
