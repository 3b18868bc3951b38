import type { Afterwards } from '../../../kit/afterwards.ts'
import type { Said, TurnFigures } from '../../../kit/model.ts'
import { asData } from '../../../kit/model.ts'
import type { ChatInput, ChatReply } from './chat.ts'
import { cleanMarkdown } from './clean-markdown.ts'
import { ask, dropPlans, finishPlan, releasePlan, type TakenPlan, takePlan } from './confirmation.ts'
import { openerOf } from './conversation.ts'
import { type Manner, numbered } from './describe.ts'
import { noModel, notConfirmable, planInterrupted, tokensUsedUp } from './errors.ts'
import { historyFor, historyRead } from './instructions.ts'
import { type Carried, carryOut } from './plan.ts'
import { planWords } from './plan-words.ts'
import {
  appendMessages,
  countTokens,
  findConversation,
  latestOf,
  type NewMessage,
  tokensToday,
} from './store.ts'
import { Gone, type Meter, takeTurn } from './turn.ts'
import { isYes } from './yes.ts'

/** One message and its answer: a person's word on what was prepared, or a turn of the model. */
export async function converse(
  after: Afterwards,
  conversationId: string,
  body: ChatInput,
  manner: Manner,
): Promise<ChatReply> {
  const taken = body.conversationId ? await wordOn(after, conversationId, body) : noWord(body)
  const since = after.wall()
  const note = (outcome: TurnFigures['outcome'], tools: readonly string[]) =>
    after.model?.note({ outcome, tools, ms: after.wall() - since })
  return taken
    ? agreed(after, conversationId, body, taken, note)
    : talked(after, conversationId, body, manner, note)
}

const tokenIn = ({ context }: ChatInput): string | null =>
  typeof context?.confirm === 'string' ? context.confirm : null

/** In a new conversation nothing was prepared. */
function noWord(body: ChatInput): null {
  if (tokenIn(body) !== null) throw notConfirmable.make()
  return null
}

/** What was said is either a person's word on what is prepared, or the end of it. Recognised here, and by no model. */
const wordOn = (after: Afterwards, conversationId: string, body: ChatInput): Promise<TakenPlan | null> =>
  after.change(async tx => {
    const token = tokenIn(body)
    const wall = after.wall()
    if (token !== null || isYes(body.message)) {
      const taken = await takePlan(tx, { conversationId, caller: openerOf(after.actor), token }, wall)
      if (taken) return taken
      if (token !== null) throw notConfirmable.make()
    }
    dropPlans(tx, conversationId, wall)
    return null
  })

type Note = (outcome: TurnFigures['outcome'], tools: readonly string[]) => void

async function agreed(
  after: Afterwards,
  conversationId: string,
  body: ChatInput,
  taken: TakenPlan,
  note: Note,
): Promise<ChatReply> {
  const carried = await carryOut(after, { ...taken, conversationId })
  if ('interruptedAfter' in carried) {
    await after.change(async tx => releasePlan(tx, taken.id))
    throw planInterrupted.make(carried.interruptedAfter, taken.plan.length)
  }
  const text = cleanMarkdown(after.publicUrl, report(carried, taken))
  const toolsCalled = carried.filter(({ outcome }) => outcome === 'done').map(({ deed }) => deed.operation)
  await after.change(async tx => {
    finishPlan(tx, taken.id, after.wall())
    appendMessages(tx, conversationId, spoken(after, body, { text, toolsCalled }), times(after))
  })
  note(carried.every(({ outcome }) => outcome === 'done') ? 'done' : 'refused', toolsCalled)
  after.tell('text', { text })
  return { text, toolsCalled, conversationId }
}

function report(carried: readonly Carried[], { language }: TakenPlan): string {
  const signs = {
    done: planWords.done[language],
    refused: planWords.refused[language],
    not_tried: planWords.notTried[language],
  }
  return numbered(
    carried.map(({ deed, outcome, words }) => {
      const line = `**${signs[outcome]}** – ${deed.words}`
      return words === undefined ? line : `${line}. ${words}`
    }),
  )
}

async function talked(
  after: Afterwards,
  conversationId: string,
  body: ChatInput,
  manner: Manner,
  note: Note,
): Promise<ChatReply> {
  const { model } = after
  if (!model) throw noModel.make()
  if ((await tokensToday(after.tx, after.wall())) >= model.limits.tokensPerDay) {
    const wall = after.wall()
    throw tokensUsedUp.make(Math.ceil((86_400_000 - (wall % 86_400_000)) / 1000))
  }
  const said = await heard(after, conversationId, body)
  const meter: Meter = { tokens: 0 }
  const turn = await takeTurn(after, model, { said, manner }, meter).catch(async (error: unknown) => {
    await after.change(async tx => countTokens(tx, meter.tokens, after.wall()))
    note(outcomeOf(error), [])
    throw error
  })
  const { plan, toolsCalled } = turn
  const summary = cleanMarkdown(after.publicUrl, numbered(plan.map(({ words }) => words)))
  const { title, howTo } = planWords
  const text =
    plan.length === 0
      ? turn.text
      : `${turn.text}\n\n**${title[manner.language]}**\n\n${summary}\n\n${howTo[manner.language]}`.trim()
  const confirmation = await after.change(async tx => {
    countTokens(tx, meter.tokens, after.wall())
    appendMessages(tx, conversationId, spoken(after, body, { text, toolsCalled }), times(after))
    if (plan.length === 0) return null
    dropPlans(tx, conversationId, after.wall())
    const asked = {
      id: after.newId(),
      conversationId,
      caller: openerOf(after.actor),
      language: manner.language,
      plan,
      summary,
    }
    return { ...ask(tx, asked, after.wall()), summary }
  })
  note(confirmation ? 'asked' : turn.isCut ? 'cut' : 'answered', toolsCalled)
  if (confirmation) after.tell('confirmation', confirmation)
  return { text, toolsCalled: [...toolsCalled], conversationId, ...(confirmation && { confirmation }) }
}

function outcomeOf(error: unknown): TurnFigures['outcome'] {
  if (error instanceof Gone) return 'gone'
  const { code } = error as { code?: string }
  return code === 'SVC_001'
    ? 'unavailable'
    : code === 'SVC_002'
      ? 'timeout'
      : code === 'SVC_003'
        ? 'unusable'
        : 'refused'
}

const contextMost = 10_000

/** What the model is told of the conversation so far, and what is said now. */
async function heard(after: Afterwards, conversationId: string, body: ChatInput): Promise<Said[]> {
  const [conversation, latest] = await Promise.all([
    findConversation(after.tx, conversationId, openerOf(after.actor)),
    latestOf(after.tx, conversationId, historyRead),
  ])
  const { confirm: _, ...context } = body.context ?? {}
  const hasContext = Object.keys(context).length > 0
  const text = hasContext ? `${body.message}\n\n${asData(context, contextMost)}` : body.message
  return [...historyFor(latest, conversation?.message_count ?? 0), { by: 'person', text }]
}

const times = (after: Afterwards) => ({ now: after.wall() + after.offsetMs, wall: after.wall() })

const spoken = (
  after: Afterwards,
  { message }: ChatInput,
  answer: { readonly text: string; readonly toolsCalled: readonly string[] },
): NewMessage[] => [
  { id: after.newId(), role: 'user', text: message, tools_called: [] },
  { id: after.newId(), role: 'assistant', text: answer.text, tools_called: answer.toolsCalled },
]
