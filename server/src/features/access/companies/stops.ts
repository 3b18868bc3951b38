import { setTimeout as pause } from 'node:timers/promises'
import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'

/** Why nothing is sent for a tenant. */
export const stopReasons = [
  'sending_stopped',
  'mandate_missing',
  'collector_unconfigured',
  'company_incomplete',
] as const
export type StopReason = (typeof stopReasons)[number]

/**
 * SQL: why nothing is sent for tenant `t`, by the function `stop_reason`; null if sending is allowed. A sandbox sends nothing to
 * real people, so neither a stop of the installation nor an incomplete company applies to it.
 */
export const stopReasonSql = 'stop_reason(t.id)'

/** SQL: whether tenant `t` of company `c` is closed: its credentials are refused, and debtors cannot pay it on our pages. */
export const isClosedSql = 'not (c.enabled and t.enabled)'

export type StopScope = 'installation' | 'company' | 'tenant' | 'provider'

/**
 * `close` also refuses credentials, `stop` only ends sending, `quarantine` is set by a worker. `by_company` is set and ended by
 * people of the company; the others belong to the operator.
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

/** The target must have no open stop of this kind: the index allows only one. */
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

/** Ends the open stops of these targets and kinds. Returns the kinds that were ended. */
export const endStops = async (
  query: Query,
  wall: number,
  targets: readonly string[],
  kinds: readonly StopKind[],
  by: string,
): Promise<StopKind[]> => (await query(endOpenStops, [targets, kinds, iso(wall), by])).map(({ kind }) => kind)

// A transaction that changes the table takes one of these lock modes before it reads the stops.
const listHolders = sql(
  'companies.list-lock-holders',
  `select distinct pid || ' ' || virtualtransaction as holder from pg_locks
    where locktype = 'relation' and mode in ('RowShareLock', 'RowExclusiveLock') and relation = to_regclass($1)
      and database = (select oid from pg_database where datname = current_database())`,
).as<{ holder: string }>()

/** More than half a minute: longer than any transaction of ours. Forgotten sessions of other clients are not waited for. */
const looksMax = 4_000

/**
 * Waits for every transaction that is changing the table now: it may have read the stops before their latest change. A
 * transaction that begins later sees the change. False: at least one lasted longer than the wait.
 */
export async function waitForOpenTransactions(
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
 * Wakes every debtor that waited for an ended stop, spread over time. First waits for transactions that are planning a debtor
 * now: they may have seen the stop, and their debtor would only be found an hour later.
 */
export async function wakeReleased(query: Query, wall: number): Promise<number> {
  await waitForOpenTransactions(query, 'agendas')
  let total = 0
  for (let batch = 0; ; batch++) {
    const [row] = await query(releaseStopped, [iso(wall + batch * batchMs), batchSize])
    total += row!.released
    if (row!.released < batchSize) return total
  }
}
