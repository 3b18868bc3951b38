/** What a language model is to us: it is told what was said, and answers with words and with what it would like to use. */
export interface Model {
  readonly limits: ModelLimits
  /** One step. Text is handed on as it comes; whoever waits no longer says so by the signal. */
  think(question: Question): Promise<Thought>
  /** What came of a whole turn, for the figures. */
  note(turn: TurnFigures): void
}

export interface ModelLimits {
  /** For a whole turn, tools included. */
  readonly turnMs: number
  readonly tokensPerTurn: number
  /** Of one tenant, in a UTC day. */
  readonly tokensPerDay: number
}

export interface Question {
  readonly instructions: string
  readonly said: readonly Said[]
  readonly tools: readonly ModelTool[]
  /** It may be told of tools and yet have to answer without another. */
  readonly mayUse: boolean
  readonly signal: AbortSignal
  onText(text: string): void
}

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

export type Said =
  | { readonly by: 'person'; readonly text: string }
  | { readonly by: 'model'; readonly text: string; readonly wants: readonly Wish[] }
  | { readonly by: 'tool'; readonly answers: readonly { readonly wish: Wish; readonly text: string }[] }

/** A tool the model would like to use. */
export interface Wish {
  readonly id: string
  readonly name: string
  /** As it was given; not JSON if it was not well formed. */
  readonly input: unknown
  readonly isMalformed: boolean
}

export interface Thought {
  readonly text: string
  readonly wants: readonly Wish[]
  readonly tokens: number
}

export interface TurnFigures {
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

/** `unavailable`: it does not answer, or will not. `unusable`: it answered, and nobody can make sense of it. */
export class ModelFailed extends Error {
  readonly because: 'unavailable' | 'unusable'
  /** Counted as far as it was told. */
  readonly tokens: number
  constructor(because: ModelFailed['because'], cause: unknown, tokens = 0) {
    super(`the model is ${because}`, { cause })
    this.name = 'ModelFailed'
    this.because = because
    this.tokens = tokens
  }
}

/** Marks text from outside as data. A closing mark inside the text is escaped, so the text cannot end the block early. */
export const asData = (value: unknown, most: number): string => {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('<', '\\u003c')
  return `<data>\n${text.length > most ? `${text.slice(0, most)} … (cut; ask for less at once)` : text}\n</data>`
}
