import { sql } from '../../../kit/db/statement.ts'

/** Inserts audit events, each into the log of a company's production; also from outside any tenant. */
export const insertCompanyAudit = sql(
  'events.insert-company-audit',
  `select record_company_audit((a->>'company_id')::uuid, a->'act') from jsonb_array_elements($1::jsonb) as x(a)`,
)
