import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import {
  type ConversationRow,
  conversationColumns,
  type MessageRow,
  messagesMax,
  type roles,
} from './conversation-schema.ts'

const insertConversation = sql(
  'assistant.insert-conversation',
  `insert into conversations (tenant_id, id, opener, last_message, message_count, created_at, updated_at, used_at)
   values (current_setting('relance.tenant')::uuid, $1, $2, '', 0, $3, $3, $4)`,
)
const selectConversation = sql(
  'assistant.find-conversation',
  `select ${conversationColumns} from conversations where id = $1 and opener = $2`,
).as<ConversationRow>()
const readMessages = sql(
  'assistant.list-messages',
  `select id, role, text, tools_called, created_at from conversation_messages
    where conversation_id = $1 order by id limit ${messagesMax + 10}`,
).as<MessageRow>()
const readLatest = sql(
  'assistant.list-latest-messages',
  'select role, text from conversation_messages where conversation_id = $1 order by id desc limit $2',
).as<Pick<MessageRow, 'role' | 'text'>>()
const insertMessages = sql(
  'assistant.insert-messages',
  `with said as (
     insert into conversation_messages (tenant_id, conversation_id, id, role, text, tools_called, created_at)
     select current_setting('relance.tenant')::uuid, $1, id, role, text, tools_called, $3
       from jsonb_to_recordset($2::jsonb) as x(id uuid, role text, text text, tools_called text[]))
   update conversations set last_message = $4, message_count = message_count + jsonb_array_length($2::jsonb), updated_at = $3, used_at = $5
    where id = $1`,
)
// A conversation whose first turn failed.
const deleteEmptyConversation = sql(
  'assistant.delete-empty-conversation',
  'delete from conversations where id = $1 and message_count = 0',
)

const insertDay = sql(
  'assistant.start-day',
  `insert into conversation_tokens (tenant_id, day, tokens) values (current_setting('relance.tenant')::uuid, $1, 0) on conflict do nothing`,
)
const lockDay = sql(
  'assistant.lock-day',
  'select tokens, reserved from conversation_tokens where day = $1 for no key update',
)
const addReserved = sql(
  'assistant.reserve-tokens',
  'update conversation_tokens set reserved = reserved + $2 where day = $1',
)
const replaceReserved = sql(
  'assistant.settle-tokens',
  'update conversation_tokens set tokens = tokens + $2, reserved = greatest(reserved - $3, 0) where day = $1',
)

export const openConversation = (
  tx: Tx,
  conversation: { id: string; opener: string; now: number; wall: number },
): void =>
  tx.atCommit(insertConversation, [
    conversation.id,
    conversation.opener,
    iso(conversation.now),
    iso(conversation.wall),
  ])

export const findConversation = async (
  tx: Tx,
  id: string,
  opener: string,
): Promise<ConversationRow | undefined> => (await tx.rows(selectConversation, [id, opener]))[0]

export const messagesOf = (tx: Tx, id: string): Promise<MessageRow[]> => tx.rows(readMessages, [id])

/** The newest first. */
export const latestMessages = (tx: Tx, id: string, limit: number) => tx.rows(readLatest, [id, limit])

const lastMessageMaxChars = 280

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
  const shown =
    last.length > lastMessageMaxChars ? `${last.slice(0, lastMessageMaxChars - 1).join('')}…` : last.join('')
  tx.atCommit(insertMessages, [id, JSON.stringify(messages), iso(now), shown, iso(wall)])
}

export const deleteIfEmpty = (tx: Tx, id: string): void => tx.atCommit(deleteEmptyConversation, [id])

const dayOf = (wall: number) => iso(wall).slice(0, 10)

export interface TokenReservation {
  readonly day: string
  readonly tokens: number
}

/** Reserves the tokens of a turn before it begins, so that turns at the same time do not exceed the day together. */
export async function reserveTokens(
  tx: Tx,
  { perTurn, perDay }: { perTurn: number; perDay: number },
  wall: number,
): Promise<TokenReservation | 'used_up' | 'held'> {
  const day = dayOf(wall)
  const [, [used]] = await Promise.all([tx.rows(insertDay, [day]), tx.rows(lockDay, [day])])
  if (used!.tokens >= perDay) return 'used_up'
  const tokens = Math.min(perTurn, perDay - used!.tokens - used!.reserved)
  if (tokens <= 0) return 'held'
  tx.atCommit(addReserved, [day, tokens])
  return { day, tokens }
}

/** Replaces the reserved tokens by the used ones. */
export const settleTokens = (tx: Tx, { day, tokens }: TokenReservation, used: number): void =>
  tx.atCommit(replaceReserved, [day, used, tokens])
