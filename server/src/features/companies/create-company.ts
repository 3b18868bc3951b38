import { z } from 'zod'
import { iso } from '../../kit/clock.ts'
import type { Keyring } from '../../kit/crypto.ts'
import type { Pool } from '../../kit/db/pool.ts'
import { email, line } from '../../kit/fields.ts'
import { type Environment, scopes } from '../../kit/operation.ts'
import { maskKey, newKey } from '../api-keys/key-format.ts'
import { tiers } from './tiers.ts'

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

interface World {
  pool: Pool
  keyring: Keyring
  wall: number
  newId: () => string
}

/** A company, its two tenants and one key with every scope for each: the only moment the keys are seen. */
export async function createCompany(
  world: World,
  input: z.input<typeof CompanyInput>,
): Promise<CreatedCompany> {
  const company = CompanyInput.parse(input)
  const { wall, newId } = world
  const companyId = newId()
  const client = await world.pool.connect()
  try {
    await client.query('begin')
    const cell = (await client.query<{ cell: string }>('select cell from installation')).rows[0]!.cell
    await client.query(
      `insert into companies (id, name, owner_email, reply_email, tier, country, time_zone, language, currency,
         default_debtor_type, requests_per_minute, in_flight, created_at)
       values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        companyId,
        company.name,
        company.ownerEmail,
        company.tier,
        company.country,
        company.timeZone,
        company.language,
        company.currency,
        company.sellsTo,
        company.requestsPerMinute ?? null,
        company.inFlight ?? null,
        iso(wall),
      ],
    )
    const made: Record<string, { tenantId: string; key: string }> = {}
    for (const environment of ['production', 'sandbox'] as const) {
      const tenantId = newId()
      const key = newKey(environment, cell)
      await client.query(
        'insert into tenants (id, company_id, environment, created_at) values ($1, $2, $3, $4)',
        [tenantId, companyId, environment, iso(wall)],
      )
      await client.query(
        `insert into api_keys (id, tenant_id, name, lookup, secret_mac, prefix, scopes, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          newId(),
          tenantId,
          'First key',
          key.lookup,
          world.keyring.mac('api_key', key.text),
          maskKey(key.text),
          scopes,
          iso(wall),
        ],
      )
      made[environment] = { tenantId, key: key.text }
    }
    await client.query('commit')
    return {
      companyId,
      name: company.name,
      tenants: { production: made.production!.tenantId, sandbox: made.sandbox!.tenantId },
      productionKey: made.production!.key,
      sandboxKey: made.sandbox!.key,
    }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
