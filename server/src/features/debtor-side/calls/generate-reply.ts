import { cents, formatMoney } from '../../../domain/money/money.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { ChatMessage, Model, ToolCall } from '../../../kit/model.ts'
import { mayNameCourt } from '../../recovery/messages/compose/write-message.ts'
import { callInstructions, factsAfterIdentification } from './call-instructions.ts'
import { callTexts } from './call-texts.ts'
import { toolsFor, type ValidToolCall, validateToolCall } from './call-tools.ts'
import type { IdentityCheck, Utterance } from './check-identity.ts'
import { executeToolCall } from './execute-tool-call.ts'
import type { LiveCall } from './read-call.ts'
import { speakable } from './speakable.ts'

const stepsMax = 5

export type PromiseCall = Extract<ValidToolCall, { name: 'record_promise' }>

export interface CallState {
  readonly messages: ChatMessage[]
  readonly identity: IdentityCheck
  /** The person was asked whether they confirm it, and has not answered yet. */
  promise: PromiseCall | null
  tokens: number
}

/** The tool result for the model. With `says` the program speaks next, not the model. */
interface ToolAnswer {
  text: string
  says?: Utterance
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
): Promise<Utterance> {
  const texts = callTexts[call.file.language]
  const isIdentified = state.identity.isConfirmed
  const isConsumer = call.file.type === 'consumer'
  const instructions = isIdentified
    ? `${callInstructions(call, call.beganAt)}\n\n${factsAfterIdentification(call)}`
    : callInstructions(call, call.beganAt)
  const tools = toolsFor(isIdentified, isConsumer)
  let hasExecuted = false
  for (let step = 1; ; step++) {
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
        mayNameCourt: mayNameCourt(call.file, call.content, call.beganAt),
      })
      state.messages.push({ by: 'model', text, toolCalls: [] })
      state.identity.noteModelSpoke()
      return { text: text || (hasExecuted ? texts.noted : texts.again), endsCall: false }
    }
    const answers: { toolCall: ToolCall; text: string }[] = []
    let said: Utterance | null = null
    for (const toolCall of modelReply.toolCalls) {
      const answer: ToolAnswer = said
        ? { text: 'Not done: the person was asked something first.' }
        : await answerToolCall(toolCall)
      said ??= answer.says ?? null
      if (said?.endsCall) return said
      answers.push({ toolCall, text: answer.text })
    }
    state.messages.push(
      { by: 'model', text: modelReply.text, toolCalls: modelReply.toolCalls },
      { by: 'tool', results: answers },
    )
    if (!said) continue
    state.messages.push({ by: 'model', text: said.text, toolCalls: [] })
    return said
  }

  async function answerToolCall(toolCall: ToolCall): Promise<ToolAnswer> {
    const validated: ValidToolCall | { refused: string } = validateToolCall(
      toolCall,
      isIdentified,
      isConsumer,
    )
    if ('refused' in validated) return { text: `Refused: ${validated.refused}.` }
    if (validated.name === 'identity_confirmed')
      return { text: 'The program asks for a check.', says: state.identity.ask() }
    if (validated.name === 'another_person') {
      state.identity.expectAnother()
      return { text: 'The program waits.', says: { text: texts.identity.waiting, endsCall: false } }
    }
    // The person hears what a promise means before it is recorded.
    const isTrial = validated.name === 'record_promise'
    const result = await executeToolCall(pageContext, call, validated, { isTrial })
    if ('refused' in result) return { text: `Refused: ${result.refused}` }
    if (validated.name === 'record_promise') {
      state.promise = validated
      return {
        text: 'Not recorded yet: the program asks the person to confirm it.',
        says: { text: questionFor(validated), endsCall: false },
      }
    }
    hasExecuted = true
    if (!result.endsCall) return { text: result.done }
    const ending = texts.endsWith[result.outcome]
    const text = ending ? ending(call.file.creditor.name) : texts.goodbye
    return { text: result.done, says: { text, endsCall: true } }
  }

  function questionFor({ input: { date, amountCents } }: PromiseCall): string {
    const { currency } = call.invoices[0]!
    const sum =
      amountCents === undefined ? null : formatMoney(cents(amountCents), currency, call.file.language)
    return texts.promise.ask(date, sum)
  }
}
