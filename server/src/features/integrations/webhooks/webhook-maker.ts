import type { Actor, Scope } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type KeyGrants, limitedRefusal } from '../../access/api-keys/key-grants.ts'
import { scopes } from '../../access/scopes.ts'
import { eventScopesMissing } from './errors.ts'
import { readScopeOf } from './event-scopes.ts'
import type { MakerRow } from './schema.ts'

export const makerOf = ({ kind, id, onBehalfOf }: Actor): MakerRow =>
  kind === 'api_key' || kind === 'oauth_client' || kind === 'person'
    ? { maker_kind: kind, maker_id: id, maker_person: onBehalfOf ?? null }
    : { maker_kind: null, maker_id: null, maker_person: null }

/** The scopes that a webhook needs: to manage webhooks, and to read its events. */
export const scopesNeededFor = (events: readonly string[]): Scope[] =>
  scopes.filter(scope => scope === 'webhooks:manage' || events.some(type => readScopeOf(type) === scope))

/** Whether the caller could have made a webhook of these events: else its secret and its deliveries are not for this caller. */
export const mayManage = ({ scopes: granted }: Pick<Actor, 'scopes'>, events: readonly string[]): boolean =>
  scopesNeededFor(events).every(scope => granted.includes(scope))

/**
 * Refuses a caller that may not read these events, or whose key expires or is bound to addresses. Its grants are read under
 * lock, before the webhook is locked: a concurrent deletion of the key takes the same order, and ends the webhook too.
 */
export function requireEventScopes(caller: KeyGrants, events: readonly string[]): Scope[] {
  const needed = scopesNeededFor(events)
  if (!mayManage(caller, events)) throw eventScopesMissing.make(needed)
  const refusal = limitedRefusal(caller)
  if (refusal) throw refusal
  return needed
}

const saveMaker = sql(
  'webhooks.save-maker',
  `update webhook_endpoints set maker_kind = $2, maker_id = $3, maker_person = $4, needed_scopes = $5
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

export function takeOver(tx: Tx, webhookId: string, maker: MakerRow, needs: readonly Scope[]): void {
  tx.atCommit(saveMaker, [webhookId, maker.maker_kind, maker.maker_id, maker.maker_person, needs])
}
