import { z } from 'zod'
import type { Operation } from '../operation.ts'
import type { JsonSchema } from '../tool.ts'

interface ObjectSchema {
  properties: Record<string, JsonSchema>
  required: string[]
}

/** Which arguments go into the path, the query and the body. */
export interface ArgumentPlaces {
  readonly path: ReadonlySet<string>
  readonly query: ReadonlySet<string>
  readonly body: ReadonlySet<string>
}

/** A small default page size: a model reads every row, and each costs tokens. */
export const defaultRows = 20

/** Replaces references by their definitions, because not every model follows them. `id` only repeats the name of a definition. */
function inlined(node: unknown, definitions: Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map(item => inlined(item, definitions))
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as Record<string, unknown>
  const rest = Object.fromEntries(
    Object.entries(own)
      .filter(([key, value]) => !key.startsWith('$') && (key !== 'id' || typeof value !== 'string'))
      .map(([key, value]) => [key, inlined(value, definitions)]),
  )
  if (typeof $ref !== 'string') return rest
  const target = inlined(definitions[$ref.replace('#/$defs/', '')], definitions)
  return { ...(target as Record<string, unknown>), ...rest }
}

function objectSchema(schema: z.ZodType | undefined, id: string): ObjectSchema {
  if (!schema) return { properties: {}, required: [] }
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  const read = inlined(whole, (whole.$defs ?? {}) as Record<string, unknown>) as Partial<ObjectSchema>
  if (!read.properties) throw new Error(`${id} does not take an object with known fields`)
  return { properties: read.properties, required: read.required ?? [] }
}

/** Adapts query parameters for models: numbers stay numbers, and the cursor is described without the Link header. */
function forModels(query: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const changed = Object.entries(query).map(([name, { pattern, ...schema }]) => {
    if (name === 'cursor') return [name, { ...schema, description: '`nextCursor` of the page before' }]
    if (name === 'limit') return [name, { ...schema, default: defaultRows }]
    return [name, schema.type === 'integer' ? schema : query[name]]
  })
  return Object.fromEntries(changed)
}

/** Path, query and body as one flat object, so that a model need not know where an argument goes. */
export function toolInputOf({ id, params, query, body, example }: Operation): {
  inputSchema: JsonSchema
  places: ArgumentPlaces
} {
  const parts = [params, query, body].map(schema => objectSchema(schema, id)) as [
    ObjectSchema,
    ObjectSchema,
    ObjectSchema,
  ]
  const names = parts.flatMap(({ properties }) => Object.keys(properties))
  const duplicate = names.find((name, at) => names.indexOf(name) !== at)
  if (duplicate !== undefined)
    throw new Error(`${id} has ${duplicate} in two places: an argument name must be unique`)
  const properties = Object.fromEntries(parts.flatMap(part => Object.entries(part.properties)))
  Object.assign(properties, forModels(parts[1].properties))
  const required = parts.flatMap(part => part.required)
  const [path, inQuery, inBody] = parts.map(part => new Set(Object.keys(part.properties))) as [
    Set<string>,
    Set<string>,
    Set<string>,
  ]
  return {
    inputSchema: {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...(example?.body !== undefined && parts[0].required.length === 0 && { examples: [example.body] }),
    },
    places: { path, query: inQuery, body: inBody },
  }
}
