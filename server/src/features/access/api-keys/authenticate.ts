import { LRUCache } from 'lru-cache'
import type { Actor, Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { type Keyring, sha256 } from '../../../kit/crypto.ts'
import type { Pool } from '../../../kit/db/pool.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { companyClosed, companyNotOpened } from '../../../kit/http/envelope.ts'
import type { HttpContext, Principal } from '../../../kit/http/http-context.ts'
import { covers, type IpBlock, readAddress } from '../../../kit/ip-block.ts'
import type { Role } from '../roles.ts'
import { allowanceOf, type Tier } from '../tiers.ts'
import { lookupOf } from './key-format.ts'
import { blocksOf } from './key-grants.ts'
import type { LastUseRecorder } from './last-use.ts'

interface KeyRow {
  id: string
  tenant_id: string
  company_id: string
  environment: Environment
  secret_mac: string
  scopes: Scope[]
  ip_whitelist: string[]
  enabled: boolean
  company_enabled: boolean
  tenant_enabled: boolean
  version: number
  expires_at: number | null
  maker_role: Role | null
  tier: Tier
  requests_per_minute: number | null
  in_flight: number | null
}

const findKey = sql(
  'api-keys.find-by-lookup',
  `select k.id, k.tenant_id, t.company_id, t.environment, k.secret_mac, k.scopes, k.ip_whitelist, k.enabled,
          c.enabled as company_enabled, t.enabled as tenant_enabled, k.version, k.expires_at, k.maker_role, c.tier, c.requests_per_minute, c.in_flight
     from api_keys k join tenants t on t.id = k.tenant_id join companies c on c.id = t.company_id
    where k.lookup = $1`,
).as<KeyRow>()
const enterByKey = sql('api-keys.enter', 'select enter_by_key($1, $2, $3) as offset_ms').as<{
  offset_ms: number
}>()

interface CachedKey {
  principal: Principal
  /** The addresses the key may be used from; null: any address. */
  allowed: readonly IpBlock[] | null
}

const invalid = () =>
  new ApiError(
    'AUTH_002',
    'This API key is not valid; check that it was copied whole and not revoked or rotated.',
  )

function isWithin(allowed: readonly IpBlock[], address: string): boolean {
  const from = readAddress(address)
  return from !== null && allowed.some(block => covers(block, from))
}

function principalOf(row: KeyRow): Principal {
  const actor: Actor = {
    kind: 'api_key',
    id: row.id,
    tenantId: row.tenant_id,
    companyId: row.company_id,
    environment: row.environment,
    scopes: row.scopes,
    ...(row.maker_role !== null && { role: row.maker_role }),
  }
  return {
    actor,
    subject: row.tenant_id,
    allowance: allowanceOf(row.tier, row.requests_per_minute, row.in_flight),
    queueKey: row.id,
    entry: wall => ({ statement: enterByKey, values: [row.id, row.version, iso(wall)] }),
  }
}

/**
 * Key → principal. The cache saves only the look-up and the HMAC; the opening statement of every transaction checks again
 * that the key is still valid.
 */
export function keyAuthentication(
  pool: Pool,
  keyring: Keyring,
  lastUse: Pick<LastUseRecorder, 'record' | 'forget'>,
): {
  authenticate(key: string, address: string, wall: number): Promise<Principal>
  forget: HttpContext['forget']
} {
  const cachedKeys = new LRUCache<string, CachedKey>({ max: 20_000, ttl: 30_000 })

  async function loadKey(text: string, wall: number): Promise<CachedKey> {
    const lookup = lookupOf(text)
    if (!lookup) throw invalid()
    const row = (await pool.query<KeyRow>({ ...findKey, values: [lookup] })).rows[0]
    if (!row || !keyring.verifyMac('api_key', text, row.secret_mac)) throw invalid()
    if (!row.enabled || (row.expires_at !== null && row.expires_at <= wall)) throw invalid()
    if (!row.company_enabled) throw companyClosed.make()
    if (!row.tenant_enabled) throw companyNotOpened.make()
    const allowed = row.ip_whitelist.length > 0 ? blocksOf(row.ip_whitelist) : null
    return { principal: principalOf(row), allowed }
  }

  return {
    async authenticate(key, address, wall) {
      const name = sha256(key).toString('base64')
      let entry = cachedKeys.get(name)
      if (!entry) {
        entry = await loadKey(key, wall)
        cachedKeys.set(name, entry)
      }
      if (entry.allowed && !isWithin(entry.allowed, address))
        throw new ApiError(
          'AUTH_005',
          `Your address, ${address}, is not on this key's whitelist; add it to the key, or call from a listed one.`,
        )
      lastUse.record(entry.principal.actor.id, wall)
      return entry.principal
    },
    forget(actor) {
      lastUse.forget(actor.id)
      for (const [name, entry] of cachedKeys.entries())
        if (entry.principal.actor.id === actor.id) cachedKeys.delete(name)
    },
  }
}
