import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { Actor, Scope } from '../../../kit/operation.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { callerIsGone } from './errors.ts'
import type { Power } from './power.ts'

// `for share`: whoever takes the key, the client, the role or the consent away waits until what was given out can be seen, or came
// first and is seen here.
const shareKey = sql(
  'api-keys.share-key',
  `select scopes, ip_whitelist, expires_at from api_keys
    where id = $1 and tenant_id = current_setting('relance.tenant')::uuid and enabled for share`,
).as<Power>()
const shareClient = sql(
  'api-keys.share-client',
  'select scopes from oauth_clients where id = $1 and enabled for share',
).as<{ scopes: Scope[] }>()
const shareRole = sql(
  'api-keys.share-role',
  'select role from memberships where person_id = $1 and company_id = $2 for share',
).as<{ role: Role }>()

const shareGrants = sql(
  'api-keys.share-grants',
  `select id from oauth_grants where person_id = $1 and client_id = $2 and $3 = any (company_ids) and revoked_at is null for share`,
)

/** What the caller can do at this moment, whatever it could when the request came. A token has no address and no end of its own. */
export async function powerOf(tx: Tx, actor: Actor): Promise<Power> {
  if (actor.kind === 'api_key') {
    const [key] = await tx.rows(shareKey, [actor.id])
    if (!key) throw callerIsGone.make()
    return key
  }
  const personId = actor.onBehalfOf
  const [[client], [member], [grant]] = await Promise.all([
    tx.rows(shareClient, [actor.id]),
    personId === undefined ? [] : tx.rows(shareRole, [personId, actor.companyId]),
    personId === undefined ? [] : tx.rows(shareGrants, [personId, actor.id, actor.companyId]),
  ])
  if (!client || (personId !== undefined && (!member || !grant))) throw callerIsGone.make()
  const ofClient = actor.scopes.filter(scope => client.scopes.includes(scope))
  const scopes = member ? scopesOfRole(member.role, ofClient) : ofClient
  return { scopes, ip_whitelist: [], expires_at: null }
}
