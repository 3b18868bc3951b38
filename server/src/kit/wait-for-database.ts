import { isDatabaseFault } from './db/transaction.ts'
import type { Log } from './log.ts'

const firstRetryMs = 250
const longestRetryMs = 5_000

/** Runs a step of the start that needs the database, and waits while the database is away. The wait is logged once. */
export async function waitForDatabase<T>(log: Log, work: () => Promise<T>): Promise<T> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(2 * retryMs, longestRetryMs))
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseFault(error)) throw error
      if (retryMs === firstRetryMs)
        log.warn({ err: error }, 'the database cannot be reached; the start waits for it')
      await new Promise(resolve => setTimeout(resolve, retryMs))
    }
}
