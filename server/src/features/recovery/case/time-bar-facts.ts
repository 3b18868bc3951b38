import type { DebtorType } from '../../../domain/debtor-type.ts'
import { replan } from '../../../domain/recovery/next-step.ts'
import {
  alertedAfter,
  isNothingAsked,
  nextAlertOn,
  type TimeBar,
  type TimeBarCause,
  timeBarOf,
} from '../../../domain/recovery/time-bar.ts'
import { type LocalDate, localTime } from '../../../domain/time.ts'
import type { AgendaLock } from './agenda-store.ts'
import { contactFile, reachOf } from './debtor-file.ts'
import type { DebtorFile } from './debtor-file-store.ts'
import { balanceOfRecovery, progressOf, type RecoveryRow } from './recovery-store.ts'
import { dueColumns, type RecoveryChanges } from './save-recoveries.ts'

/** What the time bar of an invoice is computed from, beside the columns of its recovery. */
export interface TimeBarFacts {
  supplied_on: LocalDate | null
  limitation_months: number | null
  limitation_from: LocalDate
  limitation_because: TimeBarCause
  limitation_alerted_months: number | null
  /** When a claim or an order of a court was served, as the creditor recorded it with its proof. */
  served_on: LocalDate | null
  /** When the claim was declared in proceedings that were opened after the invoice, as the creditor recorded it with its proof. */
  declared_on: LocalDate | null
  /** The money that arrived and was not taken back, each with its own day. */
  received: readonly { id: string; on: LocalDate }[]
  /** When the debtor itself promised: on its page or in a call. What the creditor notes does not count. */
  own_promises_at: readonly number[]
}

export const timeBarColumns = `i.supplied_on, i.limitation_months, r.limitation_from, r.limitation_because, r.limitation_alerted_months, r.served_on,
  (select d.insolvency_declared_on from debtors d
    where d.tenant_id = r.tenant_id and d.id = r.debtor_id and i.issue_date <= d.insolvency_opened_on) as declared_on,
  coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'on', p.day)) from payments p
             where p.invoice_id = r.invoice_id and p.status = 'completed'), '[]') as received,
  coalesce((select jsonb_agg(floor(extract(epoch from p.created_at) * 1000)) from promises p
             where p.invoice_id = r.invoice_id and p.by_debtor), '[]') as own_promises_at`

/** The columns of a time bar, with the next alert before its end. */
export const columnsOfTimeBar = (
  { endsOn, from, because }: TimeBar,
  today: LocalDate,
  alerted: number | null,
) => ({
  limitation_ends_on: endsOn,
  limitation_from: from,
  limitation_because: because,
  limitation_alerted_months: alerted,
  limitation_alert_on: nextAlertOn(endsOn, today, alerted),
})

type LimitedRow = RecoveryRow & TimeBarFacts

function currentTimeBar(row: LimitedRow, type: DebtorType, zone: string): TimeBar {
  const dateOf = (at: number) => localTime(zone, at).date
  return timeBarOf({
    type,
    issueDate: row.issue_date,
    suppliedOn: row.supplied_on,
    limitationMonths: row.limitation_months,
    acknowledgedOn: [...row.received.map(({ on }) => on), ...row.own_promises_at.map(dateOf)],
    // The receipt of a registered letter proves a demand; a letter without one does not.
    demandedOn: row.notice_receipt_at === null ? [] : [dateOf(row.notice_receipt_at)],
    servedOn: row.served_on,
    declaredOn: row.declared_on,
  })
}

/** The changes after a fact changed; empty if the time bar stays as it is. A step that it had blocked is planned again. */
export function timeBarChanges(
  row: LimitedRow,
  file: DebtorFile,
  agenda: AgendaLock | null,
  now: number,
): RecoveryChanges {
  const rules = contactFile(file, agenda)
  const zone = rules.calendar?.zones[0] ?? 'UTC'
  const bar = currentTimeBar(row, file.type, zone)
  const { endsOn, from, because } = bar
  if (endsOn === row.limitation_ends_on)
    return from === row.limitation_from && because === row.limitation_because
      ? {}
      : { limitation_from: from, limitation_because: because }
  const today = localTime(zone, now).date
  const isBlocked = row.status === 'in_recovery' && row.due_at === null && row.due_because === 'time_barred'
  return {
    ...columnsOfTimeBar(bar, today, alertedAfter(endsOn, today, row.limitation_alerted_months)),
    ...(isBlocked && !isNothingAsked(rules, { limitationEndsOn: endsOn }, now) && dueAgain()),
  }

  function dueAgain() {
    const reach = reachOf(file, balanceOfRecovery(row))
    const last = row.last_executed_at === null ? null : { at: row.last_executed_at, wasContact: true }
    return dueColumns(replan(progressOf(row), last, { rules, reach, now, seed: file.id }))
  }
}
