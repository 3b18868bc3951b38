import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { type Ask, together } from '../../../kit/db/plain.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import { email, line } from '../../../kit/fields.ts'
import type { Environment } from '../../../kit/operation.ts'
import { maskKey, newKey } from '../api-keys/key-format.ts'
import { scopes } from '../scopes.ts'
import { tiers } from '../tiers.ts'

export const CompanyInput = z.strictObject({
  name: line(200),
  ownerEmail: email,
  tier: z.enum(tiers).default('starter'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters')
    .default('FR'),
  timeZone: z.string().default('Europe/Paris'),
  language: z.enum(['fr', 'en']).default('fr'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
    .default('EUR'),
  sellsTo: z.enum(['business', 'consumer', 'public_body']).default('consumer'),
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

interface Moment {
  wall: number
  newId: () => string
}

interface World extends Moment {
  pool: Pool
  keyring: Keyring
}

const findCell = sql('companies.get-cell', 'select cell from installation')
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

/** A company of the first tier and its two tenants: the one way there is to make them. */
export async function addCompany(
  ask: Ask,
  { wall, newId }: Moment,
  input: Omit<z.input<typeof CompanyInput>, 'tier' | 'requestsPerMinute' | 'inFlight'>,
): Promise<Omit<CreatedCompany, 'productionKey' | 'sandboxKey'>> {
  const company = CompanyInput.parse(input)
  const companyId = newId()
  const tenants = { production: newId(), sandbox: newId() }
  await ask(insertCompany, [
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
    await ask(insertTenant, [tenants[environment], companyId, environment, iso(wall)])
  return { companyId, name: company.name, tenants }
}

async function addKey(
  ask: Ask,
  world: World,
  key: { text: string; lookup: string },
  tenantId: string,
): Promise<string> {
  const { keyring, newId, wall } = world
  const mac = keyring.mac('api_key', key.text)
  await ask(insertKey, [
    newId(),
    tenantId,
    'First key',
    key.lookup,
    mac,
    maskKey(key.text),
    scopes,
    iso(wall),
  ])
  return key.text
}

/** A company with one key of every scope for each of its tenants: the only moment the keys are seen. */
export const createCompany = (world: World, input: z.input<typeof CompanyInput>): Promise<CreatedCompany> =>
  together(world.pool, async ask => {
    const [installation] = await ask(findCell, [])
    const { cell } = installation!
    const { tier, requestsPerMinute, inFlight, ...company } = CompanyInput.parse(input)
    const made = await addCompany(ask, world, company)
    await ask(setTier, [made.companyId, tier, requestsPerMinute ?? null, inFlight ?? null])
    const { production, sandbox } = made.tenants
    return {
      ...made,
      productionKey: await addKey(ask, world, newKey('production', cell), production),
      sandboxKey: await addKey(ask, world, newKey('sandbox', cell), sandbox),
    }
  })
