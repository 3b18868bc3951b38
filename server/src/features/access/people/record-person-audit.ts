import type { FastifyRequest } from 'fastify'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { NewEvent } from '../../../kit/events.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { eventRows } from '../../platform/events/record-events.ts'

const selectCompanyIds = sql(
  'people.list-company-ids',
  'select company_id from memberships where person_id = $1 order by company_id',
)
const insertAudit = sql(
  'people.insert-audit',
  `select keep_act((a->>'company_id')::uuid, a->'act') from jsonb_array_elements($1::jsonb) as x(a)`,
)

/** Records an audit event for every company of the person, or only for the given ones. */
export async function recordPersonAudit(
  context: PageContext,
  query: Query,
  { id: requestId }: Pick<FastifyRequest, 'id'>,
  personId: string,
  event: NewEvent,
  only?: readonly string[],
): Promise<void> {
  const companies = only ?? (await query(selectCompanyIds, [personId])).map(row => row.company_id)
  if (companies.length === 0) return
  const wall = context.clock.wall()
  const rows = companies.map(companyId => {
    const eventContext = { actor: { kind: 'person', id: personId } as const, requestId, now: wall, wall }
    const [row] = eventRows([event], { ...eventContext, newId: () => context.newId(wall) })
    return { company_id: companyId, act: row! }
  })
  await query(insertAudit, [JSON.stringify(rows)])
}
