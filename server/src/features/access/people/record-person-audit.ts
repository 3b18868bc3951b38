import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { NewEvent } from '../../../kit/events.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { type AuditedRequest, recordCompanyAudit } from '../../platform/events/record-company-audit.ts'

const selectCompanyIds = sql(
  'people.list-company-ids',
  'select company_id from memberships where person_id = $1 order by company_id',
)

/** Records an audit event for every company of the person, or only for the given ones. */
export async function recordPersonAudit(
  context: PageContext,
  query: Query,
  request: AuditedRequest,
  personId: string,
  event: NewEvent,
  only?: readonly string[],
): Promise<void> {
  const companies = only ?? (await query(selectCompanyIds, [personId])).map(row => row.company_id)
  await recordCompanyAudit(context, query, request, { kind: 'person', id: personId }, event, companies)
}
