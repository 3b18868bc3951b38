/** Two clocks: wall time (real time) for leases, limits and retries; tenant time (wall time plus offset) for everything a debtor sees. */
export interface Clock {
  /** Real time, in epoch milliseconds. */
  wall(): number
}

export const systemClock: Clock = { wall: () => Date.now() }

export const iso = (instant: number): string => new Date(instant).toISOString()
