import { isDatabaseFault } from './db/transaction.ts'
import type { Log } from './log.ts'

/**
 * Does the work of a loop for one tenant after another. A failure concerns only its tenant: it is logged, and the next tenant
 * follows. Only a database that is away ends the pass, because it fails for every tenant. A guard test requires that the loops of
 * the worker await their items only here.
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
