import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { optional } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { limitedRefusal } from '../api-keys/key-grants.ts'
import { clientCreated, clientCreatedEvent } from './audit-events.ts'
import { scopesExceedCaller, tooManyClients } from './errors.ts'
import {
  type ClientRow,
  clientFields,
  clientsMax,
  faultInSettings,
  NewOAuthClient,
  newClientId,
  newClientSecret,
  toClient,
} from './schema.ts'
import { lockClients, refuseExceeding } from './store.ts'

const OAuthClientInput = z
  .strictObject({ ...clientFields, redirectUris: optional(clientFields.redirectUris) })
  .superRefine((body, context) => {
    const fault = faultInSettings(body)
    if (fault) context.addIssue({ code: 'custom', path: [fault.field], message: fault.message })
  })
  .meta({ id: 'OAuthClientInput' })

const insertClient = sql(
  'oauth.insert-client',
  `insert into oauth_clients (id, tenant_id, company_id, environment, name, redirect_uris, scopes, grant_types, secret_hash, made_by, maker_role,
     created_at, updated_at)
   values ($1, current_setting('relance.tenant')::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)`,
)

export const registerClient = operation({
  id: 'oauthClients.create',
  method: 'POST',
  path: '/api/v1/oauth-clients',
  summary: 'Register an application that gets its own access tokens, or asks people for theirs',
  description: `It can have only scopes you have, and acts in the environment of your credential. A tenant has ${clientsMax} enabled clients at most.`,
  scopes: ['webhooks:manage'],
  fresh: true,
  body: OAuthClientInput,
  status: 201,
  reply: NewOAuthClient,
  secret: { shownOnce: 'Keep the client secret now: it is shown this once and cannot be read again.' },
  errors: [scopesExceedCaller, limitedCaller, tooManyClients],
  // The reply contains a secret, and a model could repeat it.
  assistant: 'never',
  audit: [clientCreated],
  example: {
    body: {
      name: 'Accounting connector',
      redirectUris: ['https://example.com/oauth/callback'],
      scopes: ['webhooks:manage'],
      grantTypes: ['client_credentials', 'authorization_code', 'refresh_token'],
    },
  },
  async run(call) {
    const { tx, actor, wall, body } = call
    const caller = await lockClients(tx, actor)
    refuseExceeding(caller, body.scopes)
    const refusal = limitedRefusal(caller)
    if (refusal) throw refusal
    if (caller.enabled_clients >= clientsMax) throw tooManyClients.make(clientsMax)
    const secret = newClientSecret(caller.cell)
    const row: ClientRow = {
      id: newClientId(caller.cell),
      name: body.name,
      redirect_uris: body.redirectUris ?? [],
      scopes: body.scopes,
      grant_types: body.grantTypes,
      environment: actor.environment,
      enabled: true,
      created_at: wall,
    }
    tx.atCommit(insertClient, [
      row.id,
      actor.companyId,
      row.environment,
      row.name,
      row.redirect_uris,
      row.scopes,
      row.grant_types,
      plainSha256(secret),
      caller.made_by,
      caller.maker_role,
      iso(wall),
    ])
    recordAudit(tx, [clientCreatedEvent(row)], call)
    return { ...toClient(row), clientSecret: secret }
  },
})
