import { z } from 'zod'
import type { Environment } from '../../../kit/actor.ts'
import { type AuditEventType, defineAuditEvent, type NewEvent, newEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'
import { scopes } from '../scopes.ts'
import { type KeyRow, toApiKey } from './schema.ts'

const data = z.object({
  id: outputUuid,
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  ipWhitelist: z.array(z.string()),
  expiresAt: dateTime.nullable(),
})

export const keyCreated = defineAuditEvent({
  type: 'api_key.created',
  schemaVersion: 1,
  summary: 'A key was made, by hand or in place of one that was rotated',
  data,
})
export const keyRotated = defineAuditEvent({
  type: 'api_key.rotated',
  schemaVersion: 1,
  summary: 'A key was replaced by another with the same settings, and works no more',
  data: data.extend({ replacedBy: outputUuid }),
})
export const keyDeleted = defineAuditEvent({
  type: 'api_key.deleted',
  schemaVersion: 1,
  summary: 'A key was deactivated',
  data,
})

export const keyAuditEvents: readonly AuditEventType[] = [keyCreated, keyRotated, keyDeleted]

export const keyCreatedEvent = (row: KeyRow, environment: Environment): NewEvent =>
  newEvent(keyCreated, row.id, toApiKey(row, environment))
export const keyRotatedEvent = (row: KeyRow, environment: Environment, replacedBy: string): NewEvent =>
  newEvent(keyRotated, row.id, { ...toApiKey(row, environment), replacedBy })
export const keyDeletedEvent = (row: KeyRow, environment: Environment): NewEvent =>
  newEvent(keyDeleted, row.id, toApiKey(row, environment))
