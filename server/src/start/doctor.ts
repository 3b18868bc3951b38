import { join } from 'node:path'
import { horizon } from '../domain/contact/calendar.ts'
import { unknownHalfYears } from '../domain/money/late-payment.ts'
import { listRates } from '../features/access/companies/late-payment-rates.ts'
import { megabytes, tierQuotas } from '../features/access/stored-bytes/quota.ts'
import { readBacklog } from '../features/integrations/tasks/task-metrics.ts'
import { listFailingNights, nightsLateMs } from '../features/platform/nights/nights.ts'
import {
  countPending,
  listAwayProviders,
  listParked,
  listStopsOfAll,
} from '../features/recovery/agenda/status-store.ts'
import { iso } from '../kit/clock.ts'
import { pendingMigrations } from '../kit/db/migrate.ts'
import type { Pool } from '../kit/db/pool.ts'
import { queryOn } from '../kit/db/query.ts'
import { sql } from '../kit/db/statement.ts'
import { isDatabaseFault } from '../kit/db/transaction.ts'
import { countWorkers } from '../kit/heartbeat.ts'
import { operatorPool } from './company-commands.ts'
import type { Config } from './config.ts'
import { checkServices, type Finding, isLoginRefused } from './doctor-services.ts'

const minute = 60_000
const halfYear = 183 * 24 * 60 * minute

/** The count stops here: the table may be large, and the exact number does not matter. */
const countedMax = 1_000
const atMost = (count: number) => (count >= countedMax ? `${countedMax} or more` : String(count))

const countOverdue = sql(
  'doctor.count-overdue',
  `select count(*) as count from (
     select 1 from agendas
      where taken_generation <> wake_generation and wake_at is not null and is_sandbox = false and wake_at < $1
      order by wake_at limit ${countedMax}) waiting`,
).as<{ count: number }>()
const countTakenBefore = sql(
  'doctor.count-taken-before',
  `select count(*) as count from (
     select 1 from agendas
      where taken_generation = wake_generation and wake_at is not null and is_sandbox = false and taken_at < $1
      order by taken_at limit ${countedMax}) taken`,
).as<{ count: number }>()

// The operator's command creates a company with its first keys, a sign-up creates it without keys. A sign-up is stopped until the
// operator opens it, so an opened one has a stop that ended.
const unvettedSignUps = `select c.id from companies c join tenants t on t.company_id = c.id and t.environment = 'production'
  where c.enabled and t.enabled
    and not exists (select from tenants o join api_keys k on k.tenant_id = o.id and k.created_at = c.created_at where o.company_id = c.id)
    and not exists (select from stops s where s.target in (c.id::text, t.id::text))
  order by c.id limit 20`

interface Fullest {
  tenant_id: string
  used: number
  quota: number
  total: number
}
// Reads a few rows of each tenant: the bytes as they were folded last.
const fullestTenants = `select t.id as tenant_id, s.used, q.quota, (sum(s.used) over ())::bigint as total
     from (select tenant_id, sum(bytes)::bigint as used from stored_bytes group by 1) s
     join tenants t on t.id = s.tenant_id join companies c on c.id = t.company_id
     cross join lateral (select coalesce(c.storage_bytes, ($1::jsonb ->> c.tier)::bigint) as quota) q
    order by s.used::numeric / greatest(q.quota, 1) desc, t.id limit 20`

