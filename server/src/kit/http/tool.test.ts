import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { scopes } from '../../features/access/scopes.ts'
import { operations } from '../../features/all.ts'
import type { Actor } from '../actor.ts'
import { ApiError } from '../errors.ts'
import { fileTypeOf, operation, pdfReply } from '../operation.ts'
import type { Tool } from '../tool.ts'
import { requestOf, type ToolRequest, toolsFor, toolsOf } from './tool.ts'

const tools = toolsOf(operations)
const tool = (name: string) => tools.find(one => one.name === name)!
const anId = '0197a1c2-0000-7000-8000-00000000000a'

type Properties = Record<string, Record<string, unknown>>
const propertiesOf = ({ inputSchema }: Tool) => inputSchema.properties as Properties

const simple = {
  id: 'things.do',
  method: 'POST',
  path: '/things/:id',
  summary: 'Do a thing',
  scopes: [],
  params: z.strictObject({ id: z.string() }),
  status: 200,
  reply: z.object({}),
  errors: [],
  assistant: 'read',
  run: async () => ({}),
} as const

describe('the tools', () => {
  it('are all operations an assistant may use, in their order, under names every model takes', () => {
    expect(tools.map(({ operation: { id } }) => id)).toEqual(
      operations
        .filter(one => one.assistant !== 'never' && !fileTypeOf(one) && !one.secret?.shownOnce)
        .map(({ id }) => id),
    )
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    for (const { name, operation: target } of tools) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(name.replaceAll('_', '.')).toBe(target.id)
    }
  })

  it('are no operation that hands out a secret or a file, whatever it says of the assistant', () => {
    const secret = operation({ ...simple, secret: { shownOnce: 'Keep it.' } })
    const run = async () => ({ bytes: Buffer.alloc(0), fileName: 'a.pdf' })
    const file = operation({ ...simple, method: 'GET', reply: pdfReply, run })
    expect(toolsOf([secret, file])).toEqual([])
    expect(toolsOf([operation(simple)])).toHaveLength(1)
  })

  it('have one flat schema, whole in itself', () => {
    for (const { name, inputSchema } of tools) {
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(JSON.stringify(inputSchema), name).not.toContain('$ref')
    }
    expect(Object.keys(propertiesOf(tool('workflow_trigger')))).toEqual([
      'invoiceId',
      'action',
      'reason',
      'noticeReceived',
      'until',
      'dryRun',
    ])
    expect(tool('workflow_trigger').inputSchema.required).toEqual(['invoiceId', 'action'])
  })

  it('take numbers as numbers, and show where the next page starts', () => {
    const { limit, cursor } = propertiesOf(tool('invoices_list'))
    expect(limit).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
    expect(cursor!.description).toBe('`nextCursor` of the page before')
  })

  it('refuse to be made when a name means two things', () => {
    const twice = operation({ ...simple, body: z.strictObject({ id: z.string() }) })
    expect(() => toolsOf([twice])).toThrow('things.do has id in two places')
  })

  it('are to a caller what scopes and environment allow', () => {
    const actor: Actor = {
      kind: 'api_key',
      id: 'k',
      tenantId: 't',
      companyId: 'c',
      environment: 'production',
      scopes: ['payments:read'],
    }
    expect(toolsFor(tools, actor).map(({ name }) => name)).toEqual(
      tools
        .filter(({ operation: target }) =>
          [target.scopes, ...(target.orScopes ?? [])].some(set =>
            set.every(scope => scope === 'payments:read'),
          ),
        )
        .filter(({ operation: target }) => target.environment !== 'sandbox')
        .map(({ name }) => name),
    )
    expect(toolsFor(tools, actor).length).toBeGreaterThan(2)
    const names = (environment: Actor['environment']) =>
      new Set(toolsFor(tools, { ...actor, environment, scopes }).map(({ name }) => name))
    expect([names('production').has('sandbox_advance'), names('sandbox').has('sandbox_advance')]).toEqual([
      false,
      true,
    ])
    expect([names('production').has('members_list'), names('sandbox').has('members_list')]).toEqual([
      true,
      false,
    ])
  })
})

