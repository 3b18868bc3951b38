import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { breakingChanges, breakingLines, type Contract, unannounced } from './contract-difference.ts'

const base = {
  paths: {
    '/invoices/{id}': {
      get: {
        parameters: [{ name: 'include', in: 'query', schema: { type: 'string', enum: ['a', 'b'] } }],
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Invoice' } } } },
        },
      },
      put: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['number'],
                properties: { number: { type: 'string' }, note: { type: ['string', 'null'] } },
              },
            },
          },
        },
        responses: { '200': {}, '204': {} },
      },
    },
  },
  webhooks: {
    'invoice.paid': {
      post: {
        requestBody: {
          content: {
            'application/json': { schema: { type: 'object', properties: { cents: { type: 'integer' } } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Invoice: {
        type: 'object',
        required: ['id', 'status'],
        properties: {
          id: { type: 'string' },
          status: { type: 'string', enum: ['open', 'paid'] },
          lines: { type: 'array', items: { type: 'object', properties: { cents: { type: 'integer' } } } },
          parent: { anyOf: [{ $ref: '#/components/schemas/Invoice' }, { type: 'null' }] },
        },
      },
    },
  },
}
// biome-ignore lint/suspicious/noExplicitAny: a document is changed in any place
type Any = any
const changed = (change: (contract: Any) => void): Contract => {
  const copy = structuredClone(base)
  change(copy)
  return copy as unknown as Contract
}
const against = (change: (contract: Any) => void) =>
  breakingChanges(base as unknown as Contract, changed(change)).map(
    ({ subject, what }) => `${subject} ${what}`,
  )

const invoice = (contract: Any) => contract.components.schemas.Invoice
const put = (contract: Any) => contract.paths['/invoices/{id}'].put
const body = (contract: Any) => put(contract).requestBody.content['application/json'].schema
const get = (contract: Any) => contract.paths['/invoices/{id}'].get

describe('breaks clients:', () => {
  it.each<[string, (contract: Any) => void, string]>([
    ['an operation is gone', c => delete c.paths['/invoices/{id}'].put, 'PUT /invoices/:id is gone'],
    ['a path is gone', c => delete c.paths['/invoices/{id}'], 'GET /invoices/:id is gone'],
    [
      'a field of an answer is gone',
      c => delete invoice(c).properties.id,
      'Invoice.id is gone from the answer',
    ],
    [
      'a field of an answer may be missing',
      c => invoice(c).required.shift(),
      'Invoice.id may now be missing',
    ],
    [
      'a value of an answer is gone',
      c => invoice(c).properties.status.enum.pop(),
      'Invoice.status no longer has the value "paid"',
    ],
    [
      'a field of an answer has another type',
      c => (invoice(c).properties.id.type = 'integer'),
      'Invoice.id may now be integer',
    ],
    [
      'a field of an answer may be null',
      c => (invoice(c).properties.id.type = ['string', 'null']),
      'Invoice.id may now be null',
    ],
    [
      'a field in a list is gone',
      c => (invoice(c).properties.lines.items.properties = { sum: {} }),
      'Invoice.lines[].cents is gone from the answer',
    ],
    [
      'a field is newly required',
      c => body(c).required.push('note'),
      'PUT /invoices/:id.note is now required',
    ],
    [
      'a new field is required',
      c => {
        body(c).properties.city = { type: 'string' }
        body(c).required.push('city')
      },
      'PUT /invoices/:id.city is new and required',
    ],
    [
      'a field is no longer taken',
      c => delete body(c).properties.note,
      'PUT /invoices/:id.note is gone from the request',
    ],
    [
      'null is no longer taken',
      c => (body(c).properties.note.type = 'string'),
      'PUT /invoices/:id.note no longer takes null',
    ],
    [
      'a field is limited',
      c => (body(c).properties.number.enum = ['1']),
      'PUT /invoices/:id.number is limited to some values',
    ],
    [
      'a parameter is gone',
      c => get(c).parameters.pop(),
      'GET /invoices/:id no longer takes the parameter include',
    ],
    [
      'a parameter is required',
      c => (get(c).parameters[0].required = true),
      'GET /invoices/:id now requires the parameter include',
    ],
    [
      'a value of a parameter is gone',
      c => get(c).parameters[0].schema.enum.pop(),
      'GET /invoices/:id include no longer has the value "b"',
    ],
    ['an answer is gone', c => delete put(c).responses['204'], 'PUT /invoices/:id no longer answers 204'],
    ['an event is gone', c => delete c.webhooks['invoice.paid'], 'invoice.paid is gone'],
    [
      'a field of an event is gone',
      c => (c.webhooks['invoice.paid'].post.requestBody.content['application/json'].schema.properties = {}),
      'invoice.paid.cents is gone from the answer',
    ],
  ])('%s', (_, change, sentence) => {
    expect(against(change)).toContain(sentence)
  })
})

describe('breaks nobody:', () => {
  it.each<[string, (contract: Any) => void]>([
    ['nothing', () => {}],
    ['a new operation', c => (c.paths['/new'] = { get: { responses: {} } })],
    ['a new field of an answer', c => (invoice(c).properties.city = { type: 'string' })],
    ['a new value of an answer', c => invoice(c).properties.status.enum.push('lost')],
    ['a field of an answer that is always there', c => invoice(c).required.push('lines')],
    ['a new field of a request', c => (body(c).properties.city = { type: 'string' })],
    ['a field that is no longer required', c => (body(c).required = [])],
    ['a new parameter', c => get(c).parameters.push({ name: 'x', in: 'query' })],
    ['a new value of a parameter', c => get(c).parameters[0].schema.enum.push('c')],
    ['a description', c => (invoice(c).description = 'other')],
  ])('%s', (_, change) => {
    expect(against(change)).toEqual([])
  })

  it('our own contract, compared with itself', () => {
    const own = JSON.parse(readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8')) as Contract
    expect(breakingChanges(own, own)).toEqual([])
  })
})

it('one change of a named schema is one breaking change of our contract', () => {
  const text = readFileSync(join(import.meta.dirname, '../openapi.json'), 'utf8')
  const [own, other] = [JSON.parse(text) as Contract, JSON.parse(text) as Contract]
  const path = Object.keys(own.paths!).find(name => own.paths![name]!.delete)!
  delete other.paths![path]!.delete
  expect(breakingChanges(own, other)).toEqual([
    { subject: `DELETE ${path.replace(/\{(\w+)\}/g, ':$1')}`, what: 'is gone' },
  ])
})

it('a breaking change has to be named in a new line under "Breaking"', () => {
  const changes = [{ subject: 'PUT /invoices/:id', what: 'is gone' }]
  const old = '# Changelog\n\n### Breaking\n\n- Old: `PUT /invoices/:id`.\n\n### Added\n'
  const saying = (text: string) => unannounced(changes, breakingLines(old, text))
  expect(saying(old)).toEqual(changes)
  expect(saying(`${old}- \`PUT /invoices/:id\` is gone.`)).toEqual(changes)
  expect(saying(old.replace('\n### Added', '- `PUT /invoices/:id` is gone.\n\n### Added'))).toEqual([])
})
