import type { Query } from '../../kit/db/query.ts'
import { sql } from '../../kit/db/statement.ts'

const selectOwners = sql(
  'companies.list-owners',
  'select owner as id from company_owners($1) owner order by owner',
).as<{
  id: string
}>()

/** The people who own a company. */
export const readOwners = async (query: Query, companyId: string): Promise<string[]> =>
  (await query(selectOwners, [companyId])).map(({ id }) => id)
