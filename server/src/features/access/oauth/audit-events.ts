import { z } from 'zod'
import { type AuditEventType, defineAuditEvent, type NewEvent, newEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { scopes } from '../scopes.ts'
import { grantTypes } from './client.ts'
import { type ClientRow, clientSubjectId, toClient } from './schema.ts'

const data = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.enum(scopes)),
  grantTypes: z.array(z.enum(grantTypes)),
})

export const clientCreated = defineAuditEvent({
  type: 'oauth_client.created',
  schemaVersion: 1,
  summary: 'An application was registered',
  data,
})
export const changeableFields = ['name', 'redirectUris', 'scopes', 'grantTypes'] as const
export const clientUpdated = defineAuditEvent({
  type: 'oauth_client.updated',
  schemaVersion: 1,
  summary: 'The settings of an application changed; what it lost it lost at once',
  data: data.extend({ changed: z.array(z.enum(changeableFields)) }),
})
export const clientDeleted = defineAuditEvent({
  type: 'oauth_client.deleted',
  schemaVersion: 1,
  summary: 'An application was switched off, with everything that was granted to it',
  data,
})
/** Recorded for the other companies whose members used it; it says nothing about who deleted the client. */
const clientGone = defineAuditEvent({
  type: 'oauth_client.gone',
  schemaVersion: 1,
  summary: 'An application of another company was deleted, and what members of this one had let it do ended',
  data: z.object({ clientId: z.string(), consents: z.int() }),
})
export const clientSecretRotated = defineAuditEvent({
  type: 'oauth_client.secret_rotated',
  schemaVersion: 1,
  summary: 'The secret of an application was exchanged for a new one',
  data,
})

export const clientAuditEvents: readonly AuditEventType[] = [
  clientCreated,
  clientUpdated,
  clientDeleted,
  clientGone,
  clientSecretRotated,
]

export const clientCreatedEvent = (row: ClientRow): NewEvent =>
  newEvent(clientCreated, clientSubjectId(row.id), toClient(row))
export const clientUpdatedEvent = (
  row: ClientRow,
  changed: readonly (typeof changeableFields)[number][],
): NewEvent => newEvent(clientUpdated, clientSubjectId(row.id), { ...toClient(row), changed: [...changed] })
export const clientDeletedEvent = (row: ClientRow): NewEvent =>
  newEvent(clientDeleted, clientSubjectId(row.id), toClient(row))
export const clientGoneEvent = (clientId: string, consents: number): NewEvent =>
  newEvent(clientGone, clientSubjectId(clientId), { clientId, consents })
export const secretRotatedEvent = (row: ClientRow): NewEvent =>
  newEvent(clientSecretRotated, clientSubjectId(row.id), toClient(row))

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
