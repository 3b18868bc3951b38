import { z } from 'zod'
import { errorStatuses } from '../errors.ts'

export type Json = Record<string, unknown>

type Io = 'input' | 'output'

/** What the conversion leaves out or says too strictly. */
const corrected =
  (io: Io) =>
  ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void => {
    // Of a field that is transformed the library drops these, although they describe what is sent.
    const { default: fallback, examples } = z.globalRegistry.get(zodSchema) ?? {}
    if (fallback !== undefined) jsonSchema.default = fallback
    if (examples !== undefined) jsonSchema.examples = examples
    if (jsonSchema.type === 'integer') delete jsonSchema.pattern
    // Answers grow: a client that validates them must accept fields it does not know.
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  }

/** Named schemas go to components once; a transform is described by what the caller sends. */
export function collector() {
  const schemas: Record<string, Json> = {}
  const responses: Record<string, Json> = {}
  const toJsonSchema = (schema: z.ZodType, io: Io) =>
    z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      reused: 'inline',
      target: 'draft-2020-12',
      override: corrected(io),
    }) as Json
  const convert = (schema: z.ZodType, io: Io): Json => {
    const { $schema: _, $defs, ...rest } = toJsonSchema(schema, io)
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Json>))
      schemas[name] = relink(definition) as Json
    return relink(rest) as Json
  }
  /** The schema of parameters, always inlined: they are listed one by one in the operation. */
  const parts = (schema: z.ZodType): Json => {
    const whole = toJsonSchema(schema, 'input')
    const { $ref, $defs } = whole as { $ref?: string; $defs?: Record<string, Json> }
    return relink($ref ? $defs![$ref.replace('#/$defs/', '')] : whole) as Json
  }
  /** A response that many operations share, written once. */
  const share = (name: string, response: Json): Json => {
    responses[name] ??= response
    return { $ref: `#/components/responses/${name}` }
  }
  return { schemas, responses, convert, parts, share }
}

export type Collector = ReturnType<typeof collector>

/**
 * A generator that meets a default takes the field as always present, and would require it in requests. So the default of a
 * field that may be null stands with its value.
 */
function withDefaultOfValue(node: Json): Json {
  const { default: fallback, anyOf, type, ...rest } = node
  const options = Array.isArray(type) ? type.map(one => ({ type: one })) : anyOf
  if (fallback === undefined || !Array.isArray(options)) return node
  const [value, ...others] = options as Json[]
  return { ...rest, anyOf: [{ ...value, default: fallback }, ...others] }
}

// A named definition repeats its name as `id`, which means something else in JSON Schema.
const relink = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(relink)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(withDefaultOfValue(node as Json))
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string')
      .map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, value.replace('#/$defs/', '#/components/schemas/')]
          : [key, relink(value)],
      ),
  )
}

export const stamp = { requestId: { type: 'string' }, timestamp: { type: 'string', format: 'date-time' } }

export const warnings = {
  type: 'array',
  description: 'Doubts about an input that was accepted',
  items: {
    type: 'object',
    required: ['code', 'message'],
    properties: { code: { type: 'string' }, message: { type: 'string' } },
  },
}

export const errorBody = {
  type: 'object',
  required: ['success', 'error', 'requestId', 'timestamp'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'docUrl'],
      properties: {
        code: { enum: Object.keys(errorStatuses) },
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

export const pagination = {
  type: 'object',
  required: ['page', 'limit', 'total', 'totalPages', 'hasNext', 'hasPrev'],
  properties: {
    page: { type: 'integer' },
    limit: { type: 'integer' },
    total: { type: 'integer' },
    totalPages: { type: 'integer' },
    hasNext: { type: 'boolean' },
    hasPrev: { type: 'boolean' },
    nextCursor: {
      type: ['string', 'null'],
      description: '`cursor` of the next page; null on the last one',
    },
    totalIsExact: { const: false, description: 'Present when there are more than `total`' },
  },
}

export const offsetPagination = {
  type: 'object',
  required: ['limit', 'offset', 'total'],
  properties: {
    limit: { type: 'integer' },
    offset: { type: 'integer' },
    total: { type: 'integer' },
    totalIsExact: { const: false, description: 'Present when there are more than `total`' },
  },
}

export const feedPagination = {
  type: 'object',
  required: ['limit', 'hasNext', 'nextCursor'],
  properties: {
    limit: { type: 'integer' },
    hasNext: { type: 'boolean', description: 'Whether there is more already' },
    nextCursor: {
      type: 'string',
      description: '`cursor` of the next request, now or later: keep it also when `hasNext` is false',
    },
  },
}
