import { z } from 'zod'
import { type AuditEventType, defineAuditEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
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
