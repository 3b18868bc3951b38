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

/** The headers of every delivery, each written once. */
export const deliveryParameters = {
  ServiceSignature: header(
    'X-Service-Signature',
    'HMAC-SHA256 of the raw body in hex, keyed with the whole secret, `whsec_` included',
    'f2a1c60b1d8e43f7a95e0c72bd6418f3905ac7de2b84f16039d7e5ca810b4f62',
  ),
  WebhookId: header(
    'webhook-id',
    'The id of the event: the same in every attempt',
    '01a19b50-b868-7000-8000-93b1c70d52ea',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'UNIX time in seconds at which this attempt was signed',
    '1793607122',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and raw body joined by dots, keyed with the decoded secret',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}
const parameters = Object.keys(deliveryParameters).map(name => ({ $ref: `#/components/parameters/${name}` }))

/** The answers of a receiver. */
export const deliveryResponses = {
  Taken: { description: 'Accepted: it is not sent again' },
  TakenAndFlagged: { description: 'Accepted and flagged: a redirect is not followed' },
  NotTaken: { description: 'Rejected: retried after 30 seconds, 5 minutes, 30 minutes and 2 hours' },
  NotTakenEither: {
    description: 'Rejected and retried, as for 4XX; the same holds without an answer within 10 seconds',
  },
}
const byStatus = { '2XX': 'Taken', '3XX': 'TakenAndFlagged', '4XX': 'NotTaken', '5XX': 'NotTakenEither' }
const responses = Object.fromEntries(
  Object.entries(byStatus).map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)

/** Each event as the request that its receiver gets. Receivers ignore fields they do not know: schemas grow. */
export function documentEvents(events: readonly EventType[], { convert }: Collector): Record<string, Json> {
  return Object.fromEntries(
    events.map(event => {
      const schema = {
        type: 'object',
        required: ['id', 'event', 'createdAt', 'environment', 'sequence', 'data'],
        properties: {
          id: { type: 'string', format: 'uuid', description: 'The id of the event: process each id once' },
          event: { const: event.type, description: 'What happened' },
          createdAt: { type: 'string', format: 'date-time', description: 'When it happened' },
          environment: { enum: ['production', 'sandbox'], description: 'Where it happened' },
          sequence: {
            type: 'integer',
            description: 'Counts the events of an invoice: a higher one is later',
          },
          data: convert(event.data, 'input'),
        },
      }
      const post = {
        operationId: `event.${event.type}`,
        tags: ['webhooks'],
        summary: event.summary,
        security: [],
        parameters,
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
