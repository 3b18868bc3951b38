import type { FastifyRequest } from 'fastify'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { NewEvent } from '../../../kit/events.ts'
import type { Site } from '../../../kit/http/site.ts'
import { eventRows } from '../../platform/events/record-events.ts'

const companiesOf = sql(
  'people.list-company-ids',
  'select company_id from memberships where person_id = $1 order by company_id',
)
const keep = sql(
  'people.insert-audit',
  `select keep_act((a->>'company_id')::uuid, a->'act') from jsonb_array_elements($1::jsonb) as x(a)`,
)

/** Written into the book of every company the person belongs to, or of those that are named. */
export async function keepActs(
  site: Site,
  ask: Ask,
  { id: requestId }: Pick<FastifyRequest, 'id'>,
  personId: string,
  act: NewEvent,
  only?: readonly string[],
): Promise<void> {
  const companies = only ?? (await ask(companiesOf, [personId])).map(row => row.company_id)
  if (companies.length === 0) return
  const wall = site.clock.wall()
  const acts = companies.map(companyId => {
    const occasion = { actor: { kind: 'person', id: personId } as const, requestId, now: wall, wall }
    const [row] = eventRows([act], { ...occasion, newId: () => site.newId(wall) })
    return { company_id: companyId, act: row! }
  })
  await ask(keep, [JSON.stringify(acts)])
}
