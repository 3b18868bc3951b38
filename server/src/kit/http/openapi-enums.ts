import type { Json } from './openapi-schemas.ts'

type NamedEnums = Readonly<Record<string, readonly string[]>>

/** Replaces each list of values that has a name by a reference, so that generated clients get one type for it. */
export function nameEnums(document: Json & { components: { schemas: Json } }, named: NamedEnums): Json {
  const names = new Map(Object.entries(named).map(([name, values]) => [values.join(), name]))
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node !== 'object' || node === null) return node
    const { enum: values, type, ...rest } = node as Json
    const name = Array.isArray(values) ? names.get(values.join()) : undefined
    if (name !== undefined) return { $ref: `#/components/schemas/${name}`, ...rest }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, visit(value)]))
  }
  const { components, ...rest } = visit(document) as typeof document
  const schemas = Object.fromEntries(
    Object.entries(named).map(([name, values]) => [name, { type: 'string', enum: values }]),
  )
  return { ...rest, components: { ...components, schemas: { ...schemas, ...components.schemas } } }
}
