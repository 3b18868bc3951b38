import type { SettledResult } from '../../../../adapters/channel.ts'
import { forAnswers } from '../../../../domain/contact/contact-rules.ts'
import { isAnswer, isFirstLetterOn, stepsSentAfterStop } from '../../../../domain/recovery/cascade.ts'
import { attemptsMax } from '../../../../domain/recovery/next-step.ts'
import { planAt } from '../../../../domain/recovery/plan-step.ts'
import { MINUTE } from '../../../../domain/time.ts'
import { iso } from '../../../../kit/clock.ts'
import { sql } from '../../../../kit/db/statement.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../../kit/events.ts'
import type { AgendaLock } from '../../case/agenda-store.ts'
import { collectedOf, contactFile } from '../../case/debtor-file.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import { addActions } from '../../case/history.ts'
import type { ExtraMessage } from '../../case/recovery-store.ts'
import { noteAnswerTried } from '../../holds/reply-answers.ts'
import type { SentCommunication } from '../communication-store.ts'
import { actionTriggered } from '../events.ts'
import type { WorkerContext } from '../worker-context.ts'
import { outcomeFact } from './outcome-fact.ts'
import { messageState } from './settlement.ts'

const updateExtraMessage = sql(
  'messages.settle-extra-message',
  `update extra_messages set status = $2, attempt = $3, wish_at = $6, due_at = $4, due_because = $5, communication_id = null,
     written_sealed = case when $2 = 'planned' then written_sealed end where id = $1`,
)
const countAction = sql(
  'messages.count-action',
  `update recoveries
      set actions_completed = actions_completed + 1, collector_letter_id = coalesce($2, collector_letter_id),
          collector_letter_at = coalesce($3, collector_letter_at)
    where invoice_id = $1`,
)

const retryAfter = 5 * MINUTE

interface SettledExtra {
  worker: WorkerContext
  tx: Tx
  agenda: AgendaLock
  file: DebtorFile
  communication: SentCommunication
  extra: ExtraMessage
  result: SettledResult
  now: number
  debtorId: string
}

/** Settles a message outside the cascade: it advances no step, but is retried like one if it could not be sent. */
export function settleExtra(
  { worker, tx, agenda, file, communication, extra, result, now, debtorId }: SettledExtra,
  events: NewEvent[],
): void {
  const { channel, step } = communication
  const outcome = result.outcome
  if (outcome === 'retryable' && extra.attempt + 1 < attemptsMax) {
    const rulesOfDebtor = contactFile(file, agenda, [communication.id])
    const rules = isAnswer(step) ? forAnswers(rulesOfDebtor) : rulesOfDebtor
    const retry = planAt(rules, channel, now + retryAfter, debtorId)
    const [dueAt, wishAt] = [retry.at, retry.wish].map(at => (at === null ? null : iso(at)))
    tx.atCommit(updateExtraMessage, [extra.id, 'planned', extra.attempt + 1, dueAt!, retry.because, wishAt!])
    return
  }
  tx.atCommit(updateExtraMessage, [extra.id, messageState[outcome], extra.attempt, null, null, null])
  if (step === 'reply_answered')
    noteAnswerTried(tx, debtorId, extra.id, {
      communicationId: communication.id,
      hasLeft: outcome === 'accepted',
    })
  const collected = { collected: collectedOf(file, extra) }
  const isFirstLetter = !stepsSentAfterStop.includes(step) && isFirstLetterOn(collected, channel)
  if (outcome === 'accepted')
    tx.atCommit(countAction, [
      extra.invoice_id,
      isFirstLetter ? communication.id : null,
      isFirstLetter ? iso(now) : null,
    ])
  const action = {
    id: worker.newId(),
    invoiceId: extra.invoice_id,
    action: step,
    channel,
    status: messageState[outcome],
    ...outcomeFact(result, channel, channel, null),
    debtorId,
    actor: { kind: 'worker' as const, id: communication.id },
    communicationId: communication.id,
    at: now,
  }
  addActions(tx, [action])
  events.push(
    newEvent(actionTriggered, extra.invoice_id, {
      invoiceId: extra.invoice_id,
      invoiceNumber: extra.number,
      debtorId,
      actionId: action.id,
      action: step,
      channel,
      status: messageState[outcome],
      executedAt: iso(now),
      communicationId: communication.id,
      withInvoiceId: null,
    }),
  )
}
