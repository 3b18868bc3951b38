import type { Channel } from '../../../domain/contact/channel.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { insertTogether, type Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef } from '../../../kit/events.ts'
import { actorRef } from '../../platform/events/record-events.ts'
import type { HistoryFact } from './history-codes.ts'
import { sentenceOf } from './history-texts.ts'

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

/** A new line of a history. */
export type NewAction = HistoryFact & {
  id: string
  /** Null: the line is about the debtor, not about one invoice. */
  invoiceId: string | null
  /** The debtor whose timeline shows it; null for a copy in the history of one of their invoices. */
  debtorId: string | null
  actor: ActorRef
  action: string
  channel: Channel | null
  status: HistoryStatus
  communicationId: string | null
  at: number
}

const insertActions = sql(
  'case.insert-actions',
  `insert into actions (tenant_id, id, invoice_id, debtor_id, action, channel, status, details, communication_id, executed_at, actor, code, params)
   select current_setting('relance.tenant')::uuid, id, invoice_id, debtor_id, action, channel, status, details, communication_id, executed_at,
          actor, code, params
     from jsonb_to_recordset($1::jsonb) as x(id uuid, invoice_id uuid, debtor_id uuid, action text, channel text, status text, details text,
       communication_id uuid, executed_at timestamptz, actor jsonb, code text, params jsonb)
   on conflict (tenant_id, communication_id, invoice_id) where communication_id is not null do nothing`,
)

insertTogether(insertActions)

export function addActions(tx: Tx, actions: readonly NewAction[]): void {
  if (actions.length === 0) return
  const rows = actions.map(action => ({
    id: action.id,
    invoice_id: action.invoiceId,
    // The timeline of a debtor shows messages from their own table.
    debtor_id: action.communicationId === null ? action.debtorId : null,
    action: action.action,
    channel: action.channel,
    status: action.status,
    details: sentenceOf(action, 'en'),
    communication_id: action.communicationId,
    executed_at: iso(action.at),
    actor: actorRef(action.actor),
    code: action.code,
    params: action.params,
  }))
  tx.atCommit(insertActions, [JSON.stringify(rows)])
}
