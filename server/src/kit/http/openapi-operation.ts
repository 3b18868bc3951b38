import type { z } from 'zod'
import { type ErrorCode, type ErrorTexts, errorStatuses } from '../errors.ts'
import { fileTypeOf, type Operation } from '../operation.ts'
import { type Collector, type Json, stamp, warnings } from './openapi-schemas.ts'

const headersNamed = (...names: string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** The headers of every answer. */
export const commonHeaders = headersNamed(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Daily-Remaining',
)
const retryHeaders = headersNamed('Retry-After')
const waitStatuses: readonly number[] = [423, 429, 503]

const fileHeaders = headersNamed('Content-Disposition')

/** A file is sent as it is; every other reply is in the envelope. */
const contentOf = (operation: Operation, answer: Json, example: unknown) => {
  const fileType = fileTypeOf(operation)
  const events = operation.followUp?.events
  return fileType
    ? { [fileType]: { schema: { type: 'string', format: 'binary' } } }
    : {
        'application/json': { schema: answer, ...(example === undefined ? {} : { example }) },
        ...(events
          ? { 'text/event-stream': { schema: { type: 'string', description: describeEvents(events) } } }
          : {}),
      }
}

const describeEvents = (events: Readonly<Record<string, string>>): string =>
  Object.entries(events)
    .map(([name, says]) => `\`${name}\`: ${says}`)
    .join(' · ')

/** The error codes that any operation may answer. */
export const generalCodes: readonly ErrorCode[] = [
  'AUTH_001',
  'AUTH_002',
  'AUTH_003',
  'AUTH_004',
  'AUTH_005',
  'AUTH_006',
  'RATE_001',
  'RATE_002',
  'RATE_003',
  'VAL_002',
  'VAL_003',
  'VAL_004',
  'SVC_001',
  'SVC_002',
  'SYS_001',
  'SYS_002',
]

/** The error codes of an operation: the general ones and its own. */
export function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [...generalCodes]
  if (operation.bodyFaults?.immutable) codes.push('FORBIDDEN_FIELD_MODIFICATION')
  // VAL_001 also without a documented body: a field that is sent there is refused.
  if (operation.method !== 'GET') codes.push('VAL_001', 'VAL_005', 'RES_004')
  if (operation.method === 'POST') codes.push('RES_003')
  if (operation.environment) codes.push(operation.environment === 'sandbox' ? 'RES_001' : 'AUTH_007')
  return [...new Set([...codes, ...operation.errors.map(error => error.code)])].sort()
}

/** The headers a request may have, each written once. */
export const headerParameters = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own id for this request; it is returned in the answer',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Repeating a request with the same key and body returns the first answer, for 24 hours',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  CompanyId: {
    name: 'X-Company-Id',
    in: 'header',
    required: false,
    description: 'The company, for an access token that covers several; otherwise optional',
    schema: { type: 'string', format: 'uuid' },
  },
}
const headerParameter = (name: keyof typeof headerParameters) => ({
  $ref: `#/components/parameters/${name}`,
})

function parametersOf(operation: Operation, parts: (schema: z.ZodType) => Json): Json[] {
  const inlined = (schema: z.ZodType | undefined, where: 'path' | 'query') => {
    if (!schema) return []
    const { properties = {}, required = [] } = parts(schema) as {
      properties?: Record<string, Json>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...rest } = property
      return {
        name,
        in: where,
        required: where === 'path' || required.includes(name),
        ...(description ? { description } : {}),
        schema: rest,
      }
    })
  }
  const headers = [
    ...(operation.method === 'POST' ? [headerParameter('IdempotencyKey')] : []),
    headerParameter('CompanyId'),
    headerParameter('RequestId'),
  ]
  return [...inlined(operation.params, 'path'), ...inlined(operation.query, 'query'), ...headers]
}

