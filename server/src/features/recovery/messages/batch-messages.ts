import { createBatches } from '../../../kit/batches.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import type { WorkerContext } from './worker-context.ts'

interface Batched {
  worker: WorkerContext
  tenantId: string
}

/**
 * Messages of one tenant that reach the same write at about the same time share a commit. While other messages are being sent,
 * the first one waits for them. Each pool, that is each worker, has its own queues.
 */
export function batchMessages<Item extends Batched, Result>(
  gatherMs: number,
  run: (batch: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const byPool = new WeakMap<Pool, ReturnType<typeof createBatches<Item, Result>>>()
  return item => {
    const { pool } = item.worker
    const add =
      byPool.get(pool) ??
      createBatches<Item, Result>({
        max: 25,
        atOnce: 1,
        gatherMs: ({ worker }) => (worker.places.taken() > 1 ? gatherMs : 0),
        run,
      })
    byPool.set(pool, add)
    return add(item.tenantId, item)
  }
}
