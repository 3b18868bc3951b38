import { z } from 'zod'
import { type ErrorCode, errorCodes } from '../errors.ts'
import type { Operation } from '../operation.ts'

type Json = Record<string, unknown>

/** Named schemas go to components once; a transform is described by what the caller sends. */
function collector() {
  const schemas: Record<string, Json> = {}
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const whole = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      reused: 'inline',
      target: 'draft-2020-12',
    }) as Json
    const { $schema: _, $defs, ...rest } = whole
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      schemas[name] = relink(definition) as Json
    return relink(rest) as Json
  }
  /** Parameters stand in the operation one by one, whether or not the declaration gave them a name together. */
  const parts = (schema: z.ZodType): Json => {
    const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Json
    const { $ref, $defs } = whole as { $ref?: string; $defs?: Record<string, Json> }
    return relink($ref ? $defs![$ref.replace('#/$defs/', '')] : whole) as Json
  }
  return { schemas, convert, parts }
}

// A named definition repeats its name as `id`, which means something else in JSON Schema.
const relink = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(relink)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string')
      .map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, value.replace('#/$defs/', '#/components/schemas/')]
          : [key, relink(value)],
      ),
  )
}

const stamp = { requestId: { type: 'string' }, timestamp: { type: 'string', format: 'date-time' } }

const warnings = {
  type: 'array',
  description: 'Doubts about an input that was accepted',
  items: {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
  },
}

const errorBody = {
  type: 'object',
  required: ['success', 'error', 'requestId', 'timestamp'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'docUrl'],
      properties: {
        code: { enum: Object.keys(errorCodes) },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['field', 'code', 'message'],
            properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
          },
        },
        requiredScopes: { type: 'array', items: { type: 'string' } },
        nextAllowedAt: { type: 'string', format: 'date-time' },
        docUrl: { type: 'string', format: 'uri' },
      },
    },
    ...stamp,
  },
}

const paginationSchema = {
  type: 'object',
  required: ['page', 'limit', 'total', 'totalPages', 'hasNext', 'hasPrev'],
  properties: {
    page: { type: 'integer' },
    limit: { type: 'integer' },
    total: { type: 'integer' },
    totalPages: { type: 'integer' },
    hasNext: { type: 'boolean' },
    hasPrev: { type: 'boolean' },
    totalIsExact: { const: false, description: 'Present when there are more than `total`' },
  },
}

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

/** A file stands for itself; everything else is in the envelope. */
const contentOf = ({ produces }: Operation, answer: Json) =>
  produces
    ? { [produces]: { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: answer } }

/** What any operation may answer besides its own errors. */
function codesOf(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [
    'AUTH_001',
    'AUTH_002',
    'AUTH_004',
    'AUTH_005',
    'AUTH_006',
    'RATE_001',
    'RATE_002',
    'RATE_003',
    'VAL_002',
    'VAL_004',
    'SVC_001',
    'SVC_002',
    'SYS_001',
    'SYS_002',
  ]
  if (operation.immutable) codes.push('FORBIDDEN_FIELD_MODIFICATION')
  if (operation.body) codes.push('VAL_001', 'VAL_003')
  if (operation.method !== 'GET') codes.push('VAL_005', 'RES_004')
  if (operation.method === 'POST') codes.push('RES_003', 'VAL_001')
  if (operation.retired) codes.push('SYS_003')
  if (operation.environment) codes.push('RES_001')
  return [...new Set([...codes, ...operation.errors.map(error => error.code)])].sort()
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
  const headers =
    operation.method === 'POST'
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description: 'The same key and body give the first answer again, for 24 hours',
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          },
        ]
      : []
  return [...inlined(operation.params, 'path'), ...inlined(operation.query, 'query'), ...headers]
}

/** `nouns` says in a sentence what each noun of the operation ids is. */
export function openApi(
  operations: readonly Operation[],
  nouns: Readonly<Record<string, string>>,
  version: string,
): Json {
  const { schemas, convert, parts } = collector()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const reply = operation.produces ? {} : convert(operation.reply, 'output')
    const answer = operation.list
      ? {
          type: 'object',
          required: ['success', 'data', 'pagination', 'requestId', 'timestamp'],
          properties: {
            success: { const: true },
            data: { type: 'array', items: reply },
            pagination: { $ref: '#/components/schemas/Pagination' },
            ...stamp,
          },
        }
      : {
          type: 'object',
          required: ['success', 'data', 'requestId', 'timestamp'],
          properties: {
            success: { const: true },
            data: reply,
            ...(operation.method === 'GET' ? {} : { warnings }),
            ...stamp,
          },
        }
    const byStatus = Map.groupBy(codesOf(operation), code => errorCodes[code].status)
    const refusals = Object.fromEntries(
      [...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]) => [
          String(status),
          {
            description: codes.map(code => `\`${code}\` ${errorCodes[code].means}`).join(' · '),
            headers: rateHeaders,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
    )
    const path = operation.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = {
      operationId: operation.id,
      tags: [operation.id.split('.')[0]],
      summary: operation.summary,
      ...(operation.retired ? { deprecated: true } : {}),
      ...(operation.description ? { description: operation.description } : {}),
      security: [{ apiKey: [...operation.scopes] }],
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
        ...refusals,
      },
    }
  }
  const header = (description: string, type = 'string') => ({ description, schema: { type } })
  const health = {
    type: 'object',
    required: ['status', 'version', 'timestamp'],
    properties: {
      status: { type: 'string' },
      version: { type: 'string' },
      timestamp: { type: 'string', format: 'date-time' },
    },
  }
  const healthRoute = (id: string, summary: string) => ({
    get: {
      operationId: id,
      tags: ['health'],
      summary,
      security: [],
      responses: {
        '200': { description: 'It runs', content: { 'application/json': { schema: health } } },
        '503': {
          description: 'The database does not answer',
          content: { 'application/json': { schema: health } },
        },
      },
    },
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Relance',
      version,
      description:
        'Recovery of overdue invoices: send the invoice, Relance reminds the debtor within the rules until it is paid.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries({ health: 'Is the service there', ...nouns }).map(([name, description]) => ({
      name,
      description,
    })),
    paths: {
      '/health': healthRoute('health.get', 'Is the service alive'),
      '/health/ready': healthRoute('health.ready', 'Can the service take requests'),
      ...paths,
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: '`fk_live_…` acts, `fk_test_…` is the sandbox',
        },
      },
      headers: {
        'X-Request-Id': header('Unique id of the request'),
        'X-RateLimit-Limit': header('Requests allowed per minute', 'integer'),
        'X-RateLimit-Remaining': header('Requests left in this minute', 'integer'),
        'X-RateLimit-Reset': header('UNIX time at which the minute ends', 'integer'),
        'X-RateLimit-Daily-Remaining': header('Requests left in this UTC day, or `unlimited`'),
        'Content-Disposition': header('`attachment`, with a file name'),
      },
      schemas: {
        ...Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b))),
        Pagination: paginationSchema,
        Error: errorBody,
      },
    },
  }
}
