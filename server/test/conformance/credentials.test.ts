import { expect, it } from 'vitest'
import { useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined, env: { TRUSTED_PROXIES: '127.0.0.1' } })

const read = (headers: Record<string, string>) =>
  installation.call('GET', '/api/v1/invoices', { key: null, headers })
const key = () => installation.company.productionKey

it('an API key may be sent as a bearer token', async () => {
  expect((await read({ authorization: `Bearer ${key()}` })).status).toBe(200)
  expect((await read({ authorization: `bearer ${installation.company.sandboxKey}` })).status).toBe(200)
  const wrong = await read({ authorization: `Bearer ${key()}x` })
  expect([wrong.status, wrong.body.error.code]).toEqual([401, 'AUTH_002'])
  expect(wrong.body.error.message).toContain('API key')
})

it('the same key in both headers is one credential, two different ones are AUTH_002', async () => {
  expect((await read({ 'x-api-key': key(), authorization: `Bearer ${key()}` })).status).toBe(200)
  for (const other of [installation.company.sandboxKey, `${key()}x`, 'eyJhbGciOiJSUzI1NiJ9.e30.e30']) {
    const answer = await read({ 'x-api-key': key(), authorization: `Bearer ${other}` })
    expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_002'])
  }
})

it.each([
  ['X-API-Key', { 'x-api-key': '' }],
  ['Authorization', { authorization: '' }],
  ['bearer token', { authorization: 'Bearer ' }],
])('an empty %s is a missing credential: AUTH_001', async (_what, headers) => {
  const answer = await read(headers as unknown as Record<string, string>)
  expect([answer.status, answer.body.error.code]).toEqual([401, 'AUTH_001'])
})

it('an empty X-API-Key beside a key as bearer token is not a second credential', async () => {
  expect((await read({ 'x-api-key': '', authorization: `Bearer ${key()}` })).status).toBe(200)
})

it('AUTH_005 names the address the request came from', async () => {
  const { data } = (
    await installation.call<{ apiKey: string }>('POST', '/api/v1/api-keys', {
      body: { name: 'Office', ipWhitelist: ['192.0.2.0/24'] },
    })
  ).body
  const answer = await read({ 'x-api-key': data.apiKey, 'x-forwarded-for': '198.51.100.7' })
  expect([answer.status, answer.body.error.code]).toEqual([403, 'AUTH_005'])
  expect(answer.body.error.message).toContain('198.51.100.7')
})
