interface BatchOptions<Item, Result> {
  /** The maximum number of items in a batch. */
  max: number
  /** How many batches of one key run at once. */
  atOnce: number
  /** How long the first item of a batch waits for others, in milliseconds. */
  gatherMs?: (first: Item) => number
  /** One result for each item, in their order. If it fails, the items are run one by one. */
  run(items: readonly Item[]): Promise<readonly Result[]>
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Runs items of the same key together: those that arrive while a batch is running form the next one. An item that finds no
 * batch running is run at once, unless it is to wait for others.
 */
export function createBatches<Item, Result>({ max, atOnce, gatherMs, run }: BatchOptions<Item, Result>) {
  const queues = new Map<
    string,
    { waiting: Waiting<Item, Result>[]; running: number; timer: NodeJS.Timeout | null }
  >()

  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, i) => {
        resolve(results[i]!)
      })
    } catch (error) {
      // One failing item must not fail the others.
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const one of batch) await runBatch([one])
    }
  }

  function start(key: string): void {
    const queue = queues.get(key)
    if (!queue) return
    while (queue.waiting.length > 0 && queue.running < atOnce && queue.timer === null) {
      queue.running++
      void runBatch(queue.waiting.splice(0, max)).finally(() => {
        queue.running--
        if (queue.waiting.length > 0) start(key)
        else if (queue.running === 0) queues.delete(key)
      })
    }
  }

  function gather(key: string, first: Item): void {
    const queue = queues.get(key)!
    const waitMs = gatherMs?.(first) ?? 0
    if (waitMs > 0) queue.timer = setTimeout(endGathering, waitMs, key)
  }

  function endGathering(key: string): void {
    const queue = queues.get(key)!
    if (queue.timer !== null) clearTimeout(queue.timer)
    queue.timer = null
    start(key)
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? { waiting: [], running: 0, timer: null }
      queues.set(key, queue)
      queue.waiting.push({ item, resolve, reject })
      if (queue.waiting.length === 1 && queue.running === 0 && queue.timer === null) gather(key, item)
      if (queue.waiting.length >= max) endGathering(key)
      else start(key)
    })
}
