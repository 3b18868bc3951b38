import { forAnswers, judgeContact } from '../../../domain/contact/contact-rules.ts'
import { planAt } from '../../../domain/recovery/plan-step.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { Call } from '../../../kit/operation.ts'
import { contactFile } from '../../recovery/case/debtor-file.ts'
import type { DebtorFile } from '../../recovery/case/debtor-file-store.ts'
import { debtorErased } from '../../recovery/case/errors.ts'
import { planExtraMessage } from '../../recovery/case/extra-message.ts'
import { type OpenRecovery, openRecovery } from '../../recovery/case/open-recovery.ts'
import { answerNotPossible } from '../../recovery/holds/errors.ts'
import { findLatestInvoice } from '../../recovery/holds/hold-debtor.ts'
import type { ReplyRow } from '../../recovery/holds/record-reply.ts'
import { type ReplyAnswer, saveAnswer } from '../../recovery/holds/reply-answers.ts'
import { wordFaultsIn } from '../../recovery/messages/compose/texts/own-texts.ts'
import { aboutMessage } from '../../recovery/receipts/record-receipt.ts'

/** Plans the answer to a reply that this transaction has read, and returns the moment at which it leaves. */
export async function answerReply(
  call: Call<unknown, unknown, unknown>,
  reply: ReplyRow,
  text: string,
): Promise<{ at: number; answer: ReplyAnswer }> {
  const { now } = call
  const recovery = await aboutWhat(call, reply)
  if (!recovery) throw answerNotPossible.make('no_invoice')
  const { file, agenda } = recovery
  refuseWords(text, file)
  const obstacle = obstacleOf(file)
  if (obstacle === 'erased') throw debtorErased.make()
  if (obstacle !== null) throw answerNotPossible.make(obstacle)
  const hours = forAnswers(contactFile(file, agenda))
  const { at, because } = judgeContact(hours, 'email', now).allowed
    ? { at: now, because: null }
    : planAt(hours, 'email', now, file.id)
  if (at === null) throw answerNotPossible.make('no_moment')
  const id = planExtraMessage(call, recovery, {
    step: 'reply_answered',
    channel: 'email',
    at,
    because,
  })
  saveAnswer(call, reply.id, id, text)
  return { at, answer: { text, communicationId: null, state: 'planned' } }
}

/** The invoice of the message that was answered; of a reply that a person recorded, the latest. */
async function aboutWhat(
  call: Call<unknown, unknown, unknown>,
  { debtor_id: debtorId, communication_id: communicationId }: ReplyRow,
): Promise<OpenRecovery | null> {
  const about = communicationId === null ? null : await aboutMessage(call, communicationId)
  const invoiceId = about?.invoiceId ?? (await findLatestInvoice(call.tx, debtorId))?.id
  return invoiceId === undefined ? null : openRecovery(call, invoiceId)
}

function obstacleOf(file: DebtorFile) {
  const closed = file.closed.filter(({ channel }) => channel === 'email')
  if (closed.some(({ because }) => because === 'erased')) return 'erased'
  if (closed.length > 0) return 'channel_closed'
  if (file.has_situation) return 'situation'
  if (file.insolvency_kind !== null) return 'insolvency'
  return file.stop_reason === null ? null : 'sending_stopped'
}

/** A person may write what a company may put into its texts: no threat, no added sum, no link, no account. */
function refuseWords(text: string, { language }: DebtorFile): void {
  // A line break joins no words: each line is a paragraph of its own.
  const faults = wordFaultsIn(text.replaceAll(/\s+/g, ' '), language).map(fault => ({
    field: 'answer.text',
    ...fault,
  }))
  const [first] = faults
  if (first) throw new ApiError('VAL_001', `answer.text ${first.message}.`, { details: faults })
}
