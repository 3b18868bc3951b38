import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../features/platform/metrics.ts'
import { type ChatMessage, ModelFailed } from '../../kit/model.ts'
import { languageModel } from './language-model.ts'
import type { ModelProvider } from './settings.ts'

interface Seen {
  path: string
  headers: IncomingHttpHeaders
  body: Record<string, unknown>
}

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** One that answers everybody with the same events. */
async function provider(events: string, status = 200): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      seen.push({ path: request.url!, headers: request.headers, body: JSON.parse(text) })
      response.writeHead(status, { 'content-type': 'text/event-stream', location: 'http://127.0.0.1:1/' })
      response.end(events)
    })
  })
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

const settings = (kind: ModelProvider, baseUrl: string) => ({
  provider: kind,
  name: 'some-model',
  apiKey: 'the-key',
  baseUrl,
  limits: { turnMs: 5_000, tokensPerTurn: 1_000, tokensPerDay: 1_000 },
  prices: { in: 0, out: 0 },
})

const tools = [
  {
    name: 'invoices_get',
    description: 'Read one',
    inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
  },
]
const toolCall = { id: 'w1', name: 'invoices_get', input: { id: 'a' }, isMalformed: false }
const messages: ChatMessage[] = [
  { by: 'person', text: 'Hello' },
  { by: 'model', text: 'I look.', toolCalls: [toolCall] },
  { by: 'tool', results: [{ toolCall, text: 'found' }] },
]

async function generate(kind: ModelProvider, baseUrl: string) {
  const model = languageModel(settings(kind, baseUrl), createMetrics(), { warn() {} })
  const streamed: string[] = []
  const request = {
    instructions: 'Be kind.',
    messages,
    tools,
    mayCallTools: true,
    signal: AbortSignal.timeout(5_000),
  }
  try {
    return {
      reply: await model.generate({ ...request, onText: text => streamed.push(text) }),
      streamed,
    }
  } finally {
    await model.close()
  }
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const named = (data: { type: string }) => `event: ${data.type}\n${event(data)}`

const completions = [
  { delta: { role: 'assistant', content: 'Hel' } },
  { delta: { content: 'lo' } },
  {
    delta: {
      tool_calls: [
        { index: 0, id: 'c1', type: 'function', function: { name: 'invoices_get', arguments: '{"id":"b"}' } },
      ],
    },
  },
  {
    delta: {},
    finish_reason: 'tool_calls',
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  },
]
  .map(
    ({
      delta,
      finish_reason = null,
      usage,
    }: {
      delta: object
      finish_reason?: string | null
      usage?: object
    }) =>
      event({
        id: '1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason }],
        ...(usage && { usage }),
      }),
  )
  .join('')
  .concat('data: [DONE]\n\n')

const claude = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 7, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'tool_use', id: 'c1', name: 'invoices_get', input: {} },
  },
  { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"id":"b"}' } },
  { type: 'content_block_stop', index: 1 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 3 },
  },
  { type: 'message_stop' },
]
  .map(named)
  .join('')

describe.each([
  ['openai-compatible', completions, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
  ['openai', completions, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
  ['mistral', completions, '/v1/chat/completions', 'authorization', 'Bearer the-key'],
  ['anthropic', claude, '/v1/messages', 'x-api-key', 'the-key'],
] as const)('%s', (kind, events, path, header, value) => {
  it('is asked at the configured address with its key, and understood', async () => {
    const { url, seen } = await provider(events)
    const { reply, streamed } = await generate(kind, `${url}/v1`)
    expect(reply).toEqual({
      text: 'Hello',
      toolCalls: [{ id: 'c1', name: 'invoices_get', input: { id: 'b' }, isMalformed: false }],
      tokens: 10,
    })
    expect(streamed).toEqual(['Hel', 'lo'])
    expect(seen.map(({ path: at, headers }) => [at, headers[header]])).toEqual([[path, value]])
    const text = JSON.stringify(seen[0]!.body)
    for (const part of ['Be kind.', 'I look.', 'found', 'invoices_get', 'some-model'])
      expect(text).toContain(part)
  })

  it.each([401, 429, 500, 302])('that answers %s is unavailable', async status => {
    const { url } = await provider('{"error":{"message":"no"}}', status)
    await expect(generate(kind, `${url}/v1`)).rejects.toMatchObject({ because: 'unavailable' })
  })

  it('that is not there is unavailable', async () => {
    await expect(generate(kind, 'http://127.0.0.1:9/v1')).rejects.toBeInstanceOf(ModelFailed)
  })

  it('that talks nonsense is unusable', async () => {
    const { url } = await provider('data: {nonsense\n\n')
    await expect(generate(kind, `${url}/v1`)).rejects.toMatchObject({ because: 'unusable' })
  })
})

it('of a provider that reports no usage, what was sent and said is estimated, and nothing else', async () => {
  const silent = completions.replaceAll(/,"usage":\{[^}]*\}/g, '')
  const { url, seen } = await provider(silent)
  const model = languageModel(settings('openai-compatible', `${url}/v1`), createMetrics(), { warn() {} })
  // A tool is more than what the model is told of it.
  const wholeTools = tools.map(tool => ({ ...tool, operation: 'x'.repeat(100_000) }))
  const { tokens } = await model.generate({
    instructions: 'Be kind.',
    messages,
    tools: wholeTools,
    mayCallTools: true,
    signal: AbortSignal.timeout(5_000),
    onText() {},
  })
  await model.close()
  const sent = JSON.stringify(seen[0]!.body).length / 4
  expect(tokens).toBeGreaterThan(sent / 2)
  expect(tokens).toBeLessThan(sent * 2)
})
