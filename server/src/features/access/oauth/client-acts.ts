import { z } from 'zod'
import { type ActType, defineAct, type NewEvent, newEvent } from '../../../kit/events.ts'
import { scopes } from '../scopes.ts'
import { grantTypes } from './client.ts'
import { type ClientRow, subjectOf, toClient } from './oauth-client.ts'

const data = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.enum(scopes)),
  grantTypes: z.array(z.enum(grantTypes)),
})

const clientCreated = defineAct({
  type: 'oauth_client.created',
  schemaVersion: 1,
  summary: 'An application was registered',
  data,
})
export const changeable = ['name', 'redirectUris', 'scopes', 'grantTypes'] as const
const clientUpdated = defineAct({
  type: 'oauth_client.updated',
  schemaVersion: 1,
  summary: 'The settings of an application changed; what it lost it lost at once',
  data: data.extend({ changed: z.array(z.enum(changeable)) }),
})
const clientDeleted = defineAct({
  type: 'oauth_client.deleted',
  schemaVersion: 1,
  summary: 'An application was switched off, with everything that was granted to it',
  data,
})
/** In the books of the others, who did not delete it: nothing of whoever did. */
const clientGone = defineAct({
  type: 'oauth_client.gone',
  schemaVersion: 1,
  summary: 'An application of another company was deleted, and what members of this one had let it do ended',
  data: z.object({ clientId: z.string(), consents: z.int() }),
})
const clientSecretRotated = defineAct({
  type: 'oauth_client.secret_rotated',
  schemaVersion: 1,
  summary: 'The secret of an application was exchanged for a new one',
  data,
})

export const clientActs: readonly ActType[] = [
  clientCreated,
  clientUpdated,
  clientDeleted,
  clientGone,
  clientSecretRotated,
]

export const created = (row: ClientRow): NewEvent => newEvent(clientCreated, subjectOf(row.id), toClient(row))
export const updated = (row: ClientRow, changed: readonly (typeof changeable)[number][]): NewEvent =>
  newEvent(clientUpdated, subjectOf(row.id), { ...toClient(row), changed: [...changed] })
export const deleted = (row: ClientRow): NewEvent => newEvent(clientDeleted, subjectOf(row.id), toClient(row))
export const gone = (clientId: string, consents: number): NewEvent =>
  newEvent(clientGone, subjectOf(clientId), { clientId, consents })
export const secretRotated = (row: ClientRow): NewEvent =>
  newEvent(clientSecretRotated, subjectOf(row.id), toClient(row))