describe('a request', () => {
  it('has its arguments where the operation reads them', () => {
    expect(requestOf(tool('workflow_trigger'), { action: 'pause', invoiceId: anId })).toEqual({
      url: `/api/v1/workflow/invoice/${anId}/trigger`,
      body: '{"action":"pause"}',
    })
    expect(requestOf(tool('debtors_list'), { search: 'Été & fils', page: 2, limit: null })).toEqual({
      url: '/api/v1/debtors?search=%C3%89t%C3%A9+%26+fils&page=2&limit=20',
      body: undefined,
    })
  })

  it('asks for a small page unless told otherwise', () => {
    expect(requestOf(tool('debtors_list'), undefined).url).toBe('/api/v1/debtors?limit=20')
    expect(requestOf(tool('debtors_list'), { limit: 7 }).url).toBe('/api/v1/debtors?limit=7')
  })

  it('is rehearsed where that is possible, and refused where it is not', () => {
    const args = { invoiceId: anId, action: 'pause', dryRun: false }
    expect(requestOf(tool('workflow_trigger'), args, true).body).toBe('{"action":"pause","dryRun":true}')
    expect(() => requestOf(tool('invoices_update'), { id: anId, notes: 'other' }, true)).toThrow(
      'invoices_update cannot be rehearsed',
    )
  })

  it.each([
    ['text instead of arguments', 'debtors_list', 'search=x', 'VAL_001'],
    ['a list of arguments', 'debtors_list', [], 'VAL_001'],
    ['an id that is missing', 'debtors_get', {}, 'VAL_004'],
    ['an id that is another path', 'webhooks_get', { id: 'events' }, 'VAL_004'],
    ['an object where a text belongs', 'debtors_list', { search: { a: 1 } }, 'VAL_002'],
  ])('with %s is refused in words', (_, name, args, code) => {
    expect(() => requestOf(tool(name), args)).toThrow(expect.objectContaining({ code }))
  })
})

// Known ways to escape from a path segment, end a header, or reach into an object.
const hostile = fc.oneof(
  fc.constantFrom(
    '..', '.', '', '../', '/', '//evil.example/', '..%2f', '%2e%2e', '%2E%2E%2F', '%252e', '..;/', '\\..\\',
    '?a=1', '#', '%', '%00', '\0', '\r\nx-api-key: stolen', '\ud800', 'a/../../health', 'events', 'stats', 'bulk',
    'http://127.0.0.1/', '__proto__', 'constructor', ':id', '*', ' ', '\t', '。', '．．', `${anId}/../x`,
  ), // biome-ignore format: a table
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.webUrl(),
)
const anything = fc.oneof(
  hostile,
  fc.constant(anId),
  fc.integer(),
  fc.constant(null),
  fc.boolean(),
  fc.array(hostile, { maxLength: 2 }),
  fc.constant(JSON.parse('{"__proto__":{"x":1}}')),
)

describe('whatever a model says', () => {
  let router: FastifyInstance

  beforeAll(async () => {
    router = Fastify({ routerOptions: { maxParamLength: 16_384 } })
    router.removeAllContentTypeParsers()
    router.addContentTypeParser('application/json', (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    for (const { method, path, id } of operations)
      router.route({ method, url: path, handler: async request => ({ id, params: request.params }) })
    router.get('/health', async () => ({ id: 'health' }))
    await router.ready()
  })
  afterAll(() => router.close())

  // A lenient twin of each tool: with the ids of ours being UUIDs, hardly anything else would be built at all.
  const lenient = toolsOf(
    operations.map(target => {
      const names = [...target.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => [name!, z.string()])
      return { ...target, ...(target.params && { params: z.strictObject(Object.fromEntries(names)) }) }
    }),
  )

  // Where a fixed path has its own route, only the schema of the id distinguishes the two.
  const siblings = new Set<string | undefined>(operations.map(({ path }) => path))

  const argsFor = (target: Tool) =>
    fc.record(
      Object.fromEntries(
        [...Object.keys(propertiesOf(target)), '__proto__', 'x'].map(name => [name, anything]),
      ),
      { requiredKeys: [...((target.inputSchema.required as string[] | undefined) ?? [])] },
    )

  const built = (target: Tool, args: unknown): ToolRequest | null => {
    try {
      return requestOf(target, args)
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }

  it.each(tools.map((target, at) => ({ name: target.name, target, twin: lenient[at]! })))(
    '$name reaches its own route or none',
    async ({ target, twin }) => {
      await fc.assert(
        fc.asyncProperty(argsFor(target), async args => {
          for (const made of [target, twin]) {
            const request = built(made, args)
            if (!request) continue
            const { id, params } = (
              await router.inject({ method: target.operation.method, url: request.url })
            ).json()
            const isSibling = made === twin && siblings.has(request.url.split('?')[0])
            if (isSibling) continue
            expect(id).toBe(target.operation.id)
            for (const name of Object.keys(params)) expect(params[name]).toBe((args as typeof params)[name])
          }
        }),
        { numRuns: 60 },
      )
    },
  )
})
