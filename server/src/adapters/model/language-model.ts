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
  type ChatMessage,
  type Model,
  ModelFailed,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from '../../kit/model.ts'
import { fetchThrough } from './fetch-through.ts'
import type { ModelProvider, ModelSettings } from './settings.ts'

// Warnings of the library are switched off; errors are logged below.
globalThis.AI_SDK_LOG_WARNINGS = false

const defaultBaseUrls: Record<Exclude<ModelProvider, 'openai-compatible'>, string> = {
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

const outputTokensMax = 4_000

/** The metrics of the model. */
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
    settings.baseUrl ??
    (settings.provider === 'openai-compatible' ? undefined : defaultBaseUrls[settings.provider])
  if (baseUrl === undefined) throw new Error('MODEL_BASE_URL says where an openai-compatible model is')
  const client = egress({ profile: 'operator', baseUrl, connections: 64 })
  const model = connect(settings, baseUrl, fetchThrough(client, baseUrl))

  return {
    limits: settings.limits,
    async generate(request) {
      let hasStreamed = false
      const onText = (text: string) => {
        hasStreamed = true
        request.onText(text)
      }
      const attempt = () =>
        requestReply(model, { ...request, onText }, used => {
          recordUsage(metrics, settings, used)
          request.onTokens?.(used.in + used.out)
        })
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof ModelFailed) log.warn(factsOf(error), 'model request failed')
        // A connection that failed at once may have been stale, so the request is retried, unless text was already streamed.
        const shouldRetry =
          error instanceof ModelFailed &&
          error.because === 'unavailable' &&
          !hasStreamed &&
          !request.signal.aborted
        if (!shouldRetry) throw error
        return await attempt()
      }
    },
    recordTurn({ outcome, ms, tools }) {
      metrics.assistantTurns.observe({ outcome }, ms / 1000)
      for (const operation of tools) metrics.assistantTools.inc({ operation })
    },
    close: () => client.close(),
  }
}

/** The log fields of a failure. The library's message is left out, because it may quote the conversation. */
function factsOf({ because, cause }: ModelFailed): Record<string, unknown> {
  const status = APICallError.isInstance(cause) ? cause.statusCode : undefined
  return {
    because,
    kind: cause instanceof Error ? cause.name : typeof cause,
    ...(status !== undefined && { status }),
  }
}

interface TokenUsage {
  in: number
  out: number
}

function recordUsage(
  { assistantTokens, assistantCost }: ModelMetrics,
  { prices }: ModelSettings,
  used: TokenUsage,
): void {
  assistantTokens.inc({ direction: 'in' }, used.in)
  assistantTokens.inc({ direction: 'out' }, used.out)
  assistantCost.inc((used.in * prices.in + used.out * prices.out) / 1_000_000)
}

async function requestReply(
  model: LanguageModel,
  request: ModelRequest,
  onUsage: (used: TokenUsage) => void,
): Promise<ModelReply> {
  const { instructions, messages: chatMessages, tools, mayCallTools, signal, onText } = request
  const messages = chatMessages.map(toMessage)
  const stream = streamText({
    model,
    instructions,
    messages,
    tools: toolSet(tools),
    toolChoice: mayCallTools ? 'auto' : 'none',
    maxRetries: 0,
    maxOutputTokens: outputTokensMax,
    abortSignal: signal,
    telemetry: { isEnabled: false },
    // Errors are read from the stream below.
    onError: () => {},
  })
  let text = ''
  let usage: LanguageModelUsage | undefined
  let failure: unknown
  const toolCalls: ToolCall[] = []
  let used: TokenUsage = { in: 0, out: 0 }
  try {
    for await (const part of stream.fullStream) {
      if (part.type === 'text-delta') {
        text += part.text
        if (part.text !== '') onText(part.text)
      } else if (part.type === 'tool-call')
        toolCalls.push({
          id: part.toolCallId,
          name: part.toolName,
          input: part.input,
          isMalformed: part.invalid === true && typeof part.input === 'string',
        })
      else if (part.type === 'finish-step') usage = part.usage
      else if (part.type === 'error') failure ??= part.error
    }
  } finally {
    // Also if the caller has disconnected: the model has used these tokens.
    used = usageOf(
      usage,
      () => JSON.stringify([instructions, messages, tools.map(descriptionOf)]).length,
      () => text.length + JSON.stringify(toolCalls.map(({ input }) => input)).length,
    )
    onUsage(used)
  }
  signal.throwIfAborted()
  if (failure !== undefined) throw new ModelFailed(failureReasonOf(failure), failure)
  if (text.trim() === '' && toolCalls.length === 0)
    throw new ModelFailed('unusable', new Error('the model returned neither text nor tool calls'))
  return { text, toolCalls, tokens: used.in + used.out }
}

/** The description of a tool for the model. */
const descriptionOf = ({ name, description, inputSchema }: ModelRequest['tools'][number]) => ({
  name,
  description,
  inputSchema,
})

/** If the provider reports no token usage, it is estimated: four characters per token. */
const usageOf = (
  usage: LanguageModelUsage | undefined,
  inputLength: () => number,
  outputLength: () => number,
): TokenUsage => ({
  in: usage?.inputTokens ?? Math.ceil(inputLength() / 4),
  out: usage?.outputTokens ?? Math.ceil(outputLength() / 4),
})

function failureReasonOf(failure: unknown): ModelFailed['because'] {
  if (APICallError.isInstance(failure))
    // Without a status the model was not reached; with a success status its reply could not be read.
    return failure.statusCode !== undefined && failure.statusCode < 300 ? 'unusable' : 'unavailable'
  for (let cause = failure; cause instanceof Error; cause = cause.cause)
    if (cause instanceof EgressFailed) return 'unavailable'
  return 'unusable'
}

const toolSet = (tools: ModelRequest['tools']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  )

function toMessage(message: ChatMessage): ModelMessage {
  switch (message.by) {
    case 'person':
      return { role: 'user', content: message.text }
    case 'model':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.toolCalls.map(({ id, name, input, isMalformed }) => ({
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
        content: message.results.map(({ toolCall, text }) => ({
          type: 'tool-result' as const,
          toolCallId: toolCall.id,
          toolName: toolCall.name,
          output: { type: 'text' as const, value: text },
        })),
      }
  }
}
