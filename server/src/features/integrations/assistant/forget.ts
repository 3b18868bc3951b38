import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const forget = sql('assistant.delete-old-conversations', 'select forget_conversations()')

/** A sandbox that is emptied has nothing left to speak of. */
export const forgetConversations = (tx: Tx): void => tx.atCommit(forget, [])
