import { z } from 'zod'
import { channels } from '../../../domain/contact/channel.ts'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, type Query, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { line, uuid } from '../../../kit/fields.ts'
import type { Environment, Scope } from '../../../kit/operation.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { keyCreatedEvent } from '../api-keys/key-audit-events.ts'
import { newKey } from '../api-keys/key-format.ts'
import type { DailyLimits } from '../daily-limits.ts'
import { scopes } from '../scopes.ts'
import { tiers } from '../tiers.ts'
import { companyChanged, companyClosedByOperator, companyOpenedByOperator } from './company-audit-events.ts'
import { addKey, findCell } from './create-company.ts'
import { endStops, everything, stopSending, wakeReleased } from './stops.ts'

/** What an operator's command runs with. `by` is recorded with every stop. */
export interface OperatorContext {
  pool: Pool
  wall: number
  newId: () => string
  by: string
}

/** Something the operator can put right; its message is all that is shown. */
export class OperatorError extends Error {}

const Reason = line(500)
const requireReason = (reason: string): string => {
  const read = Reason.safeParse(reason)
  if (!read.success) throw new OperatorError('Say why with --reason: one line, 500 characters at most.')
  return read.data
}

interface FoundCompany {
  id: string
  name: string
  enabled: boolean
  production: string
  sandbox: string
  is_opened: boolean
}
const findCompany = sql(
  'companies.find-for-operator',
  `select c.id, c.name, c.enabled, p.id as production, s.id as sandbox, p.enabled as is_opened
     from companies c
     join tenants p on p.company_id = c.id and p.environment = 'production'
     join tenants s on s.company_id = c.id and s.environment = 'sandbox'
    where c.id = $1`,
).as<FoundCompany>()

async function requireCompany(query: Query, id: string): Promise<FoundCompany> {
  const [found] = uuid.safeParse(id).success ? await query(findCompany, [id]) : []
  if (!found)
    throw new OperatorError(
      `There is no company with the id ${JSON.stringify(id)}; \`relance company list\` shows them.`,
    )
  return found
}

/** Nothing more is sent for the company, its credentials are refused and nobody can pay it on our pages. False: it was closed. */
export const closeCompany = (
  context: OperatorContext,
  input: { companyId: string; reason: string },
): Promise<{ name: string; isChanged: boolean }> =>
  inTransaction(context.pool, async query => {
    const { id, name } = await requireCompany(query, input.companyId)
    const reason = requireReason(input.reason)
    const stop = { id: context.newId(), scope: 'company', target: id, reason, by: context.by } as const
    const isChanged = await stopSending(query, context.wall, stop)
    if (isChanged)
      await recordOperatorAudit(query, context, newEvent(companyClosedByOperator, id, { reason }), id)
    return { name, isChanged }
  })

/** Ends every stop of the company, that of its sign-up included. What waited goes on, spread over time. */
export async function openCompany(
  context: OperatorContext,
  companyId: string,
): Promise<{ name: string; isChanged: boolean; woken: number }> {
  const { pool, wall, by } = context
  const opened = await inTransaction(pool, async query => {
    const { id, name, production, sandbox } = await requireCompany(query, companyId)
    const isChanged = (await endStops(query, wall, [id, production, sandbox], by)) > 0
    if (isChanged) await recordOperatorAudit(query, context, newEvent(companyOpenedByOperator, id, {}), id)
    return { name, isChanged }
  })
  // Only now: a wake-up that runs in between sees that the stop is over.
  return { ...opened, woken: await wakeReleased(queryOn(pool), wall) }
}

/** Nothing more is sent by this installation, for anybody. False: it was stopped already. */
export const stopInstallation = (context: OperatorContext, reason: string): Promise<boolean> =>
  inTransaction(context.pool, query =>
    stopSending(query, context.wall, {
      id: context.newId(),
      scope: 'installation',
      target: everything,
      reason: requireReason(reason),
      by: context.by,
    }),
  )

export async function resumeInstallation({ pool, wall, by }: OperatorContext): Promise<{
  isChanged: boolean
  woken: number
}> {
  const ended = await inTransaction(pool, query => endStops(query, wall, [everything], by))
  return { isChanged: ended > 0, woken: await wakeReleased(queryOn(pool), wall) }
}

