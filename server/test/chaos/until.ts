import { setTimeout as pause } from 'node:timers/promises'

/** How long it took until something was true; null if it was not in time. */
export async function until(
  isTrue: () => Promise<boolean> | boolean,
  withinMs: number,
): Promise<number | null> {
  const start = performance.now()
  while (performance.now() - start < withinMs) {
    if (await isTrue()) return performance.now() - start
    await pause(20)
  }
  return null
}
