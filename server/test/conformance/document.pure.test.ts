import { expect, it } from 'vitest'
import document from '../../openapi.json' with { type: 'json' }

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: { default?: unknown }
}
interface Response {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: { $ref?: string }; example?: unknown }>
}
interface Described {
  operationId: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, unknown> }
  responses: Record<string, Response>
}
const paths = document.paths as unknown as Record<string, Record<string, Described>>
const all = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
)
const found = <Node extends { $ref?: string }>(node: Node): Node =>
  node.$ref
    ? (node.$ref.slice(2).split('/') as string[]).reduce<never>(
        (at, name) => (at as Record<string, never>)[name]!,
        document as never,
      )
    : node
const parametersOf = (path: string, method = 'get') => (paths[path]![method]!.parameters ?? []).map(found)
const api = all.filter(({ path }) => path.startsWith('/api/v'))

it('the five OAuth operations and the endpoint of MCP are described', () => {
  const described = all.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  for (const one of [
    'POST /api/oauth/token',
    'GET /api/oauth/authorize',
    'POST /api/oauth/revoke',
    'POST /api/oauth/introspect',
    'GET /.well-known/oauth-authorization-server',
    'POST /mcp',
  ])
    expect(described).toContain(one)
  const token = paths['/api/oauth/token']!.post!
  expect(Object.keys(token.requestBody!.content).sort()).toEqual([
    'application/json',
    'application/x-www-form-urlencoded',
  ])
})

it('Retry-After is declared wherever it is sent: 423, 429 and 503', () => {
  for (const { operationId, responses } of api)
    for (const [status, response] of Object.entries(responses))
      expect(
        Object.keys(found(response).headers ?? {}).includes('Retry-After'),
        `${operationId} ${status}`,
      ).toBe(['423', '429', '503'].includes(status))
})

it('every operation takes X-Request-Id and answers it', () => {
  for (const { operationId, parameters = [], responses } of api) {
    expect(
      parameters.map(found).map(({ name }) => name),
      operationId,
    ).toContain('X-Request-Id')
    for (const response of Object.values(responses))
      expect(Object.keys(found(response).headers ?? {}), operationId).toContain('X-Request-Id')
  }
})

it.each([
  ['/api/v1/invoices', { page: 1, limit: 20, sortBy: 'created_at', sortOrder: 'desc' }],
  ['/api/v1/debtors', { page: 1, limit: 20 }],
  ['/api/v1/payments', { page: 1, limit: 20 }],
  ['/api/v1/payments/stats/summary', { period: 'month' }],
  ['/api/v2/agent/conversations', { limit: 20, offset: 0 }],
  ['/api/v1/webhooks/{id}/deliveries', { limit: 20, offset: 0 }],
])('GET %s documents the defaults %j', (path, defaults) => {
  const documented = Object.fromEntries(
    parametersOf(path).flatMap(({ name, schema }) => (name in defaults ? [[name, schema.default]] : [])),
  )
  expect(documented).toEqual(defaults)
})

it.each([
  ['InvoiceInput', { currency: 'EUR' }],
  ['DebtorInput', { country: 'FR' }],
  ['InvoiceDebtorInput', { country: 'FR' }],
  ['ImportInput', { autoStartWorkflow: true }],
  ['CancelInput', { notifyDebtor: false }],
  ['WebhookInput', { enabled: true }],
  ['ApiKeyInput', { name: 'API key' }],
])('%s documents the defaults %j', (name, defaults) => {
  interface Input {
    properties: Record<string, { anyOf?: { default?: unknown }[] }>
    /** The debtor of an invoice is one of two; both have these fields. */
    anyOf?: Input[]
  }
  const schema = (document.components.schemas as unknown as Record<string, Input>)[name]!
  const { properties } = schema.anyOf?.at(-1) ?? schema
  // Beside the value and not beside the field: openapi-typescript would require the field.
  const documented = Object.keys(defaults).map(field => [field, properties[field]?.anyOf?.[0]?.default])
  expect(Object.fromEntries(documented)).toEqual(defaults)
})

