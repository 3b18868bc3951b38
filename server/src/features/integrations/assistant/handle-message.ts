import type { AfterCommit } from '../../../kit/after-commit.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { asData, type ChatMessage, type Model, type TurnMetrics } from '../../../kit/model.ts'
import { historyFor, historyLimit } from './assistant-instructions.ts'
import type { ChatInput, ChatReply } from './chat-schema.ts'
import { cleanMarkdown } from './clean-markdown.ts'
import {
  type ClaimedPlan,
  claimPlan,
  dropPlans,
  finishPlan,
  releasePlan,
  saveConfirmation,
} from './confirmation.ts'
import { openerOf } from './conversation-schema.ts'
import { numberedList, type ReplyLocale } from './describe-operation.ts'
import {
  conversationUnknown,
  noModel,
  notConfirmable,
  planInterrupted,
  tokensHeld,
  tokensUsedUp,
} from './errors.ts'
import { type ExecutedOperation, executePlan } from './operation-plan.ts'
import { isYes } from './plain-yes.ts'
import { planTexts } from './plan-texts.ts'
import { CallerGone, runTurn, type TokenMeter, type Turn } from './run-turn.ts'
import {
  appendMessages,
  findConversation,
  latestMessages,
  type NewMessage,
  reserveTokens,
  settleTokens,
  type TokenReservation,
} from './store.ts'

/** Handles one message: executes a confirmed plan, or runs a turn of the model. */
export async function handleMessage(
  afterCommit: AfterCommit,
  conversationId: string,
  body: ChatInput,
  locale: ReplyLocale,
): Promise<ChatReply> {
  const claimed = body.conversationId
    ? await claimConfirmedPlan(afterCommit, conversationId, body)
    : refuseToken(body)
  const since = afterCommit.wall()
  const recordTurn = (outcome: TurnMetrics['outcome'], tools: readonly string[]) =>
    afterCommit.model?.recordTurn({ outcome, tools, ms: afterCommit.wall() - since })
  return claimed
    ? carryOutPlan(afterCommit, conversationId, body, claimed, recordTurn)
    : answerWithModel(afterCommit, conversationId, body, locale, recordTurn)
}

const tokenIn = ({ context }: ChatInput): string | null =>
  typeof context?.confirm === 'string' ? context.confirm : null

/** In a new conversation there is nothing to confirm. */
function refuseToken(body: ChatInput): null {
  if (tokenIn(body) !== null) throw notConfirmable.make()
  return null
}

/** Claims the open plan if the message confirms it; any other message drops it. Decided by the program, never by a model. */
const claimConfirmedPlan = (
  afterCommit: AfterCommit,
  conversationId: string,
  body: ChatInput,
): Promise<ClaimedPlan | null> =>
  afterCommit.inTransaction(async tx => {
    const token = tokenIn(body)
    const wall = afterCommit.wall()
    if (token !== null || isYes(body.message)) {
      const claimed = await claimPlan(
        tx,
        { conversationId, caller: openerOf(afterCommit.actor), token },
        wall,
      )
      if (claimed) return claimed
      if (token !== null) throw notConfirmable.make()
    }
    dropPlans(tx, conversationId, wall)
    return null
  })

type RecordTurn = (outcome: TurnMetrics['outcome'], tools: readonly string[]) => void

async function carryOutPlan(
  afterCommit: AfterCommit,
  conversationId: string,
  body: ChatInput,
  claimed: ClaimedPlan,
  recordTurn: RecordTurn,
): Promise<ChatReply> {
  const executed = await executePlan(afterCommit, { ...claimed, conversationId })
  if ('interruptedAfter' in executed) {
    await afterCommit.inTransaction(async tx => releasePlan(tx, claimed.id))
    throw planInterrupted.make(executed.interruptedAfter, claimed.plan.length)
  }
  const text = cleanMarkdown(afterCommit.publicUrl, report(executed, claimed))
  const toolsCalled = executed
    .filter(({ outcome }) => outcome === 'done')
    .map(({ planned }) => planned.operation)
  await afterCommit.inTransaction(async tx => {
    await requireConversation(tx, afterCommit, conversationId)
    finishPlan(tx, claimed.id, afterCommit.wall())
    appendMessages(
      tx,
      conversationId,
      newMessages(afterCommit, body, { text, toolsCalled }),
      times(afterCommit),
    )
  })
  recordTurn(executed.every(({ outcome }) => outcome === 'done') ? 'done' : 'refused', toolsCalled)
  afterCommit.emit('text', { text })
  return { text, toolsCalled, conversationId }
}

/** A reset of the sandbox may have deleted it while the model was thinking. */
async function requireConversation(tx: Tx, { actor }: AfterCommit, conversationId: string): Promise<void> {
  if (!(await findConversation(tx, conversationId, openerOf(actor)))) throw conversationUnknown.make()
}

