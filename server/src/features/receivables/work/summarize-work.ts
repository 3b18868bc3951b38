import { z } from 'zod'
import { localTime } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import { operation } from '../../../kit/operation.ts'
import { findCompany } from '../../access/companies/company.ts'
import { inChargeFilter, type WorkGroup, WorkSummary, workGroups } from './schema.ts'
import { personOf, whoseWork, workSql } from './store.ts'

const countWork = sql(
  'work.summarize',
  `${workSql}
   select (select count(*) from work where not is_later)::integer as debtors,
          (select coalesce(sum(open_cents), 0) from work where not is_later) as open_cents,
          (select count(*) from work where is_later)::integer as later,
          (select count(*) from found where not is_later and in_charge_id = $5)::integer as mine,
          (select coalesce(jsonb_object_agg(g.code, g.n), '{}') from (
             select code, count(*) as n from work cross join unnest(groups) as code where not is_later group by 1) g) as by_group`,
).as<{
  debtors: number
  open_cents: number
  later: number
  mine: number
  by_group: Partial<Record<WorkGroup, number>>
}>()

export const summarizeWork = operation({
  id: 'work.summary',
  method: 'GET',
  path: '/api/v1/work/summary',
  summary: 'Count the debtors with something that waits for a person, by group',
  description: 'The counts are those of the rows of GET /api/v1/work with the same filter.',
  scopes: ['debtors:read', 'invoices:read', 'workflow:read'],
  query: z.strictObject({ inCharge: inChargeFilter }).meta({ id: 'WorkSummaryQuery' }),
  status: 200,
  reply: WorkSummary,
  errors: [],
  assistant: 'read',
  usesNow: 'after-reading',
  async run(call) {
    const { tx, actor, query } = call
    const { currency, time_zone: zone } = await findCompany(tx, actor.companyId)
    const today = localTime(zone, call.now).date
    const whose = whoseWork(query.inCharge, actor)
    const [row] = await tx.rows(countWork, [actor.tenantId, currency, today, whose, personOf(actor)])
    const { debtors, open_cents: openCents, later, mine, by_group: counts } = row!
    return {
      groups: workGroups.map(group => ({ group, debtors: counts[group] ?? 0 })),
      all: { debtors, openCents, currency },
      mine: { debtors: mine },
      later: { debtors: later },
    }
  },
})
