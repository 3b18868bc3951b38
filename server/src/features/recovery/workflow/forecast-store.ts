import { sql } from '../../../kit/db/statement.ts'
import { type RecoveryRow, recoveryColumns, wakeBatchSize } from '../case/recovery-store.ts'

export type WaitingRow = RecoveryRow & { started_at: number }

/** The first waiting recoveries of a debtor, up to the limit of a look. */
export const selectRecoveriesToForecast = sql(
  'workflow.list-to-forecast',
  `select ${recoveryColumns}, r.started_at
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.debtor_id = $1 and r.ended_at is null and r.due_at is not null and r.communication_id is null
    order by r.due_at limit ${wakeBatchSize}`,
).as<WaitingRow>()
