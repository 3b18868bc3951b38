import { balanceOf, type Movement, move } from '../../../domain/recovery/account.ts'
import { isKept } from '../../../domain/recovery/promise.ts'
import { isRunning } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import {
  about,
  applyFacts,
  type Case,
  changeCase,
  standingHolds,
  type World,
} from '../../recovery/case/case.ts'
import { endRecovery, noteAcknowledgement, noteSignOfLife, releaseHolds } from '../../recovery/case/change.ts'
import { invoiceStatusChanged } from '../../recovery/case/invoice-events.ts'
import { factsOf } from '../../recovery/case/invoice-facts.ts'
import { debtPaid } from './events.ts'

const post = sql(
  'payments.insert-postings',
  `insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at)
   values ($1, $2, 'receivable', $3, $4, $5, -$6::bigint, $7), ($1, $2, $8, $3, $4, $5, $6::bigint, $7)`,
)
const writeAccount = sql(
  'payments.update-invoice-sums',
  `update invoices set paid_cents = $2, credited_cents = $3, status = $4,
     paid_at = case when $4 = 'paid' then coalesce(paid_at, $5) end, updated_at = $5 where id = $1`,
)
const keepPromise = sql(
  'payments.mark-promise-kept',
  `update promises set status = 'kept', settled_at = $2 where invoice_id = $1 and status = 'open'`,
)

export interface Applied {
  paidCents: number
  balanceCents: number
}

/**
 * Money moves: a balanced entry in the ledger, the invoice's status from its facts, its recovery with it, and what happened,
 * all in the transaction of the movement. `eventsOf` gives the events to tell first.
 */
export async function applyMoney(
  world: World,
  of: Case,
  /** With the payment or credit it comes from. */
  movement: Movement & { sourceId: string },
  eventsOf: (applied: Applied) => NewEvent[],
): Promise<Applied> {
  const { tx, actor, now, newId } = world
  const { row } = of
  const invoiceId = row.invoice_id
  const {
    account: { facts, status, recovery },
    events: consequences,
  } = move({ facts: factsOf(row), status: row.invoice_status, recovery: row.status }, movement)
  const applied = { paidCents: facts.paid, balanceCents: balanceOf(facts).balance }
  tx.atCommit(post, [
    actor.tenantId,
    newId(),
    invoiceId,
    movement.sourceId,
    movement.kind,
    movement.cents,
    iso(now),
    movement.kind === 'credit' ? 'credit' : 'bank',
  ])
  tx.atCommit(writeAccount, [invoiceId, facts.paid, facts.credited, status, iso(now)])
  applyFacts(of, { paid_cents: facts.paid, credited_cents: facts.credited })
  const told = {
    'invoice.status_changed': () => [
      newEvent(invoiceStatusChanged, invoiceId, {
        ...about(of),
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
          ...about(of),
          paidAt: iso(now),
          paidCents: applied.paidCents,
          paymentIds: [...new Set(paymentIds)],
        }),
      ]
    },
    // Told by the end of the recovery itself.
    'workflow.completed': () => [],
  }
  recordEvents(tx, [...eventsOf(applied), ...consequences.flatMap(type => told[type]())], world)
  const hasKeptPromise =
    movement.kind === 'payment' && row.promise !== null && isKept(row.promise, facts.paid)
  if (hasKeptPromise) tx.atCommit(keepPromise, [invoiceId, iso(now)])
  await followMoney(world, of, recovery, movement, hasKeptPromise)
  return applied
}

/** What money does to the recovery: ends it, reopens it, or is a sign of life that leaves the debtor in peace for some days. */
async function followMoney(
  world: World,
  of: Case,
  recovery: Case['row']['status'],
  movement: Movement,
  hasKeptPromise: boolean,
): Promise<void> {
  const { row } = of
  if (recovery === 'completed' && row.status !== 'completed') {
    await endRecovery(world, of, 'completed', 'paid')
  } else if (recovery === 'paused' && row.status === 'completed') {
    changeCase(world, of, {
      status: 'paused',
      // What held before the money came holds again when it goes back.
      holds: ['reopened', ...standingHolds(of)],
      paused_at: world.now,
      outcome: null,
      ended_at: null,
    })
  } else if (movement.kind === 'payment' && isRunning(row.status)) {
    if (hasKeptPromise && row.holds.includes('promise')) releaseHolds(world, of, ['promise'])
    noteSignOfLife(world, of)
    noteAcknowledgement(world, of)
  }
}
