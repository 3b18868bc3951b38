import { balanceOf, type Movement, move } from '../../domain/account.ts'
import type { InvoiceStatus } from '../../domain/invoice-state.ts'
import type { RecoveryStatus } from '../../domain/recovery-state.ts'
import { iso } from '../../kit/clock.ts'
import type { Tables } from '../../kit/db/schema.generated.ts'
import { sql } from '../../kit/db/statement.ts'
import type { Tx } from '../../kit/db/transaction.ts'
import { type NewEvent, newEvent } from '../../kit/events.ts'
import type { Call } from '../../kit/operation.ts'
import { lockAgenda } from '../agenda/debtor-file.ts'
import { recordEvents } from '../events/record-events.ts'
import { invoiceStatusChanged } from '../invoices/events.ts'
import { type FactRow, factColumns, factsOf } from '../invoices/facts.ts'
import { stopRecovery } from '../recovery/stop.ts'
import { debtPaid, workflowCompleted } from './events.ts'

/** An invoice with everything money may change, locked in the one order: the debtor's agenda, the recovery, the invoice. */
export type Account = FactRow &
  Pick<Tables['invoices'], 'id' | 'number' | 'debtor_id' | 'currency'> & {
    status: InvoiceStatus
    recovery_status: RecoveryStatus
    actions_completed: number
    payment_ids: string[]
  }

const findDebtor = sql<{ debtor_id: string }>('select debtor_id from invoices where id = $1')
const lockRecovery = sql('select invoice_id from recoveries where invoice_id = $1 for no key update')
const readAccount = sql<Account>(
  `select i.id, i.number, i.debtor_id, i.currency, i.status, ${factColumns}, r.status as recovery_status, r.actions_completed,
          array(select p.id::text from payments p where p.invoice_id = i.id and p.status = 'completed' order by p.id limit 100)
            as payment_ids
     from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
    where i.id = $1 for no key update of i`,
)

export async function openAccount(tx: Tx, tenantId: string, invoiceId: string): Promise<Account | null> {
  const [found] = await tx.rows(findDebtor, [invoiceId])
  if (!found) return null
  const [, , [account]] = await Promise.all([
    tx.rows(lockAgenda, [tenantId, found.debtor_id]),
    tx.rows(lockRecovery, [invoiceId]),
    tx.rows(readAccount, [invoiceId]),
  ])
  return account ?? null
}

const post = sql(
  `insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at)
   values ($1, $2, 'receivable', $3, $4, $5, -$6::bigint, $7), ($1, $2, $8, $3, $4, $5, $6::bigint, $7)`,
)
const writeAccount = sql(
  `update invoices set paid_cents = $2, credited_cents = $3, status = $4,
     paid_at = case when $4 = 'paid' then coalesce(paid_at, $5) end, updated_at = $5 where id = $1`,
)
const reopen = sql(
  `update recoveries set status = 'paused', generation = generation + 1, due_at = null, due_because = null where invoice_id = $1`,
)

export interface Applied {
  paidCents: number
  balanceCents: number
}

type World = Pick<Call<unknown, unknown, unknown>, 'tx' | 'actor' | 'now' | 'wall' | 'requestId' | 'newId'>

/**
 * Money moves: a balanced entry in the ledger, the invoice's status from its facts, its recovery with it, and what happened,
 * all in the transaction of the movement. `eventsOf` gives the events to tell first.
 */
export function applyMoney(
  world: World,
  account: Account,
  /** With the payment or credit it comes from. */
  movement: Movement & { sourceId: string },
  eventsOf: (applied: Applied) => NewEvent[],
): Applied {
  const { tx, actor, now, wall, newId } = world
  const {
    account: { facts, status, recovery },
    events: consequences,
  } = move({ facts: factsOf(account), status: account.status, recovery: account.recovery_status }, movement)
  const applied = { paidCents: facts.paid, balanceCents: balanceOf(facts).balance }
  tx.atCommit(post, [
    actor.tenantId,
    newId(),
    account.id,
    movement.sourceId,
    movement.kind,
    movement.cents,
    iso(now),
    movement.kind === 'credit' ? 'credit' : 'bank',
  ])
  tx.atCommit(writeAccount, [account.id, facts.paid, facts.credited, status, iso(now)])
  if (recovery === 'completed' && account.recovery_status !== 'completed') {
    const ids = { tenantId: actor.tenantId, debtorId: account.debtor_id, invoiceId: account.id }
    stopRecovery(tx, ids, 'completed', 'paid', { now, wall })
  } else if (recovery === 'paused' && account.recovery_status !== 'paused') tx.atCommit(reopen, [account.id])
  const about = { invoiceId: account.id, invoiceNumber: account.number, debtorId: account.debtor_id }
  const told = {
    'invoice.status_changed': () =>
      newEvent(invoiceStatusChanged, account.id, {
        ...about,
        previousStatus: account.status,
        newStatus: status,
        cause: movement.kind,
      }),
    'debt.paid': () => {
      const paymentIds =
        movement.kind === 'payment' ? [...account.payment_ids, movement.sourceId] : account.payment_ids
      return newEvent(debtPaid, account.id, {
        ...about,
        paidAt: iso(now),
        paidCents: applied.paidCents,
        paymentIds: [...new Set(paymentIds)],
      })
    },
    'workflow.completed': () =>
      newEvent(workflowCompleted, account.id, {
        ...about,
        outcome: 'paid',
        completedAt: iso(now),
        actionsCompleted: account.actions_completed,
      }),
  }
  recordEvents(tx, [...eventsOf(applied), ...consequences.map(type => told[type]())], world)
  return applied
}
