/** Two clocks: the wall for leases, limits and retries; the tenant's time, wall plus offset, for everything a debtor sees. */
export interface Clock {
  /** Epoch milliseconds of the wall. */
  wall(): number
}

export const systemClock: Clock = { wall: () => Date.now() }

export const iso = (instant: number): string => new Date(instant).toISOString()
