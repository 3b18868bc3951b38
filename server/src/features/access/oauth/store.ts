import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Actor, Scope } from '../../../kit/operation.ts'
import { powerOf } from '../api-keys/caller.ts'
import { isLimited, type Power } from '../api-keys/power.ts'
import { clientIsOff, clientNotFound, scopesBeyondCaller } from './client-errors.ts'
import { type ClientRow, clientColumns, clientsMost } from './oauth-client.ts'

// The table has no policy of its own: each statement says whose clients it means.
export const mine = `tenant_id = current_setting('relance.tenant')::uuid`

const lock = sql(
  'oauth.lock-clients',
  `select pg_advisory_xact_lock(hashtextextended('oauth clients of ' || current_setting('relance.tenant'), 0))`,
)
const readPlace = sql(
  'oauth.get-cell-and-clients',
  `select cell,
          (select count(*) from (
             select 1 from oauth_clients where ${mine} and enabled limit ${clientsMost}) counted) as enabled_clients
     from installation`,
).as<{ cell: string; enabled_clients: number }>()
const find = sql(
  'oauth.get-client',
  `select ${clientColumns} from oauth_clients where id = $1 and ${mine}`,
).as<ClientRow>()

export async function findOwnClient(tx: Tx, id: string): Promise<ClientRow> {
  const [row] = await tx.rows(find, [id])
  if (!row) throw clientNotFound.make()
  return row
}

type Caller = Power & { cell: string; enabled_clients: number }

/** Whoever changes clients has the tenant's clients alone, and is looked at again once it has. */
export async function aloneWithClients(tx: Tx, actor: Actor): Promise<Caller> {
  const [, power, [place]] = await Promise.all([
    tx.rows(lock, []),
    powerOf(tx, actor),
    tx.rows(readPlace, []),
  ])
  return { ...power, ...place! }
}

/** The same, with the client it is about: one that can do nothing the caller cannot. */
export async function aloneWithClient(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ caller: Caller; client: ClientRow }> {
  const [caller, [client]] = await Promise.all([aloneWithClients(tx, actor), tx.rows(find, [id])])
  if (!client) throw clientNotFound.make()
  refuseBeyond(caller, client.scopes)
  return { caller, client }
}

/** To be changed, it has to stand, and to be changed by somebody who may give out what neither ends nor has an address. */
export async function aloneWithLivingClient(
  tx: Tx,
  actor: Actor,
  id: string,
): Promise<{ caller: Caller; client: ClientRow }> {
  const found = await aloneWithClient(tx, actor, id)
  const refusal = isLimited(found.caller)
  if (refusal) throw refusal
  if (!found.client.enabled) throw clientIsOff.make()
  return found
}

export function refuseBeyond(caller: Power, wanted: readonly Scope[]): void {
  if (!wanted.every(scope => caller.scopes.includes(scope))) throw scopesBeyondCaller.make(wanted)
}
