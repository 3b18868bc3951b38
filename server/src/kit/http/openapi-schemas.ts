import { z } from 'zod'
import { errorStatuses } from '../errors.ts'

export type Json = Record<string, unknown>

type Io = 'input' | 'output'

/** Schemas that are documented as another schema. */
const documented = new WeakMap<object, z.ZodType>()

/** Documents a schema as another one: an object that is validated field by field may be documented as a union. */
export function documentAs<S extends z.ZodType>(schema: S, shown: z.ZodType): S {
  documented.set(schema, shown)
  return schema
}

/** Corrects what the conversion leaves out or makes too strict. */
const corrected =
  (io: Io) =>
  ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }): void => {
    const shown = documented.get(zodSchema)
    if (shown) {
      for (const key of Object.keys(jsonSchema))
        if (key !== 'id' && key !== 'description') delete jsonSchema[key]
      const { $schema: _, ...rest } = z.toJSONSchema(shown, {
        io,
        unrepresentable: 'any',
        reused: 'inline',
        override: corrected(io),
      }) as Json
      Object.assign(jsonSchema, rest)
      return
    }
    // The library drops these for a transformed field, although they describe the input.
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
 * Client generators treat a field with a default as always present, and would require it in requests. So the default of a
 * nullable field is written with its value.
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

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export const stamp = { requestId: schemaRef('RequestId'), timestamp: schemaRef('AnsweredAt') }
const stampSchemas = {
  RequestId: { type: 'string', description: 'The id of this request, as in the header X-Request-Id' },
  AnsweredAt: { type: 'string', format: 'date-time', description: 'When it was answered' },
}

export const warnings = schemaRef('Warnings')
const warningList = {
  type: 'array',
  description: 'Problems found in input that was accepted',
  items: schemaRef('Warning'),
}

const warning = {
  type: 'object',
  description: 'A doubt about an input that was accepted',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string', description: 'What kind of doubt' },
    message: { type: 'string', description: 'The doubt in a sentence' },
  },
}

const fieldFault = {
  type: 'object',
  description: 'What is wrong with one field',
  required: ['field', 'code', 'message'],
  properties: {
    field: { type: 'string', description: 'The field, such as `debtor.email` or `invoices[3].dueDate`' },
    code: {
      description: 'What kind of fault',
      anyOf: [
        schemaRef('FaultCode'),
        { type: 'string', description: 'Of an item of a list its error code, of a webhook what it answered' },
      ],
    },
    message: { type: 'string', description: 'What is wrong; read after the name of the field' },
  },
}

const apiErrorOf = (scopes: readonly string[]) => ({
  type: 'object',
  description: 'Why a request was refused',
  required: ['code', 'message', 'docUrl'],
  properties: {
    code: { enum: Object.keys(errorStatuses), description: 'From a closed list' },
    message: { type: 'string', description: 'What happened, and what to do' },
    details: { type: 'array', description: 'What is wrong, field by field', items: schemaRef('FieldFault') },
    requiredScopes: {
      type: 'array',
      description: 'The scopes that the operation asks for',
      items: { type: 'string', enum: scopes },
    },
    nextAllowedAt: {
      type: 'string',
      format: 'date-time',
      description: 'When the contact rules would allow what they refused now',
    },
    docUrl: { type: 'string', format: 'uri', description: 'The page that explains the code' },
  },
})

const errorBody = {
  type: 'object',
  required: ['success', 'error', 'requestId', 'timestamp'],
  properties: {
    success: { const: false, description: 'Always false' },
    error: schemaRef('ApiError'),
    ...stamp,
  },
}

const limit = { type: 'integer', description: 'The most items a page has' }
const totalIsExact = { const: false, description: 'Present when there are more than `total`' }

const pagination = {
  type: 'object',
  description: 'Where the page stands in its list',
  required: ['page', 'limit', 'total', 'totalPages', 'hasNext', 'hasPrev'],
  properties: {
    page: { type: 'integer', description: 'The number of this page; the first is 1' },
    limit,
    total: { type: 'integer', description: 'How many items there are on all pages' },
    totalPages: { type: 'integer', description: 'How many pages there are' },
    hasNext: { type: 'boolean', description: 'Whether a page follows' },
    hasPrev: { type: 'boolean', description: 'Whether a page comes before' },
    nextCursor: {
      type: ['string', 'null'],
      description: '`cursor` of the next page; null on the last one',
    },
    totalIsExact,
  },
}

const offsetPagination = {
  type: 'object',
  description: 'Where the page stands in its list',
  required: ['limit', 'offset', 'total'],
  properties: {
    limit,
    offset: { type: 'integer', description: 'How many items were left out before this page' },
    total: { type: 'integer', description: 'How many items there are in all' },
    totalIsExact,
  },
}

const feedPagination = {
  type: 'object',
  description: 'Where the page stands in its feed',
  required: ['limit', 'hasNext', 'nextCursor'],
  properties: {
    limit,
    hasNext: { type: 'boolean', description: 'Whether there is more already' },
    nextCursor: {
      type: 'string',
      description: '`cursor` of the next request, now or later: keep it also when `hasNext` is false',
    },
  },
}

/** The schemas of the envelope around the records. */
export const envelopeSchemas = (scopes: readonly string[]): Record<string, Json> => ({
  ...stampSchemas,
  Pagination: pagination,
  OffsetPagination: offsetPagination,
  FeedPagination: feedPagination,
  Warning: warning,
  Warnings: warningList,
  FieldFault: fieldFault,
  ApiError: apiErrorOf(scopes),
  ErrorResponse: errorBody,
})
