/** A language model: it gets the messages of a conversation and replies with text and tool calls. */
export interface Model {
  readonly limits: ModelLimits
  /** One request to the model. Text is streamed through `onText`; abort with the signal. */
  generate(request: ModelRequest): Promise<ModelReply>
  /** Records the metrics of a whole turn. */
  recordTurn(turn: TurnMetrics): void
}

export interface ModelLimits {
  /** For a whole turn, tools included. */
  readonly turnMs: number
  readonly tokensPerTurn: number
  /** Of one tenant, in a UTC day. */
  readonly tokensPerDay: number
}

export interface ModelRequest {
  readonly instructions: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly ModelTool[]
  /** False: the tools are described, but the model must reply without calling one. */
  readonly mayCallTools: boolean
  readonly signal: AbortSignal
  onText(text: string): void
  /** Called once for every request that was sent, also if it fails or is aborted: what it used, or an estimate. */
  onTokens?(tokens: number): void
}

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

export type ChatMessage =
  | { readonly by: 'person'; readonly text: string }
  | { readonly by: 'model'; readonly text: string; readonly toolCalls: readonly ToolCall[] }
  | {
      readonly by: 'tool'
      readonly results: readonly { readonly toolCall: ToolCall; readonly text: string }[]
    }

/** A tool call that the model asks for. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** The input as the model gave it; the raw text if it is not valid JSON. */
  readonly input: unknown
  readonly isMalformed: boolean
}

export interface ModelReply {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  readonly tokens: number
}

export interface TurnMetrics {
  readonly outcome:
    | 'answered'
    | 'asked'
    | 'done'
    | 'cut'
    | 'timeout'
    | 'unavailable'
    | 'unusable'
    | 'gone'
    | 'refused'
  readonly ms: number
  readonly tools: readonly string[]
}

/** `unavailable`: the model did not answer or refused to. `unusable`: its answer could not be read. */
export class ModelFailed extends Error {
  readonly because: 'unavailable' | 'unusable'
  constructor(because: ModelFailed['because'], cause: unknown) {
    super(`the model is ${because}`, { cause })
    this.name = 'ModelFailed'
    this.because = because
  }
}

/** Marks text from outside as data. A closing mark inside the text is escaped, so the text cannot end the block early. */
export const asData = (value: unknown, maxChars: number): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('<', '\\u003c')
  return `<data>\n${text.length > maxChars ? `${text.slice(0, maxChars)} … (cut; ask for less at once)` : text}\n</data>`
}
