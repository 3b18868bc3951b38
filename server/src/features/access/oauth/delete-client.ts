import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation, withdrawalLockRetryMs } from '../../../kit/operation.ts'
import { insertCompanyAudit } from '../../platform/events/audit-store.ts'
import { auditRows, recordAudit } from '../../platform/events/record-events.ts'
import { clientDeleted, clientDeletedEvent, clientGoneEvent } from './audit-events.ts'
import { clientNotFound, scopesExceedCaller } from './errors.ts'
import { clientInPath } from './schema.ts'
import { inTenant, lockClient } from './store.ts'

const grantsMax = 5_000
/** A statement may take two seconds, so audit events for many companies are inserted in batches. */
const auditBatchSize = 1_000

const disableClient = sql(
  'oauth.disable-client',
  `update oauth_clients set enabled = false, updated_at = $2 where id = $1 and ${inTenant}`,
)
// Grants are invalid as soon as the client is disabled. At most `grantsMax` are marked at once, because more could time out and
// roll everything back; deleting again marks the rest.
const revokeGrants = sql(
  'oauth.revoke-client-grants',
  `with ended as (
     update oauth_grants set revoked_at = $2, revoked_because = 'client'
      where id in (select id from oauth_grants where client_id = $1 and revoked_at is null order by id limit ${grantsMax})
     returning company_ids)
   select opened.company_id, count(*) as consents from ended cross join unnest(ended.company_ids) as opened(company_id)
    where opened.company_id <> $3 group by 1 order by 1`,
).as<{ company_id: string; consents: number }>()

export const deleteClient = operation({
  id: 'oauthClients.delete',
  method: 'DELETE',
  path: '/api/v1/oauth-clients/:id',
  summary: 'Delete an OAuth client, with all its tokens and consents',
  description: 'Takes effect at once; it stays in the list as disabled. Repeating it gives the same answer.',
  scopes: ['webhooks:manage'],
  params: clientInPath,
  status: 204,
  lockRetryMs: withdrawalLockRetryMs,
  reply: z.null(),
  errors: [clientNotFound, scopesExceedCaller],
  assistant: 'confirm',
  audit: [clientDeleted],
  async run(call) {
    const { tx, actor, wall, requestId, newId, params } = call
    const { client } = await lockClient(tx, actor, params.id)
    const endedByCompany = await tx.rows(revokeGrants, [client.id, iso(wall), actor.companyId])
    // In real time, not sandbox time: these audit events belong to production.
    const clientActor = { kind: 'oauth_client', id: client.id } as const
    const eventContext = { actor: clientActor, requestId, now: wall, wall, newId }
    const auditEvents = endedByCompany.map(({ company_id, consents }) => {
      const [act] = auditRows([clientGoneEvent(client.id, consents)], eventContext)
      return { company_id, act: act! }
    })
    for (let i = 0; i < auditEvents.length; i += auditBatchSize)
      tx.atCommit(insertCompanyAudit, [JSON.stringify(auditEvents.slice(i, i + auditBatchSize))])
    if (!client.enabled) return null
    tx.atCommit(disableClient, [client.id, iso(wall)])
    recordAudit(tx, [clientDeletedEvent(client)], call)
    return null
  },
})
