import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { serve } from '../../../test/conformance/served.ts'
import { operation } from '../operation.ts'
import type { Edge } from './edge.ts'
import { callInside } from './inside.ts'
import type { Allowance } from './limits.ts'
import { askerOf, toolsOf, useTool } from './tool.ts'

const named = operation({
  id: 'things.get',
  method: 'GET',
  path: '/things/:name',
  summary: 'Get a thing',
  scopes: [],
  params: z.strictObject({ name: z.string() }),
  status: 200,
  reply: z.object({ name: z.string() }),
  errors: [],
  assistant: 'read',
  run: async ({ params }) => params,
})
const [tool] = toolsOf([named])

let app: FastifyInstance
afterEach(() => app.close())

/** A request from outside, and what it asks within the process while it is in flight. */
async function outer(
  changes: Partial<Edge> & { allowance?: Allowance },
  work: (request: FastifyRequest) => Promise<unknown>,
) {
  app = await serve(named, changes)
  app.get('/outer', { config: { forCallers: true } }, async request => ({ seen: await work(request) }))
  return (headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url: '/outer', headers, remoteAddress: '10.1.2.3' })
}

const useOnce = (request: FastifyRequest, isPaid = false) =>
  useTool(app, askerOf(request), tool!, { name: 'a' }, { isPaid })

it('what is asked within the process comes from the address and with the credential of who asks', async () => {
  const seen: unknown[] = []
  const known: Edge['authenticate'] = async (headers, address) => {
    seen.push([headers['x-api-key'], headers.authorization, headers['x-company-id'], headers.cookie, address])
    return { actor: { tenantId: 't', environment: 'production', scopes: [] }, allowance: plenty } as never
  }
  const call = await outer({ authenticate: known, trustedProxies: ['10.1.2.3'] }, request => useOnce(request))
  await call({ 'x-api-key': 'mine', cookie: 'a=b', 'x-forwarded-for': '192.0.2.7' })
  expect(seen).toEqual([
    ['mine', undefined, undefined, 'a=b', '192.0.2.7'],
    ['mine', undefined, undefined, undefined, '192.0.2.7'],
  ])
})

const plenty = { perMinute: 60, perDay: null, inFlight: 10 }

it('in production a request that came by https may ask within the process', async () => {
  const changes = { requireHttps: true, trustedProxies: ['10.1.2.3'] }
  const call = await outer(changes, request => useOnce(request))
  const answer = await call({ 'x-forwarded-proto': 'https' })
  expect(answer.json().seen).toMatchObject({ status: 200, body: { data: { name: 'a' } } })
})

const within = { operation: named, isPaid: true }

it('nothing that comes over a line is inside, not even when we listen and send from there', async () => {
  const call = await outer({ requireHttps: true, trustedProxies: ['10.1.2.3'] }, async () => {
    const { port } = app.server.address() as AddressInfo
    const response = await callInside(within, () =>
      fetch(`http://127.0.0.1:${port}/things/a`, { headers: { 'x-inside': 'true', inside: named.id } }),
    )
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
  })
  await callInside(within, () => app.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await call({ 'x-forwarded-proto': 'https' })
  expect(answer.json().seen).toEqual([400, 'VAL_004'])
})

it('what was called and what was reached are the same operation, or nothing is done', async () => {
  const other = operation({ ...named, id: 'things.other', path: '/elsewhere/:name' } as never)
  const call = await outer({}, request => useTool(app, askerOf(request), toolsOf([other])[0]!, { name: 'a' }))
  expect((await call()).json().seen).toMatchObject({ status: 500, body: { error: { code: 'SYS_001' } } })
})

it('a caller with one place in flight can use tools from it, and nobody else can meanwhile', async () => {
  const allowance = { ...plenty, inFlight: 1 }
  const call = await outer({ allowance }, async request => {
    const answers = [await useOnce(request), await useOnce(request)]
    const meanwhile = await app.inject({ method: 'GET', url: '/things/a' })
    return [...answers.map(({ status }) => status), meanwhile.json().error.code]
  })
  expect((await call()).json().seen).toEqual([200, 200, 'RATE_003'])
  expect((await call()).json().seen).toEqual([200, 200, 'RATE_003'])
})

it('each use counts as a request of the caller, unless their own was counted as it', async () => {
  const remaining = async (work: (request: FastifyRequest) => Promise<unknown>) => {
    const call = await outer({ allowance: plenty }, work)
    const before = Number((await call()).headers['x-ratelimit-remaining'])
    const after = Number((await call()).headers['x-ratelimit-remaining'])
    await app.close()
    return before - after
  }
  expect(await remaining(async () => null)).toBe(1)
  expect(await remaining(request => useOnce(request))).toBe(2)
  expect(await remaining(request => useOnce(request, true))).toBe(1)
})

it('a program that stops says so, and calls it no defect', async () => {
  const call = await outer({}, async request => {
    void app.close()
    await new Promise(resolve => setTimeout(resolve, 20))
    return useOnce(request)
  })
  const answer = await call()
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'SVC_001'])
})

it('a minute that is used up refuses the tool in the words of the API', async () => {
  const call = await outer({ allowance: { ...plenty, perMinute: 2 } }, async request => {
    await useOnce(request)
    return useOnce(request)
  })
  expect((await call()).json().seen).toMatchObject({ status: 429, body: { error: { code: 'RATE_001' } } })
})