/** Checks the database. */
export async function doctor(
  pool: Pool,
  wall: number,
  { FENCE_SYNCHRONOUS_COMMIT: fenceCommit }: Pick<Config, 'FENCE_SYNCHRONOUS_COMMIT'>,
): Promise<Finding[]> {
  const query = queryOn(pool)
  const readNumber = async (text: string) => (await pool.query<{ n: number }>(text)).rows[0]!.n
  const workers = await countWorkers(query)
  const [stop] = await query(listStopsOfAll, [])
  const away = await query(listAwayProviders, [])
  const overdue = (await query(countOverdue, [iso(wall - 5 * minute)]))[0]!.count
  const taken = (await query(countTakenBefore, [iso(wall - 10 * minute)]))[0]!.count
  const parked = await query(listParked, [countedMax])
  const { stuck } = (await query(countPending, []))[0]!
  const backlog = await readBacklog(query, wall)
  const badNights = await listFailingNights(query)
  const fullest = (await pool.query<Fullest>(fullestTenants, [JSON.stringify(tierQuotas)])).rows
  const full = fullest.filter(({ used, quota }) => used >= 0.9 * quota)
  const nightsLate = await nightsLateMs(query, wall)
  const unvetted = (await pool.query<{ id: string }>(unvettedSignUps)).rows.map(({ id }) => id)
  const shifted = await readNumber('select clock_offset_ms as n from installation')
  const uncollected = await readNumber(
    `select count(*)::integer as n from companies, installation i where mandate_signed_on is not null and i.collector is null`,
  )
  const standbys = await readNumber(
    `select cardinality(string_to_array(current_setting('synchronous_standby_names'), ',')) as n`,
  )
  const rates = (await listRates(pool)).map(({ kind, starts_on, rate_bps }) => ({
    kind,
    startsOn: starts_on,
    bps: rate_bps,
  }))
  const unknownRates = unknownHalfYears(rates, iso(wall).slice(0, 10))
  const waitsForStandby = fenceCommit?.startsWith('remote_') ?? false
  const firstParked = parked
    .slice(0, 3)
    .map(({ debtor_id, parked_because }) => `${debtor_id} (${parked_because})`)
  return [
    {
      isFine: workers > 0,
      text: `${workers} workers are alive`,
      next: 'start one (`relance-server worker`) and read its log; nothing is sent before',
    },
    {
      isFine: stop === undefined,
      text: stop
        ? `sending is stopped for everybody since ${iso(stop.since)}, by ${stop.stopped_by}: ${stop.reason}`
        : 'sending is not stopped',
      next: 'when the reason is gone, end the stop: `relance-server help` shows the command; what waited is then sent little by little',
    },
    {
      isFine: away.length === 0,
      text:
        away.length === 0
          ? 'no provider is away'
          : away
              .map(
                ({ channel, provider, since, reason }) =>
                  `${provider} (${channel}) is away since ${iso(since)}: ${reason}`,
              )
              .join('; '),
      next: 'see its status page, and your credentials and credit there; one message tries again by itself, the others wait',
    },
    {
      isFine: overdue === 0,
      text: `${atMost(overdue)} debtors wait longer than 5 minutes for their wake-up`,
      next: 'with workers alive there are too few for the work, or one tenant has much: start more, and look at relance_send_lateness_seconds',
    },
    {
      isFine: taken === 0,
      text: `${atMost(taken)} wake-ups were taken over 10 minutes ago and are not done`,
      next: 'search the logs of the workers for "task failed"; it is retried, and parked after eight failures',
    },
    {
      isFine: parked.length === 0,
      text: `${atMost(parked.length)} debtors are parked and wait for a person${parked.length > 0 ? `: ${firstParked.join(', ')}` : ''}`,
      next: 'the log says why under "agenda parked"; fix the cause, then run `relance-server sends unpark`',
    },
    {
      isFine: stuck === 0,
      text: `${atMost(stuck)} messages were handed over three times and are still not settled`,
      next: 'search the logs of the workers for "task failed", and ask the provider whether it answers',
    },
    {
      isFine: backlog.over_15m === 0,
      text: `${backlog.pending} tasks wait or run; ${backlog.over_15m} of them could have run for longer than 15 minutes`,
      next: 'start a worker; else search the logs of the workers for "job" and "task"',
    },
    {
      isFine: badNights.length === 0,
      text: `${atMost(badNights.length)} tenants had a night that failed${
        badNights.length > 0
          ? `: ${badNights
              .slice(0, 3)
              .map(({ tenant_id, failures }) => `${tenant_id} (${failures} times)`)
              .join(', ')}`
          : ''
      }`,
      next: 'search the logs of the workers for "the night of a tenant failed"; their scores are old, and expired data is not deleted',
    },
    {
      isFine: nightsLate < 6 * 60 * minute,
      text:
        nightsLate < 6 * 60 * minute
          ? 'the nights of tenants are done in time'
          : `a tenant has waited for its night for ${Math.floor(nightsLate / 60 / minute)} hours`,
      next: 'nights are a job that begins every minute: search the logs of the workers for "job" and "night"',
    },
    {
      isFine: shifted === 0,
      text: `the installation's clock is shifted by ${shifted} ms`,
      next: 'production refuses to start with it; it is for development only',
    },
    {
      isFine: !waitsForStandby || standbys > 0,
      text: `messages wait for a standby before they leave: ${fenceCommit ?? 'not set'}; ${standbys} named in synchronous_standby_names`,
      next: 'name the standby in synchronous_standby_names, or leave FENCE_SYNCHRONOUS_COMMIT out: now nothing waits for it',
    },
    {
      isFine: unvetted.length === 0,
      text:
        unvetted.length === 0
          ? 'every open company was made or opened by the operator'
          : `open, though they signed themselves up and the operator never opened them: ${unvetted.join(', ')}`,
      next: 'close those you do not know (`relance-server company close`); close and open the others',
    },
    {
      isFine: uncollected === 0,
      text:
        uncollected === 0
          ? 'no company with a mandate waits for the settings of the collector'
          : `${uncollected} companies with a mandate send nothing: the workers have not all settings COLLECTOR_…`,
      next: 'set COLLECTOR_NAME, _ADDRESS, _SIREN, _DECLARED_ON, _INSURER and _ACCOUNT for the workers, or end the mandates with `relance-server company mandate --end`',
    },
    {
      isFine: horizon.to > iso(wall + halfYear).slice(0, 10),
      text: `public holidays are known until ${horizon.to}`,
      next: 'install a newer release before that day: nothing is sent after it',
    },
    // Nothing else stops for a tenant that is full, so it is only a note.
    {
      isFine: true,
      isNote: full.length > 0,
      text: `files and imports of all tenants take ${megabytes(fullest[0]?.total ?? 0)}${
        full.length > 0
          ? `; these have little room left, \`relance-server company storage\` gives more: ${full
              .map(({ tenant_id, used, quota }) => `${tenant_id} (${megabytes(used)} of ${megabytes(quota)})`)
              .join(', ')}`
          : ''
      }`,
    },
    // A rate may not be published yet, and nothing stops without it, so it is only a note.
    {
      isFine: true,
      isNote: unknownRates.length > 0,
      text:
        unknownRates.length === 0
          ? 'the rates of interest for late payment are known to this day'
          : `no interest for late payment is claimed for the half-years from ${unknownRates.join(', ')}: their rates are not known; \`relance-server rates add\` adds them`,
    },
  ]
}