function report(executed: readonly ExecutedOperation[], { language }: ClaimedPlan): string {
  const outcomeTexts = {
    done: planTexts.done[language],
    refused: planTexts.refused[language],
    not_tried: planTexts.notTried[language],
  }
  return numberedList(
    executed.map(({ planned, outcome, text }) => {
      const line = `**${outcomeTexts[outcome]}** – ${planned.words}`
      return text === undefined ? line : `${line}. ${text}`
    }),
  )
}

async function reserveTurn(afterCommit: AfterCommit, { limits }: Model): Promise<TokenReservation> {
  const wall = afterCommit.wall()
  const { tokensPerTurn: perTurn, tokensPerDay: perDay } = limits
  const reservation = await afterCommit.inTransaction(tx => reserveTokens(tx, { perTurn, perDay }, wall))
  if (reservation === 'used_up') throw tokensUsedUp.make(Math.ceil((86_400_000 - (wall % 86_400_000)) / 1000))
  if (reservation === 'held') throw tokensHeld.make()
  return reservation
}

async function answerWithModel(
  afterCommit: AfterCommit,
  conversationId: string,
  body: ChatInput,
  locale: ReplyLocale,
  recordTurn: RecordTurn,
): Promise<ChatReply> {
  const { model } = afterCommit
  if (!model) throw noModel.make()
  const reservation = await reserveTurn(afterCommit, model)
  const meter: TokenMeter = { tokens: 0, max: reservation.tokens }
  let turn: Turn
  try {
    const messages = await messagesForModel(afterCommit, conversationId, body)
    turn = await runTurn(afterCommit, model, { messages, locale }, meter)
  } catch (error) {
    recordTurn(outcomeOf(error), [])
    throw error
  } finally {
    await afterCommit.inTransaction(async tx => settleTokens(tx, reservation, meter.tokens))
  }
  const { plan, toolsCalled } = turn
  const summary = cleanMarkdown(afterCommit.publicUrl, numberedList(plan.map(({ words }) => words)))
  const { title, howTo } = planTexts
  const text =
    plan.length === 0
      ? turn.text
      : `${turn.text}\n\n**${title[locale.language]}**\n\n${summary}\n\n${howTo[locale.language]}`.trim()
  const confirmation = await afterCommit.inTransaction(async tx => {
    await requireConversation(tx, afterCommit, conversationId)
    appendMessages(
      tx,
      conversationId,
      newMessages(afterCommit, body, { text, toolsCalled }),
      times(afterCommit),
    )
    if (plan.length === 0) return null
    dropPlans(tx, conversationId, afterCommit.wall())
    const newConfirmation = {
      id: afterCommit.newId(),
      conversationId,
      caller: openerOf(afterCommit.actor),
      language: locale.language,
      plan,
      summary,
    }
    return { ...saveConfirmation(tx, newConfirmation, afterCommit.wall()), summary }
  })
  recordTurn(confirmation ? 'asked' : turn.isCut ? 'cut' : 'answered', toolsCalled)
  if (confirmation) afterCommit.emit('confirmation', confirmation)
  return { text, toolsCalled: [...toolsCalled], conversationId, ...(confirmation && { confirmation }) }
}

function outcomeOf(error: unknown): TurnMetrics['outcome'] {
  if (error instanceof CallerGone) return 'gone'
  const { code } = error as { code?: string }
  return code === 'SVC_001'
    ? 'unavailable'
    : code === 'SVC_002'
      ? 'timeout'
      : code === 'SVC_003'
        ? 'unusable'
        : 'refused'
}

const contextMaxChars = 10_000

/** The earlier messages of the conversation and the new one, for the model. */
async function messagesForModel(
  afterCommit: AfterCommit,
  conversationId: string,
  body: ChatInput,
): Promise<ChatMessage[]> {
  const [conversation, latest] = await Promise.all([
    findConversation(afterCommit.tx, conversationId, openerOf(afterCommit.actor)),
    latestMessages(afterCommit.tx, conversationId, historyLimit),
  ])
  const { confirm: _, ...context } = body.context ?? {}
  const hasContext = Object.keys(context).length > 0
  const text = hasContext ? `${body.message}\n\n${asData(context, contextMaxChars)}` : body.message
  return [...historyFor(latest, conversation?.message_count ?? 0), { by: 'person', text }]
}

const times = (afterCommit: AfterCommit) => ({
  now: afterCommit.wall() + afterCommit.offsetMs,
  wall: afterCommit.wall(),
})

const newMessages = (
  afterCommit: AfterCommit,
  { message }: ChatInput,
  answer: { readonly text: string; readonly toolsCalled: readonly string[] },
): NewMessage[] => [
  { id: afterCommit.newId(), role: 'user', text: message, tools_called: [] },
  { id: afterCommit.newId(), role: 'assistant', text: answer.text, tools_called: answer.toolsCalled },
]
