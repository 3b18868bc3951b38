import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The most CPU, in milliseconds, that the main thread spent between two turns of its event loop while `work` ran. CPU and not
 * time, because other processes use the machine too.
 */
export async function longestStretchMs(work: () => Promise<unknown>): Promise<number> {
  let isOver = false
  let longest = 0
  const watch = async () => {
    for (let before = process.threadCpuUsage(); !isOver; before = process.threadCpuUsage()) {
      await nextTurn()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1_000)
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  return longest
}
