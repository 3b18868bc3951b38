import type { SendResult } from '../../../adapters/channel.ts'
import { forAnswers } from '../../../domain/contact/contact-rules.ts'
import { isAnswer } from '../../../domain/recovery/cascade.ts'
import { attemptsMax } from '../../../domain/recovery/motion.ts'
import { planAt } from '../../../domain/recovery/plan.ts'
import { MINUTE } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { type AgendaLock, contactFile, type DebtorFile, type ExtraMessage } from '../case/debtor-file.ts'
import { addActions } from '../case/history.ts'
import type { Communication } from './communication.ts'
import { actionTriggered } from './events.ts'
import { fateInWords } from './fate-words.ts'
import type { Worker } from './worker.ts'

const settle = sql(
  'messages.settle-extra-message',
  `update extra_messages set status = $2, attempt = $3, due_at = $4, due_because = $5, communication_id = null where id = $1`,
)
const count = sql(
  'messages.count-action',
  'update recoveries set actions_completed = actions_completed + 1 where invoice_id = $1',
)

const states = { accepted: 'sent', retryable: 'failed', permanent: 'failed', unknown: 'unknown' } as const
const retryAfter = 5 * MINUTE

interface Settled {
  worker: Worker
  tx: Tx
  agenda: AgendaLock
  file: DebtorFile
  communication: Communication
  extra: ExtraMessage
  result: SendResult
  now: number
  debtorId: string
}

/** A message beside the cascade moves no step; where it could not be sent, it is tried again like one. */
export function settleExtra(
  { worker, tx, agenda, file, communication, extra, result, now, debtorId }: Settled,
  events: NewEvent[],
): void {
  const { channel, step } = communication
  const fate = result.outcome
  if (fate === 'retryable' && extra.attempt + 1 < attemptsMax) {
    const judged = contactFile(file, agenda, communication.id)
    const rules = isAnswer(step) ? forAnswers(judged) : judged
    const again = planAt(rules, channel, now + retryAfter, debtorId)
    const dueAt = again.at === null ? null : iso(again.at)
    tx.atCommit(settle, [extra.id, 'planned', extra.attempt + 1, dueAt, again.because])
    return
  }
  tx.atCommit(settle, [extra.id, states[fate], extra.attempt, null, null])
  if (fate === 'accepted') tx.atCommit(count, [extra.invoice_id])
  const action = {
    id: worker.newId(),
    invoiceId: extra.invoice_id,
    action: step,
    channel,
    status: states[fate],
    details: fateInWords(result, channel, channel, null),
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
      status: states[fate],
      executedAt: iso(now),
    }),
  )
}
