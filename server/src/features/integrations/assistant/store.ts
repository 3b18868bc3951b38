import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import {
  type ConversationRow,
  conversationColumns,
  type MessageRow,
  messagesMost,
  type roles,
} from './conversation.ts'

const open = sql(
  'assistant.insert-conversation',
  `insert into conversations (tenant_id, id, opener, last_message, message_count, created_at, updated_at, used_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, '', 0, $3, $3, $4)`,
)
const find = sql(
  'assistant.find-conversation',
  `select ${conversationColumns} from conversations where id = $1 and opener = $2`,
).as<ConversationRow>()
const readMessages = sql(
  'assistant.list-messages',
  `select id, role, text, tools_called, created_at from conversation_messages
    where conversation_id = $1 order by id limit ${messagesMost + 10}`,
).as<MessageRow>()
const readLatest = sql(
  'assistant.list-latest-messages',
  'select role, text from conversation_messages where conversation_id = $1 order by id desc limit $2',
).as<Pick<MessageRow, 'role' | 'text'>>()
const append = sql(
  'assistant.insert-messages',
  `with said as (
     insert into conversation_messages (tenant_id, conversation_id, id, role, text, tools_called, created_at)
     select current_setting('relance.tenant')::uuid, $1, id, role, text, tools_called, $3
       from jsonb_to_recordset($2::jsonb) as x(id uuid, role text, text text, tools_called text[]))
   update conversations set last_message = $4, message_count = message_count + jsonb_array_length($2::jsonb), updated_at = $3, used_at = $5
    where id = $1`,
)
// One that was opened for a turn that came to nothing.
const closeEmpty = sql(
  'assistant.delete-empty-conversation',
  'delete from conversations where id = $1 and message_count = 0',
)

const usedToday = sql('assistant.get-tokens-used', 'select tokens from conversation_tokens where day = $1')
const addTokens = sql(
  'assistant.add-tokens-used',
  `insert into conversation_tokens (tenant_id, day, tokens) values (current_setting('relance.tenant')::uuid, $1, $2)
   on conflict (tenant_id, day) do update set tokens = conversation_tokens.tokens + excluded.tokens`,
)

export const openConversation = (
  tx: Tx,
  conversation: { id: string; opener: string; now: number; wall: number },
): void =>
  tx.atCommit(open, [conversation.id, conversation.opener, iso(conversation.now), iso(conversation.wall)])

export const findConversation = async (
  tx: Tx,
  id: string,
  opener: string,
): Promise<ConversationRow | undefined> => (await tx.rows(find, [id, opener]))[0]

export const messagesOf = (tx: Tx, id: string): Promise<MessageRow[]> => tx.rows(readMessages, [id])

/** The newest first. */
export const latestOf = (tx: Tx, id: string, most: number) => tx.rows(readLatest, [id, most])

const shownOfLast = 280

export interface NewMessage {
  readonly id: string
  readonly role: (typeof roles)[number]
  readonly text: string
  readonly tools_called: readonly string[]
}

export function appendMessages(
  tx: Tx,
  id: string,
  messages: readonly NewMessage[],
  { now, wall }: { now: number; wall: number },
): void {
  const last = [...(messages.at(-1)?.text ?? '')]
  const shown = last.length > shownOfLast ? `${last.slice(0, shownOfLast - 1).join('')}…` : last.join('')
  tx.atCommit(append, [id, JSON.stringify(messages), iso(now), shown, iso(wall)])
}

export const closeIfEmpty = (tx: Tx, id: string): void => tx.atCommit(closeEmpty, [id])

const dayOf = (wall: number) => iso(wall).slice(0, 10)

export const tokensToday = async (tx: Tx, wall: number): Promise<number> =>
  (await tx.rows(usedToday, [dayOf(wall)]))[0]?.tokens ?? 0

export function countTokens(tx: Tx, tokens: number, wall: number): void {
  if (tokens > 0) tx.atCommit(addTokens, [dayOf(wall), tokens])
}
