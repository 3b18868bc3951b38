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
  subject_id: string
  data: Record<string, unknown>
}

// Audit events are few among the events and have their own index.
const auditEventFilter = () => {
  const filter = conditions()
  filter.add('e.is_act')
  return filter
}

/** The events table knows every subject by a UUID; the API shows an OAuth client by its client id. */
const subjectOf = ({ type, subject_id, data }: Row): string =>
  type.startsWith('oauth_client.') ? String(data.clientId) : subject_id

export const listSecurityEvents = operation({
  id: 'securityEvents.list',
  method: 'GET',
  path: '/api/v1/security-events',
  summary: 'Who made, changed and deleted credentials, webhooks and members, the newest first',
  description:
    'Kept 90 days, and delivered to no webhook. What concerns people is kept in the production environment.',
  scopes: ['webhooks:manage'],
  query: z.strictObject(listQuery(100)),
  status: 200,
  reply: SecurityEvent,
  list: true,
  errors: [],
  assistant: 'read',
  run: ({ tx, query }) =>
    newestFirst(tx, query, {
      columns: 'e.id, e.type, e.recorded_at, e.actor, e.request_id, e.subject_id, e.data',
      source: 'events e',
      filter: auditEventFilter,
      // Ordered, so that the count uses the same index.
      total: () => countUpTo(tx, `events e ${auditEventFilter().where()} order by e.id`, []),
      toItem: (row: Row) => ({
        id: row.id,
        type: row.type,
        at: iso(row.recorded_at),
        actor: row.actor,
        requestId: row.request_id,
        subjectId: subjectOf(row),
        data: row.data,
      }),
    }),
})
