import type { Log } from './log.ts'

export interface PollLoop {
  pollMs: number
  log: Log
  /** Logged when a pass fails; the next pass tries again. */
  failure: string
  /** Does the waiting work. True: there is more, so the next pass follows without a pause. */
  pass(): Promise<boolean>
}

const repeatAfterMs = 30_000

/** Logs a failure, and the same one again only every half minute: while the database is away each pass of each loop fails. */
export function failureLog({ log, failure }: Pick<PollLoop, 'log' | 'failure'>): (error: unknown) => void {
  const logged = new Map<string, { at: number; suppressed: number }>()
  return error => {
    const { code, message } = error as { code?: string; message?: string }
    const kind = code ?? message ?? ''
    const now = performance.now()
    const last = logged.get(kind)
    if (last && now - last.at < repeatAfterMs) {
      last.suppressed++
      return
    }
    log.warn({ err: error, ...(last && last.suppressed > 0 && { suppressed: last.suppressed }) }, failure)
    for (const [other, { at }] of logged) if (now - at >= repeatAfterMs) logged.delete(other)
    logged.set(kind, { at: now, suppressed: 0 })
  }
}

/** Runs in every process. `stop` ends the pause and waits for the pass under way. */
export function startPollLoop({ pollMs, log, failure, pass }: PollLoop): { stop(): Promise<void> } {
  const logFailure = failureLog({ log, failure })
  let isStopping = false
  let endPause = () => {}
  const pause = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, pollMs)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  async function run(): Promise<void> {
    while (!isStopping) {
      const hasMore = await pass().catch(error => {
        logFailure(error)
        return false
      })
      if (!hasMore && !isStopping) await pause()
    }
  }
  const running = run()
  return {
    async stop() {
      isStopping = true
      endPause()
      await running
    },
  }
}
