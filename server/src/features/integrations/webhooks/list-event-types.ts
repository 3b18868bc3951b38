import { z } from 'zod'
import { sql } from '../../../kit/db/statement.ts'
import { exampleBody } from '../../../kit/event-example.ts'
import { pageQuery } from '../../../kit/fields.ts'
import { operation } from '../../../kit/operation.ts'
import { pagination } from '../../../kit/page.ts'
import { events } from './event-catalogue.ts'
import { anyObject, EventBody, eventName } from './schema.ts'

const EventInCatalogue = z
  .object({
    event: eventName,
    summary: z.string(),
    schemaVersion: z.int().meta({ description: 'A schema only grows; any other change is a new version' }),
    schema: anyObject.meta({ description: 'JSON Schema of `data`' }),
    example: EventBody.meta({ description: 'A whole body, as it is delivered' }),
    subscribed: z.boolean().meta({ description: 'Whether an enabled webhook of yours has it' }),
  })
  .meta({ id: 'EventInCatalogue' })

// As an input schema, which allows unknown fields: receivers must accept new fields too.
const schemas = new Map(
  events.map(({ type, data }) => [type, z.toJSONSchema(data, { io: 'input' }) as Record<string, unknown>]),
)

const readSubscribed = sql(
  'webhooks.get-subscribed-events',
  `select subscribed_events from tenants where id = current_setting('relance.tenant')::uuid`,
)

export const listEventTypes = operation({
  id: 'webhooks.events',
  method: 'GET',
  path: '/api/v1/webhooks/events',
  summary: 'List the events there are, each with its schema and an example',
  scopes: ['webhooks:manage'],
  query: pageQuery,
  status: 200,
  reply: EventInCatalogue,
  list: true,
  errors: [],
  assistant: 'read',
  async run({ tx, actor, query }) {
    const [tenant] = await tx.rows(readSubscribed, [])
    const subscribed = new Set(tenant?.subscribed_events)
    const from = (query.page - 1) * query.limit
    return {
      items: events.slice(from, from + query.limit).map(event => ({
        event: event.type,
        summary: event.summary,
        schemaVersion: event.schemaVersion,
        schema: schemas.get(event.type)!,
        example: exampleBody(event, actor.environment),
        subscribed: subscribed.has(event.type),
      })),
      pagination: pagination(query, events.length),
    }
  },
})
