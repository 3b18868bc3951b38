import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/features/all.ts'
import type { ApiResponse } from '../harness/use-installation.ts'
import { makeId } from './make.ts'
import { exampleOf, type Json } from './make-helpers.ts'
import { objectsIn, type Shape } from './objects-in-body.ts'
import { environmentOf, keyOf, useOperationCalls } from './operation-calls.ts'

const calls = useOperationCalls()

const isObject = (node: unknown): node is Json =>
  typeof node === 'object' && node !== null && !Array.isArray(node)

/** Every place in a body, outermost first, as the path of names that leads there. */
const placesIn = (node: unknown, path: string[] = []): string[][] =>
  isObject(node)
    ? Object.entries(node).flatMap(([name, value]) => [[...path, name], ...placesIn(value, [...path, name])])
    : []

const at = (node: unknown, path: string[]): unknown =>
  path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), node)

function withValue(body: Json, [name, ...rest]: string[], value: unknown): Json {
  return { ...body, [name!]: rest.length > 0 ? withValue(body[name!] as Json, rest, value) : value }
}

const isUuid = (shape: Shape): boolean => shape.format === 'uuid' || (shape.anyOf ?? []).some(isUuid)

const verdict = (answer: ApiResponse) => [answer.status, answer.body.error?.code]
const fields = (answer: ApiResponse) => answer.body.error.details?.map(detail => detail.field)

