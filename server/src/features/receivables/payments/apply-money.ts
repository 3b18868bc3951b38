import { applyMovement, balanceOf, type Movement, owedOf } from '../../../domain/recovery/account.ts'
import { isPromiseKept } from '../../../domain/recovery/promise.ts'
import { isRunning } from '../../../domain/recovery/recovery-state.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { actorRef, recordEvents } from '../../platform/events/record-events.ts'
import {
  endRecovery,
  recordDebtorResponse,
  recordPause,
  releaseHolds,
  restateTimeBar,
} from '../../recovery/case/change-recovery.ts'
import { invoiceStatusChanged } from '../../recovery/case/invoice-events.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import {
  applyFacts,
  changeRecovery,
  dueWhileStanding,
  invoiceEventData,
  type OpenRecovery,
  type OperationContext,
  standingHolds,
} from '../../recovery/case/open-recovery.ts'
import { dueColumns } from '../../recovery/case/save-recoveries.ts'
import { type InFlight, stopMessages } from '../../recovery/case/stop-messages.ts'
import { debtPaid } from './events.ts'

const insertPostings = sql(
  'payments.insert-postings',
  `insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at, debtor_id, actor)
   values ($1, $2, 'receivable', $3, $4, $5, -$6::bigint, $7, $9, $10::jsonb), ($1, $2, $8, $3, $4, $5, $6::bigint, $7, $9, $10::jsonb)`,
)
const updateInvoiceTotals = sql(
  'payments.update-invoice-sums',
  `update invoices set paid_cents = $2, credited_cents = $3, status = $4,
     paid_at = case when $4 = 'paid' then coalesce(paid_at, $5) end, updated_at = $5 where id = $1`,
)
const markPromiseKept = sql(
  'payments.mark-promise-kept',
  `update promises set status = 'kept', settled_at = $2 where invoice_id = $1 and status = 'open'`,
)

/** What was paid so far, and what is left: as in the fields of an invoice. */
export interface Applied {
  paidCents: number
  balanceCents: number
  latePaymentPaidCents: number
  overpaidCents: number
}

/**
 * Books a movement of money: a balanced ledger entry, the new status of the invoice, its recovery, and the events, all in one
 * transaction. `eventsOf` returns the events that come first.
 */
export async function applyMoney(
  context: OperationContext,
  recovery: OpenRecovery,
  /** `sourceId` is the payment or credit note it comes from; `day`: the day of a payment, which may be long ago. */
  movement: Movement & { sourceId: string; day?: LocalDate },
  eventsOf: (applied: Applied) => NewEvent[],
): Promise<Applied & { inFlight: InFlight[] }> {
  const { tx, actor, now, newId } = context
  const { row } = recovery
  const invoiceId = row.invoice_id
  const {
    account: { facts, status, recovery: recoveryStatus },
    events: consequences,
  } = applyMovement({ facts: factsOf(row), status: row.invoice_status, recovery: row.status }, movement)
  const { principal, balance, accessories, overpaid } = balanceOf({ ...facts, claimed: row.claimed_cents })
  const applied = {
    paidCents: principal,
    balanceCents: balance,
    latePaymentPaidCents: accessories,
    overpaidCents: overpaid,
  }
  tx.atCommit(insertPostings, [
    actor.tenantId,
    newId(),
    invoiceId,
    movement.sourceId,
    movement.kind,
    movement.cents,
    iso(now),
    movement.kind === 'credit' ? 'credit' : 'bank',
    row.debtor_id,
    JSON.stringify(actorRef(actor)),
  ])
  tx.atCommit(updateInvoiceTotals, [invoiceId, facts.paid, facts.credited, status, iso(now)])
  applyFacts(context, recovery, { paid_cents: facts.paid, credited_cents: facts.credited })
  const eventsByType = {
    'invoice.status_changed': () => [
      newEvent(invoiceStatusChanged, invoiceId, {
        ...invoiceEventData(recovery),
        previousStatus: row.invoice_status,
        newStatus: status,
        cause: movement.kind,
      }),
    ],
    'debt.paid': () => {
      const paymentIds =
        movement.kind === 'payment' ? [...row.payment_ids, movement.sourceId] : row.payment_ids
      return [
        newEvent(debtPaid, invoiceId, {
          ...invoiceEventData(recovery),
          paidAt: iso(now),
          paidCents: applied.paidCents,
          // The invoice is paid; the late-payment sums may still be open.
          latePaymentOwedCents: owedOf({ ...facts, claimed: row.claimed_cents }).accessories,
          paymentIds: [...new Set(paymentIds)],
        }),
      ]
    },
    // Emitted by `endRecovery`.
    'workflow.completed': () => [],
  }
  recordEvents(tx, [...eventsOf(applied), ...consequences.flatMap(type => eventsByType[type]())], context)
  const hasKeptPromise =
    movement.kind === 'payment' && row.promise !== null && isPromiseKept(row.promise, facts.paid)
  if (hasKeptPromise) tx.atCommit(markPromiseKept, [invoiceId, iso(now)])
  const inFlight = await applyMoneyToRecovery(context, recovery, recoveryStatus, movement, hasKeptPromise)
  if (movement.kind !== 'credit')
    restateTimeBar(context, recovery, { received: receivedAfter(row, movement) })
  return { ...applied, inFlight }
}

/** The money that counts as an acknowledgement of the debtor: what the bank took back, or was given back, does not. */
function receivedAfter(
  { received }: OpenRecovery['row'],
  { sourceId, day }: { sourceId: string; day?: LocalDate },
): OpenRecovery['row']['received'] {
  const others = received.filter(({ id }) => id !== sourceId)
  return day === undefined ? others : [...others, { id: sourceId, on: day }]
}

/**
 * Ends or reopens the recovery; a part payment counts as a response of the debtor and starts a quiet period. A message that was
 * written before and has not left states an old sum, so it is stopped. Returns the messages that were too late to stop.
 */
async function applyMoneyToRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
  recoveryStatus: OpenRecovery['row']['status'],
  movement: Movement,
  hasKeptPromise: boolean,
): Promise<InFlight[]> {
  const { row } = recovery
  if (recoveryStatus === 'completed' && row.status !== 'completed') {
    return (await endRecovery(context, recovery, 'completed', 'paid')).inFlight
  }
  if (recoveryStatus === 'paused' && row.status === 'completed') {
    // When the money goes back, the holds that still apply are set again.
    const holds = standingHolds(recovery, context.now)
    changeRecovery(context, recovery, {
      status: 'paused',
      holds: ['reopened', ...holds],
      ...dueColumns(dueWhileStanding(recovery, holds)),
      paused_at: context.now,
      outcome: null,
      ended_at: null,
    })
    recordPause(context, recovery, 'reopened')
    return []
  }
  if (!isRunning(row.status)) return []
  const { inFlight, cancelled } = await stopMessages(context, recovery, movement.kind, 'claimed')
  // The agenda is refreshed for what the message was to serve.
  if (cancelled.length > 0) changeRecovery(context, recovery, {})
  if (movement.kind === 'payment') {
    if (hasKeptPromise && row.holds.includes('promise')) releaseHolds(context, recovery, ['promise'])
    recordDebtorResponse(context, recovery)
  }
  return inFlight
}
