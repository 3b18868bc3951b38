import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface ModelRequest {
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool'
    content: string | null
    tool_call_id?: string
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  }[]
  tools: { function: { name: string; description: string; parameters: object } }[]
  tool_choice: string
}

/** What the model does: answer with text, call tools, or fail in one of the usual ways. */
export interface ScriptedReply {
  text?: string | readonly string[]
  toolCalls?: readonly { name: string; args?: unknown; raw?: string }[]
  status?: number
  /** The stream as it is, in place of a well-formed one. */
  raw?: string
  /** Waits this long before it answers. */
  waitMs?: number
  /** Closes the connection in the middle of the answer. */
  closesConnection?: boolean
  tokens?: { in: number; out: number }
}

export type Script = (modelRequest: ModelRequest) => ScriptedReply | Promise<ScriptedReply>

export interface ScriptedModel {
  /** Environment variables for the installation that uses it; complete once the server runs. */
  env: Record<string, string>
  /** Replaces the script from now on. */
  setScript(script: Script): void
  /** All requests received, the oldest first. */
  requests: ModelRequest[]
}

const chunk = (delta: object, finish: string | null = null, usage?: object) =>
  `data: ${JSON.stringify({
    id: 'scripted',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...usage,
  })}\n\n`

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let calls = 0

async function writeReply(reply: ScriptedReply, response: ServerResponse): Promise<void> {
  if (reply.waitMs) await sleep(reply.waitMs)
  if (reply.status && reply.status >= 300) {
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'scripted refusal' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (reply.raw !== undefined) return void response.end(reply.raw)
  const chunks = typeof reply.text === 'string' ? [reply.text] : (reply.text ?? [])
  for (const content of chunks) {
    response.write(chunk({ role: 'assistant', content }))
    if (chunks.length > 1) await sleep(1)
  }
  if (reply.closesConnection) return void response.destroy()
  for (const [index, { name, args = {}, raw }] of (reply.toolCalls ?? []).entries())
    response.write(
      chunk({
        tool_calls: [
          {
            index,
            id: `call_${++calls}`,
            type: 'function',
            function: { name, arguments: raw ?? JSON.stringify(args) },
          },
        ],
      }),
    )
  const { in: prompt_tokens, out: completion_tokens } = reply.tokens ?? { in: 100, out: 10 }
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  response.write(chunk({}, reply.toolCalls?.length ? 'tool_calls' : 'stop', { usage }))
  response.end('data: [DONE]\n\n')
}

async function bodyOf(request: IncomingMessage): Promise<ModelRequest> {
  const chunks: Buffer[] = []
  for await (const piece of request) chunks.push(piece as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as ModelRequest
}

/** A scripted language model behind a real HTTP server with a streaming, OpenAI-compatible API. */
export function useScriptedModel(initialScript: Script = () => ({ text: 'Hello.' })): ScriptedModel {
  let script = initialScript
  const model: ScriptedModel = {
    env: {},
    requests: [],
    setScript(next) {
      script = next
    },
  }
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      bodyOf(request)
        .then(async modelRequest => {
          model.requests.push(modelRequest)
          await writeReply(await script(modelRequest), response)
        })
        .catch(() => response.destroy())
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    Object.assign(model.env, {
      MODEL_PROVIDER: 'openai-compatible',
      MODEL_NAME: 'scripted',
      MODEL_API_KEY: 'scripted-key',
      MODEL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    })
  })
  afterAll(async () => {
    server?.closeAllConnections()
    await new Promise(resolve => server?.close(resolve))
  })
  return model
}

/** The last message of the person. */
export const lastUserMessage = ({ messages }: ModelRequest): string =>
  messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''

/** What tools have answered since the person last spoke, the oldest first. */
export const toolResults = ({ messages }: ModelRequest): string[] => {
  const lastUserIndex = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(lastUserIndex + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
}

/** One reply after another, by the number of model replies in this turn. */
export const inSteps =
  (...replies: readonly (ScriptedReply | ((answers: string[]) => ScriptedReply))[]): Script =>
  modelRequest => {
    const lastUserIndex = modelRequest.messages.findLastIndex(({ role }) => role === 'user')
    const steps = modelRequest.messages
      .slice(lastUserIndex + 1)
      .filter(({ role }) => role === 'assistant').length
    const reply = replies[Math.min(steps, replies.length - 1)]!
    return typeof reply === 'function' ? reply(toolResults(modelRequest)) : reply
  }
