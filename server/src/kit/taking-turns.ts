import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 10

/** Maps items as `map` does, and lets other work of the process run in between. */
export async function takingTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let startedAt = performance.now()
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - startedAt < turnMs) continue
    await nextTurn()
    startedAt = performance.now()
  }
  return results
}
