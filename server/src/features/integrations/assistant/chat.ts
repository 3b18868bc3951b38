import type { AfterCommit } from '../../../kit/after-commit.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { ChatInput, ChatReply } from './chat-schema.ts'
import { messagesMax, openerOf } from './conversation-schema.ts'
import {
  conversationIsFull,
  conversationUnknown,
  modelTooSlow,
  modelUnavailable,
  modelUnusable,
  noModel,
  notConfirmable,
  planInterrupted,
  tokensHeld,
  tokensUsedUp,
} from './errors.ts'
import { handleMessage } from './handle-message.ts'
import { languageOf } from './language.ts'
import { programTexts } from './plan-texts.ts'
import { deleteIfEmpty, findConversation, openConversation } from './store.ts'

export const chat = operation({
  id: 'agent.chat',
  method: 'POST',
  path: '/api/v2/agent/chat',
  summary: 'Send a message to the assistant',
  description:
    'It uses the other operations as you, with your scopes and within your limits. Reads are answered at once. Anything that changes, sends, costs or ends something is only prepared, and carried out when you return the token as `context.confirm` or answer with a plain yes or oui. With `Accept: text/event-stream` the answer comes as events.',
  scopes: ['agent:chat'],
  body: ChatInput,
  bodyFaults: { missingIs: 'VAL_001' },
  status: 200,
  reply: ChatReply,

  errors: [
    conversationUnknown,
    conversationIsFull,
    notConfirmable,
    noModel,
    modelUnavailable,
    modelTooSlow,
    modelUnusable,
    tokensUsedUp,
    tokensHeld,
    planInterrupted,
  ],
  secret: {},
  assistant: 'never',
  audit: 'none: it writes down what was said; each operation it calls for the person is audited itself',
  example: { body: { message: 'Which invoices are more than 30 days overdue?' } },
  async run({ tx, actor, now, wall, newId, body }) {
    const opener = openerOf(actor)
    const found = body.conversationId && (await findConversation(tx, body.conversationId, opener))
    if (body.conversationId && !found) throw conversationUnknown.make()
    if (found && found.message_count >= messagesMax) throw conversationIsFull.make()
    const id = body.conversationId ?? newId()
    if (!found) openConversation(tx, { id, opener, now, wall })
    const language = languageOf(body.message, '', 'en')
    return { text: programTexts.interrupted[language], toolsCalled: [], conversationId: id }
  },
  followUp: {
    // Enough for a whole turn or for the execution of a confirmed plan.
    maxMs: 75_000,
    events: {
      text: '`{text}`, the answer as it is said',
      tool: '`{operation}`, what is being used',
      confirmation: 'what needs your confirmation',
      done: 'the answer as it would have been without events; the last one',
      error: 'the refusal as it would have been; the last one',
    },
    async run(afterCommit, initialReply, { body, languages }) {
      try {
        return await handleMessage(
          afterCommit,
          initialReply.conversationId,
          body,
          await localeOf(afterCommit, body, languages),
        )
      } catch (error) {
        // Delete the conversation if it was opened for this message and is still empty.
        if (!body.conversationId)
          await afterCommit.inTransaction(async tx => deleteIfEmpty(tx, initialReply.conversationId))
        throw error
      }
    },
  },
})

const findCompanyLocale = sql(
  'assistant.get-company',
  'select time_zone, language from companies where id = $1',
).as<{ time_zone: string; language: 'fr' | 'en' }>()

async function localeOf({ tx, actor }: AfterCommit, { message }: ChatInput, languages: string) {
  const [company] = await tx.rows(findCompanyLocale, [actor.companyId])
  return {
    timeZone: company!.time_zone,
    language: languageOf(message, languages, company!.language),
  }
}
