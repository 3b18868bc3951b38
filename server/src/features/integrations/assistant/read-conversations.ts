import { z } from 'zod'
import { adHoc } from '../../../kit/db/statement.ts'
import { integerText, uuid } from '../../../kit/fields.ts'
import { countUpTo } from '../../../kit/list.ts'
import { operation } from '../../../kit/operation.ts'
import {
  Conversation,
  type ConversationRow,
  conversationColumns,
  openerOf,
  toConversation,
  toMessage,
  WholeConversation,
} from './conversation-schema.ts'
import { conversationNotFound } from './errors.ts'
import { findConversation, messagesOf } from './store.ts'

export const listConversations = operation({
  id: 'agent.conversations',
  method: 'GET',
  path: '/api/v2/agent/conversations',
  summary: 'List your conversations with the assistant, the latest first',
  description: 'Only conversations that this credential opened.',
  scopes: ['agent:chat'],
  query: z.strictObject({ limit: integerText(1, 100, 20), offset: integerText(0, 1_000_000, 0) }),
  status: 200,
  reply: Conversation,
  list: true,
  paging: 'offset',
  errors: [],
  assistant: 'never',
  async run({ tx, actor, query: { limit, offset } }) {
    const source = 'conversations where opener = $1 order by updated_at desc, id desc'
    const [rows, { total, isExact }] = await Promise.all([
      tx.rows(adHoc<ConversationRow>(`select ${conversationColumns} from ${source} limit $2 offset $3`), [
        openerOf(actor),
        limit,
        offset,
      ]),
      countUpTo(tx, source, [openerOf(actor)]),
    ])
    return {
      items: rows.map(toConversation),
      pagination: { limit, offset, total, ...(!isExact && { totalIsExact: false as const }) },
    }
  },
})

export const getConversation = operation({
  id: 'agent.conversation',
  method: 'GET',
  path: '/api/v2/agent/conversations/:id',
  summary: 'Read a conversation with the assistant, with all its messages',
  scopes: ['agent:chat'],
  params: z.strictObject({ id: uuid }),
  status: 200,
  reply: WholeConversation,
  errors: [conversationNotFound],
  assistant: 'never',
  async run({ tx, actor, params: { id } }) {
    const [found, messages] = await Promise.all([
      findConversation(tx, id, openerOf(actor)),
      messagesOf(tx, id),
    ])
    if (!found) throw conversationNotFound.make()
    return { ...toConversation(found), messages: messages.map(toMessage) }
  },
})
