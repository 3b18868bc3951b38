import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { recordActs } from '../../platform/events/record-events.ts'
import { limitedCaller } from '../api-keys/errors.ts'
import { secretRotated } from './client-acts.ts'
import { clientIsOff, clientNotFound, scopesBeyondCaller } from './client-errors.ts'
import { clientInPath, NewOAuthClient, newClientSecret, toClient } from './oauth-client.ts'
import { aloneWithLivingClient, mine } from './store.ts'

const exchange = sql(
  'oauth.rotate-client-secret',
  `update oauth_clients set secret_hash = $2, updated_at = $3 where id = $1 and ${mine}`,
)

export const rotateClientSecret = operation({
  id: 'oauthClients.rotateSecret',
  method: 'POST',
  path: '/api/v1/oauth-clients/:id/rotate-secret',
  summary: 'Exchange the secret of an OAuth client for a new one',
  description:
    'The old secret is dead at once. Access tokens it was used for live out their hour; delete the client to end them too.',
  scopes: ['webhooks:manage'],
  params: clientInPath,
  status: 200,
  reply: NewOAuthClient,
  shownOnce: 'Keep the new client secret now: it is shown this once. The old one works no more.',
  errors: [clientNotFound, scopesBeyondCaller, limitedCaller, clientIsOff],
  assistant: 'never',
  async run(call) {
    const { tx, actor, wall, params } = call
    const { caller, client } = await aloneWithLivingClient(tx, actor, params.id)
    const secret = newClientSecret(caller.cell)
    tx.atCommit(exchange, [client.id, plainSha256(secret), iso(wall)])
    recordActs(tx, [secretRotated(client)], call)
    return { ...toClient(client), clientSecret: secret }
  },
})
