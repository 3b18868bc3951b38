import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import type { LocalDate } from '../../../domain/time.ts'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, pagesOf, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { line } from '../../../kit/fields.ts'
import { validateBody } from '../../../kit/http/validate.ts'
import { lowestId } from '../../../kit/uuid.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { keyCreatedEvent } from '../api-keys/audit-events.ts'
import { newKey } from '../api-keys/key-format.ts'
import type { DailyLimits } from '../daily-limits.ts'
import { scopes } from '../scopes.ts'
import { tiers } from '../tiers.ts'
import { companyChanged, companyClosedByOperator, companyOpenedByOperator } from './audit-events.ts'
import { findCell } from './company-store.ts'
import { addKey } from './create-company.ts'
import { OperatorError, requireCompany } from './require-company.ts'
import { endStops, stopSending, wakeReleased } from './stops.ts'

/** The dependencies of an operator's command. `by` is recorded with every stop. */
export interface OperatorContext {
  pool: Pool
  wall: number
  newId: () => string
  by: string
}

const Reason = line(500)
export const requireReason = (reason: string): string => {
  const read = Reason.safeParse(reason)
  if (!read.success) throw new OperatorError('Say why with --reason: one line, 500 characters at most.')
  return read.data
}

/** Stops sending for the company, refuses its credentials and ends payments on our pages. `isChanged` false: already closed. */
export const closeCompany = (
  context: OperatorContext,
  input: { companyId: string; reason: string },
): Promise<{ name: string; isChanged: boolean }> =>
  inTransaction(context.pool, async query => {
    const { id, name } = await requireCompany(query, input.companyId)
    const reason = requireReason(input.reason)
    const isChanged = await stopSending(query, context.wall, {
      id: context.newId(),
      scope: 'company',
      target: id,
      kind: 'close',
      reason,
      by: context.by,
    })
    if (isChanged)
      await recordOperatorAudit(query, context, newEvent(companyClosedByOperator, id, { reason }), id)
    return { name, isChanged }
  })

/** Opens a company that was closed or that signed itself up. Waiting debtors are woken, spread over time. */
export async function openCompany(
  context: OperatorContext,
  companyId: string,
): Promise<{ name: string; isChanged: boolean; woken: number }> {
  const { pool, wall, by } = context
  const opened = await inTransaction(pool, async query => {
    const { id, name, production, sandbox } = await requireCompany(query, companyId)
    const isChanged = (await endStops(query, wall, [id, production, sandbox], ['close'], by)).length > 0
    if (isChanged) await recordOperatorAudit(query, context, newEvent(companyOpenedByOperator, id, {}), id)
    return { name, isChanged }
  })
  // After the commit, so that a debtor that is woken sees that the stop is over.
  return { ...opened, woken: await wakeReleased(queryOn(pool), wall) }
}

/** Creates a key without a credential of the company, for a company that has lost all its keys or never had one. */
export const makeKey = (
  context: OperatorContext & { keyring: Keyring },
  input: { companyId: string; environment: string; scopes: readonly string[] | undefined },
): Promise<{ name: string; key: string }> =>
  inTransaction(context.pool, async query => {
    const company = await requireCompany(query, input.companyId)
    const { environment } = input
    if (environment !== 'production' && environment !== 'sandbox')
      throw new OperatorError('Say --environment production or --environment sandbox.')
    const unknown = (input.scopes ?? []).find(scope => !(scopes as readonly string[]).includes(scope))
    if (unknown !== undefined) throw new OperatorError(`There is no scope ${JSON.stringify(unknown)}.`)
    if (!company.enabled) throw new OperatorError(`${company.name} is closed; open it first.`)
    if (environment === 'production' && !company.is_opened)
      throw new OperatorError(
        `${company.name} is not open for production; \`relance-server company open --company ${company.id}\` opens it.`,
      )
    const [installation] = await query(findCell, [])
    const settings = {
      name: 'Made by the operator',
      scopes: (input.scopes as Scope[] | undefined) ?? scopes,
    }
    const key = newKey(environment, installation!.cell)
    const { row, text } = await addKey(query, context, key, company[environment], settings)
    await recordOperatorAudit(query, context, keyCreatedEvent(row, environment), company.id)
    return { name: company.name, key: text }
  })

const Changes = z.strictObject({
  sellsTo: z.enum(debtorTypes).optional(),
  tier: z.enum(tiers).optional(),
  requestsPerMinute: z.int().positive().max(1_000_000).optional(),
  inFlight: z.int().positive().max(100_000).optional(),
})
const saveChanges = sql(
  'companies.change',
  `update companies set default_debtor_type = coalesce($2, default_debtor_type), tier = coalesce($3, tier),
          requests_per_minute = coalesce($4, requests_per_minute), in_flight = coalesce($5, in_flight)
    where id = $1`,
)

export const changeCompany = (
  { pool, wall, newId }: Pick<OperatorContext, 'pool' | 'wall' | 'newId'>,
  companyId: string,
  changes: z.input<typeof Changes>,
): Promise<{ name: string }> =>
  inTransaction(pool, async query => {
    const { id, name } = await requireCompany(query, companyId)
    const wanted = validateBody(Changes, changes)
    const { sellsTo, tier, requestsPerMinute, inFlight } = wanted
    await query(saveChanges, [id, sellsTo ?? null, tier ?? null, requestsPerMinute ?? null, inFlight ?? null])
    const changed = Object.entries(wanted).flatMap(([field, value]) => (value === undefined ? [] : [field]))
    await recordOperatorAudit(query, { wall, newId }, newEvent(companyChanged, id, { changed }), id)
    return { name }
  })

