const second = 1_000
const minute = 60 * second

/** The delay after each failed attempt before the next one. */
const retryDelaysMs = [30 * second, 5 * minute, 30 * minute, 120 * minute] as const

export const attemptsMax = retryDelaysMs.length + 1

/** From this failed attempt on the owner is warned that the endpoint will be switched off. */
const warnFromAttempt = 3

export type AfterFailure =
  | { kind: 'retry'; at: number; isWarned: boolean }
  /** The last attempt failed: the endpoint is switched off, and its queue is deleted. */
  | { kind: 'give_up' }

/** The next step after a failed attempt; attempts are counted from 1. */
export function afterFailure(attempt: number, failedAt: number): AfterFailure {
  const wait = retryDelaysMs[attempt - 1]
  if (wait === undefined) return { kind: 'give_up' }
  return { kind: 'retry', at: failedAt + wait, isWarned: attempt >= warnFromAttempt }
}

/** A fault on our side does not count as an attempt; it is retried with growing delays. */
export const afterOurFault = (timesDeferred: number, at: number): number =>
  at + Math.min(30 * second * 2 ** Math.min(timesDeferred, 6), 30 * minute)