const migrationsDirectory = join(import.meta.dirname, '../../migrations')

async function checkDatabase(config: Config, wall: number, directory: string): Promise<Finding[]> {
  const pool = operatorPool(config)
  try {
    const pending = await pendingMigrations(queryOn(pool), directory)
    const migrations: Finding = {
      isFine: pending.length === 0,
      text:
        pending.length === 0
          ? 'every migration was applied'
          : `not applied yet: ${pending.join(', ')}; nothing else about the database was looked at`,
      next: 'run `relance-server migrate`; it may run beside api and workers',
    }
    return pending.length > 0 ? [migrations] : [migrations, ...(await doctor(pool, wall, config))]
  } catch (error) {
    const isRefused = isLoginRefused(error)
    if (!isRefused && !isDatabaseFault(error)) throw error
    return [
      {
        isFine: false,
        text: isRefused
          ? 'the database refuses the login of OPERATOR_DATABASE_URL'
          : 'the database does not answer',
        next: isRefused
          ? 'correct OPERATOR_DATABASE_URL, or run `relance-server bootstrap` once per database server'
          : 'start PostgreSQL, or correct OPERATOR_DATABASE_URL; api and workers wait for it by themselves',
      },
    ]
  } finally {
    await pool.end()
  }
}

/** Everything that the command `doctor` checks: the database, and the services around it. */
export const examine = async (
  config: Config,
  wall: number,
  directory = migrationsDirectory,
): Promise<Finding[]> =>
  (await Promise.all([checkDatabase(config, wall, directory), checkServices(config)])).flat()
