import { sql } from '../../../kit/db/statement.ts'

/** An event, a line of a history or an audit event, with the ids it names. */
export interface Happening {
  id: string
  /** Null for a line of a history. */
  type: string | null
  /** What an audit event is about. */
  subject: string | null
  invoice_id: string | null
  debtor_id: string | null
  payment_id: string | null
  communication_id: string | null
  task_id: string | null
}

const namedIds = `data ->> 'invoiceId' as invoice_id, data ->> 'debtorId' as debtor_id, data ->> 'paymentId' as payment_id,
          data ->> 'communicationId' as communication_id, data ->> 'taskId' as task_id`

/** The newest rows of each table, by primary key, up to a limit. */
export const findRecentChanges = sql(
  'live.find-happenings',
  `(select id, type, null::text as subject, ${namedIds} from events where id > $1::uuid order by id desc limit $2)
   union all
   (select id, type, nullif(subject_id, current_setting('relance.tenant')), ${namedIds}
      from audit_log where id > $1::uuid order by id desc limit $2)
   union all
   (select a.id, null, null, a.invoice_id::text, coalesce(a.debtor_id, i.debtor_id)::text, null, a.communication_id::text, null
      from (select id, invoice_id, debtor_id, communication_id from actions where id > $1::uuid order by id desc limit $2) a
      left join invoices i on i.id = a.invoice_id)`,
).as<Happening>()
