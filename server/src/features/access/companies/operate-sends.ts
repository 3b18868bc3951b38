import { setTimeout as pause } from 'node:timers/promises'
import { type ProviderName, providerNames } from '../../../adapters/channel.ts'
import { type Clock, iso } from '../../../kit/clock.ts'
import { inTransaction, pagesOf, type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { uuid } from '../../../kit/fields.ts'
import { type OperatorContext, requireReason } from './operate.ts'
import { OperatorError, requireCompany } from './require-company.ts'
import {
  endStops,
  everything,
  type StopKind,
  type StopScope,
  stopSending,
  waitForOpenTransactions,
  wakeReleased,
} from './stops.ts'

/** Whose sending a command concerns; without a field, that of the whole installation. */
export interface SendsTarget {
  company?: string | undefined
  tenant?: string | undefined
  provider?: string | undefined
}

interface FoundTarget {
  scope: StopScope
  target: string
  /** For the operator to read. */
  name: string
}

const findTenant = sql(
  'companies.find-tenant',
  `select t.id, c.name, t.environment from tenants t join companies c on c.id = t.company_id where t.id = $1`,
)

const isProvider = (name: string): name is ProviderName => (providerNames as readonly string[]).includes(name)

async function requireTarget(query: Query, { company, tenant, provider }: SendsTarget): Promise<FoundTarget> {
  if ([company, tenant, provider].filter(given => given !== undefined).length > 1)
    throw new OperatorError('Say one of --company, --tenant and --provider, or none of them for everybody.')
  if (company !== undefined) {
    const { id, name } = await requireCompany(query, company)
    return { scope: 'company', target: id, name }
  }
  if (tenant !== undefined) {
    const [found] = uuid.safeParse(tenant).success ? await query(findTenant, [tenant]) : []
    if (!found) throw new OperatorError(`There is no tenant with the id ${JSON.stringify(tenant)}.`)
    return { scope: 'tenant', target: found.id, name: `${found.name} (${found.environment})` }
  }
  if (provider !== undefined) {
    if (!isProvider(provider))
      throw new OperatorError(
        `There is no provider ${JSON.stringify(provider)}; there are ${providerNames.join(', ')}.`,
      )
    return { scope: 'provider', target: provider, name: provider }
  }
  return { scope: 'installation', target: everything, name: 'everybody' }
}

/** Nothing more is sent for the target. False: it was stopped already. */
export const stopSends = (
  context: OperatorContext,
  wanted: SendsTarget,
  reason: string,
): Promise<FoundTarget & { isChanged: boolean }> =>
  inTransaction(context.pool, async query => {
    const found = await requireTarget(query, wanted)
    const { scope, target } = found
    const stop = { id: context.newId(), scope, target, kind: 'stop', by: context.by } as const
    const isChanged = await stopSending(query, context.wall, { ...stop, reason: requireReason(reason) })
    return { ...found, isChanged }
  })

const releaseParked = sql(
  'companies.release-parked',
  'select release_parked($1, $2::uuid, $3) as released',
).as<{ released: number }>()
const releasedAtOnce = 1_000

/** Wakes debtors that were parked after eight failures, of one tenant or of all. Returns how many. */
export async function unparkDebtors(
  { pool, wall }: OperatorContext,
  tenant: string | undefined,
): Promise<number> {
  const query = queryOn(pool)
  const { scope, target } = await requireTarget(query, { tenant })
  let total = 0
  for (let released = releasedAtOnce; released === releasedAtOnce; total += released)
    released = (
      await query(releaseParked, [iso(wall + total * 20), scope === 'tenant' ? target : null, releasedAtOnce])
    )[0]!.released
  return total
}

const acceptDatabase = sql('companies.accept-database', 'select accept_database()')

/**
 * Ends the operator's stop of the target. For the whole installation it also ends the quarantine: messages may be sent from this
 * database. Waiting debtors are woken, spread over time.
 */
export async function resumeSends(
  context: OperatorContext,
  wanted: SendsTarget,
): Promise<FoundTarget & { ended: readonly StopKind[]; woken: number }> {
  const { pool, wall, by } = context
  const resumed = await inTransaction(pool, async query => {
    const found = await requireTarget(query, wanted)
    // Before the stop ends: otherwise a worker that checks in between would put the database in quarantine again.
    if (found.scope === 'installation') await query(acceptDatabase, [])
    return { ...found, ended: await endStops(query, wall, [found.target], ['stop', 'quarantine'], by) }
  })
  return { ...resumed, woken: await wakeReleased(queryOn(pool), wall) }
}

const countInFlight = sql('companies.count-in-flight', 'select count_in_flight($1, $2) as leaving').as<{
  leaving: number
}>()

/** A generous limit for the clock difference between workers and operator. */
const clocksMs = 5_000

/**
 * Waits until no message that passed the fence before the stop can still leave. A send lasts at most one lease after its fence.
 * `onWait` gets the number of messages that are still leaving.
 */
export async function waitForSendsToEnd(
  { pool, clock, leaseMs }: Pick<OperatorContext, 'pool'> & { clock: Clock; leaseMs: number },
  target: string,
  onWait: (leaving: number) => void = () => {},
): Promise<void> {
  const query = queryOn(pool)
  // A transaction that was writing a fence when the stop was committed may not have seen the stop.
  await waitForOpenTransactions(query, 'communications')
  let said = 0
  for (;;) {
    const since = clock.wall() - leaseMs - clocksMs
    const [row] = await query(countInFlight, [target, iso(since)])
    const { leaving } = row!
    if (leaving === 0) return
    if (leaving !== said) onWait(leaving)
    said = leaving
    await pause(50)
  }
}

export interface OpenStop {
  scope: StopScope
  kind: StopKind
  target: string
  reason: string
  since: number
  stopped_by: string
  known_until: number | null
}
const selectOpenStops = sql(
  'companies.list-open-stops',
  `select scope, kind, target, reason, since, stopped_by, known_until from stops
    where ended_at is null and kind <> 'close' and (target, kind) > ($1, $2) order by target, kind limit 100`,
).as<OpenStop>()

/** The stops that are in force. Companies that are closed or not opened are in their own list. */
export async function* listOpenStops({ pool }: Pick<OperatorContext, 'pool'>): AsyncGenerator<OpenStop> {
  const first: Pick<OpenStop, 'target' | 'kind'> = { target: '', kind: 'close' }
  const pages = pagesOf(first, after => queryOn(pool)(selectOpenStops, [after.target, after.kind]))
  for await (const rows of pages) yield* rows
}

const selectOwnStops = sql(
  'companies.list-stops-of-everybody',
  `select kind, known_until from stops where target = '${everything}' and ended_at is null and kind in ('stop', 'quarantine')`,
).as<{ kind: StopKind; known_until: number | null }>()

/** The time up to which a database in quarantine knows what was sent; else null. Refuses if sending is not stopped. */
export async function requireStopped({ pool }: Pick<OperatorContext, 'pool'>): Promise<number | null> {
  const stops = await queryOn(pool)(selectOwnStops, [])
  if (stops.length === 0)
    throw new OperatorError('Sending is not stopped; `relance-server sends stop` stops it.')
  return stops.find(({ kind }) => kind === 'quarantine')?.known_until ?? null
}
