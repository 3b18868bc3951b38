import type { Site } from '../../../kit/http/site.ts'
import type { Model, Said, Wish } from '../../../kit/model.ts'
import { type CallWish, judgeWish, toolsFor } from './call-tools.ts'
import { callWords } from './call-words.ts'
import { carryOut } from './deeds.ts'
import { factsFor, instructionsFor } from './instructions.ts'
import type { LiveCall } from './read-call.ts'
import { speakable } from './speakable.ts'

const stepsMost = 5

export interface Mind {
  readonly said: Said[]
  /** The person has said who they are. */
  isKnown: boolean
  tokens: number
}

export interface Reply {
  text: string
  endsCall: boolean
}

/**
 * The model and the tools in turns until it has something to say. What it says before its tools have answered is not spoken: it
 * may not come true. Fails as the model fails.
 */
export async function think(
  site: Site,
  model: Model,
  call: LiveCall,
  mind: Mind,
  signal: AbortSignal,
): Promise<Reply> {
  const words = callWords[call.file.language]
  const instructions = instructionsFor(call, call.beganAt)
  let hasDone = false
  for (let step = 1; ; step++) {
    const tools = toolsFor(mind.isKnown)
    const mayUse = step < stepsMost
    const question = { instructions, said: mind.said, tools, mayUse, signal, onText() {} }
    const thought = await model.think(question).catch(error => {
      if (!hasDone) throw error
      return null
    })
    // What was done is said, also where the model has no words for it any more.
    if (thought === null) return { text: `${words.noted} ${words.goodbye}`, endsCall: true }
    mind.tokens += thought.tokens
    signal.throwIfAborted()
    if (!mayUse || thought.wants.length === 0) {
      const text = speakable(thought.text, {
        language: call.message.language,
        mayNameCourt: call.file.creditor.mayNameCourt,
      })
      mind.said.push({ by: 'model', text, wants: [] })
      return { text: text || (hasDone ? words.noted : words.again), endsCall: false }
    }
    const answers: { wish: Wish; text: string }[] = []
    for (const wish of thought.wants) {
      const answer = await answerTo(wish)
      if (answer.ends !== undefined) return { text: answer.ends, endsCall: true }
      answers.push({ wish, text: answer.text })
    }
    mind.said.push({ by: 'model', text: thought.text, wants: thought.wants }, { by: 'tool', answers })
  }

  async function answerTo(wish: Wish): Promise<{ text: string; ends?: string }> {
    const judged: CallWish | { refused: string } = judgeWish(wish, mind.isKnown)
    if ('refused' in judged) return { text: `Refused: ${judged.refused}.` }
    if (judged.name === 'identity_confirmed') {
      mind.isKnown = true
      return { text: factsFor(call) }
    }
    const deed = await carryOut(site, call, judged)
    if ('refused' in deed) return { text: `Refused: ${deed.refused}` }
    hasDone = true
    if (!deed.endsCall) return { text: deed.done }
    const ending = words.endsWith[deed.outcome]
    return { text: deed.done, ends: ending ? ending(call.file.creditor.name) : words.goodbye }
  }
}
