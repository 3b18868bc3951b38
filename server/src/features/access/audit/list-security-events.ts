import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { type ActorRef, actorKinds } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { conditions, countUpTo, listQuery, newestFirst } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'

const SecurityEvent = z
  .object({
    id: outputUuid,
    type: z.string(),
    at: dateTime,
    actor: z.object({
      kind: z.enum(actorKinds),
      id: z.string(),
      onBehalfOf: outputUuid.optional().meta({ description: 'The person an application acted for' }),
    }),
    requestId: z.string().nullable(),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'The address it came from; null where no request brought it about' }),
    userAgent: z
      .string()
      .nullable()
      .meta({ description: 'What the caller said it is, its first 200 characters' }),
    subjectId: z.string().meta({ description: 'What it is about, by the id it has in this API' }),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'SecurityEvent' })

interface Row {
  id: string
  type: string
  recorded_at: number
  actor: ActorRef
  request_id: string | null
  ip: string | null
  user_agent: string | null
  subject_id: string
  data: Record<string, unknown>
}

/** The audit log knows an OAuth client by a UUID; the API shows it by its client id. */
const subjectOf = ({ type, subject_id, data }: Row): string =>
  type.startsWith('oauth_client.') ? String(data.clientId) : subject_id

export const listSecurityEvents = operation({
  id: 'securityEvents.list',
  method: 'GET',
  path: '/api/v1/security-events',
  summary:
    'The audit log: who changed money, words, rights or a debtor’s data, and from where; the newest first',
  description:
    'Kept for years, six unless the operator says otherwise, and delivered to no webhook. What concerns people is kept in the production environment. A debtor’s data stand in it as digests only.',
  scopes: ['webhooks:manage'],
  query: z.strictObject(listQuery(100)),
  status: 200,
  reply: SecurityEvent,
  list: true,
  errors: [],
  assistant: 'read',
  run: ({ tx, query }) =>
    newestFirst(tx, query, {
      columns: 'e.id, e.type, e.recorded_at, e.actor, e.request_id, e.ip, e.user_agent, e.subject_id, e.data',
      source: 'audit_log e',
      filter: conditions,
      // Ordered, so that the count uses the same index.
      total: () => countUpTo(tx, 'audit_log e order by e.id', []),
      toItem: (row: Row) => ({
        id: row.id,
        type: row.type,
        at: iso(row.recorded_at),
        actor: row.actor,
        requestId: row.request_id,
        ip: row.ip,
        userAgent: row.user_agent,
        subjectId: subjectOf(row),
        data: row.data,
      }),
    }),
})
