import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { uuid } from '../../../kit/fields.ts'

/** An error that the operator can fix; only its message is shown. */
export class OperatorError extends Error {}

interface FoundCompany {
  id: string
  name: string
  enabled: boolean
  production: string
  sandbox: string
  is_opened: boolean
}
const findCompany = sql(
  'companies.find-for-operator',
  `select c.id, c.name, c.enabled, p.id as production, s.id as sandbox, p.enabled as is_opened
     from companies c
     join tenants p on p.company_id = c.id and p.environment = 'production'
     join tenants s on s.company_id = c.id and s.environment = 'sandbox'
    where c.id = $1`,
).as<FoundCompany>()

/** The company that a command of the operator names. */
export async function requireCompany(query: Query, id: string): Promise<FoundCompany> {
  const [found] = uuid.safeParse(id).success ? await query(findCompany, [id]) : []
  if (!found)
    throw new OperatorError(
      `There is no company with the id ${JSON.stringify(id)}; \`relance-server company list\` shows them.`,
    )
  return found
}
