import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

export interface Asked {
  messages: {
    role: 'system' | 'user' | 'assistant' | 'tool'
    content: string | null
    tool_call_id?: string
    tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  }[]
  tools: { function: { name: string; description: string; parameters: object } }[]
  tool_choice: string
}

/** What the model does: say something, want tools, or be ill in one of the ways models are. */
export interface Part {
  says?: string | readonly string[]
  wants?: readonly { name: string; args?: unknown; raw?: string }[]
  status?: number
  /** The stream as it is, in place of a well-formed one. */
  raw?: string
  /** Says nothing for so long. */
  waitMs?: number
  /** Hangs up in the middle. */
  hangsUp?: boolean
  tokens?: { in: number; out: number }
}

export type Script = (asked: Asked) => Part | Promise<Part>

export interface ScriptedModel {
  /** For the installation that is to think with it; complete once it runs. */
  env: Record<string, string>
  /** From now on. */
  play(script: Script): void
  /** Everything it was asked, the oldest first. */
  heard: Asked[]
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

async function perform(part: Part, response: ServerResponse): Promise<void> {
  if (part.waitMs) await sleep(part.waitMs)
  if (part.status && part.status >= 300) {
    response.writeHead(part.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message: 'scripted refusal' } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (part.raw !== undefined) return void response.end(part.raw)
  const says = typeof part.says === 'string' ? [part.says] : (part.says ?? [])
  for (const content of says) {
    response.write(chunk({ role: 'assistant', content }))
    if (says.length > 1) await sleep(1)
  }
  if (part.hangsUp) return void response.destroy()
  for (const [index, { name, args = {}, raw }] of (part.wants ?? []).entries())
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
  const { in: prompt_tokens, out: completion_tokens } = part.tokens ?? { in: 100, out: 10 }
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  response.write(chunk({}, part.wants?.length ? 'tool_calls' : 'stop', { usage }))
  response.end('data: [DONE]\n\n')
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = []
  for await (const piece of request) chunks.push(piece as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Asked
}

/** A language model that plays a part, spoken to as any other: over HTTP, in the words most of them understand, streaming. */
export function useScriptedModel(first: Script = () => ({ says: 'Hello.' })): ScriptedModel {
  let script = first
  const model: ScriptedModel = {
    env: {},
    heard: [],
    play(next) {
      script = next
    },
  }
  let server: Server
  beforeAll(async () => {
    server = createServer((request, response) => {
      bodyOf(request)
        .then(async asked => {
          model.heard.push(asked)
          await perform(await script(asked), response)
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

/** What the person said last. */
export const lastSaid = ({ messages }: Asked): string =>
  messages.filter(({ role }) => role === 'user').at(-1)?.content ?? ''

/** What tools have answered since the person last spoke, the oldest first. */
export const toolAnswers = ({ messages }: Asked): string[] => {
  const since = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(since + 1).flatMap(({ role, content }) => (role === 'tool' ? [content ?? ''] : []))
}

/** One part after another, by how many tools have answered in this turn. */
export const inSteps =
  (...parts: readonly (Part | ((answers: string[]) => Part))[]): Script =>
  asked => {
    const since = asked.messages.findLastIndex(({ role }) => role === 'user')
    const steps = asked.messages.slice(since + 1).filter(({ role }) => role === 'assistant').length
    const part = parts[Math.min(steps, parts.length - 1)]!
    return typeof part === 'function' ? part(toolAnswers(asked)) : part
  }
