import type { Leadership } from './heartbeat.ts'
import type { Log } from './log.ts'
import { startPollLoop } from './poll-loop.ts'

/** The loops that run in one process of a cell at a time. */
type Loop = 'deliveries' | 'plans' | 'scores' | 'tasks'

export interface LeaderLoop {
  heartbeat: Leadership
  log: Log
  loop: Loop
  pollMs: number
  /** One iteration; true when there is more work and no pause is needed. */
  pass(): Promise<boolean>
}

/** How long a leader relies on its lease before it checks again. */
const trustedMs = 2_000

/**
 * Runs a loop in the one process that holds its lease; the others stand by, and take it over when the holder's heartbeat
 * ends. There may be two leaders for a moment, so an iteration must tolerate that.
 */
export function startLeaderLoop({ heartbeat, log, loop, pollMs, pass }: LeaderLoop): {
  stop(): Promise<void>
} {
  let askAgainAt = 0
  let leads = false
  const loopOfLeader = startPollLoop({
    pollMs,
    log,
    failure: `the loop ${loop} failed; it is retried`,
    async pass() {
      if (performance.now() >= askAgainAt) {
        // A leader that was frozen asks before it continues. After a failure it waits before it asks again.
        leads = false
        askAgainAt = performance.now() + trustedMs / 4
        leads = await heartbeat.mayLead(loop)
        if (leads) askAgainAt = performance.now() + trustedMs
      }
      if (!leads) return false
      try {
        return await pass()
      } catch (error) {
        leads = false
        askAgainAt = performance.now() + trustedMs / 4
        throw error
      }
    },
  })
  return {
    async stop() {
      await loopOfLeader.stop()
      await heartbeat.leave(loop)
    },
  }
}
