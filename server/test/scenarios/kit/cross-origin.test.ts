import { beforeAll, expect, it } from 'vitest'
import { operations } from '../../../src/features/all.ts'
import { headOf, sendRaw } from '../../harness/raw-request.ts'
import { ownAddresses, tokenCalls } from '../../harness/tokens.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false, env: ownAddresses })
const { client, tokenOf } = tokenCalls(installation)
let token: string
beforeAll(async () => {
  token = await tokenOf(await client())
})

const origin = 'https://app.example'
const ask = (method: string, path: string, headers: Record<string, string>) =>
  fetch(installation.server.baseUrl + path, { method, headers })
const preflight = (path: string, method: string, headers = 'authorization', address = '10.9.9.9') =>
  ask('OPTIONS', path, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': headers,
    'x-forwarded-for': address,
  })
const corsOf = (response: Response) => [...response.headers.keys()].filter(name => name.startsWith('access-'))

it.each(operations)(
  'a browser may ask for $method $path, without a cookie and without a key',
  async operation => {
    const path = operation.path.replaceAll(/:[A-Za-z]+/g, 'any')
    const response = await preflight(path, operation.method)
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-methods')!.split(', ')).toContain(operation.method)
    const allowed = response.headers.get('access-control-allow-headers')!.split(', ')
    expect(allowed).toEqual([
      'authorization',
      'content-type',
      'idempotency-key',
      'x-company-id',
      'x-request-id',
    ])
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  },
)

it('what is no operation is not opened', async () => {
  for (const path of [
    '/api/oauth/authorize',
    '/api/oauth/token',
    '/sign-in',
    '/account',
    '/console/api/v1/invoices',
    '/d/x',
    '/mcp',
    '/health',
    '/api/v1/nothing',
  ])
    expect(corsOf(await preflight(path, 'POST')), path).toEqual([])
})

it('asking beforehand is outside the limits of strangers', async () => {
  for (let i = 0; i < 90; i++)
    expect((await preflight('/api/v1/invoices', 'GET', '', '10.8.8.8')).status).toBe(204)
  const stranger = await ask('GET', '/api/v1/invoices', { 'x-forwarded-for': '10.8.8.8' })
  expect([stranger.status, stranger.headers.get('x-ratelimit-remaining')]).toEqual([401, '59'])
})

it('an answer to a token may be read, with its request id, limits, pages and waits', async () => {
  const response = await ask('GET', '/api/v1/invoices', { origin, authorization: `Bearer ${token}` })
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const exposed = response.headers.get('access-control-expose-headers')!.split(', ')
  for (const name of [
    'x-request-id',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'link',
    'retry-after',
  ])
    expect(exposed).toContain(name)
  expect(response.headers.has('access-control-allow-credentials')).toBe(false)
})

it('a refusal may be read too', async () => {
  const response = await ask('GET', '/api/v1/invoices', { origin, authorization: 'Bearer none' })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
})

it.each([
  ['a key', () => ({ 'x-api-key': installation.company.productionKey })],
  ['a key as a bearer token', () => ({ authorization: `Bearer ${installation.company.productionKey}` })],
  [
    'a key as a bearer token after more spaces',
    () => ({ authorization: `Bearer  ${installation.company.productionKey}` }),
  ],
  [
    'a token beside a key',
    () => ({ authorization: `Bearer ${token}`, 'x-api-key': installation.company.productionKey }),
  ],
  ['nothing', () => ({})],
] as [string, () => Record<string, string>][])(
  'an answer to %s is not for pages of others',
  async (_, headers) => {
    expect(corsOf(await ask('GET', '/api/v1/invoices', { origin, ...headers() }))).toEqual([])
  },
)

it('a request with a cookie is not for pages of others', async () => {
  const head = headOf('GET', '/api/v1/invoices', { origin, authorization: `Bearer ${token}`, cookie: 'a=b' })
  const { status, text } = await sendRaw(installation.server.baseUrl, [head])
  expect([status, /access-control/i.test(text)]).toEqual([200, false])
})

it('without an origin nothing of it is said', async () => {
  expect(corsOf(await ask('GET', '/api/v1/invoices', { authorization: `Bearer ${token}` }))).toEqual([])
})
