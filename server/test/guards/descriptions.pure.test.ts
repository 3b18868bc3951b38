import { describe, expect, it } from 'vitest'
import { contract } from '../../src/features/all.ts'
import { openApi } from '../../src/kit/http/openapi.ts'

type Node = Record<string, unknown>

const document = openApi(contract) as Node
const bare = openApi({ ...contract, fieldTexts: {} }) as Node

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
const dataKeys = ['example', 'examples', 'default', 'enum', 'const']

interface Field {
  at: string
  name: string
  schema: Node
}

/** Every field and parameter of a document, with where it stands. */
function fieldsOf(node: unknown, at: string, isProperties = false): Field[] {
  if (!isNode(node)) return []
  const own: Field[] =
    typeof node.name === 'string' && typeof node.in === 'string'
      ? [{ at, name: node.name, schema: node }]
      : []
  const properties = !isProperties && isNode(node.properties) ? Object.entries(node.properties) : []
  return [
    ...own,
    ...properties.map(([name, schema]) => ({ at: `${at}.properties`, name, schema: schema as Node })),
    ...Object.entries(node)
      .filter(([key]) => isProperties || !dataKeys.includes(key))
      .flatMap(([key, value]) => fieldsOf(value, `${at}.${key}`, !isProperties && key === 'properties')),
  ]
}

const schemas = (document.components as { schemas: Record<string, Node> }).schemas
/** A field may leave it to the schema that it is. */
const isDescribed = ({ description, $ref }: Node) =>
  description !== undefined || schemas[String($ref).split('/').at(-1)!]?.description !== undefined

describe('the contract', () => {
  it('says of every field and parameter what it is', () => {
    const fields = fieldsOf(document, '$')
    expect(fields.length).toBeGreaterThan(1_500)
    expect(
      fields.filter(({ schema }) => !isDescribed(schema)).map(({ at, name }) => `${at} ${name}`),
    ).toEqual([])
  })

  it('has no text for a field that is not there', () => {
    const names = new Set(
      fieldsOf(bare, '$')
        .filter(({ schema }) => schema.description === undefined)
        .map(({ name }) => name),
    )
    const unused = Object.keys(contract.fieldTexts).filter(key => !names.has(key.split('.').at(-1)!))
    expect(unused).toEqual([])
  })

  it('gives every list of values that the domain has a name, and uses it', () => {
    const text = JSON.stringify(document)
    const unused = Object.keys(contract.namedEnums).filter(
      name => !text.includes(`"#/components/schemas/${name}"`),
    )
    expect(unused).toEqual([])
  })

  it('stays small: what many operations share is written once', () => {
    const perOperation = JSON.stringify(document).length / contract.operations.length
    // 8.5 KB before what is shared was written once.
    expect(perOperation).toBeLessThan(5_400)
  })
})
