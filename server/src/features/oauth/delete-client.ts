import { z } from 'zod'
import { iso } from '../../kit/clock.ts'
import { sql } from '../../kit/db/statement.ts'
import { operation, withdrawalPatienceMs } from '../../kit/operation.ts'
import { recordActs } from '../events/record-events.ts'
import { deleted } from './client-acts.ts'
import { clientNotFound, scopesBeyondCaller } from './client-errors.ts'
import { clientInPath } from './oauth-client.ts'
import { aloneWithClient, mine } from './store.ts'

const switchOff = sql(`update oauth_clients set enabled = false, updated_at = $2 where id = $1 and ${mine}`)
// They are dead with their client already. So those of a crowd are not all written down in one breath, which could take too long
// and undo the rest: deleting again goes on.
const endGrants = sql(
  `update oauth_grants set revoked_at = $2, revoked_because = 'client'
    where id in (select id from oauth_grants where client_id = $1 and revoked_at is null order by id limit 5000)`,
)

export const deleteClient = operation({
  id: 'oauthClients.delete',
  method: 'DELETE',
  path: '/api/v1/oauth-clients/:id',
  summary: 'Switch an OAuth client off for good, with every token and consent it has',
  description: 'At once, everywhere; it stays in the list. Again answers the same.',
  scopes: ['webhooks:manage'],
  params: clientInPath,
  status: 204,
  patienceMs: withdrawalPatienceMs,
  reply: z.null(),
  errors: [clientNotFound, scopesBeyondCaller],
  assistant: 'confirm',
  async run(call) {
    const { tx, actor, wall, params } = call
    const { client } = await aloneWithClient(tx, actor, params.id)
    tx.atCommit(endGrants, [client.id, iso(wall)])
    if (!client.enabled) return null
    tx.atCommit(switchOff, [client.id, iso(wall)])
    recordActs(tx, [deleted(client)], call)
    return null
  },
})
