import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const deleteConversations = sql('assistant.delete-old-conversations', 'select forget_conversations()')

/** Deletes all conversations of the tenant; used when the sandbox is emptied. */
export const forgetConversations = (tx: Tx): void => tx.atCommit(deleteConversations, [])
