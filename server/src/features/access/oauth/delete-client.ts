import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation, withdrawalPatienceMs } from '../../../kit/operation.ts'
import { eventRows, recordActs } from '../../platform/events/record-events.ts'
import { deleted, gone } from './client-acts.ts'
import { clientNotFound, scopesBeyondCaller } from './client-errors.ts'
import { keepInBooks } from './grant-acts.ts'
import { clientInPath } from './oauth-client.ts'
import { aloneWithClient, mine } from './store.ts'

const grantsMost = 5_000
/** A statement has two seconds: a crowd of companies is told in several. */
const toldAtOnce = 1_000

const switchOff = sql(
  'oauth.disable-client',
  `update oauth_clients set enabled = false, updated_at = $2 where id = $1 and ${mine}`,
)
// They are dead with their client already. So those of a crowd are not all written down in one breath, which could take too long
// and undo the rest: deleting again goes on.
const endGrants = sql(
  'oauth.revoke-client-grants',
  `with ended as (
     update oauth_grants set revoked_at = $2, revoked_because = 'client'
      where id in (select id from oauth_grants where client_id = $1 and revoked_at is null order by id limit ${grantsMost})
     returning company_ids)
   select opened.company_id, count(*) as consents from ended cross join unnest(ended.company_ids) as opened(company_id)
    where opened.company_id <> $3 group by 1 order by 1`,
).as<{ company_id: string; consents: number }>()

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
    const { tx, actor, wall, requestId, newId, params } = call
    const { client } = await aloneWithClient(tx, actor, params.id)
    const elsewhere = await tx.rows(endGrants, [client.id, iso(wall), actor.companyId])
    // By the wall: whatever the clock of a sandbox says, these are books of production.
    const by = { kind: 'oauth_client', id: client.id } as const
    const occasion = { actor: by, requestId, now: wall, wall, newId }
    const acts = elsewhere.map(({ company_id, consents }) => {
      const [act] = eventRows([gone(client.id, consents)], occasion)
      return { company_id, act: act! }
    })
    for (let i = 0; i < acts.length; i += toldAtOnce)
      tx.atCommit(keepInBooks, [JSON.stringify(acts.slice(i, i + toldAtOnce))])
    if (!client.enabled) return null
    tx.atCommit(switchOff, [client.id, iso(wall)])
    recordActs(tx, [deleted(client)], call)
    return null
  },
})