const Limit = z.strictObject({
  channel: z.enum(channels),
  messages: z.int().min(0).max(10_000_000).optional(),
  cents: z.int().min(0).max(1_000_000_000).optional(),
})
const saveLimit = sql(
  'companies.save-daily-limit',
  `update companies set daily_limits = daily_limits - $2::text || case when $3::jsonb = '{}' then '{}'
            else jsonb_build_object($2::text, $3::jsonb) end
    where id = $1`,
)

/** Sets the daily limit of one channel. A value that is not given is reset to that of the tier. */
export const changeDailyLimit = (
  { pool, wall, newId }: Pick<OperatorContext, 'pool' | 'wall' | 'newId'>,
  {
    companyId,
    ...limit
  }: { companyId: string; channel: string; messages?: number | undefined; cents?: number | undefined },
): Promise<{ name: string }> =>
  inTransaction(pool, async query => {
    const { id, name } = await requireCompany(query, companyId)
    const { channel, ...given } = validateBody(Limit, limit)
    await query(saveLimit, [id, channel, JSON.stringify(given)])
    const changed = [`dailyLimits.${channel}`]
    await recordOperatorAudit(query, { wall, newId }, newEvent(companyChanged, id, { changed }), id)
    return { name }
  })

const Quota = z.strictObject({ megabytes: z.int().min(0).max(10_000_000).optional() })
const saveQuota = sql('companies.save-storage-quota', 'update companies set storage_bytes = $2 where id = $1')

/** Sets what it may store in each environment; without a value, that of its tier. */
export const changeStorageQuota = (
  { pool, wall, newId }: Pick<OperatorContext, 'pool' | 'wall' | 'newId'>,
  { companyId, ...quota }: { companyId: string; megabytes?: number | undefined },
): Promise<{ name: string }> =>
  inTransaction(pool, async query => {
    const { id, name } = await requireCompany(query, companyId)
    const { megabytes } = validateBody(Quota, quota)
    await query(saveQuota, [id, megabytes === undefined ? null : megabytes * 1024 * 1024])
    await recordOperatorAudit(
      query,
      { wall, newId },
      newEvent(companyChanged, id, { changed: ['storageQuota'] }),
      id,
    )
    return { name }
  })

export interface ListedCompany {
  id: string
  name: string
  tier: string
  sells_to: string
  daily_limits: DailyLimits
  /** Null: that of the tier. */
  storage_bytes: number | null
  state: 'open' | 'closed' | 'not opened'
  created_at: number
  mandate_signed_on: LocalDate | null
  mandate_reference: string | null
}
const listed = `select c.id, c.name, c.tier, c.default_debtor_type as sells_to, c.daily_limits, c.storage_bytes, c.created_at, c.mandate_signed_on,
          c.mandate_reference,
          case when not c.enabled then 'closed' when p.enabled then 'open' else 'not opened' end as state
     from companies c cross join lateral (
       select enabled from tenants where company_id = c.id and environment = 'production' offset 0) p`
const selectCompanies = sql(
  'companies.list-for-operator',
  `${listed} where c.id > $1 order by c.id limit 100`,
).as<ListedCompany>()
const selectListed = sql('companies.get-for-operator', `${listed} where c.id = $1`).as<ListedCompany>()

export async function* listCompanies({ pool }: Pick<OperatorContext, 'pool'>): AsyncGenerator<ListedCompany> {
  const pages = pagesOf({ id: lowestId }, after => queryOn(pool)(selectCompanies, [after.id]))
  for await (const rows of pages) yield* rows
}

const selectStops = sql(
  'companies.list-stops',
  `select scope, kind, reason, since, stopped_by, ended_at, ended_by from stops where target = any ($1::text[]) order by since, id limit 100`,
)
const countByEnvironment = sql(
  'companies.count-by-environment',
  `select t.environment,
          (select count(*) from (select 1 from api_keys k where k.tenant_id = t.id and k.enabled limit 100) counted) as keys,
          (select coalesce(sum(s.bytes), 0)::bigint from stored_bytes s where s.tenant_id = t.id) as stored_bytes
     from tenants t where t.company_id = $1`,
).as<{ environment: Environment; keys: number; stored_bytes: number }>()

/** Everything the operator may see of a company: nothing about its debtors. */
export async function showCompany({ pool }: Pick<OperatorContext, 'pool'>, companyId: string) {
  const query = queryOn(pool)
  const { id, production, sandbox } = await requireCompany(query, companyId)
  const [[company], stops, environments] = await Promise.all([
    query(selectListed, [id]),
    query(selectStops, [[id, production, sandbox]]),
    query(countByEnvironment, [id]),
  ])
  return {
    ...company!,
    created_at: iso(company!.created_at),
    enabled_keys: Object.fromEntries(environments.map(row => [row.environment, row.keys])),
    stored_bytes: Object.fromEntries(environments.map(row => [row.environment, row.stored_bytes])),
    stops: stops.map(stop => ({
      ...stop,
      since: iso(stop.since),
      ended_at: stop.ended_at === null ? null : iso(stop.ended_at),
    })),
  }
}
