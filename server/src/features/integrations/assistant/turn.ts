import type { Afterwards } from '../../../kit/afterwards.ts'
import { ApiError } from '../../../kit/errors.ts'
import {
  asData,
  type Model,
  ModelFailed,
  type Question,
  type Said,
  type Thought,
  type Wish,
} from '../../../kit/model.ts'
import type { Tool } from '../../../kit/tool.ts'
import { cleaner } from './clean-markdown.ts'
import type { Deed } from './confirmation.ts'
import type { Manner } from './describe.ts'
import { modelTooSlow, modelUnavailable, modelUnusable } from './errors.ts'
import { instructionsFor } from './instructions.ts'
import { prepare, refusalInWords } from './plan.ts'
import { programWords } from './plan-words.ts'

const usesMost = 8
const answerMost = 12_000

export interface Turn {
  readonly text: string
  readonly toolsCalled: readonly string[]
  readonly plan: readonly Deed[]
  readonly isCut: boolean
}

/** What a turn has cost so far: counted also where it comes to nothing. */
export interface Meter {
  tokens: number
}

/** The model and the tools in turns, until it has an answer. It reads at once; whatever else it wants is only prepared. */
export async function takeTurn(
  after: Afterwards,
  model: Model,
  asked: { readonly said: readonly Said[]; readonly manner: Manner },
  meter: Meter,
): Promise<Turn> {
  const { manner } = asked
  const { turnMs, tokensPerTurn } = model.limits
  const tooLate = AbortSignal.timeout(Math.max(1, after.startedAt + turnMs - after.wall()))
  const signal = AbortSignal.any([tooLate, after.gone])
  const out = cleaner(after.publicUrl, text => after.tell('text', { text }))
  const tools = after.tools
  const instructions = instructionsFor(manner, after.wall() + after.offsetMs, after.actor.environment)
  const said = [...asked.said]
  const toolsCalled: string[] = []
  const plan: Deed[] = []
  let uses = 0
  let isCut = false
  /** Null: it had to answer without a tool, and would not. */
  const think = async (question: Question): Promise<Thought | null> => {
    try {
      return await model.think(question)
    } catch (error) {
      if (question.mayUse || !(error instanceof ModelFailed) || error.because !== 'unusable') throw error
      meter.tokens += error.tokens
      return null
    }
  }
  try {
    for (let isFirst = true; ; isFirst = false) {
      const mayUse = uses < usesMost && meter.tokens < tokensPerTurn
      let hasSpoken = false
      const thought = await think({
        instructions,
        said,
        tools,
        mayUse,
        signal,
        onText(text) {
          if (!isFirst && !hasSpoken) out.add('\n\n')
          hasSpoken = true
          out.add(text)
        },
      })
      isCut = thought === null || (!mayUse && thought.wants.length > 0)
      meter.tokens += thought?.tokens ?? 0
      if (thought === null || isCut || thought.wants.length === 0) break
      const answers: { wish: Wish; text: string }[] = []
      for (const wish of thought.wants) {
        const text =
          ++uses > usesMost
            ? 'Not done: that was more than eight in one turn.'
            : await answerTo(wish, { after, tools, toolsCalled, plan, manner, signal })
        answers.push({ wish, text })
      }
      said.push({ by: 'model', text: thought.text, wants: thought.wants }, { by: 'tool', answers })
    }
  } catch (error) {
    if (tooLate.aborted) throw modelTooSlow.make()
    if (after.gone.aborted) throw new Gone()
    if (!(error instanceof ModelFailed)) throw error
    meter.tokens += error.tokens
    throw error.because === 'unavailable' ? modelUnavailable.make() : modelUnusable.make()
  }
  if (isCut) out.add(`\n\n${programWords.cut[manner.language]}`)
  return { text: out.end().trim(), toolsCalled, plan, isCut }
}

/** Whoever listened has gone: nobody is left to be told. */
export class Gone extends ApiError {
  constructor() {
    super('SVC_002', 'The caller has gone.')
  }
}

interface Using {
  readonly after: Afterwards
  readonly tools: readonly Tool[]
  readonly toolsCalled: string[]
  readonly plan: Deed[]
  readonly manner: Manner
  readonly signal: AbortSignal
}

async function answerTo(wish: Wish, using: Using): Promise<string> {
  const { after, tools, toolsCalled, plan, manner, signal } = using
  signal.throwIfAborted()
  const tool = tools.find(candidate => candidate.name === wish.name)
  if (!tool) return 'Refused: there is no such tool, or the person’s credential may not use it.'
  if (wish.isMalformed) return 'Refused: the arguments are not valid JSON.'
  if (!tool.isRead) {
    const prepared = await prepare(after, tool, wish.input, plan, manner)
    if ('refused' in prepared) return `Refused: ${asData(prepared.refused, answerMost)}`
    plan.push(prepared.deed)
    return `Prepared and not done; the person will be asked for their word. ${asData(prepared.deed.words, answerMost)}`
  }
  after.tell('tool', { operation: tool.operation.id })
  toolsCalled.push(tool.operation.id)
  const { status, body } = await after.use(tool, wish.input)
  if (status === 401) throw revoked(body)
  return status >= 400
    ? `Refused: ${asData(refusalInWords(body), answerMost)}`
    : asData(contentOf(body), answerMost)
}

const contentOf = (body: unknown): unknown => {
  const { data, pagination } = (body ?? {}) as { data?: unknown; pagination?: unknown }
  return pagination === undefined ? data : { data, pagination }
}

/** The credential was taken away while we talked. */
function revoked(body: unknown): ApiError {
  const { error } = body as { error?: { code: 'AUTH_002'; message: string } }
  return new ApiError(error?.code ?? 'AUTH_002', error?.message ?? 'This credential is not valid any more.')
}