/** The envelope around what an operation answers. */
function envelopeSchema(operation: Operation, reply: Json): Json {
  const fields: [name: string, schema: Json, isAlways: boolean][] = operation.list
    ? [
        ['data', { type: 'array', description: 'The items of the page', items: reply }, true],
        ['pagination', { $ref: `#/components/schemas/${paginationOf(operation)}` }, true],
        ['warnings', warnings, false],
      ]
    : [
        ['data', reply, true],
        ...(operation.method === 'GET' ? [] : [['warnings', warnings, false] as [string, Json, boolean]]),
        ...(operation.secret?.shownOnce !== undefined
          ? [
              ['message', { type: 'string', description: operation.secret.shownOnce }, true] as [
                string,
                Json,
                boolean,
              ],
            ]
          : []),
      ]
  return {
    type: 'object',
    required: [
      'success',
      ...fields.filter(([, , isRequired]) => isRequired).map(([name]) => name),
      ...Object.keys(stamp),
    ],
    properties: {
      success: { const: true, description: 'Always true' },
      ...Object.fromEntries(fields.map(([name, schema]) => [name, schema])),
      ...stamp,
    },
  }
}

const paginationOf = ({ paging }: Operation) =>
  paging === 'offset' ? 'OffsetPagination' : paging === 'feed' ? 'FeedPagination' : 'Pagination'

/** One response for each status, shared by the operations that have the same codes there. */
function errorResponses(
  operation: Operation,
  { share }: Collector,
  errorTexts: ErrorTexts,
  isRetired: boolean,
): Record<string, Json> {
  const known = [...errorCodesOf(operation), ...(isRetired ? (['SYS_003'] as const) : [])]
  const byStatus = Map.groupBy(known, code => errorStatuses[code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => {
        const own = codes.filter(code => !generalCodes.includes(code))
        const response = {
          description: codes.map(code => `\`${code}\` ${errorTexts[code].means}`).join(' · '),
          headers: waitStatuses.includes(status) ? { ...commonHeaders, ...retryHeaders } : commonHeaders,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
        }
        return [String(status), share([`Error${status}`, ...own].join('_'), response)]
      }),
  )
}

/** The description, and the requirements in addition to the scopes. */
const descriptionOf = ({ description, roles, fresh, inProduction }: Operation): string =>
  [
    description,
    roles &&
      `It needs the role ${roles.join(' or ')}: of the person, of the person an application acts for, or of the maker of a key.`,
    fresh && 'For a person it needs their sign-in within the last ten minutes, also through an application.',
    inProduction?.ownSession && 'In production a key or token is refused.',
  ]
    .filter(Boolean)
    .join(' ')

/** The OpenAPI object of one operation. */
export function documentOperation(
  operation: Operation,
  collected: Collector,
  errorTexts: ErrorTexts,
  answerExample: unknown,
  isRetired: boolean,
): Json {
  const { convert, parts } = collected
  const description = descriptionOf(operation)
  const answer = envelopeSchema(operation, fileTypeOf(operation) ? {} : convert(operation.reply, 'output'))
  return {
    operationId: operation.id,
    tags: [operation.id.split('.')[0]],
    summary: operation.summary,
    ...(isRetired && { deprecated: true }),
    ...(description ? { description } : {}),
    security: [operation.scopes, ...(operation.orScopes ?? [])].flatMap(needed => [
      { apiKey: [...needed] },
      { oauth2: [...needed] },
    ]),
    parameters: parametersOf(operation, parts),
    ...(operation.upload
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              operation.upload.types.map(type => [type, { schema: { type: 'string', format: 'binary' } }]),
            ),
          },
        }
      : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: !operation.body.safeParse({}).success,
            content: {
              'application/json': {
                schema: convert(operation.body, 'input'),
                ...(operation.example?.body ? { example: operation.example.body } : {}),
              },
            },
          },
        }
      : {}),
    responses: {
      [String(operation.status)]: {
        description: 'The answer',
        headers: fileTypeOf(operation) ? { ...commonHeaders, ...fileHeaders } : commonHeaders,
        ...(operation.status === 204 ? {} : { content: contentOf(operation, answer, answerExample) }),
      },
      ...errorResponses(operation, collected, errorTexts, isRetired),
    },
  }
}
