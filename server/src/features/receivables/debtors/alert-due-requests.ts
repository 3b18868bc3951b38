import { alertDays } from '../../../domain/data-request.ts'
import { addDays } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { debtorRequestDue } from '../../recovery/case/debtor-events.ts'
import { recordDebtorEvent } from '../../recovery/holds/hold-debtor.ts'
import { type NightWork, onDayOfTenant, type ProgramContext } from './day-of-tenant.ts'

const batchSize = 200

const markAlerted = sql(
  'debtors.mark-requests-alerted',
  `update data_requests set alerted_at = $2
    where id = any (array(select id from data_requests where decision is null and alerted_at is null and due_on <= $1
                           order by due_on, id limit ${batchSize} for update skip locked))
   returning id, debtor_id, kind, received_on, due_on`,
)

interface DueRequest {
  id: string
  debtor_id: string
  kind: string
  received_on: string
  due_on: string
}

/** The event of which the creditor gets a mail. */
export const announceDue = (context: ProgramContext, request: DueRequest): Promise<void> =>
  recordDebtorEvent(
    { ...context, actor: { kind: 'worker', id: 'data_requests' }, requestId: null },
    request.debtor_id,
    debtorRequestDue,
    {
      dataRequestId: request.id,
      kind: request.kind,
      receivedOn: request.received_on,
      dueOn: request.due_on,
    },
  )

/** Tells the creditor of requests that must be answered within a week, each once. */
export async function alertDueRequests(night: NightWork, tenantId: string): Promise<void> {
  for (let found = batchSize; found === batchSize; )
    found = await onDayOfTenant(night, tenantId, async (context, today) => {
      const due = await context.tx.rows(markAlerted, [addDays(today, alertDays), iso(context.now)])
      for (const request of due) await announceDue(context, request)
      return due.length
    })
}
