import type { DebtorType } from '../../../domain/debtor-type.ts'
import { alertReached, nextAlertOn } from '../../../domain/recovery/time-bar.ts'
import type { LocalDate } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { type EventContext, recordEvents } from '../../platform/events/record-events.ts'
import { limitationApproaching } from './debtor-events.ts'

const batchSize = 500

const selectDue = sql(
  'case.list-due-limitation-alerts',
  `select r.invoice_id, r.debtor_id, i.number, d.type, r.limitation_ends_on, r.limitation_alerted_months
     from recoveries r
     join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
     join debtors d on d.tenant_id = r.tenant_id and d.id = r.debtor_id
    where r.limitation_alert_on is not null and r.limitation_alert_on <= $1 and r.ended_at is null
    order by r.limitation_alert_on, r.invoice_id limit ${batchSize} for no key update of r skip locked`,
).as<{
  invoice_id: string
  debtor_id: string
  number: string
  type: DebtorType
  limitation_ends_on: LocalDate
  limitation_alerted_months: number | null
}>()
const saveAlerted = sql(
  'case.save-limitation-alerts',
  `update recoveries r set limitation_alert_on = x.next_on, limitation_alerted_months = x.alerted
     from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, next_on date, alerted integer)
    where r.invoice_id = x.invoice_id and r.invoice_id = any (array(select (y ->> 'invoice_id')::uuid from jsonb_array_elements($1::jsonb) y))`,
)

/**
 * Alerts the creditor of the claims whose time bar is twelve, six, three or one months away: one event per invoice and month, the
 * nearest one if several have passed. The next alert is saved with the event, so none is repeated. `today`: where the company is.
 * Returns whether there is more.
 */
export async function alertTimeBars(
  tx: Tx,
  context: Omit<EventContext, 'actor' | 'requestId'>,
  today: LocalDate,
): Promise<boolean> {
  const rows = await tx.rows(selectDue, [today])
  if (rows.length === 0) return false
  const alerts = rows.map(row => {
    const { limitation_ends_on: endsOn, limitation_alerted_months: before } = row
    const reached = alertReached(endsOn, today)
    const months = reached !== null && (before === null || reached < before) ? reached : null
    return { row, months, alerted: months ?? before }
  })
  tx.atCommit(saveAlerted, [
    JSON.stringify(
      alerts.map(({ row, alerted }) => ({
        invoice_id: row.invoice_id,
        next_on: nextAlertOn(row.limitation_ends_on, today, alerted),
        alerted,
      })),
    ),
  ])
  const events = alerts.flatMap(({ row, months }) =>
    months === null
      ? []
      : newEvent(limitationApproaching, row.invoice_id, {
          invoiceId: row.invoice_id,
          invoiceNumber: row.number,
          debtorId: row.debtor_id,
          debtorType: row.type,
          limitationEndsOn: row.limitation_ends_on,
          monthsLeft: months,
        }),
  )
  recordEvents(tx, events, { ...context, actor: { kind: 'worker', id: 'night' }, requestId: null })
  return rows.length === batchSize
}
