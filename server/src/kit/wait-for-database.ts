import { isDatabaseFault } from './db/transaction.ts'
import type { Log } from './log.ts'

const firstRetryMs = 250
const longestRetryMs = 5_000

/** Does work of the start that needs the database, which may go away between any two steps. The log says once that it waits. */
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
