import { randomUUIDv7 } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { operations } from '../../src/features/all.ts'
import { errorStatuses } from '../../src/kit/errors.ts'
import { fileTypeOf, type Operation } from '../../src/kit/operation.ts'
import type { Json } from './make-helpers.ts'
import {
  documented,
  environmentOf,
  isServedIn,
  keyOf,
  paramsOf,
  routeOf,
  useOperationCalls,
} from './operation-calls.ts'

const calls = useOperationCalls()
const { installation } = calls

/** One operation's path may be another's with an id in it, as /invoices/bulk is to /invoices/:id. */
const isServed = (method: string, path: string) =>
  operations.some(
    other =>
      other.method === method && new RegExp(`^${other.path.replace(/:[A-Za-z]+/g, '[^/]*')}$`).test(path),
  )

const takesCursor = ({ query }: Operation) => query instanceof z.ZodObject && 'cursor' in query.shape

describe.each(operations)('$method $path', operation => {
  it('answers what its declaration says, and not a field more', async () => {
    for (const environment of ['production', 'sandbox'] as const) {
      if (!isServedIn(operation, environment)) continue
      if (environment === 'production' && operation.inProduction?.ownSession) continue
      const key = keyOf(installation.company, environment)
      const answer = await calls.call(operation, { key })
      expect(answer.status).toBe(operation.status)
      // A file has no fields; `calls.call` checks that exactly the declared operations answer with a file.
      if (operation.status === 204 || fileTypeOf(operation)) continue
      const { data, pagination, warnings } = answer.body
      const records = operation.list ? (data as unknown as Json[]) : [data]
      // Parsing drops what the declaration does not know: anything lost was undeclared.
      for (const record of records) expect(operation.reply.parse(record)).toStrictEqual(record)
      expect((answer.body as unknown as Json).message).toBe(operation.secret?.shownOnce)
      if (operation.paging === 'offset')
        expect(pagination).toStrictEqual({ limit: expect.any(Number), offset: 0, total: expect.any(Number) })
      else if (operation.paging === 'feed')
        expect(pagination).toStrictEqual({
          limit: expect.any(Number),
          hasNext: expect.any(Boolean),
          nextCursor: expect.stringMatching(/^[\w-]+$/),
        })
      else if (operation.list)
        expect(pagination).toStrictEqual({
          page: 1,
          limit: expect.any(Number),
          total: expect.any(Number),
          totalPages: Math.ceil(pagination.total / pagination.limit),
          hasNext: pagination.total > pagination.limit,
          hasPrev: false,
          ...(takesCursor(operation) && {
            nextCursor: pagination.hasNext ? expect.stringMatching(/^[\w-]+$/) : null,
          }),
        })
      else expect(pagination).toBeUndefined()
      for (const warning of warnings ?? []) expect(Object.keys(warning)).toEqual(['code', 'message'])
    }
  })

  it('keeps a request id that is well formed and replaces any other', async () => {
    const ids = await calls.idsFor(operation)
    for (const key of [keyOf(installation.company, environmentOf(operation)), null]) {
      for (const given of ['a', `My_Trace-1.${randomUUIDv7()}`, 'x'.repeat(128)]) {
        const answer = await calls.call(operation, { key, ids, headers: { 'x-request-id': given } })
        expect(answer.headers.get('x-request-id')).toBe(given)
      }
      for (const given of ['x'.repeat(129), 'two words', 'a,b', '<b>', '']) {
        const answer = await calls.call(operation, { key, ids, headers: { 'x-request-id': given } })
        expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/)
      }
    }
  })

  it('documents every error it declares and those of the HTTP layer, each under its own status', () => {
    const codes = documented(operation)
    for (const [code, status] of codes) expect(errorStatuses[code as keyof typeof errorStatuses]).toBe(status)
    for (const { code } of operation.errors) expect([...codes.keys()]).toContain(code)
  })

  it('documents every parameter it takes, and no other', () => {
    const shape = operation.query instanceof z.ZodObject ? Object.keys(operation.query.shape) : []
    expect(operation.query === undefined || shape.length > 0).toBe(true)
    const documentedIn = (place: string) =>
      routeOf(operation)
        .parameters.filter(parameter => parameter.in === place)
        .map(parameter => parameter.name)
    expect(documentedIn('query')).toEqual(shape)
    expect(documentedIn('path')).toEqual(paramsOf(operation))
    expect(documentedIn('header')).toEqual([
      ...(operation.method === 'POST' ? ['Idempotency-Key'] : []),
      'X-Company-Id',
      'X-Request-Id',
    ])
  })

  it('knows the path by no other method and no other spelling', async () => {
    const path = operation.path.replace(/:[A-Za-z]+/g, randomUUIDv7())
    const headers = { 'x-api-key': installation.company.productionKey }
    const elsewhere = [
      ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(method => [method, path] as const),
      [operation.method, `${path}/`] as const,
      [operation.method, path.replace('/api/', '/API/')] as const,
    ]
    for (const [method, spelling] of elsewhere) {
      if (isServed(method, spelling)) continue
      const answer = await calls.fetch(spelling, { method, headers })
      expect(answer.status, `${method} ${spelling}`).toBe(spelling === path ? 405 : 404)
      expect(answer.body.error.code).toBe('RES_001')
      if (spelling === path) expect(answer.headers.get('allow')?.split(', ')).toContain(operation.method)
    }
  })
})

it('an unknown path is answered in the same envelope, with and without a key', async () => {
  for (const headers of [{}, { 'x-api-key': installation.company.productionKey }])
    for (const path of [
      '/nothing',
      '/api/v1/nothing',
      '/api/v1/invoices/%E0%A4%A/x',
      `/${'x'.repeat(5_000)}`,
      '/api//v1',
    ])
      expect((await calls.fetch(path, { headers })).body.error.code, path).toBe('RES_001')
})

it('whoever asks too often is told so in the same envelope, with the time to wait', async () => {
  const small = await installation.server.createCompany({
    name: 'Petite maison',
    ownerEmail: 'petite@maison.example',
    tier: 'starter',
  })
  const request = (headers: Record<string, string>) =>
    calls.fetch(`/api/v1/invoices/${randomUUIDv7()}`, { headers })
  for (const headers of [
    { 'x-api-key': small.productionKey },
    { 'x-forwarded-for': '198.51.100.1', 'x-api-key': 'fk_live_guess' },
  ] as Record<string, string>[]) {
    // The window is the minute of the wall: it may end while we fill it, once.
    let [answer, requests] = [await request(headers), 1]
    expect(answer.headers.get('x-ratelimit-limit')).toBe('60')
    for (; answer.status !== 429 && requests < 125; requests++) answer = await request(headers)
    expect(answer.body.error.code).toBe('RATE_001')
    expect(requests).toBeGreaterThan(60)
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  }
})
