import { createAnthropic } from '@ai-sdk/anthropic'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type ToolSet,
  tool,
} from 'ai'
import type { Counter, Histogram } from 'prom-client'
import { EgressFailed, egress } from '../../kit/egress/egress.ts'
import type { Log } from '../../kit/log.ts'
import {
  type Model,
  ModelFailed,
  type Question,
  type Said,
  type Thought,
  type Wish,
} from '../../kit/model.ts'
import { fetchThrough } from './fetch-through.ts'
import type { ModelProvider, ModelSettings } from './settings.ts'

// What the library has to say is said by what we make of it.
globalThis.AI_SDK_LOG_WARNINGS = false

const usualBase: Record<Exclude<ModelProvider, 'openai-compatible'>, string> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  mistral: 'https://api.mistral.ai/v1',
}

function connect({ provider, name, apiKey }: ModelSettings, baseURL: string, fetch: typeof globalThis.fetch) {
  const access = { apiKey, baseURL, fetch }
  switch (provider) {
    case 'anthropic':
      return createAnthropic(access)(name)
    case 'openai':
      return createOpenAI(access).chat(name)
    case 'mistral':
      return createMistral(access)(name)
    case 'openai-compatible':
      return createOpenAICompatible({ ...access, name: 'model', includeUsage: true })(name)
  }
}

const longestAnswer = 4_000

/** What is counted of the model's work. */
export interface ModelMetrics {
  readonly assistantTurns: Histogram<'outcome'>
  readonly assistantTools: Counter<'operation'>
  readonly assistantTokens: Counter<'direction'>
  readonly assistantCost: Counter
}

export function languageModel(
  settings: ModelSettings,
  metrics: ModelMetrics,
  log: Pick<Log, 'warn'>,
): Model & { close(): Promise<void> } {
  const baseUrl =
    settings.baseUrl ?? (settings.provider === 'openai-compatible' ? undefined : usualBase[settings.provider])
  if (baseUrl === undefined) throw new Error('MODEL_BASE_URL says where an openai-compatible model is')
  const client = egress({ profile: 'operator', baseUrl, connections: 64 })
  const model = connect(settings, baseUrl, fetchThrough(client, baseUrl))

  return {
    limits: settings.limits,
    async think(question) {
      let hasSpoken = false
      const onText = (text: string) => {
        hasSpoken = true
        question.onText(text)
      }
      const once = () => ask(model, { ...question, onText }, used => count(metrics, settings, used))
      try {
        return await once()
      } catch (error) {
        if (error instanceof ModelFailed) log.warn(factsOf(error), 'the model failed')
        // A line that broke at once may just have been old; what was heard already is not said again.
        const isWorthASecondTry =
          error instanceof ModelFailed &&
          error.because === 'unavailable' &&
          !hasSpoken &&
          !question.signal.aborted
        if (!isWorthASecondTry) throw error
        return await once()
      }
    },
    note({ outcome, ms, tools }) {
      metrics.assistantTurns.observe({ outcome }, ms / 1000)
      for (const operation of tools) metrics.assistantTools.inc({ operation })
    },
    close: () => client.close(),
  }
}

/** Why, for the operator; not what was said, which a message of the library may quote. */
function factsOf({ because, cause }: ModelFailed): Record<string, unknown> {
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined
  return {
    because,
    kind: cause instanceof Error ? cause.name : typeof cause,
    ...(status !== undefined && { status }),
  }
}

interface Used {
  in: number
  out: number
}

function count(
  { assistantTokens, assistantCost }: ModelMetrics,
  { prices }: ModelSettings,
  used: Used,
): void {
  assistantTokens.inc({ direction: 'in' }, used.in)
  assistantTokens.inc({ direction: 'out' }, used.out)
  assistantCost.inc((used.in * prices.in + used.out * prices.out) / 1_000_000)
}

async function ask(
  model: LanguageModel,
  question: Question,
  counted: (used: Used) => void,
): Promise<Thought> {
  const { instructions, said, tools, mayUse, signal, onText } = question
  const messages = said.map(toMessage)
  const answer = streamText({
    model,
    instructions,
    messages,
    tools: toolSet(tools),
    toolChoice: mayUse ? 'auto' : 'none',
    maxRetries: 0,
    maxOutputTokens: longestAnswer,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Whatever goes wrong is read from the stream below.
    onError: () => {},
  })
  let text = ''
  let usage: LanguageModelUsage | undefined
  let failure: unknown
  const wants: Wish[] = []
  for await (const part of answer.fullStream) {
    if (part.type === 'text-delta') {
      text += part.text
      if (part.text !== '') onText(part.text)
    } else if (part.type === 'tool-call')
      wants.push({
        id: part.toolCallId,
        name: part.toolName,
        input: part.input,
        isMalformed: part.invalid === true && typeof part.input === 'string',
      })
    else if (part.type === 'finish-step') usage = part.usage
    else if (part.type === 'error') failure ??= part.error
  }
  const used = usedBy(
    usage,
    () => JSON.stringify([instructions, messages, tools]).length,
    () => text.length,
  )
  counted(used)
  signal.throwIfAborted()
  const tokens = used.in + used.out
  if (failure !== undefined) throw new ModelFailed(becauseOf(failure), failure, tokens)
  if (text.trim() === '' && wants.length === 0)
    throw new ModelFailed('unusable', new Error('it said nothing'), tokens)
  return { text, wants, tokens }
}

/** Some say nothing of tokens: then by length, four letters a token, which is about what they count. */
const usedBy = (usage: LanguageModelUsage | undefined, asked: () => number, said: () => number): Used => ({
  in: usage?.inputTokens ?? Math.ceil(asked() / 4),
  out: usage?.outputTokens ?? Math.ceil(said() / 4),
})

function becauseOf(failure: unknown): ModelFailed['because'] {
  if (APICallError.isInstance(failure))
    // Without a status it was not reached; with a good one it said something nobody understands.
    return failure.statusCode !== undefined && failure.statusCode < 300 ? 'unusable' : 'unavailable'
  for (let cause = failure; cause instanceof Error; cause = cause.cause)
    if (cause instanceof EgressFailed) return 'unavailable'
  return 'unusable'
}

const toolSet = (tools: Question['tools']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  )

function toMessage(said: Said): ModelMessage {
  switch (said.by) {
    case 'person':
      return { role: 'user', content: said.text }
    case 'model':
      return {
        role: 'assistant',
        content: [
          ...(said.text === '' ? [] : [{ type: 'text' as const, text: said.text }]),
          ...said.wants.map(({ id, name, input, isMalformed }) => ({
            type: 'tool-call' as const,
            toolCallId: id,
            toolName: name,
            input: isMalformed ? {} : input,
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: said.answers.map(({ wish, text }) => ({
          type: 'tool-result' as const,
          toolCallId: wish.id,
          toolName: wish.name,
          output: { type: 'text' as const, value: text },
        })),
      }
  }
}
