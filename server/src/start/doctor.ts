import { horizon } from '../domain/contact/calendar.ts'
import { ratesKnownUntil } from '../domain/money/late-payment.ts'
import { iso } from '../kit/clock.ts'
import type { Pool } from '../kit/db/pool.ts'

interface Finding {
  isFine: boolean
  text: string
}

const halfYear = 183 * 24 * 3_600_000

/** The health checks of the `doctor` command. */
export async function doctor(pool: Pool, wall: number): Promise<Finding[]> {
  const readNumber = async (text: string, values: unknown[] = []) =>
    (await pool.query<{ n: number }>(text, values)).rows[0]!.n
  const overdue = await readNumber(
    `select count(*) as n from agendas where armed_gen <> wake_gen and wake_at < $1`,
    [iso(wall - 300_000)],
  )
  const parked = await readNumber('select count(*) as n from agendas where parked_because is not null')
  const lost = await readNumber('select count(*) as n from pending_sends where attempts >= 3')
  const shifted = await readNumber('select clock_offset_ms as n from installation')
  return [
    { isFine: overdue === 0, text: `${overdue} debtors wait longer than 5 minutes for their wake-up` },
    { isFine: parked === 0, text: `${parked} agendas are parked and need a person` },
    { isFine: lost === 0, text: `${lost} messages were handed over three times and are still not settled` },
    { isFine: shifted === 0, text: `the installation's clock is shifted by ${shifted} ms` },
    {
      isFine: horizon.to > iso(wall + halfYear).slice(0, 10),
      text: `public holidays are known until ${horizon.to}`,
    },
    {
      isFine: ratesKnownUntil >= iso(wall).slice(0, 10),
      text: `rates of interest for late payment are known until ${ratesKnownUntil}; for the days after it none is claimed`,
    },
  ]
}
