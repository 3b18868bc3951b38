import type { Scope } from '../actor.ts'
import type { ErrorTexts } from '../errors.ts'
import type { EventType } from '../events.ts'
import type { Operation } from '../operation.ts'
import { nameEnums } from './openapi-enums.ts'
import { describeFields } from './openapi-fields.ts'
import { healthRoutes, healthSchemas } from './openapi-health.ts'
import { documentOperation, headerParameters } from './openapi-operation.ts'
import { shareParameters } from './openapi-parameters.ts'
import { collector, envelopeSchemas, type Json } from './openapi-schemas.ts'
import { deliveryParameters, deliveryResponses, documentEvents } from './openapi-webhooks.ts'
import type { Retirements } from './retirements.ts'

const header = (description: string, type = 'string') => ({ description, schema: { type } })

/** Everything the document is made from. */
export interface ApiDescription {
  readonly operations: readonly Operation[]
  /** The operations that will end, or have ended. */
  readonly retirements: Retirements
  readonly events: readonly EventType[]
  /** Endpoints that are not operations, because another specification defines them. */
  readonly otherPaths: Readonly<Record<string, Json>>
  readonly otherSchemas: Readonly<Record<string, Json>>
  /** Lists of values that have their own name, wherever they occur. */
  readonly namedEnums: Readonly<Record<string, readonly string[]>>
  /** Fields that mean the same wherever they occur, and `Schema.field` where one means something else. */
  readonly fieldTexts: Readonly<Record<string, string>>
  /** One real answer for each operation, by its id. */
  readonly answerExamples: Readonly<Record<string, unknown>>
  /** A sentence for each noun of the operation ids. */
  readonly nouns: Readonly<Record<string, string>>
  readonly scopeMeanings: Readonly<Record<Scope, string>>
  readonly errorTexts: ErrorTexts
  readonly version: string
}

export function openApi({
  operations,
  retirements,
  events,
  otherPaths,
  otherSchemas,
  namedEnums,
  fieldTexts,
  answerExamples,
  nouns,
  scopeMeanings,
  errorTexts,
  version,
}: ApiDescription): Json {
  const collected = collector()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = documentOperation(
      operation,
      collected,
      errorTexts,
      answerExamples[operation.id],
      operation.id in retirements,
    )
  }
  const webhooks = documentEvents(events, collected)
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Relance',
      version,
      description:
        'Recovery of overdue invoices: send the invoice, Relance reminds the debtor within the rules until it is paid.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries({ health: 'Service availability', ...nouns }).map(([name, description]) => ({
      name,
      description,
    })),
    paths: {
      ...healthRoutes,
      ...otherPaths,
      ...paths,
    },
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            '`fk_live_` keys act in production, `fk_test_` keys in the sandbox. The key may also be sent as `Authorization: Bearer`, or in both headers',
        },
        oauth2: {
          type: 'oauth2',
          description: 'OAuth 2.1: an access token as `Authorization: Bearer`, valid for an hour',
          flows: {
            clientCredentials: { tokenUrl: '/api/oauth/token', scopes: scopeMeanings },
            authorizationCode: {
              authorizationUrl: '/api/oauth/authorize',
              tokenUrl: '/api/oauth/token',
              refreshUrl: '/api/oauth/token',
              scopes: scopeMeanings,
            },
          },
        },
      },
      headers: {
        'X-Request-Id': header('Unique id of the request'),
        'X-RateLimit-Limit': header('Requests allowed per minute', 'integer'),
        'X-RateLimit-Remaining': header('Requests left in this minute', 'integer'),
        'X-RateLimit-Reset': header('UNIX time at which the minute ends', 'integer'),
        'X-RateLimit-Daily-Remaining': header('Requests left in this UTC day, or `unlimited`'),
        'Retry-After': header('Seconds to wait before the request is repeated', 'integer'),
        'Content-Disposition': header('`attachment`, with a file name'),
      },
      parameters: { ...headerParameters, ...deliveryParameters },
      responses: {
        ...deliveryResponses,
        ...Object.fromEntries(Object.entries(collected.responses).sort(([a], [b]) => a.localeCompare(b))),
      },
      schemas: {
        ...Object.fromEntries(Object.entries(collected.schemas).sort(([a], [b]) => a.localeCompare(b))),
        ...envelopeSchemas(Object.keys(scopeMeanings)),
        ...healthSchemas,
        ...otherSchemas,
      },
    },
  }
  return shareParameters(describeFields(nameEnums(document, namedEnums), fieldTexts))
}
