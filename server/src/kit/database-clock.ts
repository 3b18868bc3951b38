import type { Clock } from './clock.ts'
import type { Pool } from './db/pool.ts'
import { sql } from './db/statement.ts'
import { isDatabaseFault, lendConnection, runStatement } from './db/transaction.ts'
import type { Log } from './log.ts'
import { startPollLoop } from './poll-loop.ts'

/**
 * The time of the database. Elsewhere time is passed in; this is for decisions that several machines must make alike, such as
 * about a lease. A guard test lists the statements that use it.
 */
export const databaseNow = 'clock_timestamp()'

const readClock = sql('db.read-clock', `select ${databaseNow} as now`)

/** How far a clock may differ from the database's. */
const limitMs = 2_000

/** Compares our clock, read before and after the query, with the database's. Up to half the round trip is uncertain. */
export function compareClocks(
  before: number,
  database: number,
  after: number,
): { aheadMs: number; isRight: boolean } {
  const aheadMs = (before + after) / 2 - database
  return { aheadMs, isRight: Math.abs(aheadMs) - (after - before) / 2 <= limitMs }
}

export interface ClockCheck {
  pool: Pool
  clock: Clock
  log: Log
  pollMs: number
  gauge: { set(seconds: number): void }
  /** Called with each change; false at first, until the clocks were compared. */
  onChange(isRight: boolean): void
}

/** Compares the clock of this process with the database's, repeatedly. */
export async function startClockCheck({ pool, clock, log, pollMs, gauge, onChange }: ClockCheck) {
  let wasRight: boolean | null = null
  async function look(): Promise<boolean> {
    const { aheadMs, isRight } = await lendConnection(pool, async client => {
      const before = clock.wall()
      const { rows } = await runStatement(client, [readClock, []])
      return compareClocks(before, rows[0].now, clock.wall())
    })
    gauge.set(aheadMs / 1_000)
    if (isRight === wasRight) return false
    if (!isRight)
      log.error(
        { aheadMs },
        'the clock differs from the database’s by over 2 s; nothing is sent until they agree',
      )
    else if (wasRight === false) log.info({ aheadMs }, 'the clock agrees with the database’s again')
    wasRight = isRight
    onChange(isRight)
    return false
  }
  // Without an answer the last comparison holds: while the database is away nothing is sent anyway.
  const lookIfPossible = () =>
    look().catch(error => {
      if (!isDatabaseFault(error)) throw error
      return false
    })
  await lookIfPossible()
  return startPollLoop({ pollMs, log, failure: 'the clocks could not be compared', pass: lookIfPossible })
}
