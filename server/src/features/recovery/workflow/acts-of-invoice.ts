import type { z } from 'zod'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { cents } from '../../../domain/money/money.ts'
import { actOperations, acts, mayAct } from '../../../domain/recovery/acts.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { isPaused } from '../case/debtor-file.ts'
import type { InvoiceAct } from './schema.ts'

const selectFacts = sql(
  'workflow.find-facts-for-acts',
  `select r.status, r.holds, r.last_action, i.status as invoice_status, i.disputed_at, i.amount_cents, i.paid_cents, i.credited_cents,
          i.claimed_cents, i.late_payment_waiver is not null as is_waived, d.paused_at, d.paused_until,
          exists (select from payments p where p.invoice_id = r.invoice_id and p.status = 'completed') as has_payment,
          exists (select from extra_messages e
                    left join communications c on c.tenant_id = e.tenant_id and c.id = e.communication_id
                   where e.invoice_id = r.invoice_id and e.step = 'extra_message' and e.status = 'planned'
                     and c.state is distinct from 'sending') as has_request
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
    where r.invoice_id = $1`,
).as<{
  status: RecoveryStatus
  holds: readonly Hold[]
  last_action: string | null
  invoice_status: InvoiceStatus
  disputed_at: number | null
  amount_cents: number
  paid_cents: number
  credited_cents: number
  claimed_cents: number
  is_waived: boolean
  paused_at: number | null
  paused_until: number | null
  has_payment: boolean
  has_request: boolean
}>()

/** Each act with its verdict. */
export async function actsOf(tx: Tx, invoiceId: string, now: number): Promise<z.input<typeof InvoiceAct>[]> {
  const [row] = await tx.rows(selectFacts, [invoiceId])
  if (!row) return []
  const invoice = {
    invoiceStatus: row.invoice_status,
    recovery: {
      status: row.status,
      // An ended pause of the debtor stays in the row until the recovery is processed again.
      holds: row.holds.filter(hold => hold !== 'debtor' || isPaused(row, now)),
    },
    wasContacted: row.last_action !== null,
    isDisputed: row.disputed_at !== null,
    sums: {
      amount: cents(row.amount_cents),
      paid: cents(row.paid_cents),
      credited: cents(row.credited_cents),
      claimed: row.claimed_cents,
    },
    isWaived: row.is_waived,
    hasPayment: row.has_payment,
    hasRequest: row.has_request,
  }
  return acts.map(act => {
    const verdict = mayAct(act, invoice)
    const operation = actOperations[act]
    return verdict.allowed
      ? { act, operation, allowed: true, because: null, heldBy: [] }
      : { act, operation, allowed: false, because: verdict.because, heldBy: [...(verdict.by ?? [])] }
  })
}