it('health promises no 503, readiness does', () => {
  expect(Object.keys(paths['/health']!.get!.responses)).toEqual(['200'])
  expect(Object.keys(paths['/health/ready']!.get!.responses)).toEqual(['200', '503'])
})

it('a message is sent with notifications:send, or with lrar:send', () => {
  const { security } = paths['/api/v1/workflow/invoice/{invoiceId}/communications']!.post!
  expect(security).toEqual([
    { apiKey: ['notifications:send'] },
    { oauth2: ['notifications:send'] },
    { apiKey: ['lrar:send'] },
    { oauth2: ['lrar:send'] },
  ])
})

it('answers may grow: no schema of an answer forbids further properties', () => {
  const closed: string[] = []
  const visit = (node: unknown, at: string, seen: Set<string>): void => {
    if (typeof node !== 'object' || node === null) return
    const { $ref, additionalProperties } = node as { $ref?: string; additionalProperties?: unknown }
    if (additionalProperties === false) closed.push(at)
    if ($ref) {
      if (!seen.has($ref)) visit(found({ $ref }), $ref, seen.add($ref))
      return
    }
    for (const [name, inner] of Object.entries(node))
      if (name !== 'example') visit(inner, `${at}.${name}`, seen)
  }
  for (const { operationId, responses } of all)
    for (const response of Object.values(responses)) visit(found(response).content, operationId, new Set())
  expect(closed).toEqual([])
})

it('the debtor of an invoice is an existing one by its id, or the data of one', () => {
  const { anyOf } = document.components.schemas.InvoiceDebtorInput as unknown as {
    anyOf: { required: string[]; additionalProperties: boolean }[]
  }
  expect(anyOf.map(({ required, additionalProperties }) => [required, additionalProperties])).toEqual([
    [['id'], false],
    [['name', 'email'], false],
  ])
})

it('no schema has the name of a global type of JavaScript', () => {
  const names = Object.keys(document.components.schemas)
  expect(names.filter(name => name in globalThis)).toEqual([])
})

it('what is the same everywhere is written once: refusals, their headers and the common parameters', () => {
  for (const { operationId, parameters = [], responses } of api) {
    for (const [status, response] of Object.entries(responses))
      if (Number(status) >= 400)
        expect(response.$ref, `${operationId} ${status}`).toMatch(/^#\/components\/responses\//)
    for (const parameter of parameters)
      if (found(parameter).in === 'header') expect(parameter.$ref).toBeDefined()
  }
  expect(JSON.stringify(document).length).toBeLessThan(900_000)
})

it('a body is required where something in it is', () => {
  expect(paths['/api/v1/api-keys']!.post!.requestBody?.required).toBe(false)
  expect(paths['/api/v1/invoices']!.post!.requestBody?.required).toBe(true)
})

it('the statuses of the specification have a name of their own', () => {
  const enums = Object.entries(document.components.schemas as unknown as Record<string, { enum?: string[] }>)
  const named = Object.fromEntries(
    enums.flatMap(([name, schema]) => (schema.enum ? [[name, schema.enum]] : [])),
  )
  expect(named).toMatchObject({
    InvoiceStatus: expect.arrayContaining(['imported', 'lrar_sent', 'in_recovery', 'judicial', 'cancelled']),
    WorkflowStatus: ['pending', 'in_recovery', 'paused', 'completed', 'cancelled', 'judicial'],
    PaymentStatus: ['pending', 'completed', 'failed', 'refunded'],
    PaymentMethod: ['card', 'bank_transfer', 'sepa_debit', 'payment_link'],
    Channel: ['email', 'sms', 'lrar', 'voice'],
  })
})

it('lists show the cursor of the next page', () => {
  expect(document.components.schemas.Pagination.properties).toHaveProperty('nextCursor')
})
