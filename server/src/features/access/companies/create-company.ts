import { z } from 'zod'
import { debtorTypes } from '../../../domain/debtor-type.ts'
import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { inTransaction, type Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { email, line } from '../../../kit/fields.ts'
import { countryCode, currencyCode } from '../../platform/code-fields.ts'
import { recordOperatorAudit } from '../../platform/events/record-company-audit.ts'
import { maskKey, newKey } from '../api-keys/key-format.ts'
import type { KeyRow } from '../api-keys/schema.ts'
import { scopes } from '../scopes.ts'
import { tiers } from '../tiers.ts'
import { companyCreated } from './audit-events.ts'
import { findCell } from './company-store.ts'

export const CompanyInput = z.strictObject({
  name: line(200),
  ownerEmail: email,
  tier: z.enum(tiers).default('starter'),
  country: countryCode.default('FR'),
  timeZone: z.string().default('Europe/Paris'),
  language: z.enum(['fr', 'en']).default('fr'),
  currency: currencyCode.default('EUR'),
  sellsTo: z.enum(debtorTypes).default('consumer'),
  requestsPerMinute: z.int().positive().max(1_000_000).optional(),
  inFlight: z.int().positive().max(100_000).optional(),
})

export interface CreatedCompany {
  companyId: string
  name: string
  tenants: Record<Environment, string>
  productionKey: string
  sandboxKey: string
}

interface CreationTime {
  wall: number
  newId: () => string
}

interface CompanyCreationContext extends CreationTime {
  pool: Pool
  keyring: Keyring
}

const insertCompany = sql(
  'companies.insert',
  `insert into companies (id, name, owner_email, reply_email, country, time_zone, language, currency, default_debtor_type, created_at)
   values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9)`,
)
const setTier = sql(
  'companies.set-tier',
  'update companies set tier = $2, requests_per_minute = $3, in_flight = $4 where id = $1',
)
const insertTenant = sql(
  'companies.insert-tenant',
  'insert into tenants (id, company_id, environment, created_at) values ($1, $2, $3, $4)',
)
const insertKey = sql(
  'companies.insert-key',
  `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** Adds a company of the first tier with its two tenants. All companies are created here. */
export async function addCompany(
  query: Query,
  { wall, newId }: CreationTime,
  input: Omit<z.input<typeof CompanyInput>, 'tier' | 'requestsPerMinute' | 'inFlight'>,
): Promise<Omit<CreatedCompany, 'productionKey' | 'sandboxKey'>> {
  const company = CompanyInput.parse(input)
  const companyId = newId()
  const tenants = { production: newId(), sandbox: newId() }
  await query(insertCompany, [
    companyId,
    company.name,
    company.ownerEmail,
    company.country,
    company.timeZone,
    company.language,
    company.currency,
    company.sellsTo,
    iso(wall),
  ])
  for (const environment of ['production', 'sandbox'] as const)
    await query(insertTenant, [tenants[environment], companyId, environment, iso(wall)])
  return { companyId, name: company.name, tenants }
}

/** Adds a key without a credential of the company: its first keys, or one that the operator creates. */
export async function addKey(
  query: Query,
  { keyring, newId, wall }: Omit<CompanyCreationContext, 'pool'>,
  key: { text: string; lookup: string },
  tenantId: string,
  settings: { name: string; scopes: readonly Scope[] } = { name: 'First key', scopes },
): Promise<{ row: KeyRow; text: string }> {
  const { text, lookup } = key
  const row: KeyRow = {
    ...settings,
    id: newId(),
    prefix: maskKey(text),
    ip_whitelist: [],
    enabled: true,
    created_at: wall,
    last_used_at: null,
    expires_at: null,
    made_by: null,
    maker_role: null,
  }
  const mac = keyring.mac('api_key', text)
  await query(insertKey, [row.id, tenantId, row.name, lookup, mac, row.prefix, row.scopes, iso(wall)])
  return { row, text }
}

/** Creates a company with one key of all scopes for each tenant. The keys are returned here only. */
export const createCompany = (
  context: CompanyCreationContext,
  input: z.input<typeof CompanyInput>,
): Promise<CreatedCompany> =>
  inTransaction(context.pool, async query => {
    const [installation] = await query(findCell, [])
    const { cell } = installation!
    const { tier, requestsPerMinute, inFlight, ...company } = CompanyInput.parse(input)
    const created = await addCompany(query, context, company)
    await query(setTier, [created.companyId, tier, requestsPerMinute ?? null, inFlight ?? null])
    const { production, sandbox } = created.tenants
    const productionKey = await addKey(query, context, newKey('production', cell), production)
    const sandboxKey = await addKey(query, context, newKey('sandbox', cell), sandbox)
    const { companyId } = created
    const about = { companyId, keyIds: [productionKey.row.id, sandboxKey.row.id] }
    await recordOperatorAudit(query, context, newEvent(companyCreated, companyId, about), companyId)
    return { ...created, productionKey: productionKey.text, sandboxKey: sandboxKey.text }
  })
