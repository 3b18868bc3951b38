import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'

/** Whether a member receives alert mails about debtors, providers and deadlines: as they chose; by default only owners do. */
export const receivesAlertsSql = `coalesce(m.receives_alerts, m.role = 'owner')`

const updateHearsAlerts = sql(
  'people.set-hears-alerts',
  'update memberships set receives_alerts = $3 where person_id = $1 and company_id = $2 returning person_id',
)

/** Switches these mails on or off for a member; false if there is no such member. */
export const setReceivesAlerts = async (
  query: Query,
  { personId, companyId, hears }: { personId: string; companyId: string; hears: boolean },
): Promise<boolean> => (await query(updateHearsAlerts, [personId, companyId, hears])).length > 0
