import { triedStates } from '../../../domain/contact/message-state.ts'
import type { ReplyOutcome } from '../../../domain/recovery/told.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/*
 * What a person answers to a reply. The text is sealed while it waits: nobody else may read or change what will be sent.
 */

const purposeOf = (replyId: string): string => `answer ${replyId}`

export const openAnswer = (keyring: Pick<Keyring, 'open'>, replyId: string, sealed: string): string =>
  keyring.open(purposeOf(replyId), sealed)

const updateAnswer = sql(
  'holds.save-answer',
  'update replies set answer_id = $2, answer_sealed = $3 where id = $1',
)

/** `answerId`: the message that was planned. */
export const saveAnswer = (
  { tx, keyring }: { tx: Tx; keyring: Pick<Keyring, 'seal'> },
  replyId: string,
  answerId: string,
  text: string,
): void => tx.atCommit(updateAnswer, [replyId, answerId, keyring.seal(purposeOf(replyId), text)])

const updateTried = sql(
  'holds.note-answer-tried',
  `update replies set answer_communication_id = $3, answer_sealed = case when not $4::boolean then answer_sealed end
    where debtor_id = $1 and answer_id = $2`,
)

/** The answer was handed to a provider: `communications` says what became of it, and `sent_messages` what left. */
export const noteAnswerTried = (
  tx: Tx,
  debtorId: string,
  answerId: string,
  { communicationId, hasLeft }: { communicationId: string; hasLeft: boolean },
): void => tx.atCommit(updateTried, [debtorId, answerId, communicationId, hasLeft])

/** `planned`: it waits. `cancelled`: it could not be sent any more. */
export const answerStates = ['planned', ...triedStates, 'cancelled'] as const

export interface ReplyAnswer {
  text: string | null
  communicationId: string | null
  state: (typeof answerStates)[number]
}

interface AnswerRow {
  id: string
  outcome: ReplyOutcome | null
  answer_id: string | null
  answer_sealed: string | null
  answer_communication_id: string | null
  planned: string | null
  tried: (typeof triedStates)[number] | null
  sent_text: string | null
}

const listAnswers = sql(
  'holds.list-answers',
  `select y.id, y.outcome, y.answer_id, y.answer_sealed, y.answer_communication_id, e.status as planned, c.state as tried,
          m.text as sent_text
     from replies y
     left join extra_messages e on e.tenant_id = y.tenant_id and e.id = y.answer_id
     left join communications c on c.tenant_id = y.tenant_id and c.id = y.answer_communication_id
     left join sent_messages m on m.tenant_id = y.tenant_id and m.communication_id = y.answer_communication_id
    where y.id = any ($1::uuid[])`,
).as<AnswerRow>()

export interface ClosedReply {
  outcome: ReplyOutcome | null
  answer: ReplyAnswer | null
}

/** The outcome and the answer of each of these replies, by the id of the reply. */
export async function answersOf(
  tx: Tx,
  keyring: Pick<Keyring, 'open'>,
  replyIds: readonly string[],
): Promise<Map<string, ClosedReply>> {
  const rows = await tx.rows(listAnswers, [replyIds])
  return new Map(rows.map(row => [row.id, { outcome: row.outcome, answer: toAnswer(keyring, row) }]))
}

function toAnswer(keyring: Pick<Keyring, 'open'>, row: AnswerRow): ClosedReply['answer'] {
  if (row.answer_id === null) return null
  const written = row.answer_sealed && openAnswer(keyring, row.id, row.answer_sealed)
  return {
    text: row.sent_text ?? written,
    communicationId: row.answer_communication_id,
    state: row.tried ?? (row.planned === 'planned' ? 'planned' : 'cancelled'),
  }
}
