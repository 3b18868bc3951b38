const second = 1_000
const minute = 60 * second

/** After the first attempt, how long after the failure of one the next is made. */
const waits = [30 * second, 5 * minute, 30 * minute, 120 * minute] as const

export const attemptsMost = waits.length + 1

/** The failed attempts of one delivery after which its owner is warned that the endpoint will be switched off. */
const warnedAfter = 3

export type AfterFailure =
  | { kind: 'retry'; at: number; isWarned: boolean }
  /** The last attempt failed: the endpoint is switched off, and with it everything it still had to come. */
  | { kind: 'give_up' }

/** What follows when the attempt with this number (from 1) failed at this moment. */
export function afterFailure(attempt: number, failedAt: number): AfterFailure {
  const wait = waits[attempt - 1]
  if (wait === undefined) return { kind: 'give_up' }
  return { kind: 'retry', at: failedAt + wait, isWarned: attempt >= warnedAfter }
}

/** A fault on our side uses up no attempt; it is tried again soon, and later each time. */
export const afterOurFault = (timesPutOff: number, at: number): number =>
  at + Math.min(30 * second * 2 ** Math.min(timesPutOff, 6), 30 * minute)
