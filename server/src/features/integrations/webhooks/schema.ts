import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { dateTime, line, outputUuid, uuid } from '../../../kit/fields.ts'
import { momentOf } from '../../../kit/uuid.ts'
import { events } from './event-catalogue.ts'

/** Limited, because every webhook is checked for every event of its tenant. */
export const webhooksMax = 50

const eventNames = events.map(({ type }) => type) as [string, ...string[]]
export const eventName = z.enum(eventNames)

export const webhookFields = {
  url: line(2_048).meta({
    format: 'uri',
    description: 'https, a public host, port 443 or one from 1024 up, no user name or password',
  }),
  events: z
    .array(eventName)
    .refine(given => given.length > 0, 'must name at least one event')
    .refine(given => given.length <= eventNames.length, `must name at most ${eventNames.length} events`)
    .transform(given => [...new Set(given)])
    .meta({ minItems: 1, maxItems: eventNames.length, description: 'Which events are delivered' }),
  description: line(500),
  enabled: z.boolean(),
}

export const webhookInPath = z.strictObject({ id: uuid })

const Recovering = z
  .object({ since: dateTime, until: dateTime })
  .meta({ description: 'Events that were missed are being queued again: from here, up to there' })

/** The actor who saved a webhook last. It ends with that key, application, consent or membership, or with the right to it. */
export const Maker = z
  .object({
    kind: z.enum(['api_key', 'oauth_client', 'person']),
    id: z.string(),
    onBehalfOf: outputUuid.optional().meta({ description: 'The person whose consent the application has' }),
  })
  .meta({ id: 'WebhookMaker' })

export interface MakerRow {
  maker_kind: 'api_key' | 'oauth_client' | 'person' | null
  maker_id: string | null
  maker_person: string | null
}

export const toMaker = ({ maker_kind, maker_id, maker_person }: MakerRow): z.input<typeof Maker> | null =>
  maker_kind === null || maker_id === null
    ? null
    : { kind: maker_kind, id: maker_id, ...(maker_person !== null && { onBehalfOf: maker_person }) }

const disabledBecause = z.enum(['failing', 'owner', 'maker_ended']).nullable()

/** The specification has three names in snake case. Each is there in camel case too, as all other fields are written. */
export const Webhook = z
  .object({
    id: outputUuid,
    url: z.string(),
    events: z.array(eventName),
    description: z.string().nullable(),
    enabled: z.boolean(),
    createdAt: dateTime,
    lastTriggeredAt: dateTime.nullable().meta({ description: 'The last attempt to deliver an event' }),
    disabledBecause: disabledBecause.meta({
      description:
        '`failing`: five attempts of one delivery failed; `owner`: switched off by a request; `maker_ended`: the key, application, consent or membership that saved it last has ended, and a PUT with another credential takes it over',
    }),
    maker: Maker.nullable().meta({
      description: 'Who saved it last, and with whom it ends; null: saved before this was kept',
    }),
    failing: z.int().meta({ description: 'Attempts that failed since one succeeded' }),
    recovering: Recovering.nullable(),
    created_at: dateTime.meta({ description: 'The same as `createdAt`' }),
    last_triggered_at: dateTime.nullable().meta({ description: 'The same as `lastTriggeredAt`' }),
    disabled_because: disabledBecause.meta({ description: 'The same as `disabledBecause`' }),
  })
  .meta({ id: 'Webhook' })

export interface WebhookRow extends MakerRow {
  id: string
  url: string
  description: string | null
  created_at: number
  events: string[]
  enabled: boolean
  disabled_because: 'failing' | 'owner' | 'maker_ended' | null
  failing: number
  last_triggered_at: number | null
  recover_from: string | null
  recover_to: string | null
}

export const webhookColumns = `w.id, w.url, w.description, w.created_at, p.events, p.enabled, p.disabled_because, p.failing,
  p.last_triggered_at, p.recover_from, p.recover_to, p.maker_kind, p.maker_id, p.maker_person`

export const webhookSource = `webhooks w join webhook_endpoints p
  on p.tenant_id = current_setting('relance.tenant')::uuid and p.webhook_id = w.id`

export const recoveringOf = (after: string, to: string): z.input<typeof Recovering> => ({
  since: iso(momentOf(after)),
  until: iso(momentOf(to)),
})

export function toWebhook(row: WebhookRow): z.input<typeof Webhook> {
  const createdAt = iso(row.created_at)
  const lastTriggeredAt = row.last_triggered_at === null ? null : iso(row.last_triggered_at)
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    enabled: row.enabled,
    createdAt,
    lastTriggeredAt,
    disabledBecause: row.disabled_because,
    maker: toMaker(row),
    failing: row.failing,
    recovering: row.recover_from && row.recover_to ? recoveringOf(row.recover_from, row.recover_to) : null,
    created_at: createdAt,
    last_triggered_at: lastTriggeredAt,
    disabled_because: row.disabled_because,
  }
}

export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''

export const anyObject = z.record(z.string(), z.unknown())

export const EventBody = z
  .object({
    id: outputUuid,
    event: eventName,
    createdAt: dateTime,
    environment: z.enum(['production', 'sandbox']),
    sequence: z.int(),
    data: anyObject,
  })
  .meta({ id: 'EventBody' })
