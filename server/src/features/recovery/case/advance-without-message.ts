import type { Channel } from '../../../domain/contact/channel.ts'
import type { Advance } from '../../../domain/recovery/look.ts'
import type { Instant } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type RecoveryRow, stepOf } from './debtor-file.ts'
import { addActions } from './history.ts'
import { skipTexts } from './reason-texts.ts'
import {
  changedRecoveries,
  changesOf,
  dueColumns,
  type RecoveryChanges,
  saveRecoveries,
} from './save-recoveries.ts'

/** A recovery that advances, or stands still, without a message. */
export interface AdvancedRecovery {
  invoiceId: string
  changes: RecoveryChanges
  action: { action: string; channel: Channel | null; status: 'skipped' | 'done'; details: string } | null
  brokenPromise: boolean
}

/** What a look decided about a recovery, as it is written down. */
export function toAdvancedRecovery(recovery: RecoveryRow, advance: Advance, now: Instant): AdvancedRecovery {
  const { invoice_id: invoiceId } = recovery
  const { step } = stepOf(recovery)
  switch (advance.kind) {
    case 'held': {
      const { breaksPromise: brokenPromise, change } = advance
      return { invoiceId, changes: changesOf(change), action: null, brokenPromise }
    }
    case 'pause_over': {
      const { breaksPromise: brokenPromise, change } = advance
      const over = brokenPromise
        ? 'The promised payment did not arrive'
        : 'The pause that was asked for is over'
      const rest =
        change.status === 'paused' ? 'something else still holds the reminders' : 'the reminders go on'
      return {
        invoiceId,
        changes: changesOf(change),
        action: {
          action: brokenPromise ? 'promise_broken' : 'resume',
          channel: null,
          status: 'done',
          details: `${over}; ${rest}.`,
        },
        brokenPromise,
      }
    }
    case 'decide':
      return {
        invoiceId,
        changes: { ...dueColumns({ at: null, because: 'awaiting_decision' }), last_executed_at: now },
        action: {
          action: step.name,
          channel: null,
          status: 'done',
          details: 'The reminders are over. Decide: court, a plan, write-off or cancel.',
        },
        brokenPromise: false,
      }
    case 'skip': {
      const { step: following, attempt, plan } = advance.nextStep
      return {
        invoiceId,
        changes: {
          step: following,
          attempt,
          ...dueColumns(plan),
          last_executed_at: now,
        },
        action: {
          action: step.name,
          channel: step.channel,
          status: 'skipped',
          details: skipTexts[advance.because],
        },
        brokenPromise: false,
      }
    }
    case 'stand':
      return {
        invoiceId,
        changes: dueColumns({ at: null, because: advance.because }),
        action: null,
        brokenPromise: false,
      }
  }
}

const breakPromises = sql(
  'case.break-promises',
  `update promises set status = 'broken', settled_at = $2 where invoice_id = any ($1::uuid[]) and status = 'open'`,
)

/** Saves the advanced recoveries and adds their lines to the history. */
export async function saveAdvancedRecoveries(
  tx: Tx,
  advanced: readonly AdvancedRecovery[],
  now: Instant,
  newId: () => string,
): Promise<void> {
  const broken = advanced.filter(item => item.brokenPromise).map(item => item.invoiceId)
  await Promise.all([
    tx.rows(saveRecoveries, changedRecoveries(advanced)),
    broken.length > 0 ? tx.rows(breakPromises, [broken, iso(now)]) : null,
  ])
  addActions(
    tx,
    advanced.flatMap(({ invoiceId, action }) =>
      action ? [{ ...action, id: newId(), invoiceId, communicationId: null, at: now }] : [],
    ),
  )
}
