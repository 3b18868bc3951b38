import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'

/**
 * SQL: whether a stop covers the sending of tenant `t`. One probe of a small index. A sandbox sends nothing to anybody, so a stop
 * of the installation does not concern it.
 */
export const isStoppedSql = `exists (select from stops where ended_at is null
       and target = any (array[case when t.environment = 'production' then '*' end, t.company_id::text, t.id::text]))`

/** SQL: whether tenant `t` of company `c` is closed: its credentials are refused, and nobody can pay it on our pages. */
export const isClosedSql = 'not (c.enabled and t.enabled)'

export type StopScope = 'installation' | 'company' | 'tenant'

export interface NewStop {
  id: string
  scope: StopScope
  /** The id of the company or tenant; `*` for the installation. */
  target: string
  reason: string
  by: string
}

export const everything = '*'

const insertStop = sql(
  'companies.insert-stop',
  `insert into stops (id, scope, target, reason, since, stopped_by) values ($1, $2, $3, $4, $5, $6)`,
)
const lockOpenStop = sql(
  'companies.lock-open-stop',
  'select id from stops where target = $1 and ended_at is null for update',
)
const endOpenStops = sql(
  'companies.end-stops',
  'update stops set ended_at = $2, ended_by = $3 where target = any ($1::text[]) and ended_at is null returning id',
)
const releaseStopped = sql('companies.release-stopped', 'select release_stopped($1, $2) as released').as<{
  released: number
}>()

/** For a target that has no stop yet: the index allows one. */
export const addStop = async (query: Query, wall: number, stop: NewStop): Promise<void> =>
  void (await query(insertStop, [stop.id, stop.scope, stop.target, stop.reason, iso(wall), stop.by]))

/** False: it was stopped already. */
export async function stopSending(query: Query, wall: number, stop: NewStop): Promise<boolean> {
  const [open] = await query(lockOpenStop, [stop.target])
  if (open) return false
  await addStop(query, wall, stop)
  return true
}

/** Ends the open stops of these targets. Returns how many there were. */
export const endStops = async (
  query: Query,
  wall: number,
  targets: readonly string[],
  by: string,
): Promise<number> => (await query(endOpenStops, [targets, iso(wall), by])).length

/** How many debtors are woken by one call of `release_stopped`, and how long their wake-ups take. */
const batchSize = 1_000
const batchMs = batchSize * 20

/** Wakes every debtor that waited for a stop which is over, spread over time. */
export async function wakeReleased(query: Query, wall: number): Promise<number> {
  let total = 0
  for (let batch = 0; ; batch++) {
    const [row] = await query(releaseStopped, [iso(wall + batch * batchMs), batchSize])
    total += row!.released
    if (row!.released < batchSize) return total
  }
}
