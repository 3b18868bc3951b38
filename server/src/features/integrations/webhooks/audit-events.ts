import { z } from 'zod'
import { defineAuditEvent } from '../../../kit/events.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'

const about = { webhookId: outputUuid }

/** Only the host of the URL is stored: the rest may contain a token. */
const aboutWithHost = { ...about, host: z.string() }

export const webhookCreated = defineAuditEvent({
  type: 'webhook.created',
  schemaVersion: 1,
  summary: 'Webhook created',
  data: z.object({ ...aboutWithHost, events: z.array(z.string()), enabled: z.boolean() }),
})

export const webhookUpdated = defineAuditEvent({
  type: 'webhook.updated',
  schemaVersion: 1,
  summary: 'URL, events or description of a webhook changed, or another credential took it over',
  data: z.object({
    ...aboutWithHost,
    events: z.array(z.string()),
    changed: z.array(z.enum(['url', 'events', 'description', 'maker'])),
  }),
})

export const webhookEnabled = defineAuditEvent({
  type: 'webhook.enabled',
  schemaVersion: 1,
  summary: 'Webhook switched on',
  data: z.object(about),
})

export const webhookDisabled = defineAuditEvent({
  type: 'webhook.disabled',
  schemaVersion: 1,
  summary:
    'Webhook switched off: by its owner, because its deliveries failed, or with the credential that saved it last',
  data: z.object({ ...about, because: z.enum(['owner', 'failing', 'maker_ended']) }),
})

export const webhookRecovered = defineAuditEvent({
  type: 'webhook.recovered',
  schemaVersion: 1,
  summary: 'What a webhook had missed is delivered to it again',
  data: z.object({ ...about, since: dateTime }),
})

export const webhookSecretRotated = defineAuditEvent({
  type: 'webhook.secret_rotated',
  schemaVersion: 1,
  summary: 'Secret of a webhook exchanged for a new one',
  data: z.object(aboutWithHost),
})

export const webhookDeleted = defineAuditEvent({
  type: 'webhook.deleted',
  schemaVersion: 1,
  summary: 'Webhook deleted',
  data: z.object(aboutWithHost),
})

export const webhookAuditEvents = [
  webhookCreated,
  webhookUpdated,
  webhookEnabled,
  webhookDisabled,
  webhookRecovered,
  webhookSecretRotated,
  webhookDeleted,
]
