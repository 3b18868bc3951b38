import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { serveOperation } from '../../../test/conformance/serve-operation.ts'
import { scopes } from '../../features/access/scopes.ts'
import type { Actor } from '../actor.ts'
import { type Operation, operation } from '../operation.ts'
import type { HttpContext, Principal } from './http-context.ts'
import { toolCallerOf, toolsOf, useTool } from './tool.ts'

const named = operation({
  id: 'things.get',
  method: 'GET',
  path: '/things/:name',
  summary: 'Get a thing',
  scopes: ['invoices:read'],
  roles: ['owner'],
  params: z.strictObject({ name: z.string() }),
  status: 200,
  reply: z.object({ name: z.string() }),
  errors: [],
  assistant: 'read',
  run: async ({ params }) => params,
})

const owner: Actor = {
  kind: 'person',
  id: 'p',
  tenantId: 't',
  companyId: 'c',
  environment: 'sandbox',
  scopes,
  role: 'owner',
  signedInAt: 0,
}
const principal: Principal = {
  actor: owner,
  subject: 'person:p',
  allowance: { perMinute: 2, perDay: null, inFlight: 10 },
  queueKey: 'p',
  entry: () => ({ statement: { name: 'none', text: 'select 0 as offset_ms' }, values: [] }),
}

let app: FastifyInstance
afterEach(() => app.close())
const serve = async (changes: Partial<HttpContext> = {}, served: Operation = named) => {
  app = await serveOperation(served, { authenticatePerson: async () => principal, ...changes })
  return (url: string, headers: Record<string, string> = {}, method: 'GET' | 'OPTIONS' = 'GET') =>
    app.inject({ method, url, headers, remoteAddress: '10.1.2.3' })
}

it('each door asks its own authenticator, whatever is sent, and however the path is written', async () => {
  const asked: string[] = []
  const get = await serve({
    authenticate: async () => {
      asked.push('api')
      throw new Error('not here')
    },
    authenticatePerson: async () => {
      asked.push('console')
      return principal
    },
  })
  const everything = { cookie: '__Host-relance=x', 'x-api-key': 'k', authorization: 'Bearer t' }
  for (const path of ['/console/things/a', '/%63onsole/things/a', '/things/a']) await get(path, everything)
  expect(asked).toEqual(['console', 'console', 'api'])
  expect((await get('/console/console/things/a')).statusCode).toBe(404)
})

it('a person is counted as a person, and the limits of the answer are theirs', async () => {
  const get = await serve()
  const answers = [
    await get('/console/things/a'),
    await get('/console/things/a'),
    await get('/console/things/a'),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429])
  expect(answers[0]!.headers).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-daily-remaining': 'unlimited',
  })
  expect((await get('/things/a')).headers['x-ratelimit-remaining']).toBe('59')
})

it('people use both environments on the one host of our pages; a key is sent to its own', async () => {
  const hosts = { production: 'api.example', sandbox: 'sandbox.example' }
  const get = await serve({ hosts })
  expect((await get('/console/things/a', { host: 'api.example' })).statusCode).toBe(200)
  expect((await get('/things/a', { host: 'sandbox.example' })).statusCode).toBe(401)
})

it('OPTIONS is counted, except what a browser asks about a known path', async () => {
  const get = await serve({ anonymousAllowance: { perMinute: 2, perDay: null, inFlight: 10 } })
  const asked = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (let i = 0; i < 5; i++) expect((await get('/things/a', asked, 'OPTIONS')).statusCode).toBe(204)
  const answers = [
    await get('/console/things/a', {}, 'OPTIONS'),
    await get('/nowhere', asked, 'OPTIONS'),
    await get('/things/a', {}, 'OPTIONS'),
    await get('/nowhere'),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([405, 404, 429, 429])
})

it('a tool of the assistant goes through the door of its caller, with what that door reads and nothing else', async () => {
  const seen: { url: string; headers: FastifyRequest['headers'] }[] = []
  const [tool] = toolsOf([named])
  const get = await serve({
    authenticatePerson: async request => {
      seen.push({ url: request.url, headers: request.headers })
      return principal
    },
  })
  app.get('/console/outer', { config: { door: 'console', identify: async () => principal } }, async request =>
    useTool(app, toolCallerOf(request), tool!, { name: 'a' }),
  )
  const sent = {
    cookie: 'a=b',
    'x-csrf-token': 'c',
    origin: 'https://ours.example',
    'sec-fetch-site': 'same-origin',
    'x-company-id': 'one',
    'x-environment': 'sandbox',
  }
  const answer = await get('/console/outer', { ...sent, 'x-api-key': 'k', authorization: 'Bearer t' })
  expect(answer.json()).toMatchObject({ status: 200, body: { data: { name: 'a' } } })
  expect(seen).toHaveLength(1)
  expect(seen[0]!.url).toBe('/console/things/a')
  expect(seen[0]!.headers).toMatchObject(sent)
  expect([seen[0]!.headers['x-api-key'], seen[0]!.headers.authorization]).toEqual([undefined, undefined])
})
