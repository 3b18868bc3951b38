import { z } from 'zod'
import type { Actor, Scope } from '../../../kit/actor.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { type KeyGrants, limitedRefusal } from '../../access/api-keys/key-grants.ts'
import { scopes } from '../../access/scopes.ts'
import { eventScopesMissing } from './errors.ts'
import { readScopeOf } from './event-scopes.ts'

/** The actor who saved a webhook last. It ends with that key, application, consent or membership, or with the right to it. */
export const Maker = z
  .object({
    kind: z.enum(['api_key', 'oauth_client', 'person']),
    id: z.string(),
    onBehalfOf: outputUuid.optional().meta({ description: 'The person whose consent the application has' }),
  })
  .meta({ id: 'WebhookMaker' })

export interface MakerRow {
  maker_kind: 'api_key' | 'oauth_client' | 'person' | null
  maker_id: string | null
  maker_person: string | null
}

export const toMaker = ({ maker_kind, maker_id, maker_person }: MakerRow): z.input<typeof Maker> | null =>
  maker_kind === null || maker_id === null
    ? null
    : { kind: maker_kind, id: maker_id, ...(maker_person !== null && { onBehalfOf: maker_person }) }

export const makerOf = ({ kind, id, onBehalfOf }: Actor): MakerRow =>
  kind === 'api_key' || kind === 'oauth_client' || kind === 'person'
    ? { maker_kind: kind, maker_id: id, maker_person: onBehalfOf ?? null }
    : { maker_kind: null, maker_id: null, maker_person: null }

/** The scopes that a webhook needs: to manage webhooks, and to read its events. */
export const scopesNeededFor = (events: readonly string[]): Scope[] =>
  scopes.filter(scope => scope === 'webhooks:manage' || events.some(type => readScopeOf(type) === scope))

/**
 * Refuses a caller that may not read these events, or whose key expires or is bound to addresses. Its grants are read under
 * lock, before the webhook is locked: a concurrent deletion of the key takes the same order, and ends the webhook too.
 */
export function requireEventScopes(caller: KeyGrants, events: readonly string[]): Scope[] {
  const needed = scopesNeededFor(events)
  if (!needed.every(scope => caller.scopes.includes(scope))) throw eventScopesMissing.make(needed)
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
