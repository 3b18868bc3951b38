import type { Actor, Scope } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type CallerGrants, grantsOf } from '../api-keys/caller-grants.ts'
import { type KeyGrants, limitedRefusal } from '../api-keys/key-grants.ts'
import { clientIsOff, clientNotFound, scopesExceedCaller } from './errors.ts'
import { type ClientRow, clientColumns, clientsMax } from './schema.ts'

// The table has no row-level policy: each statement filters by the tenant.
export const inTenant = `tenant_id = current_setting('relance.tenant')::uuid`

const acquireClientsLock = sql(
  'oauth.lock-clients',
  `select pg_advisory_xact_lock(hashtextextended('oauth clients of ' || current_setting('relance.tenant'), 0))`,
)
const readTenantState = sql(
  'oauth.get-cell-and-clients',
  `select cell,
          (select count(*) from (
             select 1 from oauth_clients where ${inTenant} and enabled limit ${clientsMax}) counted) as enabled_clients
     from installation`,
).as<{ cell: string; enabled_clients: number }>()
const selectOwnClient = sql(
  'oauth.get-client',
  `select ${clientColumns} from oauth_clients where id = $1 and ${inTenant}`,
).as<ClientRow>()

export async function findOwnClient(tx: Tx, id: string): Promise<ClientRow> {
  const [row] = await tx.rows(selectOwnClient, [id])
  if (!row) throw clientNotFound.make()
  return row
}

type Caller = CallerGrants & { cell: string; enabled_clients: number }

/** Locks the clients of the tenant for a change, and then reads the caller's grants again. */
export async function lockClients(tx: Tx, actor: Actor): Promise<Caller> {
  const [, grants, [tenantState]] = await Promise.all([
    tx.rows(acquireClientsLock, []),
    grantsOf(tx, actor),
    tx.rows(readTenantState, []),
  ])
  return { ...grants, ...tenantState! }
}

/** The same, with one client; it must not have more scopes than the caller. */
export async function lockClient(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ caller: Caller; client: ClientRow }> {
  const [caller, [client]] = await Promise.all([lockClients(tx, actor), tx.rows(selectOwnClient, [id])])
  if (!client) throw clientNotFound.make()
  refuseExceeding(caller, client.scopes)
  return { caller, client }
}

/** The same, for a change: the client must be enabled, and the caller's key must have no expiry and no whitelist. */
export async function lockEnabledClient(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ caller: Caller; client: ClientRow }> {
  const found = await lockClient(tx, actor, id)
  const refusal = limitedRefusal(found.caller)
  if (refusal) throw refusal
  if (!found.client.enabled) throw clientIsOff.make()
  return found
}

/** SQL: whoever changes an application is its maker from then on. A key of the operator has none, and leaves the one there was. */
export const newMakerSql = (at: number): string =>
  `made_by = coalesce($${at}, made_by), maker_role = case when $${at}::uuid is null then maker_role else $${at + 1} end`

export function refuseExceeding(caller: KeyGrants, wanted: readonly Scope[]): void {
  if (!wanted.every(scope => caller.scopes.includes(scope))) throw scopesExceedCaller.make(wanted)
}
