import type { Channel } from '../../../domain/contact/channel.ts'
import type { Way } from '../../../domain/recovery/cascade.ts'
import { limitationEnds } from '../../../domain/recovery/formal-notice.ts'
import { endHolds, holdsEndingNow, nothingDue, startHold } from '../../../domain/recovery/hold.ts'
import { afterSkip, type Ground } from '../../../domain/recovery/motion.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { type Instant, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type DebtorFile, type OpenStep, pausedRecoveryOf, positionOf, stepOf } from './debtor-file.ts'
import { addActions } from './history.ts'
import { changedRecoveries, changesOf, type RecoveryChanges, saveRecoveries } from './save-recoveries.ts'
import { skipInWords } from './words.ts'

/** A recovery that goes on, or stands, without a message. */
export interface MovedOn {
  invoiceId: string
  changes: RecoveryChanges
  action: { action: string; channel: Channel | null; status: 'skipped' | 'done'; details: string } | null
  brokenPromise: boolean
}

const standing = ({ invoice_id }: OpenStep, because: string): MovedOn => ({
  invoiceId: invoice_id,
  changes: { due_at: null, due_because: because },
  action: null,
  brokenPromise: false,
})

/**
 * What becomes of a due recovery that sends nothing: its pause is over, its step is left out, a person has to decide, or it
 * has to stand.
 */
export function moveOn(open: OpenStep, way: Way, file: DebtorFile, ground: Ground): MovedOn {
  const { now } = ground
  const { invoice_id: invoiceId } = open
  const hold = holdOn(file)
  if (hold) {
    const held = { ...startHold(pausedRecoveryOf(open), hold, null, now), due: nothingDue }
    const brokenPromise = open.status === 'paused' && open.holds.includes('promise')
    return { invoiceId, changes: changesOf(held), action: null, brokenPromise }
  }
  if (open.status === 'paused') return endPause(open, ground)
  const { step } = stepOf(open)
  if (isTimeBarred(open, file, ground)) return standing(open, 'time_barred')
  switch (way.kind) {
    case 'decide': {
      const details = 'The reminders are over. Decide: court, a plan, write-off or cancel.'
      return {
        ...standing(open, 'awaiting_decision'),
        changes: { due_at: null, due_because: 'awaiting_decision', last_executed_at: now },
        action: { action: step.name, channel: null, status: 'done', details },
      }
    }
    case 'skip': {
      const { step: next, attempt, next: due } = afterSkip(positionOf(open), ground)
      return {
        invoiceId,
        changes: {
          step: next,
          attempt,
          due_at: due.at,
          due_because: due.because,
          last_executed_at: now,
        },
        action: {
          action: step.name,
          channel: step.channel,
          status: 'skipped',
          details: skipInWords[way.because],
        },
        brokenPromise: false,
      }
    }
    case 'stand':
      return standing(open, way.because)
    case 'send':
      throw new Error('what can be sent is not moved on')
  }
}

/** What holds every recovery of a debtor, also those that were started after it became known. */
export const holdOn = (file: DebtorFile): Hold | null =>
  file.insolvency_kind !== null
    ? 'insolvency'
    : file.closed.some(shut => shut.because === 'wrong_person')
      ? 'wrong_person'
      : null

/** A pause with an end: what was promised did not come, or the day named in the pause has. */
function endPause(open: OpenStep, ground: Ground): MovedOn {
  const paused = pausedRecoveryOf(open)
  const released = endHolds(paused, holdsEndingNow(paused), ground)!
  const wasPromise = open.holds.includes('promise')
  const details = `${wasPromise ? 'The promised payment did not arrive' : 'The pause that was asked for is over'}; ${
    released.status === 'paused' ? 'something else still holds the reminders.' : 'the reminders go on.'
  }`
  return {
    invoiceId: open.invoice_id,
    changes: changesOf(released),
    action: { action: wasPromise ? 'promise_broken' : 'resume', channel: null, status: 'done', details },
    brokenPromise: wasPromise,
  }
}

/** A consumer is not reminded of a debt that no court would hear any more. */
export function isTimeBarred(
  open: OpenStep,
  file: DebtorFile,
  { rules, now }: Pick<Ground, 'rules' | 'now'>,
): boolean {
  const zone = rules.calendar?.zones[0]
  if (!zone || file.type !== 'consumer') return false
  const acknowledged = open.acknowledged_at === null ? null : localTime(zone, open.acknowledged_at).date
  return localTime(zone, now).date > limitationEnds('consumer', open.due_date, acknowledged)
}

const breakPromises = sql(
  `update promises set status = 'broken', settled_at = $2 where invoice_id = any ($1::uuid[]) and status = 'open'`,
)

/** Writes what moved, with its lines in the history. */
export async function writeMoves(
  tx: Tx,
  moved: readonly MovedOn[],
  now: Instant,
  newId: () => string,
): Promise<void> {
  const broken = moved.filter(one => one.brokenPromise).map(one => one.invoiceId)
  await Promise.all([
    tx.rows(saveRecoveries, changedRecoveries(moved)),
    broken.length > 0 ? tx.rows(breakPromises, [broken, iso(now)]) : null,
  ])
  addActions(
    tx,
    moved.flatMap(({ invoiceId, action }) =>
      action ? [{ ...action, id: newId(), invoiceId, communicationId: null, at: now }] : [],
    ),
  )
}
