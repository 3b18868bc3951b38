import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { dateTime, outputUuid } from '../../../kit/fields.ts'

export const Conversation = z
  .object({
    id: outputUuid,
    lastMessage: z.string().meta({ description: 'Its beginning, where it is long' }),
    messageCount: z.int(),
    createdAt: dateTime,
    updatedAt: dateTime,
  })
  .meta({ id: 'Conversation' })

export const roles = ['user', 'assistant'] as const

const ConversationMessage = z
  .object({
    id: outputUuid,
    role: z.enum(roles),
    text: z.string().meta({ description: 'Markdown' }),
    toolsCalled: z.array(z.string()).meta({ description: 'Ids of operations, in order' }),
    createdAt: dateTime,
  })
  .meta({ id: 'ConversationMessage' })

export const WholeConversation = Conversation.extend({
  messages: z.array(ConversationMessage).meta({ description: 'The oldest first' }),
}).meta({ id: 'WholeConversation' })

export interface ConversationRow {
  id: string
  last_message: string
  message_count: number
  created_at: number
  updated_at: number
}

export interface MessageRow {
  id: string
  role: (typeof roles)[number]
  text: string
  tools_called: string[]
  created_at: number
}

export const conversationColumns = 'id, last_message, message_count, created_at, updated_at'

export const toConversation = (row: ConversationRow): z.input<typeof Conversation> => ({
  id: row.id,
  lastMessage: row.last_message,
  messageCount: row.message_count,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.updated_at),
})

export const toMessage = (row: MessageRow): z.input<typeof ConversationMessage> => ({
  id: row.id,
  role: row.role,
  text: row.text,
  toolsCalled: row.tools_called,
  createdAt: iso(row.created_at),
})

/** Each application sees only its own conversations: another application of the same person may have fewer rights. */
export const openerOf = ({ kind, id, onBehalfOf }: Actor): string =>
  onBehalfOf === undefined ? `${kind} ${id}` : `${kind} ${id} ${onBehalfOf}`

/** After this many messages a new conversation has to be started. */
export const messagesMax = 200
export const messageMaxChars = 8_000
