import { z } from 'zod'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type ActorRef, type AuditEventType, defineAuditEvent, type NewEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { eventRows } from '../../platform/events/record-events.ts'
import { scopes } from '../scopes.ts'

const about = { personId: outputUuid, grantId: outputUuid, clientId: z.string() }

export const accessGranted = defineAuditEvent({
  type: 'person.access_granted',
  schemaVersion: 1,
  summary: 'A member let an application act for them',
  data: z.object({ ...about, scopes: z.array(z.enum(scopes)) }),
})

/** RFC 9700 §4.14.2: a code or token that is used twice was probably stolen. */
export const accessReused = defineAuditEvent({
  type: 'oauth_grant.reused',
  schemaVersion: 1,
  summary: 'A code or a refresh token came a second time: whatever the consent behind it had given ended',
  data: z.object({ ...about, because: z.enum(['code_reuse', 'refresh_reuse']) }),
})

export const accessEnded = defineAuditEvent({
  type: 'oauth_grant.ended',
  schemaVersion: 1,
  summary:
    'What a member had let an application do ended: a newer consent took its place, or its refresh token was called back',
  data: z.object({ ...about, because: z.enum(['replaced', 'token']) }),
})

export const grantAuditEvents: readonly AuditEventType[] = [accessGranted, accessReused, accessEnded]

/** Inserts audit events, each for its company. */
export const insertAuditByCompany = sql(
  'oauth.insert-audit',
  `select keep_act((a->>'company_id')::uuid, a->'act') from jsonb_array_elements($1::jsonb) as x(a)`,
)

/** Records an audit event for each of these companies. */
export async function recordGrantAudit(
  context: PageContext,
  query: Query,
  eventContext: { actor: ActorRef; requestId: string },
  act: NewEvent,
  companyIds: readonly string[],
): Promise<void> {
  const wall = context.clock.wall()
  const rows = companyIds.map(companyId => {
    const [row] = eventRows([act], { ...eventContext, now: wall, wall, newId: () => context.newId(wall) })
    return { company_id: companyId, act: row! }
  })
  await query(insertAuditByCompany, [JSON.stringify(rows)])
}
