import type { AfterCommit } from '../../../kit/after-commit.ts'
import { ApiError } from '../../../kit/errors.ts'
import {
  asData,
  type ChatMessage,
  type Model,
  ModelFailed,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
} from '../../../kit/model.ts'
import type { Tool } from '../../../kit/tool.ts'
import { assistantInstructions } from './assistant-instructions.ts'
import { createMarkdownCleaner } from './clean-markdown.ts'
import type { PlannedOperation } from './confirmation.ts'
import type { ReplyLocale } from './describe-operation.ts'
import { modelTooSlow, modelUnavailable, modelUnusable } from './errors.ts'
import { prepare, refusalText } from './operation-plan.ts'
import { programTexts } from './plan-texts.ts'

const toolCallsMax = 8
const answerMaxChars = 12_000

export interface Turn {
  readonly text: string
  readonly toolsCalled: readonly string[]
  readonly plan: readonly PlannedOperation[]
  readonly isCut: boolean
}

/** The tokens used so far, counted even if the turn fails, and the most it may use. */
export interface TokenMeter {
  tokens: number
  readonly max: number
}

/** Alternates model and tools until the model has an answer. Reads are executed at once; everything else is only prepared. */
export async function runTurn(
  afterCommit: AfterCommit,
  model: Model,
  input: { readonly messages: readonly ChatMessage[]; readonly locale: ReplyLocale },
  meter: TokenMeter,
): Promise<Turn> {
  const { locale } = input
  const { turnMs } = model.limits
  const timeout = AbortSignal.timeout(Math.max(1, afterCommit.startedAt + turnMs - afterCommit.wall()))
  const signal = AbortSignal.any([timeout, afterCommit.disconnected])
  const markdownCleaner = createMarkdownCleaner(afterCommit.publicUrl, text =>
    afterCommit.emit('text', { text }),
  )
  const tools = afterCommit.tools
  const instructions = assistantInstructions(
    locale,
    afterCommit.wall() + afterCommit.offsetMs,
    afterCommit.actor.environment,
  )
  const messages = [...input.messages]
  const toolsCalled: string[] = []
  const plan: PlannedOperation[] = []
  let toolCallCount = 0
  let isCut = false
  /** Null if the model had to answer without tools and called one anyway. */
  const generate = async (request: ModelRequest): Promise<ModelReply | null> => {
    try {
      return await model.generate(request)
    } catch (error) {
      if (request.mayCallTools || !(error instanceof ModelFailed) || error.because !== 'unusable') throw error
      return null
    }
  }
  try {
    for (let isFirst = true; ; isFirst = false) {
      const mayCallTools = toolCallCount < toolCallsMax && meter.tokens < meter.max
      let hasSpoken = false
      const modelReply = await generate({
        instructions,
        messages,
        tools,
        mayCallTools,
        signal,
        onTokens(tokens) {
          meter.tokens += tokens
        },
        onText(text) {
          if (!isFirst && !hasSpoken) markdownCleaner.add('\n\n')
          hasSpoken = true
          markdownCleaner.add(text)
        },
      })
      isCut = modelReply === null || (!mayCallTools && modelReply.toolCalls.length > 0)
      if (modelReply === null || isCut || modelReply.toolCalls.length === 0) break
      const answers: { toolCall: ToolCall; text: string }[] = []
      for (const toolCall of modelReply.toolCalls) {
        const text =
          ++toolCallCount > toolCallsMax
            ? 'Not done: that was more than eight in one turn.'
            : await answerToolCall(toolCall, { afterCommit, tools, toolsCalled, plan, locale, signal })
        answers.push({ toolCall, text })
      }
      messages.push(
        { by: 'model', text: modelReply.text, toolCalls: modelReply.toolCalls },
        { by: 'tool', results: answers },
      )
    }
  } catch (error) {
    if (timeout.aborted) throw modelTooSlow.make()
    if (afterCommit.disconnected.aborted) throw new CallerGone()
    if (!(error instanceof ModelFailed)) throw error
    throw error.because === 'unavailable' ? modelUnavailable.make() : modelUnusable.make()
  }
  if (isCut) markdownCleaner.add(`\n\n${programTexts.cut[locale.language]}`)
  return { text: markdownCleaner.end().trim(), toolsCalled, plan, isCut }
}

/** The caller has disconnected. */
export class CallerGone extends ApiError {
  constructor() {
    super('SVC_002', 'The caller has gone.')
  }
}

interface ToolCallContext {
  readonly afterCommit: AfterCommit
  readonly tools: readonly Tool[]
  readonly toolsCalled: string[]
  readonly plan: PlannedOperation[]
  readonly locale: ReplyLocale
  readonly signal: AbortSignal
}

async function answerToolCall(toolCall: ToolCall, context: ToolCallContext): Promise<string> {
  const { afterCommit, tools, toolsCalled, plan, locale, signal } = context
  signal.throwIfAborted()
  const tool = tools.find(candidate => candidate.name === toolCall.name)
  if (!tool) return 'Refused: there is no such tool, or the person’s credential may not use it.'
  if (toolCall.isMalformed) return 'Refused: the arguments are not valid JSON.'
  if (!tool.isRead) {
    const prepared = await prepare(afterCommit, tool, toolCall.input, plan, locale)
    if ('refused' in prepared) return `Refused: ${asData(prepared.refused, answerMaxChars)}`
    plan.push(prepared.planned)
    return `Prepared and not done; the person will be asked for their word. ${asData(prepared.planned.words, answerMaxChars)}`
  }
  afterCommit.emit('tool', { operation: tool.operation.id })
  toolsCalled.push(tool.operation.id)
  const { status, body } = await afterCommit.useTool(tool, toolCall.input)
  if (status === 401) throw revoked(body)
  return status >= 400
    ? `Refused: ${asData(refusalText(body), answerMaxChars)}`
    : asData(contentOf(body), answerMaxChars)
}

const contentOf = (body: unknown): unknown => {
  const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: unknown }
  return pagination === undefined ? data : { data, pagination }
}

/** The credential was revoked during the turn. */
function revoked(body: unknown): ApiError {
  const { error } = body as { error?: { code: 'AUTH_002'; message: string } }
  return new ApiError(error?.code ?? 'AUTH_002', error?.message ?? 'This credential is not valid any more.')
}
