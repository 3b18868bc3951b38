import type { Channel } from '../../../domain/contact/channel.ts'
import type { Advance } from '../../../domain/recovery/look.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import type { Instant, LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { type EventContext, recordEvents } from '../../platform/events/record-events.ts'
import { decisionDue, promiseBroken, workflowPaused } from './debtor-events.ts'
import { addActions } from './history.ts'
import type { HistoryFact } from './history-codes.ts'
import { type RecoveryRow, saveRecoveries, stepOf } from './recovery-store.ts'
import { changedRecoveries, changesOf, dueColumns, type RecoveryChanges } from './save-recoveries.ts'

/** A recovery that advances, or is held, without a message. */
export interface AdvancedRecovery {
  invoiceId: string
  number: string
  changes: RecoveryChanges
  action:
    | (HistoryFact & {
        action: string
        channel: Channel | null
        status: 'skipped' | 'done'
        /** The line is in the timeline of the debtor; this is a copy. */
        isCopy?: true
      })
    | null
  /** The day on which its promise is broken. */
  promiseBrokenOn: LocalDate | null
  /** Why it is paused from now on. */
  pausedBy?: Hold
  /** A person has to decide how it continues. */
  awaitsDecision?: true
}

/** The decision of a look about a recovery, in the form that is saved. */
export function toAdvancedRecovery(
  recovery: RecoveryRow,
  advance: Advance,
  now: Instant,
  today: LocalDate,
): AdvancedRecovery {
  const ids = { invoiceId: recovery.invoice_id, number: recovery.number }
  const { step } = stepOf(recovery)
  switch (advance.kind) {
    case 'held': {
      const { by, breaksPromise, change } = advance
      return {
        ...ids,
        changes: changesOf(change),
        // Any other hold is in the timeline already.
        action:
          by === 'address_refused'
            ? {
                action: by,
                channel: step.channel,
                status: 'done',
                code: by,
                params: { channel: step.channel! },
                isCopy: true,
              }
            : null,
        promiseBrokenOn: breaksPromise ? today : null,
        ...(recovery.status === 'in_recovery' && { pausedBy: by }),
      }
    }
    case 'pause_over': {
      const { breaksPromise, change } = advance
      return {
        ...ids,
        changes: changesOf(change),
        action: {
          action: breaksPromise ? 'promise_broken' : 'resume',
          channel: null,
          status: 'done',
          code: breaksPromise ? 'promise_broken' : 'pause_over',
          params: { isStillHeld: change.status === 'paused' },
        },
        promiseBrokenOn: breaksPromise ? today : null,
      }
    }
    case 'decide':
      return {
        ...ids,
        changes: { ...dueColumns({ at: null, because: 'awaiting_decision' }), last_executed_at: now },
        action: {
          action: step.name,
          channel: null,
          status: 'done',
          code: 'awaiting_decision',
          params: {},
        },
        promiseBrokenOn: null,
        awaitsDecision: true,
      }
    case 'skip': {
      const { step: following, attempt, plan } = advance.nextStep
      return {
        ...ids,
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
          code: 'step_skipped',
          params: { because: advance.because },
        },
        promiseBrokenOn: null,
      }
    }
    case 'stand':
      return {
        ...ids,
        changes: dueColumns({ at: null, because: advance.because }),
        action: null,
        promiseBrokenOn: null,
      }
  }
}

const breakPromises = sql(
  'case.break-promises',
  `with broken as (
     update promises set status = 'broken', settled_at = $2 where invoice_id = any ($1::uuid[]) and status = 'open'
     returning id, invoice_id, pay_on, amount_cents),
   marked as (update recoveries set promise_broken_at = $2 where invoice_id in (select invoice_id from broken))
   select id, invoice_id, pay_on, amount_cents from broken`,
).as<{ id: string; invoice_id: string; pay_on: LocalDate; amount_cents: number }>()

/** Saves the advanced recoveries of a debtor, adds their lines to the history and records their events. */
export async function saveAdvancedRecoveries(
  tx: Tx,
  advanced: readonly AdvancedRecovery[],
  debtorId: string,
  context: EventContext,
): Promise<void> {
  const { now, newId } = context
  const breaking = advanced.filter(item => item.promiseBrokenOn !== null).map(item => item.invoiceId)
  const [, broken] = await Promise.all([
    tx.rows(saveRecoveries, changedRecoveries(advanced)),
    breaking.length > 0 ? tx.rows(breakPromises, [breaking, iso(now)]) : [],
  ])
  addActions(
    tx,
    advanced.flatMap(({ invoiceId, action }) => {
      if (!action) return []
      const { isCopy, ...line } = action
      const whose = { invoiceId, debtorId: isCopy ? null : debtorId, actor: context.actor }
      return [{ ...line, ...whose, id: newId(), communicationId: null, at: now }]
    }),
  )
  const eventsOf = (item: AdvancedRecovery): NewEvent[] => {
    const { invoiceId, number, promiseBrokenOn: brokenOn, pausedBy: cause, awaitsDecision } = item
    const data = { invoiceId, invoiceNumber: number, debtorId }
    const promises = broken.filter(promise => promise.invoice_id === invoiceId)
    return [
      ...promises.map(({ id: promiseId, pay_on: date, amount_cents: amountCents }) =>
        newEvent(promiseBroken, invoiceId, { ...data, promiseId, date, amountCents, brokenOn: brokenOn! }),
      ),
      ...(cause ? [newEvent(workflowPaused, invoiceId, { ...data, cause, until: null })] : []),
      ...(awaitsDecision
        ? [newEvent(decisionDue, invoiceId, { ...data, cause: 'review', dueAt: iso(now) })]
        : []),
    ]
  }
  recordEvents(tx, advanced.flatMap(eventsOf), context)
}
