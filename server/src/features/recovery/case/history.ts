import type { Channel } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

export const historyStatuses = [
  'sent',
  'delivered',
  'bounced',
  'failed',
  'unknown',
  'refused',
  'unclaimed',
  'skipped',
  'cancelled',
  'done',
] as const
export type HistoryStatus = (typeof historyStatuses)[number]

/** A new line of a recovery's history. */
export interface NewAction {
  id: string
  invoiceId: string
  action: string
  channel: Channel | null
  status: HistoryStatus
  details: string
  communicationId: string | null
  at: number
}

const insertActions = sql(
  'case.insert-actions',
  `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, communication_id, executed_at)
   select current_setting('relance.tenant')::uuid, id, invoice_id, action, channel, status, details, communication_id, executed_at
     from jsonb_to_recordset($1::jsonb) as x(id uuid, invoice_id uuid, action text, channel text, status text, details text,
       communication_id uuid, executed_at timestamptz)
   on conflict (tenant_id, communication_id, invoice_id) where communication_id is not null do nothing`,
)

export function addActions(tx: Tx, actions: readonly NewAction[]): void {
  if (actions.length === 0) return
  const rows = actions.map(action => ({
    id: action.id,
    invoice_id: action.invoiceId,
    action: action.action,
    channel: action.channel,
    status: action.status,
    details: action.details,
    communication_id: action.communicationId,
    executed_at: iso(action.at),
  }))
  tx.atCommit(insertActions, [JSON.stringify(rows)])
}
