import type { Log } from './log.ts'

export interface PollLoop {
  pollMs: number
  log: Log
  /** Logged when a pass fails; the next pass tries again. */
  failure: string
  /** Does what is waiting. True when there is more, and no reason to pause. */
  pass(): Promise<boolean>
}

/** Runs in every process. `stop` ends the pause and waits for the pass under way. */
export function startPollLoop({ pollMs, log, failure, pass }: PollLoop): { stop(): Promise<void> } {
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
        log.warn({ err: error }, failure)
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
