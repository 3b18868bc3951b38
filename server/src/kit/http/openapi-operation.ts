import type { z } from 'zod'
import { type ErrorCode, type ErrorTexts, errorStatuses } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { type Collector, type Json, stamp, warnings } from './openapi-schemas.ts'

const rateHeaders = Object.fromEntries(
  [
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-RateLimit-Daily-Remaining',
  ].map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

const fileHeaders = { 'Content-Disposition': { $ref: '#/components/headers/Content-Disposition' } }

/** A file is sent as it is; every other reply is in the envelope. */
const contentOf = ({ produces, streams }: Operation, answer: Json) =>
  produces
    ? { [produces]: { schema: { type: 'string', format: 'binary' } } }
    : {
        'application/json': { schema: answer },
        ...(streams
          ? { 'text/event-stream': { schema: { type: 'string', description: describeEvents(streams) } } }
          : {}),
      }

const describeEvents = (streams: Readonly<Record<string, string>>): string =>
  Object.entries(streams)
    .map(([name, says]) => `\`${name}\`: ${says}`)
    .join(' · ')

/** The error codes of an operation: the general ones and its own. */
function errorCodesOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [
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
  if (operation.immutable) codes.push('FORBIDDEN_FIELD_MODIFICATION')
  if (operation.body) codes.push('VAL_001')
  if (operation.method !== 'GET') codes.push('VAL_005', 'RES_004')
  if (operation.method === 'POST') codes.push('RES_003', 'VAL_001')
  if (operation.retired) codes.push('SYS_003')
  if (operation.environment) codes.push(operation.environment === 'sandbox' ? 'RES_001' : 'AUTH_007')
  return [...new Set([...codes, ...operation.errors.map(error => error.code)])].sort()
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body give the first answer again, for 24 hours',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const companyId = {
  name: 'X-Company-Id',
  in: 'header',
  required: false,
  description: 'Which company, for an access token that opens several; otherwise it may be left out',
  schema: { type: 'string', format: 'uuid' },
}

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
  const headers = operation.method === 'POST' ? [idempotencyKey, companyId] : [companyId]
  return [...inlined(operation.params, 'path'), ...inlined(operation.query, 'query'), ...headers]
}

/** The envelope around what an operation answers. */
function envelopeSchema(operation: Operation, reply: Json): Json {
  const fields: [name: string, schema: Json, isAlways: boolean][] = operation.list
    ? [
        ['data', { type: 'array', items: reply }, true],
        ['pagination', { $ref: `#/components/schemas/${paginationOf(operation)}` }, true],
      ]
    : [
        ['data', reply, true],
        ...(operation.method === 'GET' ? [] : [['warnings', warnings, false] as [string, Json, boolean]]),
        ...(operation.shownOnce
          ? [
              ['message', { type: 'string', description: operation.shownOnce }, true] as [
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
      success: { const: true },
      ...Object.fromEntries(fields.map(([name, schema]) => [name, schema])),
      ...stamp,
    },
  }
}

const paginationOf = ({ paging }: Operation) => (paging === 'offset' ? 'OffsetPagination' : 'Pagination')

function errorResponses(operation: Operation, errorTexts: ErrorTexts): Record<string, Json> {
  const byStatus = Map.groupBy(errorCodesOf(operation), code => errorStatuses[code])
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        String(status),
        {
          description: codes.map(code => `\`${code}\` ${errorTexts[code].means}`).join(' · '),
          headers: rateHeaders,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  )
}

/** The OpenAPI object of one operation. */
export function documentOperation(
  operation: Operation,
  { convert, parts }: Collector,
  errorTexts: ErrorTexts,
): Json {
  const answer = envelopeSchema(operation, operation.produces ? {} : convert(operation.reply, 'output'))
  return {
    operationId: operation.id,
    tags: [operation.id.split('.')[0]],
    summary: operation.summary,
    ...(operation.retired ? { deprecated: true } : {}),
    ...(operation.description ? { description: operation.description } : {}),
    security: [operation.scopes, ...(operation.orScopes ? [operation.orScopes] : [])].flatMap(needed => [
      { apiKey: [...needed] },
      { oauth2: [...needed] },
    ]),
    parameters: parametersOf(operation, parts),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
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
        description: operation.summary,
        headers: operation.produces ? { ...rateHeaders, ...fileHeaders } : rateHeaders,
        ...(operation.status === 204 ? {} : { content: contentOf(operation, answer) }),
      },
      ...errorResponses(operation, errorTexts),
    },
  }
}
