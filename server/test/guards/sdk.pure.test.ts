import { describe, expect, it } from 'vitest'
import { Relance } from '../../../sdk/src/index.ts'
import { operations } from '../../src/features/all.ts'
import type { Operation } from '../../src/kit/operation.ts'

type Method = (...args: unknown[]) => PromiseLike<unknown>
type Resource = Record<string, Method>

/** Written by hand beside the generated ones. */
const handWritten = ['agent.chatStream', 'tasks.wait']

interface Sent {
  method: string
  url: URL
  body: unknown
  type: string | null
}

const sent: Sent[] = []
const relance = new Relance({
  apiKey: 'fk_test_x',
  baseUrl: 'http://api.example',
  async fetch(url, init) {
    const headers = new Headers(init!.headers)
    sent.push({
      method: init!.method!,
      url: new URL(String(url)),
      body: init!.body,
      type: headers.get('content-type'),
    })
    const data = { success: true, data: {}, pagination: {} }
    return new Response(init!.method === 'DELETE' ? null : JSON.stringify(data), {
      status: init!.method === 'DELETE' ? 204 : 200,
    })
  },
})

const resources = relance as unknown as Record<string, Resource>
const methodOf = ({ id }: Operation) => {
  const [noun = '', verb = ''] = id.split('.')
  return { resource: resources[noun], verb }
}

const paramNames = ({ path }: Operation) => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name!)

describe.each(operations)('$id', operation => {
  it('has its method, which sends what was given to its route', async () => {
    const { resource, verb } = methodOf(operation)
    expect(resource?.[verb], `npm run generate writes relance.${operation.id}`).toBeTypeOf('function')
    sent.length = 0
    const names = paramNames(operation)
    const body = operation.upload ? 'a;b' : { given: true }
    const args = [
      ...names.map(name => `the ${name}`),
      ...(operation.body || operation.upload ? [body] : []),
      ...(operation.query ? [{ asked: 'yes' }] : []),
      { headers: { 'x-option': '1' } },
    ]
    await resource![verb]!(...args)
    const [request] = sent
    expect(request!.method).toBe(operation.method)
    const path = operation.path.replaceAll(/:([A-Za-z]+)/g, (_, name) => encodeURIComponent(`the ${name}`))
    expect(request!.url.pathname).toBe(path)
    expect(request!.url.search).toBe(operation.query ? '?asked=yes' : '')
    expect(request!.body).toBe(operation.upload ? body : operation.body ? JSON.stringify(body) : null)
    expect(request!.type).toBe(
      operation.upload ? 'application/octet-stream' : operation.body ? 'application/json' : null,
    )
  })
})

it('there is no method without an operation', () => {
  const ids = new Set([...operations.map(({ id }) => id), ...handWritten])
  const methods = Object.entries(resources).flatMap(([noun, resource]) => {
    const found: string[] = []
    for (let one: object = resource; one !== Object.prototype; one = Object.getPrototypeOf(one))
      found.push(...Object.getOwnPropertyNames(one).filter(name => !['constructor', 'call'].includes(name)))
    return found.map(name => `${noun}.${name}`)
  })
  expect(methods.filter(name => !ids.has(name))).toEqual([])
  expect(methods.length).toBeGreaterThanOrEqual(ids.size)
})
