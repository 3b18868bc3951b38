import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Actor, Call } from '../../../kit/operation.ts'
import { type KeyRow, type KeySettings, keysMost } from './api-key.ts'
import { powerOf } from './caller.ts'
import { keyNotFound } from './errors.ts'
import { maskKey, newKey } from './key-format.ts'
import type { Power } from './power.ts'

// The table has no policy of its own: each statement says whose keys it means.
const mine = `tenant_id = current_setting('relance.tenant')::uuid`

export const keyColumns =
  'id, name, prefix, scopes, ip_whitelist, enabled, created_at, last_used_at, expires_at'

type Caller = Power & { cell: string; enabled_keys: number }

const lock = sql(
  'api-keys.lock',
  `select pg_advisory_xact_lock(hashtextextended('api keys of ' || current_setting('relance.tenant'), 0))`,
)
const readPlace = sql(
  'api-keys.get-cell-and-keys',
  `select cell,
          (select count(*) from (select 1 from api_keys where ${mine} and enabled limit ${keysMost}) counted) as enabled_keys
     from installation`,
).as<Pick<Caller, 'cell' | 'enabled_keys'>>()
const find = sql('api-keys.get', `select ${keyColumns} from api_keys where id = $1 and ${mine}`).as<KeyRow>()
const insert = sql(
  'api-keys.insert',
  `insert into api_keys (tenant_id, id, name, lookup, secret_mac, prefix, scopes, ip_whitelist, expires_at, created_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)
const switchOff = sql(
  'api-keys.disable',
  `update api_keys set enabled = false, version = version + 1 where id = $1 and ${mine} and enabled`,
)

/**
 * Whoever changes keys has the tenant's keys alone. So the count holds, of two rotations one finds the key dead, and what a
 * credential was asked to give out before it was withdrawn is either there to be seen or never comes: the caller is looked at
 * again once the lock is had.
 */
export async function aloneWithKeys(tx: Tx, actor: Actor): Promise<Caller> {
  const [, power, [place]] = await Promise.all([
    tx.rows(lock, []),
    powerOf(tx, actor),
    tx.rows(readPlace, []),
  ])
  return { ...power, ...place! }
}

/** The same, with the key it is about: one of the tenant's, or none. */
export async function aloneWithKey(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ caller: Caller; key: KeyRow }> {
  const [caller, [key]] = await Promise.all([aloneWithKeys(tx, actor), tx.rows(find, [id])])
  if (!key) throw keyNotFound.make()
  return { caller, key }
}

/** A new key: its text is returned and written nowhere. */
export function mint(
  {
    tx,
    actor,
    wall,
    newId,
    keyring,
  }: Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'wall' | 'newId' | 'keyring'>,
  cell: string,
  { name, scopes, ip_whitelist, expires_at }: KeySettings,
): { row: KeyRow; text: string } {
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
  }
  tx.atCommit(insert, [
    row.id,
    name,
    lookup,
    keyring.mac('api_key', text),
    row.prefix,
    scopes,
    ip_whitelist,
    expires_at === null ? null : iso(expires_at),
    iso(wall),
  ])
  return { row, text }
}

export const deactivate = (tx: Tx, id: string): void => tx.atCommit(switchOff, [id])
