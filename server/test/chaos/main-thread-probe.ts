import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded into a worker by `NODE_OPTIONS`. Each second it writes the most CPU that the main thread spent between two turns of its
 * event loop: CPU and not time, because the machine may be busy with something else.
 */
const file = process.env.MAIN_THREAD_PROBE
if (isMainThread && file) {
  let [before, worst, since] = [process.threadCpuUsage(), 0, Date.now()]
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    worst = Math.max(worst, (user + system) / 1_000)
    if (Date.now() - since >= 1_000) {
      appendFileSync(file, `${JSON.stringify({ at: Date.now(), worstMs: worst, pid: process.pid })}\n`)
      ;[worst, since] = [0, Date.now()]
    }
    before = process.threadCpuUsage()
  }, 2).unref()
}
