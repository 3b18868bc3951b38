import { exampleBody } from '../event-example.ts'
import type { EventType } from '../events.ts'
import type { Collector, Json } from './openapi-schemas.ts'

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

/** The headers of every delivery. */
const headers = [
  header(
    'X-Service-Signature',
    'HMAC-SHA256 of the raw body in hex, keyed with the whole secret, `whsec_` included',
    'f2a1c60b1d8e43f7a95e0c72bd6418f3905ac7de2b84f16039d7e5ca810b4f62',
  ),
  header(
    'webhook-id',
    'The id of the event: the same in every attempt',
    '01a19b50-b868-7000-8000-93b1c70d52ea',
  ),
  header('webhook-timestamp', 'UNIX time in seconds at which this attempt was signed', '1793607122'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body joined by dots, keyed with the decoded secret',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

/** What a receiver answers, by its status. */
const responses = {
  '2XX': { description: 'Taken: it is not sent again' },
  '3XX': { description: 'Taken as well, and flagged: a redirect is not followed' },
  '4XX': { description: 'Not taken: sent again after 30 seconds, 5 minutes, 30 minutes and 2 hours' },
  '5XX': { description: 'Not taken, as 4XX; the same holds when there is no answer within 10 seconds' },
}

/** Each event as the request that its receiver gets. Receivers ignore fields they do not know: schemas grow. */
export function documentEvents(events: readonly EventType[], { convert }: Collector): Record<string, Json> {
  return Object.fromEntries(
    events.map(event => {
      const schema = {
        type: 'object',
        required: ['id', 'event', 'createdAt', 'environment', 'sequence', 'data'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'Of the event: whoever has seen it is done' },
          event: { const: event.type },
          createdAt: { type: 'string', format: 'date-time', description: 'When it happened' },
          environment: { enum: ['production', 'sandbox'] },
          sequence: {
            type: 'integer',
            description: 'Counts the events of one invoice: a higher one happened later',
          },
          data: convert(event.data, 'input'),
        },
      }
      const post = {
        operationId: `event.${event.type}`,
        tags: ['webhooks'],
        summary: event.summary,
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: { 'application/json': { schema, example: exampleBody(event, 'production') } },
        },
        responses,
      }
      return [event.type, { post }]
    }),
  )
}
