import { describe, expect, it } from 'vitest'
import { useInstallation } from '../../../harness/use-installation.ts'
import { codeOf, headersOf, post } from './connect.ts'

const installation = useInstallation({ hasWorker: false })

const meta = (version = '2026-07-28') => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientCapabilities': {},
})
const key = () => headersOf({ key: installation.company.productionKey })

/** A whole request of the revision without a handshake, and ways to spoil it. */
const modern = (
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
) => {
  const all: Record<string, string | undefined> = {
    ...key(),
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const body = { jsonrpc: '2.0', id: 7, method, params: { _meta: meta(), ...params } }
  return post(installation, body, sent as Record<string, string>)
}
const old = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  post(installation, { jsonrpc: '2.0', id: 'a', method, params }, { ...key(), ...headers })

describe('every request whole (2026-07-28)', () => {
  it('server/discover tells versions, capabilities and how long that holds', async () => {
    const { status, json } = await modern('server/discover')
    expect([status, json.id]).toEqual([200, 7])
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
      capabilities: { tools: {} },
      cacheScope: 'private',
    })
    expect(json.result._meta).toMatchObject({ 'io.modelcontextprotocol/serverInfo': { name: 'relance' } })
  })

  it('the list of tools may be kept by who asked, and by nobody else', async () => {
    expect((await modern('tools/list')).json.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' })
  })

  it.each([
    [
      'a version nobody knows',
      { _meta: meta('1900-01-01') },
      { 'mcp-protocol-version': '1900-01-01' },
      -32022,
    ],
    ['no version in the header', {}, { 'mcp-protocol-version': undefined }, -32020],
    ['another version in the header', {}, { 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['another version in the body', { _meta: meta('2025-11-25') }, {}, -32020],
    ['a version in the header alone', { _meta: {} }, {}, -32602],
    ['no capabilities', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, {}, -32602],
    ['no method in the header', {}, { 'mcp-method': undefined }, -32020],
    ['another method in the header', {}, { 'mcp-method': 'tools/call' }, -32020],
  ])('%s is refused', async (_, params, headers, code) => {
    expect(codeOf(await modern('tools/list', params, headers))).toEqual([400, code])
  })

  it('says which versions there are to who asked for another', async () => {
    const { json } = await modern(
      'tools/list',
      { _meta: meta('2099-01-01') },
      { 'mcp-protocol-version': 'x' },
    )
    expect(json.error.data).toEqual({
      supported: ['2026-07-28', '2025-11-25', '2025-06-18'],
      requested: '2099-01-01',
    })
  })

  it('a call is the one its header names, also where that is encoded', async () => {
    const name = 'company_get'
    expect(codeOf(await modern('tools/call', { name }, { 'mcp-name': 'invoices_list' }))).toEqual([
      400, -32020,
    ])
    expect(codeOf(await modern('tools/call', { name }, { 'mcp-name': undefined }))).toEqual([400, -32020])
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
    expect((await modern('tools/call', { name }, { 'mcp-name': encoded })).json.result.isError).toBe(false)
  })

  it('a method that is not there is 404, and so is the handshake', async () => {
    for (const method of ['resources/list', 'ping', 'initialize', 'subscriptions/listen'])
      expect(codeOf(await modern(method)), method).toEqual([404, -32601])
  })
})

describe('with a handshake first (2025-11-25 and 2025-06-18)', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('whoever proposes %s speaks %s', async (proposed, spoken) => {
    const { json } = await old('initialize', { protocolVersion: proposed, capabilities: {}, clientInfo: {} })
    expect(json.result.protocolVersion).toBe(spoken)
  })

  it('there is no session, and a ping is answered', async () => {
    const { status, headers, json } = await old('ping', {}, { 'mcp-session-id': 'x' })
    expect([status, json, headers.get('mcp-session-id')]).toEqual([
      200,
      { jsonrpc: '2.0', id: 'a', result: {} },
      null,
    ])
  })

  it('a version we do not speak is refused', async () => {
    expect(codeOf(await old('ping', {}, { 'mcp-protocol-version': '2024-11-05' }))).toEqual([400, -32022])
  })

  it('an unknown method or tool is an error of the protocol, with the id of its request', async () => {
    const unknown = await old('prompts/list')
    expect([...codeOf(unknown), unknown.json.id]).toEqual([200, -32601, 'a'])
    for (const name of ['nothing', 'apiKeys_create', 'invoices_anr', undefined, '__proto__', 'constructor'])
      expect(codeOf(await old('tools/call', { name })), name).toEqual([200, -32602])
  })
})

describe('a message', () => {
  it.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['another protocol', { id: 1, method: 'ping' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['a call without an id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'company_get' } }],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['a text', '"ping"'],
  ])('that is %s is refused', async (_, body) => {
    expect(codeOf(await post(installation, body, key()))).toEqual([400, -32600])
  })

  it('that is no JSON, or reaches into objects, is refused in the words of the API', async () => {
    for (const body of ['{', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"__proto__":{}}}'])
      expect(codeOf(await post(installation, body, key())), body).toEqual([400, 'VAL_004'])
  })

  it('that only tells something is taken and not answered', async () => {
    const reply = await post(installation, { jsonrpc: '2.0', method: 'notifications/initialized' }, key())
    expect([reply.status, reply.json]).toEqual([202, null])
  })

  it('comes by POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(`${installation.server.baseUrl}/mcp`, { method, headers: key() })
      expect([response.status, response.headers.get('allow')], method).toEqual([405, 'POST'])
    }
  })

  it('from a page of somebody else is refused before anything, from none or our own it is not', async () => {
    const from = (origin: string, headers = key()) =>
      post(installation, { jsonrpc: '2.0', id: 1, method: 'ping' }, { ...headers, origin })
    for (const origin of ['https://evil.example', 'null', `${installation.server.baseUrl}.evil.example`])
      expect((await from(origin)).status, origin).toBe(403)
    expect((await from('https://evil.example', {})).status).toBe(403)
    expect((await from(installation.server.baseUrl)).status).toBe(200)
  })
})
