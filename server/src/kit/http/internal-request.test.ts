import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { serveOperation } from '../../../test/conformance/serve-operation.ts'
import { operation } from '../operation.ts'
import type { HttpContext } from './http-context.ts'
import { callInternally } from './internal-request.ts'
import type { Allowance } from './limits.ts'
import { toolCallerOf, toolsOf, useTool } from './tool.ts'

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

/** Serves an outer request that runs `work`, which makes internal requests. */
async function serveOuter(
  changes: Partial<HttpContext> & { allowance?: Allowance },
  work: (request: FastifyRequest) => Promise<unknown>,
) {
  app = await serveOperation(named, changes)
  app.get('/outer', { config: { requiresCredential: true } }, async request => ({
    seen: await work(request),
  }))
  return (headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url: '/outer', headers, remoteAddress: '10.1.2.3' })
}

const useOnce = (request: FastifyRequest, isAlreadyCounted = false) =>
  useTool(app, toolCallerOf(request), tool!, { name: 'a' }, { isPaid: isAlreadyCounted })

it('an internal request has the address and the credential of the request it is made for', async () => {
  const seen: unknown[] = []
  const known: HttpContext['authenticate'] = async (headers, address) => {
    seen.push([headers['x-api-key'], headers.authorization, headers['x-company-id'], headers.cookie, address])
    return { actor: { tenantId: 't', environment: 'production', scopes: [] }, allowance: plenty } as never
  }
  const call = await serveOuter({ authenticate: known, trustedProxies: ['10.1.2.3'] }, request =>
    useOnce(request),
  )
  await call({ 'x-api-key': 'mine', cookie: 'a=b', 'x-forwarded-for': '192.0.2.7' })
  expect(seen).toEqual([
    ['mine', undefined, undefined, 'a=b', '192.0.2.7'],
    ['mine', undefined, undefined, undefined, '192.0.2.7'],
  ])
})

const plenty = { perMinute: 60, perDay: null, inFlight: 10 }

it('in production a request that came by https may make internal requests', async () => {
  const changes = { requireHttps: true, trustedProxies: ['10.1.2.3'] }
  const call = await serveOuter(changes, request => useOnce(request))
  const answer = await call({ 'x-forwarded-proto': 'https' })
  expect(answer.json().seen).toMatchObject({ status: 200, body: { data: { name: 'a' } } })
})

const internal = { operation: named, isAlreadyCounted: true }

it('a request read from a socket is never internal, even when it is sent from an internal call', async () => {
  const call = await serveOuter({ requireHttps: true, trustedProxies: ['10.1.2.3'] }, async () => {
    const { port } = app.server.address() as AddressInfo
    const response = await callInternally(internal, () =>
      fetch(`http://127.0.0.1:${port}/things/a`, { headers: { 'x-inside': 'true', inside: named.id } }),
    )
    return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
  })
  await callInternally(internal, () => app.listen({ host: '127.0.0.1', port: 0 }))
  const answer = await call({ 'x-forwarded-proto': 'https' })
  expect(answer.json().seen).toEqual([400, 'VAL_004'])
})

it('what was called and what was reached are the same operation, or nothing is done', async () => {
  const other = operation({ ...named, id: 'things.other', path: '/elsewhere/:name' } as never)
  const call = await serveOuter({}, request =>
    useTool(app, toolCallerOf(request), toolsOf([other])[0]!, { name: 'a' }),
  )
  expect((await call()).json().seen).toMatchObject({ status: 500, body: { error: { code: 'SYS_001' } } })
})

it('a caller that is allowed one concurrent request can still use tools within it, and no other request passes meanwhile', async () => {
  const allowance = { ...plenty, inFlight: 1 }
  const call = await serveOuter({ allowance }, async request => {
    const answers = [await useOnce(request), await useOnce(request)]
    const meanwhile = await app.inject({ method: 'GET', url: '/things/a' })
    return [...answers.map(({ status }) => status), meanwhile.json().error.code]
  })
  expect((await call()).json().seen).toEqual([200, 200, 'RATE_003'])
  expect((await call()).json().seen).toEqual([200, 200, 'RATE_003'])
})

it('each use counts as a request of the caller, unless their own was counted as it', async () => {
  const remaining = async (work: (request: FastifyRequest) => Promise<unknown>) => {
    const call = await serveOuter({ allowance: plenty }, work)
    const before = Number((await call()).headers['x-ratelimit-remaining'])
    const after = Number((await call()).headers['x-ratelimit-remaining'])
    await app.close()
    return before - after
  }
  expect(await remaining(async () => null)).toBe(1)
  expect(await remaining(request => useOnce(request))).toBe(2)
  expect(await remaining(request => useOnce(request, true))).toBe(1)
})

it('while the server stops, an internal request gets SVC_001 and not an internal error', async () => {
  const call = await serveOuter({}, async request => {
    void app.close()
    await new Promise(resolve => setTimeout(resolve, 20))
    return useOnce(request)
  })
  const answer = await call()
  expect([answer.statusCode, answer.json().error.code]).toEqual([503, 'SVC_001'])
})

it('when the minute limit is used up, the tool call gets the error of the API', async () => {
  const call = await serveOuter({ allowance: { ...plenty, perMinute: 2 } }, async request => {
    await useOnce(request)
    return useOnce(request)
  })
  expect((await call()).json().seen).toMatchObject({ status: 429, body: { error: { code: 'RATE_001' } } })
})
