import { isDatabaseFault } from '../../../kit/db/transaction.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { type Model, ModelFailed } from '../../../kit/model.ts'
import { spokenParts } from './call-instructions.ts'
import { callTexts } from './call-texts.ts'
import { identityCheck, type Utterance } from './check-identity.ts'
import { executeToolCall } from './execute-tool-call.ts'
import { type CallState, generateReply, type PromiseCall } from './generate-reply.ts'
import { inCallTransaction, type LiveCall, readCallEnd } from './read-call.ts'
import { isOptOut, isYes } from './recognise-speech.ts'
import { closeCall } from './save-call-outcome.ts'

/** What a conversation needs from the telephone connection. */
export interface Phone {
  say(text: string, isWhole: boolean): void
  hangUp(): void
}

export interface Timing {
  /** After this time a filler sentence is spoken. */
  fillerMs: number
  /** A model that takes longer counts as unavailable. */
  generateMs: number
  /** After this much silence the call ends. */
  idleMs: number
  totalMs: number
  /** Speaking time per character, so that the last sentence is finished before we hang up. */
  characterMs: number
}

export const defaultTiming: Timing = {
  fillerMs: 2_500,
  generateMs: 10_000,
  idleMs: 20_000,
  totalMs: 10 * 60_000,
  characterMs: 65,
}

const turnsMax = 30
/** Fetching another person takes longer than an answer. */
const transferPatience = 4
const retryDelaysMs = [300, 1_000, 3_000, 8_000]
const speechMaxChars = 1_000

export interface Conversation {
  begin(wasGreeted: boolean): void
  onSpeech(text: string): void
  /** The connection is closed: pending work is finished, and the call is closed. */
  end(): Promise<void>
}

/**
 * Runs a call from its first word to its last. The program decides the order: disclosure, identity, notice of the call, end. It
 * also asks for the yes to a promise. The model speaks in between; without it the prepared text is read.
 */