describe.each(operations.filter(operation => operation.body))('$method $path', operation => {
  const example = exampleOf(operation)
  const objects = objectsIn(operation)
  const exampleFields = objects.filter(({ path }) => isObject(at(example, path)))
  let refused: Promise<Json> | undefined
  /** To be changed so that it is refused: the same again and again. */
  const rightBody = () => (refused ??= calls.bodyFor(operation))

  it('refuses what is not JSON, is not said to be JSON, or is not UTF-8', async () => {
    for (const raw of ['{', '{"a":1,}', 'no', '{"a":NaN}', "{'a':1}", new Uint8Array([0x7b, 0xff, 0x7d])])
      expect(verdict(await calls.call(operation, { raw }))).toEqual([400, 'VAL_004'])
    const raw = JSON.stringify(await rightBody())
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'nonsense'])
      expect(verdict(await calls.call(operation, { raw, headers: { 'content-type': type } })), type).toEqual([
        400,
        'VAL_004',
      ])
  })

  it('refuses JSON that is not an object', async () => {
    for (const raw of ['[]', 'null', '"text"', '1'])
      expect(verdict(await calls.call(operation, { raw })), raw).toEqual([400, 'VAL_001'])
  })

  it('names each required field that is missing or null; in an update null is a wrong value', async () => {
    const required = objects.find(({ path }) => path.length === 0)?.shape.required ?? []
    if (required.length > 0)
      for (const raw of ['{}', '']) {
        const answer = await calls.call(operation, { raw })
        expect(verdict(answer)).toEqual([400, operation.bodyFaults?.missingIs ?? 'VAL_003'])
        expect(fields(answer)?.sort()).toEqual([...required].sort())
      }
    if (required.length === 0 && operation.method === 'PUT')
      expect(verdict(await calls.call(operation, { raw: '{}' }))).toEqual([400, 'VAL_001'])
    for (const { path, shape } of exampleFields)
      for (const name of shape.required ?? []) {
        const answer = await calls.call(operation, {
          body: withValue(await rightBody(), [...path, name], null),
        })
        const code = path.length === 0 && operation.method === 'PUT' ? 'VAL_001' : 'VAL_003'
        expect(verdict(answer)).toEqual([400, operation.bodyFaults?.missingIs ?? code])
        expect(fields(answer)).toEqual([[...path, name].join('.')])
      }
  })

  it('refuses a field it does not know, at every depth', async () => {
    for (const { path, shape } of objects) expect(shape.additionalProperties, path.join('.')).toBe(false)
    for (const object of exampleFields) {
      const path = [...object.path, 'amuontCents']
      const answer = await calls.call(operation, { body: withValue(await rightBody(), path, 1) })
      expect(verdict(answer), path.join('.')).toEqual([400, 'VAL_001'])
      expect(answer.body.error.details).toMatchObject([{ field: path.join('.'), code: 'unknown_field' }])
    }
    const raw = `${JSON.stringify(await rightBody()).slice(0, -1)},"__proto__":{"isAdmin":true}}`
    expect((await calls.call(operation, { raw })).status).toBe(400)
  })

  it('refuses a value of the wrong type in every field and names the field', async () => {
    // What stands in metadata is the customer's own and may be of any type.
    for (const path of placesIn(example).filter(place => place.length === 1 || place[0] !== 'metadata')) {
      const wrong = Array.isArray(at(example, path)) ? {} : [[]]
      const answer = await calls.call(operation, {
        body: withValue(await rightBody(), path, wrong),
      })
      expect(verdict(answer), path.join('.')).toEqual([400, 'VAL_001'])
      expect(fields(answer)).toEqual([path.join('.')])
    }
  })

  it('refuses forbidden characters in every text and stores none of them', async () => {
    for (const path of placesIn(example).filter(place => typeof at(example, place) === 'string'))
      for (const forbidden of ['\u0000', '\ud800', '\u202e']) {
        const fresh = await rightBody()
        const body = withValue(fresh, path, `${at(fresh, path)}${forbidden}`)
        const answer = await calls.call(operation, { body })
        expect(verdict(answer), `${path.join('.')} ${JSON.stringify(forbidden)}`).toEqual([400, 'VAL_004'])
        expect(fields(answer)).toEqual([path.join('.')])
      }
  })

  it('counts several faults as one faulty body, and lists them all', async () => {
    const missing = exampleFields[0]?.shape.required?.[0]
    const wrong = Object.keys(example).find(name => name !== missing)
    if (!missing || !wrong) return
    const answer = await calls.call(operation, {
      body: {
        ...(await rightBody()),
        [missing]: null,
        [wrong]: Array.isArray(example[wrong]) ? {} : [[]],
      },
    })
    expect(verdict(answer)).toEqual([400, 'VAL_001'])
    expect(fields(answer)?.sort()).toEqual([missing, wrong].sort())
  })

  it('refuses a body nested deeper than anything it asks for', async () => {
    for (const depth of [40, 100_000]) {
      const raw = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
      expect(verdict(await calls.call(operation, { raw }))).toEqual([400, 'VAL_004'])
    }
  })

  it('takes a body up to its limit and refuses a larger one, announced or streamed', async () => {
    const limit = (operation.path === '/api/v1/invoices/bulk' ? 10 : 1) * 1024 * 1024
    const body = JSON.stringify(await calls.bodyFor(operation))
    const fitting = body + ' '.repeat(limit - Buffer.byteLength(body))
    expect((await calls.call(operation, { raw: fitting })).status).toBe(operation.status)
    expect(verdict(await calls.call(operation, { raw: `${fitting} ` }))).toEqual([413, 'VAL_005'])
    const raw = new Blob([fitting, ' ']).stream()
    expect(verdict(await calls.call(operation, { raw }))).toEqual([413, 'VAL_005'])
  })

  it('answers for an id in the body that belongs to somebody else exactly as for one that never was', async () => {
    for (const { path, shape } of exampleFields)
      for (const [name, inner] of Object.entries(shape.properties!).filter(([, property]) =>
        isUuid(property),
      )) {
        const place = [...path, name]
        const missing = randomUUIDv7()
        const asked = async (id: string) => {
          const body = withValue(await calls.bodyFor(operation), place, id)
          const answer = await calls.call(operation, { body })
          const { error } = answer.body
          return [answer.status, { ...error, message: error?.message.replaceAll(id, '…') }]
        }
        const expected = await asked(missing)
        // Of the assistant the specification calls it a fault of the body.
        expect(expected[0], `${place.join('.')} ${inner.format}`).toBe(
          operation.bodyFaults?.missingIs ? 400 : 404,
        )
        const environment = environmentOf(operation)
        const elsewhere = environment === 'production' ? 'sandbox' : 'production'
        for (const key of [keyOf(calls.stranger, environment), keyOf(calls.installation.company, elsewhere)])
          expect(await asked(await makeId(calls.installation, place.join('.'), key, operation))).toEqual(
            expected,
          )
      }
  })
})
