import { type HalfYearRate, halfYearStart, rateKinds } from '../../../domain/money/late-payment.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { day, line } from '../../../kit/fields.ts'
import type { OperatorContext } from './operate.ts'
import { OperatorError } from './require-company.ts'

/** The known rates as a column, for a statement that reads what a message or a page needs. */
export const ratesSql = `(select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'startsOn', starts_on, 'bps', rate_bps)), '[]')
  from late_payment_rates where replaced_at is null)`

interface StoredRate {
  kind: HalfYearRate['kind']
  starts_on: LocalDate
  rate_bps: number
  source: string
  verified_on: LocalDate
  added_by: string
}
const selectRates = sql(
  'companies.list-late-payment-rates',
  `select kind, starts_on, rate_bps, source, verified_on, added_by from late_payment_rates where replaced_at is null
    order by kind, starts_on`,
).as<StoredRate>()
const insertRate = sql(
  'companies.add-late-payment-rate',
  `insert into late_payment_rates (kind, starts_on, rate_bps, source, verified_on, added_by) values ($1, $2, $3, $4, $5, $6)
   on conflict (kind, starts_on) where replaced_at is null do nothing returning rate_bps`,
)
const selectRate = sql(
  'companies.get-late-payment-rate',
  'select rate_bps, source from late_payment_rates where kind = $1 and starts_on = $2 and replaced_at is null',
)
const endRate = sql(
  'companies.replace-late-payment-rate',
  `update late_payment_rates set replaced_at = $3, replaced_by = $4
    where kind = $1 and starts_on = $2 and replaced_at is null`,
)

export const listRates = (pool: Pool): Promise<StoredRate[]> => queryOn(pool)(selectRates, [])

/** Ten percent. The central bank rate was never higher; a higher value probably includes the points that the law adds. */
const rateMax = 1_000
/** The first half-year of the euro. */
const firstStart = '1999-01-01'

export interface NewRate {
  kind: string
  startsOn: string
  bps: number
  source: string
}

/** Why a rate is refused; null if it may be added. */
function faultIn({ kind, startsOn, bps, source }: NewRate, today: LocalDate): string | null {
  if (!(rateKinds as readonly string[]).includes(kind)) return 'Say --kind ecb or --kind legal.'
  if (!day.safeParse(startsOn).success || startsOn !== halfYearStart(startsOn) || startsOn < firstStart)
    return 'Say --from with the first day of a half-year: a 1 January or a 1 July, as 2026-07-01.'
  if (startsOn > today)
    return `The rate of a half-year is that of its first day: that of ${startsOn} is known from then on.`
  if (bps > rateMax)
    return `Say --rate-bps in hundredths of a percent, without the points that the law adds: 215 is 2.15 %. Above ${rateMax} it is not believed.`
  if (!line(300).safeParse(source).success)
    return 'Say with --source where the rate was published: one line, 300 characters at most.'
  return null
}

/**
 * Adds the rate of a half-year: interest for its days is claimed from the next message on. A stored rate is replaced only on
 * request, and the old row is kept. `isChanged` is false if the same value was already stored.
 */
export const addRate = (
  { pool, wall, by }: Pick<OperatorContext, 'pool' | 'wall' | 'by'>,
  rate: NewRate,
  { replaces = false }: { replaces?: boolean } = {},
): Promise<{ isChanged: boolean; replacedBps: number | null }> =>
  inTransaction(pool, async query => {
    const today = iso(wall).slice(0, 10)
    const fault = faultIn(rate, today)
    if (fault !== null) throw new OperatorError(fault)
    const { kind, startsOn, bps, source } = rate
    const insert = () => query(insertRate, [kind, startsOn, bps, source, today, by])
    if ((await insert()).length > 0) return { isChanged: true, replacedBps: null }
    const [known] = await query(selectRate, [kind, startsOn])
    if (known!.rate_bps === bps) return { isChanged: false, replacedBps: null }
    if (!replaces)
      throw new OperatorError(
        `The rate of ${startsOn} is known: ${known!.rate_bps} (${known!.source}). --replace puts another in its place.`,
      )
    await query(endRate, [kind, startsOn, iso(wall), by])
    await insert()
    return { isChanged: true, replacedBps: known!.rate_bps }
  })
