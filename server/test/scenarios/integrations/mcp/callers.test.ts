import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { expect, it } from 'vitest'
import { keyCalls } from '../../../harness/keys.ts'
import { ownAddresses, tokenCalls } from '../../../harness/tokens.ts'
import { useInstallation } from '../../../harness/use-installation.ts'
import { codeOf, headersOf, namesOf, type Posted, post } from './connect.ts'

const installation = useInstallation({ env: ownAddresses, hasWorker: false })
const keys = keyCalls(installation)
const tokens = tokenCalls(installation)

const metadataUrl = () => `${installation.server.baseUrl}/.well-known/oauth-protected-resource/mcp`

it.each([
  ['nothing', {}, 'AUTH_001', 'Bearer realm="relance", '],
  ['a key nobody has', { 'x-api-key': 'fk_live_no' }, 'AUTH_002', 'Bearer realm="relance", '],
  [
    'a token nobody gave',
    { authorization: 'Bearer no' },
    'AUTH_002',
    'Bearer realm="relance", error="invalid_token", ',
  ],
])('who comes with %s is told where to get a token', async (_, headers, code, challenge) => {
  const refused = await post(installation, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers as never)
  expect(codeOf(refused)).toEqual([401, code])
  expect(refused.headers.get('www-authenticate')).toBe(`${challenge}resource_metadata="${metadataUrl()}"`)
})

it('the metadata there leads to the authorization server (RFC 9728)', async () => {
  const read = async (url: string) => (await fetch(url)).json() as Promise<Record<string, unknown>>
  const publicUrl = installation.server.baseUrl
  expect(await read(metadataUrl())).toEqual({
    resource: `${publicUrl}/mcp`,
    authorization_servers: [publicUrl],
    bearer_methods_supported: ['header'],
    resource_name: 'Relance',
  })
  expect((await read(metadataUrl().replace('/mcp', ''))).resource).toBe(publicUrl)
  const { authorization_servers: servers } = await read(metadataUrl())
  const [server] = servers as string[]
  expect((await read(`${server}/.well-known/oauth-authorization-server`)).issuer).toBe(server)
})

it('who has nothing but a secret finds the way to a token and to the tools by itself', async () => {
  const { clientId, clientSecret } = await tokens.client({ scopes: ['payments:read'] })
  const client = new Client(
    { name: 'an-application', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const issuer = installation.server.baseUrl
  const transport = new StreamableHTTPClientTransport(new URL(`${issuer}/mcp`), {
    authProvider: new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: issuer }),
  })
  await client.connect(transport)
  const names = await namesOf(client)
  expect([names.includes('payments_list'), names.includes('invoices_list')]).toEqual([true, false])
  await client.close()
})

it('a key for one address is good from there alone, and so is what is done for it', async () => {
  const { apiKey } = await keys.newKey({ scopes: ['invoices:read'], ipWhitelist: ['192.0.2.7'] })
  const from = (address: string) =>
    post(
      installation,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'invoices_list' } },
      { 'x-api-key': apiKey, 'x-forwarded-for': address },
    )
  expect((await from('192.0.2.7')).json.result.isError).toBe(false)
  expect(codeOf(await from('192.0.2.8'))).toEqual([403, 'AUTH_005'])
})

it('a key that was taken away shows not even the list', async () => {
  const { id, apiKey } = await keys.newKey({ scopes: ['invoices:read'] })
  const list = () =>
    post(installation, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headersOf({ key: apiKey }))
  expect((await list()).status).toBe(200)
  await keys.remove(id)
  expect(codeOf(await list())).toEqual([401, 'AUTH_002'])
})

it('a call uses up one request, and is refused like any other when there are none left', async () => {
  const small = await installation.server.createCompany({
    name: 'Petite',
    ownerEmail: 'petite@petite.example',
    tier: 'enterprise',
    sellsTo: 'business',
    requestsPerMinute: 5,
  })
  const use = () =>
    post(
      installation,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'company_get' } },
      headersOf({ key: small.productionKey }),
    )
  const answers: Posted[] = []
  for (let i = 0; i < 11; i++) answers.push(await use())
  const pairs = answers.slice(1).map((answer, at) => [answers[at]!, answer] as const)
  const steps = pairs
    .filter(pair => pair.every(({ status }) => status === 200))
    .map(pair => pair.map(({ headers }) => headers))
    // A minute may end between two of them.
    .filter(([one, next]) => one!.get('x-ratelimit-reset') === next!.get('x-ratelimit-reset'))
    .map(pair => pair.map(headers => Number(headers.get('x-ratelimit-remaining'))))
    .map(([before, after]) => before! - after!)
  expect(new Set(steps)).toEqual(new Set([1]))
  const refused = answers.find(({ status }) => status !== 200)!
  expect(codeOf(refused)).toEqual([429, 'RATE_001'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})
