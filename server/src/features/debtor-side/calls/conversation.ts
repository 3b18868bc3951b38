import { isDatabaseFault } from '../../../kit/db/transaction.ts'
import type { Site } from '../../../kit/http/site.ts'
import { type Model, ModelFailed } from '../../../kit/model.ts'
import { closeCall } from './call-record.ts'
import { callWords } from './call-words.ts'
import { carryOut } from './deeds.ts'
import { partsOf } from './instructions.ts'
import { isOver, type LiveCall, onCall } from './read-call.ts'
import { isOptOut, isYes } from './recognise.ts'
import { type Mind, type Reply, think } from './think.ts'

/** The telephone, as far as a conversation knows it. */
export interface Phone {
  say(text: string, isWhole: boolean): void
  hangUp(): void
}

export interface Pace {
  /** After so long somebody who waits hears that we are still there. */
  fillerMs: number
  /** A model that takes longer is away. */
  thinkMs: number
  /** How long nobody has to say anything. */
  idleMs: number
  totalMs: number
  /** How long a character takes to be spoken: what was said last is heard to its end before we hang up. */
  characterMs: number
}

export const usualPace: Pace = {
  fillerMs: 2_500,
  thinkMs: 10_000,
  idleMs: 20_000,
  totalMs: 10 * 60_000,
  characterMs: 65,
}

const turnsMost = 30
const patience = [300, 1_000, 3_000, 8_000]
const heardMost = 1_000

export interface Conversation {
  begin(wasGreeted: boolean): void
  hear(text: string): void
  /** The line is gone: what is under way is finished, and the call is closed. */
  end(): Promise<void>
}

/**
 * A call from the first word to the last. The program decides what is said when: the disclosure, the question who it is, the end.
 * The model finds words in between; without it the prepared text is read.
 */
export function converse(
  site: Site,
  model: Model,
  call: LiveCall,
  phone: Phone,
  pace: Pace = usualPace,
): Conversation {
  const words = callWords[call.file.language]
  const { question, matter } = partsOf(call)
  const mind: Mind = { said: [], isKnown: false, tokens: 0 }
  const line = new AbortController()
  let turn = new AbortController()
  let turns = 0
  let isEnding = false
  let hasOptedOut = false
  let note = ''
  let spokenUntil = 0
  let busy = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  let farewell: NodeJS.Timeout | undefined
  const tooLong = setTimeout(sayGoodbye, pace.totalMs)

  function say(text: string, isWhole = true): void {
    if (line.signal.aborted) return
    phone.say(text, isWhole)
    const wall = site.clock.wall()
    spokenUntil = Math.max(wall, spokenUntil) + text.length * pace.characterMs
    waitForAnswer()
  }

  const untilSpoken = () => Math.max(0, spokenUntil - site.clock.wall())

  function waitForAnswer(): void {
    clearTimeout(idle)
    if (isEnding || line.signal.aborted) return
    idle = setTimeout(sayGoodbye, untilSpoken() + pace.idleMs)
  }

  /** One thing at a time, in the order it was heard. */
  function inTurn(act: () => Promise<void>): void {
    busy = busy.then(act).catch(error => {
      site.log.error({ err: error, communicationId: call.communicationId }, 'a call went wrong')
      finish(words.cannotGoOn)
    })
  }

  function finish(text: string): void {
    isEnding = true
    clearTimeout(idle)
    clearTimeout(farewell)
    if (text !== '') say(text)
    farewell = setTimeout(() => phone.hangUp(), untilSpoken())
  }

  function sayGoodbye(): void {
    inTurn(async () => {
      if (!isEnding) finish(words.goodbye)
    })
  }

  async function thinkAloud(): Promise<Reply> {
    turn = new AbortController()
    const filler = setTimeout(() => say(`${words.oneMoment} `, false), pace.fillerMs)
    const signal = AbortSignal.any([line.signal, turn.signal, AbortSignal.timeout(pace.thinkMs)])
    try {
      return await think(site, model, call, mind, signal)
    } catch (error) {
      throw signal.aborted ? new ModelFailed('unavailable', error) : error
    } finally {
      clearTimeout(filler)
    }
  }

  async function answer(text: string): Promise<void> {
    if (isEnding || hasOptedOut || line.signal.aborted) return
    clearTimeout(idle)
    // A machine was heard, or it is over: whoever is there now is not whom we called.
    if (await isOver(site, call)) return finish('')
    if (hasOptedOut) return
    if (++turns > turnsMost || mind.tokens > model.limits.tokensPerTurn) return finish(words.goodbye)
    mind.said.push({ by: 'person', text })
    try {
      const reply = await thinkAloud()
      if (hasOptedOut || line.signal.aborted) return
      if (reply.endsCall) finish(reply.text)
      else say(reply.text)
    } catch (error) {
      if (hasOptedOut || line.signal.aborted) return
      if (!(error instanceof ModelFailed)) throw error
      readAloud(text)
    }
  }

  /** Without a model: what was prepared, to who has said who they are, and no further turn. */
  function readAloud(lastHeard: string): void {
    const isKnown = mind.isKnown || (turns === 1 && isYes(lastHeard))
    note = isKnown ? 'the prepared text was read' : ''
    finish(isKnown ? matter : words.cannotGoOn)
  }

  /** Worth some patience: somebody who is not heard now is rung again. */
  async function stopCalling(): Promise<void> {
    for (const pause of [...patience, null]) {
      try {
        const deed = await carryOut(site, call, { name: 'opt_out', input: {} })
        // Not said before it is true.
        if ('refused' in deed) throw new Error('an opt-out was refused')
        break
      } catch (error) {
        if (pause === null || !isDatabaseFault(error)) throw error
        await new Promise(resolve => setTimeout(resolve, pause))
      }
    }
    finish(words.endsWith.opt_out!(''))
  }

  return {
    begin(wasGreeted) {
      say(wasGreeted ? question : `${call.message.opening} ${question}`)
    },
    hear(text) {
      const heard = text.trim().slice(0, heardMost)
      if (heard === '' || line.signal.aborted) return
      // Whoever answers has heard us, or would not listen.
      spokenUntil = 0
      if (!isOptOut(heard)) return inTurn(() => answer(heard))
      if (hasOptedOut) return
      hasOptedOut = true
      turn.abort()
      inTurn(stopCalling)
    },
    async end() {
      if (line.signal.aborted) return
      line.abort()
      for (const timer of [idle, farewell, tooLong]) clearTimeout(timer)
      await busy
      await onCall(site, call, world => closeCall(world, call.communicationId, 'over', note))
    },
  }
}
