import type { Actor, Scope } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import { callerIsGone } from './errors.ts'
import type { KeyGrants } from './key-grants.ts'
import type { Maker } from './schema.ts'

export type CallerGrants = KeyGrants & Maker

// `for share`: a transaction that revokes the key, the client, the role or the consent either waits for this one, or has
// committed before and is seen here.
const shareKey = sql(
  'api-keys.share-key',
  `select scopes, ip_whitelist, expires_at, made_by, maker_role from api_keys
    where id = $1 and tenant_id = current_setting('relance.tenant')::uuid and enabled for share`,
).as<CallerGrants>()
const shareClient = sql(
  'api-keys.share-client',
  'select scopes, made_by, maker_role from oauth_clients where id = $1 and enabled for share',
).as<{ scopes: Scope[] } & Maker>()
const shareRole = sql(
  'api-keys.share-role',
  'select role from memberships where person_id = $1 and company_id = $2 for share',
).as<{ role: Role }>()

const shareGrants = sql(
  'api-keys.share-grants',
  `select id from oauth_grants where person_id = $1 and client_id = $2 and $3 = any (company_ids) and revoked_at is null for share`,
)

/** The current grants of the caller, read under lock: they may have changed since the request came. */
export async function grantsOf(tx: Tx, actor: Actor): Promise<CallerGrants> {
  if (actor.kind === 'api_key') {
    const [key] = await tx.rows(shareKey, [actor.id])
    if (!key) throw callerIsGone.make()
    return key
  }
  if (actor.kind === 'person') {
    const [member] = await tx.rows(shareRole, [actor.id, actor.companyId])
    if (!member) throw callerIsGone.make()
    const maker = { made_by: actor.id, maker_role: member.role }
    return { scopes: scopesOfRole(member.role, scopes), ip_whitelist: [], expires_at: null, ...maker }
  }
  const personId = actor.onBehalfOf
  const [[client], [member], [grant]] = await Promise.all([
    tx.rows(shareClient, [actor.id]),
    personId === undefined ? [] : tx.rows(shareRole, [personId, actor.companyId]),
    personId === undefined ? [] : tx.rows(shareGrants, [personId, actor.id, actor.companyId]),
  ])
  if (!client || (personId !== undefined && (!member || !grant))) throw callerIsGone.make()
  const clientScopes = actor.scopes.filter(scope => client.scopes.includes(scope))
  const granted = member ? scopesOfRole(member.role, clientScopes) : clientScopes
  const { made_by, maker_role } = client
  const maker = member ? { made_by: personId!, maker_role: member.role } : { made_by, maker_role }
  return { scopes: granted, ip_whitelist: [], expires_at: null, ...maker }
}
