import { z } from 'zod'
import { defineAct } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'

const about = { webhookId: outputUuid }

/** A URL may carry a token of the receiver's own: of it the host alone is kept. */
const where = { ...about, host: z.string() }

export const webhookCreated = defineAct({
  type: 'webhook.created',
  schemaVersion: 1,
  summary: 'Webhook created',
  data: z.object({ ...where, events: z.array(z.string()), enabled: z.boolean() }),
})

export const webhookUpdated = defineAct({
  type: 'webhook.updated',
  schemaVersion: 1,
  summary: 'URL, events or description of a webhook changed',
  data: z.object({
    ...where,
    events: z.array(z.string()),
    changed: z.array(z.enum(['url', 'events', 'description'])),
  }),
})

export const webhookEnabled = defineAct({
  type: 'webhook.enabled',
  schemaVersion: 1,
  summary: 'Webhook switched on',
  data: z.object(about),
})

export const webhookDisabled = defineAct({
  type: 'webhook.disabled',
  schemaVersion: 1,
  summary: 'Webhook switched off, by its owner or because its deliveries failed',
  data: z.object({ ...about, because: z.enum(['owner', 'failing']) }),
})

export const webhookSecretRotated = defineAct({
  type: 'webhook.secret_rotated',
  schemaVersion: 1,
  summary: 'Secret of a webhook exchanged for a new one',
  data: z.object(where),
})

export const webhookDeleted = defineAct({
  type: 'webhook.deleted',
  schemaVersion: 1,
  summary: 'Webhook deleted',
  data: z.object(where),
})

export const webhookActs = [
  webhookCreated,
  webhookUpdated,
  webhookEnabled,
  webhookDisabled,
  webhookSecretRotated,
  webhookDeleted,
]
