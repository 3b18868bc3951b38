import type { z } from 'zod'
import { neverContactedBecause } from '../../../domain/contact/contact-rules.ts'
import { cents } from '../../../domain/money/money.ts'
import { actOperations, acts, type InvoiceToActOn, mayAct } from '../../../domain/recovery/acts.ts'
import { requestedMessages } from '../../../domain/recovery/cascade.ts'
import type { EscalationVerdict } from '../../../domain/recovery/escalation.ts'
import { isTimeBarred } from '../../../domain/recovery/time-bar.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { contactFile, holdOfDebtor, isPaused } from '../case/debtor-file.ts'
import { selectDebtorFile } from '../case/debtor-file-store.ts'
import { type RecoveryRow, reachOfRecovery, recoveryColumns } from '../case/recovery-store.ts'
import { isUnsentSql } from '../case/stop-messages.ts'
import { escalationOf, planEscalation } from './escalate.ts'
import type { InvoiceAct } from './schema.ts'

const selectFacts = sql(
  'workflow.find-facts-for-acts',
  `select ${recoveryColumns}, i.late_payment_waiver is not null as is_waived,
          exists (select from communications c where c.tenant_id = r.tenant_id and c.id = r.communication_id and c.state <> 'reserved')
            as is_leaving,
          exists (select from payments p where p.invoice_id = r.invoice_id and p.status = 'completed') as has_payment,
          exists (select from extra_messages e
                    left join communications c on c.tenant_id = e.tenant_id and c.id = e.communication_id
                   where e.invoice_id = r.invoice_id and e.step = any ('{${requestedMessages}}') and e.status = 'planned'
                     and (c.state is null or ${isUnsentSql('c', `(select t.environment = 'production' from tenants t where t.id = e.tenant_id)`)})) as has_request
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.invoice_id = $1`,
).as<RecoveryRow & { is_waived: boolean; is_leaving: boolean; has_payment: boolean; has_request: boolean }>()

/** Each act with its verdict. */
export async function actsOf(
  tx: Tx,
  { invoiceId, debtorId }: { invoiceId: string; debtorId: string },
  now: number,
): Promise<z.input<typeof InvoiceAct>[]> {
  const [[row], [file]] = await Promise.all([
    tx.rows(selectFacts, [invoiceId]),
    tx.rows(selectDebtorFile, [debtorId]),
  ])
  if (!row || !file) return []
  const rules = contactFile(file, null)
  const reach = reachOfRecovery(row, file)
  const judgeEscalation = (): EscalationVerdict => {
    const verdict = escalationOf(row, file, now)
    if (verdict.to !== 'step') return verdict
    const planned = planEscalation(rules, { ...row, debtor_id: debtorId }, verdict.step, { reach, now })
    return planned ? verdict : { to: null, because: 'already_escalated' }
  }
  const invoice: InvoiceToActOn = {
    invoiceStatus: row.invoice_status,
    recovery: {
      status: row.status,
      // An ended pause of the debtor stays in the row until the recovery is processed again.
      holds: row.holds.filter(hold => hold !== 'debtor' || isPaused(file, now)),
    },
    escalation: row.status === 'in_recovery' ? judgeEscalation() : null,
    isLeaving: row.is_leaving,
    debtorHold: holdOfDebtor(file, now),
    reach,
    neverBecause: neverContactedBecause(rules),
    isTimeBarred: isTimeBarred(rules, { limitationEndsOn: row.limitation_ends_on }, now),
    isConsumer: rules.isConsumer,
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
    hasAmicableStageEnded: row.judicial_at !== null,
  }
  return acts.map(act => {
    const verdict = mayAct(act, invoice)
    const operation = actOperations[act]
    return verdict.allowed
      ? { act, operation, allowed: true, because: null, heldBy: [] }
      : { act, operation, allowed: false, because: verdict.because, heldBy: [...(verdict.by ?? [])] }
  })
}