export function startConversation(
  pageContext: PageContext,
  model: Model,
  call: LiveCall,
  phone: Phone,
  timing: Timing = defaultTiming,
): Conversation {
  const texts = callTexts[call.file.language]
  const { question, notice, mandate, unanswered } = spokenParts(call)
  const identity = identityCheck(call, texts)
  const state: CallState = { messages: [], identity, promise: null, tokens: 0 }
  const callEnded = new AbortController()
  let turn = new AbortController()
  let turns = 0
  let isEnding = false
  let hasOptedOut = false
  let note = ''
  let isNoticeSaid = false
  let spokenUntil = 0
  let utterances = 0
  let pending = Promise.resolve()
  let idleTimer: NodeJS.Timeout | undefined
  let hangUpTimer: NodeJS.Timeout | undefined
  const totalTimer = setTimeout(sayGoodbye, timing.totalMs)

  function say(text: string, isWhole = true): void {
    if (callEnded.signal.aborted) return
    phone.say(text, isWhole)
    if (isWhole) utterances++
    const wall = pageContext.clock.wall()
    spokenUntil = Math.max(wall, spokenUntil) + text.length * timing.characterMs
    waitForAnswer()
  }

  const untilSpoken = () => Math.max(0, spokenUntil - pageContext.clock.wall())

  function waitForAnswer(): void {
    clearTimeout(idleTimer)
    if (isEnding || callEnded.signal.aborted) return
    const patience = identity.expectsAnother ? transferPatience : 1
    idleTimer = setTimeout(sayGoodbye, untilSpoken() + timing.idleMs * patience)
  }

  /** Runs one action at a time, in the order the speech came in. */
  function enqueue(act: () => Promise<void>): void {
    pending = pending.then(act).catch(error => {
      pageContext.log.error({ err: error, communicationId: call.communicationId }, 'call failed')
      sayAndHangUp(texts.cannotGoOn)
    })
  }

  function sayAndHangUp(text: string): void {
    isEnding = true
    clearTimeout(idleTimer)
    clearTimeout(hangUpTimer)
    if (text !== '') say(text)
    hangUpTimer = setTimeout(() => phone.hangUp(), untilSpoken())
  }

  function sayGoodbye(): void {
    enqueue(async () => {
      if (!isEnding) sayAndHangUp(texts.goodbye)
    })
  }

  async function generateWithFiller(): Promise<Utterance> {
    turn = new AbortController()
    const filler = setTimeout(() => say(`${texts.oneMoment} `, false), timing.fillerMs)
    const signal = AbortSignal.any([callEnded.signal, turn.signal, AbortSignal.timeout(timing.generateMs)])
    try {
      return await generateReply(pageContext, model, call, state, signal)
    } catch (error) {
      throw signal.aborted ? new ModelFailed('unavailable', error) : error
    } finally {
      clearTimeout(filler)
    }
  }

  /** `saidBefore`: the number of our utterances when the person spoke. */
  async function answer(text: string, saidBefore: number): Promise<void> {
    if (isEnding || hasOptedOut || callEnded.signal.aborted) return
    // Spoken before our question, so it answers something else.
    if (saidBefore < utterances && (identity.isAsking || state.promise)) return
    clearTimeout(idleTimer)
    // A machine answered, the call is over or sending was stopped: do not speak any more.
    const { is_over, is_stopped } = await readCallEnd(pageContext, call)
    if (is_over || is_stopped) return sayAndHangUp('')
    if (hasOptedOut) return
    if (++turns > turnsMax || state.tokens > model.limits.tokensPerTurn) return sayAndHangUp(texts.goodbye)
    const byProgram = await answerOfProgram(text)
    if (hasOptedOut || callEnded.signal.aborted) return
    state.messages.push({ by: 'person', text })
    if (byProgram) {
      state.messages.push({ by: 'model', text: byProgram.text, toolCalls: [] })
      return speak(byProgram)
    }
    const reply = await generateWithFiller().catch(error => {
      if (error instanceof ModelFailed) return null
      throw error
    })
    if (hasOptedOut || callEnded.signal.aborted) return
    // Sending may have been stopped while the model was thinking.
    if ((await readCallEnd(pageContext, call)).is_stopped) return sayAndHangUp('')
    if (hasOptedOut || callEnded.signal.aborted) return
    speak(reply ?? preparedText())
  }

  function speak({ text, endsCall }: Utterance): void {
    if (endsCall) sayAndHangUp(text)
    else say(identity.isConfirmed ? withNotice(text) : text)
  }

  /** The program's own answer, without the model; null if the model has to answer. */
  async function answerOfProgram(text: string): Promise<Utterance | null> {
    if (state.promise) return answerToPromise(state.promise, text)
    if (identity.isConfirmed) return null
    if (identity.expectsAnother) {
      // Another person is on the phone now and has not heard that an AI is calling.
      const next = identity.askAnother(question)
      return { ...next, text: `${call.message.opening} ${next.text}` }
    }
    return identity.judge(text) === 'ask' ? identity.ask() : null
  }

  /** Records the promise only after a yes; otherwise the model continues. */
  async function answerToPromise(promise: PromiseCall, text: string): Promise<Utterance | null> {
    state.promise = null
    if (!isYes(text)) return null
    const result = await executeToolCall(pageContext, call, promise)
    const { recorded, refused } = texts.promise
    return { text: 'refused' in result ? refused : recorded(promise.input.date), endsCall: false }
  }

  /** Adds the notice about the call and about the collector, once, before anything about the debt is said. */
  function withNotice(text: string): string {
    if (isNoticeSaid) return text
    isNoticeSaid = true
    return [notice, mandate, text].filter(part => part !== null).join(' ')
  }

  /** Without a model: reads the prepared text if the person is identified, without its questions, then ends the call. */
  function preparedText(): Utterance {
    if (!identity.isConfirmed) return { text: texts.cannotGoOn, endsCall: true }
    note = texts.preparedTextRead
    return { text: withNotice(unanswered), endsCall: true }
  }

  /** Retried, because a lost opt-out means that the person is called again. */
  async function optOutWithRetries(): Promise<void> {
    for (const pause of [...retryDelaysMs, null]) {
      try {
        const result = await executeToolCall(pageContext, call, { name: 'opt_out', input: {} })
        // It is confirmed only after it was saved.
        if ('refused' in result) throw new Error('an opt-out was refused')
        break
      } catch (error) {
        if (pause === null || !isDatabaseFault(error)) throw error
        await new Promise(resolve => setTimeout(resolve, pause))
      }
    }
    sayAndHangUp(texts.endsWith.opt_out!(''))
  }

  return {
    begin(wasGreeted) {
      say(wasGreeted ? question : `${call.message.opening} ${question}`)
    },
    onSpeech(text) {
      const speech = text.trim().slice(0, speechMaxChars)
      if (speech === '' || callEnded.signal.aborted) return
      // The person answers, so what was spoken counts as heard.
      spokenUntil = 0
      if (!isOptOut(speech)) {
        const saidBefore = utterances
        return enqueue(() => answer(speech, saidBefore))
      }
      if (hasOptedOut) return
      hasOptedOut = true
      turn.abort()
      enqueue(optOutWithRetries)
    },
    async end() {
      if (callEnded.signal.aborted) return
      callEnded.abort()
      for (const timer of [idleTimer, hangUpTimer, totalTimer]) clearTimeout(timer)
      await pending
      await inCallTransaction(pageContext, call, context =>
        closeCall(context, call.communicationId, 'over', note),
      )
    },
  }
}
