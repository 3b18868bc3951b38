import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Me } from '../../src/features/access/console/me.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/console-fields.md'), 'utf8')

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  [other: string]: unknown
}
interface Body {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}
interface Operation {
  operationId?: string
  parameters?: { $ref?: string; name?: string }[]
  requestBody?: Body
  responses: Record<string, Body>
}
const contract = JSON.parse(readFileSync(join(root, 'server/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}
const operations = new Map(
  Object.values(contract.paths).flatMap(methods =>
    Object.values(methods).map(operation => [operation.operationId, operation] as const),
  ),
)

/** What a reference of the contract leads to. */
function resolved<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part
  const keys = part.$ref.split('/').slice(1)
  return resolved(
    keys.reduce((at, key) => at[key] as Schema, contract as unknown as Schema) as unknown as Part,
  )
}

/** The schemas that a step of a path leads to: a property, or `[]` for an item. */
function step(schema: Schema, name: string): Schema[] {
  const { properties, items, anyOf = [], oneOf = [], allOf = [] } = resolved(schema)
  const next = name === '[]' ? items : properties?.[name]
  return [...(next ? [next] : []), ...[...anyOf, ...oneOf, ...allOf].flatMap(one => step(one, name))]
}

function hasPath(schema: Schema, path: string): boolean {
  const names = path.replaceAll('[]', '.[]').split('.').filter(Boolean)
  return names.reduce<Schema[]>((at, name) => at.flatMap(one => step(one, name)), [schema]).length > 0
}

const jsonOf = (part: Body | undefined): Schema | undefined =>
  part && resolved(part).content?.['application/json']?.schema

const me = '`GET /console/me`'

/** A field is a path of `data`; `?` begins a parameter, `body.` a field of the request, `answer.` one beside `data`. */
function isNamedRight(id: string, field: string): boolean {
  if (id === me) return hasPath(z.toJSONSchema(Me, { io: 'input' }) as Schema, field)
  const operation = operations.get(id)
  if (!operation) return false
  if (field.startsWith('?'))
    return (operation.parameters ?? []).some(one => resolved(one).name === field.slice(1))
  if (field.startsWith('body.')) {
    const body = jsonOf(operation.requestBody)
    return body !== undefined && hasPath(body, field.slice('body.'.length))
  }
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status < '300')
    .map(([, answer]) => jsonOf(answer))
  const path = field.startsWith('answer.')
    ? field.slice('answer.'.length)
    : `data${field.startsWith('[') ? '' : '.'}${field}`
  return answers.some(answer => answer !== undefined && hasPath(answer, path))
}

const codesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(match => match[1]!)

/** The rows of the tables of screens: an operation in the second column, its fields in the third. */
const rows = page
  .split('\n')
  .filter(line => line.startsWith('| ') && !line.startsWith('| drawn'))
  .map(line => line.split('|').map(cell => cell.trim()))
  .filter(([, , operation = '', , , end]) => end === '' && /^`[^`]+`$/.test(operation))
const inScreens = rows.flatMap(([, , operation = '', fields = '']) =>
  codesIn(fields).map(field => [operation === me ? me : operation.slice(1, -1), field] as const),
)

/** Elsewhere both stand between the same backticks. */
const elsewhere = codesIn(page)
  .map(code => /^([a-zA-Z]+\.[a-zA-Z]+)(?: (\S+))?$/.exec(code))
  .filter(match => match !== null)
  .filter(([, id = '', field]) => field !== undefined || operations.has(id))
  .map(([, id = '', field]) => [id, field] as const)

it('every operation and field that the page of the console names is in the contract', () => {
  const named = [...inScreens, ...elsewhere]
  const isWrong = ([id, field]: readonly [string, string | undefined]) =>
    field === undefined ? !operations.has(id) : !isNamedRight(id, field)
  expect([...new Set(named.filter(isWrong).map(pair => pair.join(' ')))]).toEqual([])
})

it('the page names many, and a wrong one would be found', () => {
  expect(inScreens.length).toBeGreaterThan(200)
  expect(elsewhere.length).toBeGreaterThan(40)
  for (const right of ['slots[].at', '?date', 'answer.timestamp'])
    expect(isNamedRight('reports.today', right), right).toBe(true)
  for (const wrong of ['slots.at', 'slots[].when', '?day', 'body.date', 'answer.data.when', 'date.year'])
    expect(isNamedRight('reports.today', wrong), wrong).toBe(false)
  expect(isNamedRight('reports.tomorrow', 'date')).toBe(false)
  expect(isNamedRight(me, 'companies[].role')).toBe(true)
  expect(isNamedRight(me, 'companies[].colour')).toBe(false)
})

it('every list of values that needs words is an enum of the contract', () => {
  const words = page.slice(page.indexOf('| enum |')).split('\n\n')[0]!
  const names = words.split('\n').flatMap(line => codesIn(line.split('|')[1] ?? ''))
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter(name => !Array.isArray(contract.components.schemas[name]?.enum))).toEqual([])
})
