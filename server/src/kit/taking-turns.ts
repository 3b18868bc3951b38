import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMs = 10
const largeLength = 256 * 1024

/** A text of which each step of a request takes long enough to let other work in before it. */
export const isLarge = (text: string): boolean => text.length > largeLength

/** Between two steps that each read the whole text. */
export const turnIfLarge = (text: string): Promise<void> | undefined =>
  isLarge(text) ? nextTurn() : undefined

/**
 * Maps items as `map` does, and lets other work of the process run in between. It ends after `mostMs`, then with the results of
 * the first items, of one at least.
 */
export async function takingTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Result[]> {
  const results: Result[] = []
  const begunAt = performance.now()
  let startedAt = begunAt
  for (const item of items) {
    results.push(work(item))
    if (performance.now() - startedAt < turnMs) continue
    if (performance.now() - begunAt > mostMs) break
    await nextTurn()
    startedAt = performance.now()
  }
  return results
}
