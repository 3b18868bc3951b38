import { isDatabaseFault } from './db/transaction.ts'
import type { Log } from './log.ts'

/**
 * Does the work of a loop for one tenant after another. A failure is the tenant's own: it is logged, and the next tenant
 * follows. Only a database that is away ends the pass, because it fails for everybody. A guard lets no loop of the worker
 * await its items otherwise.
 */
export async function forEachTenant<Item>(
  log: Pick<Log, 'warn'>,
  items: readonly Item[],
  { idsOf, failure }: { idsOf: (item: Item) => Record<string, string | null>; failure: string },
  work: (item: Item) => Promise<void>,
): Promise<{ failed: Item[] }> {
  const failed: Item[] = []
  for (const item of items)
    try {
      await work(item)
    } catch (error) {
      if (isDatabaseFault(error)) throw error
      failed.push(item)
      log.warn({ err: error, ...idsOf(item) }, failure)
    }
  return { failed }
}
