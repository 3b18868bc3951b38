import type { Json } from './openapi-schemas.ts'

type Texts = Readonly<Record<string, string>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly webhooks: Readonly<Record<string, Json>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** Keys that contain data, not schemas. */
const isData = (key: string) => ['example', 'examples', 'default', 'enum', 'const'].includes(key)

/**
 * Gives a description to every field and parameter that has none: the text of `Schema.field`, else the one of `field`. `Schema`
 * is the named schema that contains the field; in an operation it is its id, and in an event its type.
 */
export function describeFields(document: Json, texts: Texts): Json {
  const { paths, webhooks, components } = document as unknown as Document
  const textOf = (owner: string, field: string) => texts[`${owner}.${field}`] ?? texts[field]
  /** Either directly, or through the named schema that it refers to. */
  const isDescribed = ({ description, $ref }: Json) =>
    (description ?? components.schemas[String($ref).split('/').at(-1)!]?.description) !== undefined
  const described = (owner: string, field: string, schema: Json): Json => {
    const text = textOf(owner, field)
    return isDescribed(schema) || text === undefined ? schema : { ...schema, description: text }
  }
  const visit = (node: unknown, owner: string): unknown => {
    if (Array.isArray(node)) return node.map(item => visit(item, owner))
    if (typeof node !== 'object' || node === null) return node
    const { name, in: place } = node as Json
    const seen = Object.fromEntries(
      Object.entries(node).map(([key, value]) => {
        if (isData(key)) return [key, value]
        const next = visit(value, owner)
        if (key !== 'properties' || typeof next !== 'object') return [key, next]
        const fields = Object.entries(next as Record<string, Json>)
        return [
          key,
          Object.fromEntries(fields.map(([field, schema]) => [field, described(owner, field, schema)])),
        ]
      }),
    )
    return typeof name === 'string' && typeof place === 'string' ? described(owner, name, seen) : seen
  }
  const named = (part: Readonly<Record<string, Json>>, ownerOf: (key: string, value: Json) => string) =>
    Object.fromEntries(Object.entries(part).map(([key, value]) => [key, visit(value, ownerOf(key, value))]))
  const operationId = (_: string, { operationId: id }: Json) => String(id)
  return {
    ...document,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, routes]) => [path, named(routes, operationId)]),
    ),
    webhooks: named(webhooks, type => type),
    components: { ...components, schemas: named(components.schemas, name => name) },
  }
}