/** Makes a key without a credential of the company: for one that has lost all of its own, or never had one. */
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
        `${company.name} is not open for production; \`relance company open --company ${company.id}\` opens it.`,
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
    const read = Changes.safeParse(changes)
    if (!read.success) throw new OperatorError(z.prettifyError(read.error))
    const { sellsTo, tier, requestsPerMinute, inFlight } = read.data
    await query(saveChanges, [id, sellsTo ?? null, tier ?? null, requestsPerMinute ?? null, inFlight ?? null])
    const changed = Object.entries(read.data).flatMap(([field, value]) =>
      value === undefined ? [] : [field],
    )
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

/** Sets the daily limit of one channel; what is not given is that of the tier again. */
export const changeDailyLimit = (
  { pool, wall, newId }: Pick<OperatorContext, 'pool' | 'wall' | 'newId'>,
  {
    companyId,
    ...limit
  }: { companyId: string; channel: string; messages?: number | undefined; cents?: number | undefined },
): Promise<{ name: string }> =>
  inTransaction(pool, async query => {
    const { id, name } = await requireCompany(query, companyId)
    const read = Limit.safeParse(limit)
    if (!read.success) throw new OperatorError(z.prettifyError(read.error))
    const { channel, ...given } = read.data
    await query(saveLimit, [id, channel, JSON.stringify(given)])
    const changed = [`dailyLimits.${channel}`]
    await recordOperatorAudit(query, { wall, newId }, newEvent(companyChanged, id, { changed }), id)
    return { name }
  })

export interface ListedCompany {
  id: string
  name: string
  tier: string
  sells_to: string
  daily_limits: DailyLimits
  state: 'open' | 'closed' | 'not opened'
  created_at: number
}
const listed = `select c.id, c.name, c.tier, c.default_debtor_type as sells_to, c.daily_limits, c.created_at,
          case when not c.enabled then 'closed' when p.enabled then 'open' else 'not opened' end as state
     from companies c cross join lateral (
       select enabled from tenants where company_id = c.id and environment = 'production' offset 0) p`
const selectCompanies = sql(
  'companies.list-for-operator',
  `${listed} where c.id > $1 order by c.id limit 100`,
).as<ListedCompany>()
const selectListed = sql('companies.get-for-operator', `${listed} where c.id = $1`).as<ListedCompany>()

const firstId = '00000000-0000-0000-0000-000000000000'

export async function* listCompanies({ pool }: Pick<OperatorContext, 'pool'>): AsyncGenerator<ListedCompany> {
  for (let after: string | undefined = firstId; after; ) {
    const rows: ListedCompany[] = await queryOn(pool)(selectCompanies, [after])
    yield* rows
    after = rows.at(-1)?.id
  }
}

const selectStops = sql(
  'companies.list-stops',
  `select scope, reason, since, stopped_by, ended_at, ended_by from stops where target = any ($1::text[]) order by since, id limit 100`,
)
const countKeys = sql(
  'companies.count-keys',
  `select t.environment,
          (select count(*) from (select 1 from api_keys k where k.tenant_id = t.id and k.enabled limit 100) counted) as keys
     from tenants t where t.company_id = $1`,
).as<{ environment: Environment; keys: number }>()

/** Everything the operator may know of a company: nothing of its debtors. */
export async function showCompany({ pool }: Pick<OperatorContext, 'pool'>, companyId: string) {
  const query = queryOn(pool)
  const { id, production, sandbox } = await requireCompany(query, companyId)
  const [[company], stops, keys] = await Promise.all([
    query(selectListed, [id]),
    query(selectStops, [[id, production, sandbox]]),
    query(countKeys, [id]),
  ])
  return {
    ...company!,
    created_at: iso(company!.created_at),
    enabled_keys: Object.fromEntries(keys.map(row => [row.environment, row.keys])),
    stops: stops.map(stop => ({
      ...stop,
      since: iso(stop.since),
      ended_at: stop.ended_at === null ? null : iso(stop.ended_at),
    })),
  }
}
