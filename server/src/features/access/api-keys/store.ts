import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Call } from '../../../kit/operation.ts'
import { mailOwners } from '../owner-mails.ts'
import { type CallerGrants, grantsOf } from './caller-grants.ts'
import { keyNotFound } from './errors.ts'
import { maskKey, newKey } from './key-format.ts'
import { type KeyRow, type KeySettings, keysMax, type Maker } from './schema.ts'

// The table has no row-level policy: each statement filters by the tenant.
const inTenant = `tenant_id = current_setting('relance.tenant')::uuid`

export const keyColumns =
  'id, name, prefix, scopes, ip_whitelist, enabled, created_at, last_used_at, expires_at, made_by, maker_role'

type Caller = CallerGrants & { cell: string; enabled_keys: number; is_open: boolean }

const acquireKeysLock = sql(
  'api-keys.lock',
  `select pg_advisory_xact_lock(hashtextextended('api keys of ' || current_setting('relance.tenant'), 0))`,
)
const readTenantState = sql(
  'api-keys.get-cell-and-keys',
  `select cell,
          (select enabled from tenants where id = current_setting('relance.tenant')::uuid) as is_open,
          (select count(*) from (select 1 from api_keys where ${inTenant} and enabled limit ${keysMax}) counted) as enabled_keys
     from installation`,
).as<Pick<Caller, 'cell' | 'enabled_keys' | 'is_open'>>()
const selectKey = sql(
  'api-keys.get',
  `select ${keyColumns} from api_keys where id = $1 and ${inTenant}`,
).as<KeyRow>()
const insertKey = sql(
  'api-keys.insert',
  `insert into api_keys (tenant_id, id, name, lookup, secret_mac, prefix, scopes, ip_whitelist, expires_at, created_at, made_by, maker_role)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)
const disableKey = sql(
  'api-keys.disable',
  `update api_keys set enabled = false, version = version + 1, replaced_by = $2 where id = $1 and ${inTenant} and enabled`,
)

/**
 * Locks the keys of the tenant for a change, and then reads the caller's grants again. So the count of keys is exact, the second
 * of two rotations finds the key disabled, and a withdrawn credential cannot create a key afterwards.
 */
export async function lockKeys(tx: Tx, actor: Actor): Promise<Caller> {
  const [, grants, [tenantState]] = await Promise.all([
    tx.rows(acquireKeysLock, []),
    grantsOf(tx, actor),
    tx.rows(readTenantState, []),
  ])
  return { ...grants, ...tenantState! }
}

/** The same, with one key of the tenant. */
export async function lockKey(tx: Tx, actor: Actor, id: string): Promise<{ caller: Caller; key: KeyRow }> {
  const [caller, [key]] = await Promise.all([lockKeys(tx, actor), tx.rows(selectKey, [id])])
  if (!key) throw keyNotFound.make()
  return { caller, key }
}

/** Creates a key, and mails it to the owners. Its text is returned and stored nowhere. */
export async function issueKey(
  {
    tx,
    actor,
    wall,
    newId,
    keyring,
  }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'wall' | 'newId' | 'keyring'>,
  { cell, made_by, maker_role }: Maker & { cell: string },
  { name, scopes, ip_whitelist, expires_at }: KeySettings,
): Promise<{ row: KeyRow; text: string }> {
  const { text, lookup } = newKey(actor.environment, cell)
  const row: KeyRow = {
    id: newId(),
    name,
    prefix: maskKey(text),
    scopes,
    ip_whitelist,
    enabled: true,
    created_at: wall,
    last_used_at: null,
    expires_at,
    made_by,
    maker_role,
  }
  tx.atCommit(insertKey, [
    row.id,
    name,
    lookup,
    keyring.mac('api_key', text),
    row.prefix,
    scopes,
    ip_whitelist,
    expires_at === null ? null : iso(expires_at),
    iso(wall),
    made_by,
    maker_role,
  ])
  await mailOwners(tx.rows, { keyring, wall, newId }, actor.companyId, 'key_created', {
    keys: [{ name, prefix: row.prefix }],
  })
  return { row, text }
}

/** A trigger ends its webhooks, or moves them to the key that replaces it, so that this happens however a key ends. */
export const deactivateKey = (tx: Tx, id: string, replacedBy: string | null): void =>
  tx.atCommit(disableKey, [id, replacedBy])
