/** The part of JSON Schema that the contract is written in. */
export interface Schema {
  $ref?: string
  description?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  type?: string | readonly string[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  default?: unknown
}

const indent = (depth: number) => '  '.repeat(depth)

/** A comment above a declaration; empty if there is no text. */
export function comment(text: string | undefined, depth: number): string {
  if (!text) return ''
  return `${indent(depth)}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`
}

export const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)

const isName = (key: string) => /^[A-Za-z_$][\w$]*$/.test(key)

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  const ordered = [...distinct.filter(type => type !== 'null'), ...distinct.filter(type => type === 'null')]
  return ordered.join(' | ')
}

const describe = ({ description, default: fallback }: Schema): string | undefined => {
  const otherwise = fallback === undefined ? undefined : `Default: \`${JSON.stringify(fallback)}\``
  return [description, otherwise].filter(Boolean).join('. ') || undefined
}

/** The fields of an object, each with its description. */
export function fieldsOf({ properties = {}, required = [] }: Schema, depth: number): string {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const name = isName(key) ? key : `'${key}'`
    const type = typeOf(schema, depth + 1)
    const field = required.includes(key) ? `${name}: ${type}` : `${name}?: ${union([type, 'undefined'])}`
    return `${comment(describe(schema), depth + 1)}${indent(depth + 1)}${field}\n`
  })
  return `{\n${fields.join('')}${indent(depth)}}`
}

function arrayOf(items: Schema, depth: number): string {
  const type = typeOf(items, depth)
  return / [|&] /.test(type.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${type})[]` : `${type}[]`
}

/** The TypeScript type of a schema. */
export function typeOf(schema: Schema | undefined, depth = 0): string {
  if (!schema) return 'unknown'
  const name = nameOf(schema)
  if (name) return name
  if ('const' in schema) return literal(schema.const)
  if (schema.enum) return union(schema.enum.map(literal))
  const options = schema.anyOf ?? schema.oneOf
  if (options) return union(options.map(option => typeOf(option, depth)))
  if (schema.allOf) return schema.allOf.map(part => typeOf(part, depth)).join(' & ')
  const { type } = schema
  if (typeof type === 'object') return union(type.map(one => typeOf({ ...schema, type: one }, depth)))
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return arrayOf(schema.items ?? {}, depth)
    case 'object':
      if (schema.properties) return fieldsOf(schema, depth)
      return `Record<string, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, depth) : 'unknown'}>`
    default:
      return 'unknown'
  }
}

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
