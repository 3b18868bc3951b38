import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { changeableFields, clientUpdated, clientUpdatedEvent } from './audit-events.ts'
import { clientIsOff, clientNotFound, scopesExceedCaller, settingsContradict } from './errors.ts'
import {
  type ClientRow,
  clientFields,
  clientInPath,
  faultInSettings,
  OAuthClient,
  toClient,
} from './schema.ts'
import { inTenant, lockEnabledClient, newMakerSql, refuseExceeding } from './store.ts'

const OAuthClientUpdate = z
  .strictObject({
    name: clientFields.name.optional(),
    redirectUris: clientFields.redirectUris.optional(),
    scopes: clientFields.scopes.optional(),
    grantTypes: clientFields.grantTypes.optional(),
  })
  .refine(body => Object.keys(body).length > 0, 'has nothing to change')
  .meta({ id: 'OAuthClientUpdate', description: 'Only the fields sent change' })

const updateClientRow = sql(
  'oauth.update-client',
  `update oauth_clients set name = $2, redirect_uris = $3, scopes = $4, grant_types = $5, updated_at = $6, ${newMakerSql(7)} where id = $1 and ${inTenant}`,
)

export const updateClient = operation({
  id: 'oauthClients.update',
  method: 'PUT',
  path: '/api/v1/oauth-clients/:id',
  summary: 'Change an OAuth client',
  description:
    'A removed scope is withdrawn at once from every token, including those in use; an added scope applies to new consents and new tokens only.',
  scopes: ['webhooks:manage'],
  fresh: true,
  params: clientInPath,
  body: OAuthClientUpdate,
  status: 200,
  reply: OAuthClient,
  errors: [clientNotFound, scopesExceedCaller, limitedCaller, settingsContradict, clientIsOff],
  assistant: 'never',
  audit: [clientUpdated],
  example: {
    body: {
      name: 'Accounting connector, version 2',
      redirectUris: ['https://example.com/oauth/v2/callback', 'com.example.accounting:/callback'],
      scopes: ['webhooks:manage'],
      grantTypes: ['authorization_code', 'refresh_token'],
    },
  },
  async run(call) {
    const { tx, actor, wall, params, body } = call
    const { caller, client: before } = await lockEnabledClient(tx, actor, params.id)
    const after: ClientRow = {
      ...before,
      name: body.name ?? before.name,
      redirect_uris: body.redirectUris ?? before.redirect_uris,
      scopes: body.scopes ?? before.scopes,
      grant_types: body.grantTypes ?? before.grant_types,
    }
    refuseExceeding(caller, after.scopes)
    const fault = faultInSettings({ redirectUris: after.redirect_uris, grantTypes: after.grant_types })
    if (fault) throw settingsContradict.make(fault)
    const [oldReply, newReply] = [toClient(before), toClient(after)]
    const changed = changeableFields.filter(name => !isDeepStrictEqual(oldReply[name], newReply[name]))
    if (changed.length === 0) return newReply
    tx.atCommit(updateClientRow, [
      after.id,
      after.name,
      after.redirect_uris,
      after.scopes,
      after.grant_types,
      iso(wall),
      caller.made_by,
      caller.maker_role,
    ])
    recordAudit(tx, [clientUpdatedEvent(after, changed)], call)
    return newReply
  },
})
