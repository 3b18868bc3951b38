import type { z } from 'zod'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import type { DebtorType } from '../../../domain/debtor-type.ts'
import { splitClaim } from '../../../domain/money/late-payment.ts'
import { lastDayInCourt } from '../../../domain/recovery/time-bar.ts'
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
  `select ${summaryColumns}, r.acknowledged_at, r.notice_at, i.due_date, i.claimed_cents, d.type, d.country, d.postal_code
     from ${summarySource}
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
    where r.invoice_id = any ($1::uuid[])`,
).as<
  RecoverySummaryRow & {
    acknowledged_at: number | null
    notice_at: number | null
    due_date: string
    claimed_cents: number
    type: DebtorType
    country: string
    postal_code: string | null
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
      const zone = calendarFor({ country: row.country, postalCode: row.postal_code })?.zones[0] ?? 'UTC'
      const debt = { dueDate: row.due_date, acknowledgedAt: row.acknowledged_at, demandedAt: row.notice_at }
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
          limitationOn: lastDayInCourt(row.type, debt, zone),
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
