import type { z } from 'zod'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import { splitClaim } from '../../../domain/money/late-payment.ts'
import type { TimeBarCause } from '../../../domain/recovery/time-bar.ts'
import { daysBetween, type LocalDate } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import {
  type RecoveryOfInvoice,
  type RecoverySummaryRow,
  summaryColumns,
  summarySource,
  toNextAction,
  toWorkflow,
  withCurrentPlans,
} from './schema.ts'

/** Consumers owe neither: nothing is claimed from them. */
const bases: Record<Exclude<DebtorType, 'consumer'>, { indemnity: string; interest: string }> = {
  business: { indemnity: 'art. D441-5 C. com.', interest: 'art. L441-10 C. com.' },
  public_body: { indemnity: 'art. D2192-35 C. comm. publ.', interest: 'art. R2192-31 C. comm. publ.' },
}

const selectRecoveries = sql(
  'workflow.list-of-invoices',
  `select ${summaryColumns}, r.limitation_ends_on, r.limitation_from, r.limitation_because, r.filed_on, r.served_on, i.due_date, i.claimed_cents, d.type,
          (select coalesce(x.amount_cents, i.amount_cents) from disputes x where x.invoice_id = r.invoice_id and x.status = 'open') as disputed_cents
     from ${summarySource}
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
    where r.invoice_id = any ($1::uuid[])`,
).as<
  RecoverySummaryRow & {
    limitation_ends_on: LocalDate
    limitation_from: LocalDate
    limitation_because: TimeBarCause
    filed_on: LocalDate | null
    served_on: LocalDate | null
    due_date: LocalDate
    claimed_cents: number
    disputed_cents: number | null
    type: DebtorType
  }
>()

/** The recoveries of a page of invoices, by invoice. */
export async function recoveriesOf(
  tx: Tx,
  tenantId: string,
  invoiceIds: readonly string[],
  { now, today }: { now: number; today: LocalDate },
): Promise<Map<string, z.input<typeof RecoveryOfInvoice>>> {
  const stored = invoiceIds.length === 0 ? [] : await tx.rows(selectRecoveries, [invoiceIds])
  const rows = await withCurrentPlans(tx, tenantId, stored, () => now)
  return new Map(
    rows.map(row => {
      const { nextAction, scheduledAt, channel, reasonCode, withInvoiceId, skipped, afterPause } =
        toNextAction(row)
      const { standing, currentStep } = toWorkflow(row)
      return [
        row.invoice_id,
        {
          status: row.status,
          standing,
          step: currentStep,
          holds: [...row.holds],
          nextAction,
          nextActionAt: scheduledAt,
          nextChannel: channel,
          reasonCode,
          withInvoiceId,
          skipped,
          afterPause,
          daysOverdue: daysBetween(row.due_date, today),
          limitationEndsOn: row.limitation_ends_on,
          limitationFrom: row.limitation_from,
          limitationBecause: row.limitation_because,
          disputedCents: row.disputed_cents,
          filedOn: row.filed_on,
          servedOn: row.served_on,
          claimedCents: row.claimed_cents,
          claimed: claimedOf(row.type, row.claimed_cents),
        },
      ]
    }),
  )
}

function claimedOf(type: DebtorType, claimedCents: number) {
  if (type === 'consumer') return []
  const sums = splitClaim(claimedCents)
  return (['indemnity', 'interest'] as const).flatMap(kind =>
    sums[kind] > 0 ? [{ kind, amountCents: sums[kind], basis: bases[type][kind] }] : [],
  )
}
