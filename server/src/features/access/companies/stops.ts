import { setTimeout as pause } from 'node:timers/promises'
import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'

/** Why nothing is sent for a tenant. */
export type StopReason =
  | 'sending_stopped'
  | 'mandate_missing'
  | 'collector_unconfigured'
  | 'company_incomplete'

/**
 * SQL: why nothing is sent for tenant `t`, as the function `stop_reason` judges; null if it may be. A sandbox sends nothing to
 * anybody, so neither a stop of the installation nor an incomplete company concerns it.
 */
export const stopReasonSql = 'stop_reason(t.id)'

/** SQL: whether tenant `t` of company `c` is closed: its credentials are refused, and nobody can pay it on our pages. */
export const isClosedSql = 'not (c.enabled and t.enabled)'

export type StopScope = 'installation' | 'company' | 'tenant' | 'provider'

/**
 * `close` refuses credentials too, `stop` is of sending alone, `quarantine` is found by a worker. `by_company` is asked for by people
 * of the company, and ended by them; the others are the operator's.
 */
export type StopKind = 'close' | 'stop' | 'maintenance' | 'quarantine' | 'by_company'

export interface NewStop {
  id: string
  scope: StopScope
  /** The id of the company or tenant, the name of the provider; `*` for the installation. */
  target: string
  kind: StopKind
  reason: string
  by: string
}

export const everything = '*'

const insertStop = sql(
  'companies.insert-stop',
  `insert into stops (id, scope, target, kind, reason, since, stopped_by) values ($1, $2, $3, $4, $5, $6, $7)`,
)
const lockOpenStop = sql(
  'companies.lock-open-stop',
  'select id from stops where target = $1 and kind = $2 and ended_at is null for update',
)
const endOpenStops = sql(
  'companies.end-stops',
  `update stops set ended_at = $3, ended_by = $4
    where target = any ($1::text[]) and kind = any ($2::text[]) and ended_at is null returning kind`,
).as<{ kind: StopKind }>()
const releaseStopped = sql('companies.release-stopped', 'select release_stopped($1, $2) as released').as<{
  released: number
}>()

/** For a target that has no stop of this kind yet: the index allows one. */
export const addStop = async (query: Query, wall: number, stop: NewStop): Promise<void> => {
  const { id, scope, target, kind, reason, by } = stop
  await query(insertStop, [id, scope, target, kind, reason, iso(wall), by])
}

/** False: it was stopped already. */
export async function stopSending(query: Query, wall: number, stop: NewStop): Promise<boolean> {
  const [open] = await query(lockOpenStop, [stop.target, stop.kind])
  if (open) return false
  await addStop(query, wall, stop)
  return true
}

/** Ends the open stops of these targets and kinds. Returns the kinds of those there were. */
export const endStops = async (
  query: Query,
  wall: number,
  targets: readonly string[],
  kinds: readonly StopKind[],
  by: string,
): Promise<StopKind[]> => (await query(endOpenStops, [targets, kinds, iso(wall), by])).map(({ kind }) => kind)

// Locks are shown with their mode; a transaction takes these before it reads what a stop says.
const listHolders = sql(
  'companies.list-lock-holders',
  `select distinct pid || ' ' || virtualtransaction as holder from pg_locks
    where locktype = 'relation' and mode in ('RowShareLock', 'RowExclusiveLock') and relation = to_regclass($1)
      and database = (select oid from pg_database where datname = current_database())`,
).as<{ holder: string }>()

/** No transaction of ours lasts so long: half a minute and more. A forgotten session of somebody else is not waited for. */
const looksMax = 4_000

/**
 * Waits for every transaction that is changing the table now: it may have looked for stops before the latest change of them.
 * One that begins later sees the change. False: they lasted longer than that.
 */
export async function untilChangesEnd(
  query: Query,
  table: 'agendas' | 'communications',
  looks = looksMax,
): Promise<boolean> {
  const holders = async () => (await query(listHolders, [table])).map(({ holder }) => holder)
  let before = await holders()
  for (let look = 0; before.length > 0 && look < looks; look++) {
    await pause(10)
    const still = new Set(await holders())
    before = before.filter(holder => still.has(holder))
  }
  return before.length === 0
}

/** How many debtors are woken by one call of `release_stopped`, and how long their wake-ups take. */
const batchSize = 1_000
const batchMs = batchSize * 20

/**
 * Wakes every debtor that waited for a stop which is over, spread over time. A look at a debtor that is under way may have seen
 * the stop, and then waits for its end: it is waited for, or it would be found an hour later.
 */
export async function wakeReleased(query: Query, wall: number): Promise<number> {
  await untilChangesEnd(query, 'agendas')
  let total = 0
  for (let batch = 0; ; batch++) {
    const [row] = await query(releaseStopped, [iso(wall + batch * batchMs), batchSize])
    total += row!.released
    if (row!.released < batchSize) return total
  }
}
