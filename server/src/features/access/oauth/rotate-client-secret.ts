import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { clientSecretRotated, secretRotatedEvent } from './audit-events.ts'
import { clientIsOff, clientNotFound, scopesExceedCaller } from './errors.ts'
import { clientInPath, NewOAuthClient, newClientSecret, toClient } from './schema.ts'
import { inTenant, lockEnabledClient, newMakerSql } from './store.ts'

const updateSecret = sql(
  'oauth.rotate-client-secret',
  `update oauth_clients set secret_hash = $2, updated_at = $3, ${newMakerSql(4)} where id = $1 and ${inTenant}`,
)

export const rotateClientSecret = operation({
  id: 'oauthClients.rotateSecret',
  method: 'POST',
  path: '/api/v1/oauth-clients/:id/rotate-secret',
  summary: 'Exchange the secret of an OAuth client for a new one',
  description:
    'The old secret is invalid at once. Access tokens already issued remain valid for up to an hour; delete the client to end them too.',
  scopes: ['webhooks:manage'],
  fresh: true,
  params: clientInPath,
  status: 200,
  reply: NewOAuthClient,
  secret: { shownOnce: 'Keep the new client secret now: it is shown this once. The old one works no more.' },
  errors: [clientNotFound, scopesExceedCaller, limitedCaller, clientIsOff],
  assistant: 'never',
  audit: [clientSecretRotated],
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller, client } = await lockEnabledClient(tx, actor, params.id)
    const secret = newClientSecret(caller.cell)
    tx.atCommit(updateSecret, [client.id, plainSha256(secret), iso(wall), caller.made_by, caller.maker_role])
    recordAudit(tx, [secretRotatedEvent(client)], call)
    return { ...toClient(client), clientSecret: secret }
  },
})
