import type { PageContext } from '../../../kit/http/pages.ts'
import type { ChatMessage, Model, ToolCall } from '../../../kit/model.ts'
import { callInstructions, factsAfterIdentification } from './call-instructions.ts'
import { callTexts } from './call-texts.ts'
import { toolsFor, type ValidToolCall, validateToolCall } from './call-tools.ts'
import { executeToolCall } from './execute-tool-call.ts'
import type { LiveCall } from './read-call.ts'
import { speakable } from './speakable.ts'

const stepsMax = 5

export interface CallState {
  readonly messages: ChatMessage[]
  /** The person has confirmed that they are the debtor. */
  isIdentified: boolean
  tokens: number
}

export interface Reply {
  text: string
  endsCall: boolean
}

/**
 * Alternates model and tools until the model has something to say. Text that comes together with tool calls is not spoken,
 * because the tools may fail. Throws what the model throws.
 */
export async function generateReply(
  pageContext: PageContext,
  model: Model,
  call: LiveCall,
  state: CallState,
  signal: AbortSignal,
): Promise<Reply> {
  const texts = callTexts[call.file.language]
  const instructions = callInstructions(call, call.beganAt)
  let hasExecuted = false
  for (let step = 1; ; step++) {
    const tools = toolsFor(state.isIdentified)
    const mayCallTools = step < stepsMax
    const request = { instructions, messages: state.messages, tools, mayCallTools, signal, onText() {} }
    const modelReply = await model.generate(request).catch(error => {
      if (!hasExecuted) throw error
      return null
    })
    // Something was done already: confirm it even if the model fails now.
    if (modelReply === null) return { text: `${texts.noted} ${texts.goodbye}`, endsCall: true }
    state.tokens += modelReply.tokens
    signal.throwIfAborted()
    if (!mayCallTools || modelReply.toolCalls.length === 0) {
      const text = speakable(modelReply.text, {
        language: call.message.language,
        mayNameCourt: call.file.creditor.mayNameCourt,
      })
      state.messages.push({ by: 'model', text, toolCalls: [] })
      return { text: text || (hasExecuted ? texts.noted : texts.again), endsCall: false }
    }
    const answers: { toolCall: ToolCall; text: string }[] = []
    for (const toolCall of modelReply.toolCalls) {
      const answer = await answerToolCall(toolCall)
      if (answer.ends !== undefined) return { text: answer.ends, endsCall: true }
      answers.push({ toolCall, text: answer.text })
    }
    state.messages.push(
      { by: 'model', text: modelReply.text, toolCalls: modelReply.toolCalls },
      { by: 'tool', results: answers },
    )
  }

  async function answerToolCall(toolCall: ToolCall): Promise<{ text: string; ends?: string }> {
    const validated: ValidToolCall | { refused: string } = validateToolCall(toolCall, state.isIdentified)
    if ('refused' in validated) return { text: `Refused: ${validated.refused}.` }
    if (validated.name === 'identity_confirmed') {
      state.isIdentified = true
      return { text: factsAfterIdentification(call) }
    }
    const result = await executeToolCall(pageContext, call, validated)
    if ('refused' in result) return { text: `Refused: ${result.refused}` }
    hasExecuted = true
    if (!result.endsCall) return { text: result.done }
    const ending = texts.endsWith[result.outcome]
    return { text: result.done, ends: ending ? ending(call.file.creditor.name) : texts.goodbye }
  }
}
