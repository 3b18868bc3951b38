import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'

const opensNothingElse = 'g.company_ids <@ array[t.company_id]'

// The grants for this company end with the membership. A grant for this company only is revoked.
export const endConsentsInCompany = sql(
  'people.remove-company-from-grants',
  `update oauth_grants g
      set company_ids = case when ${opensNothingElse} then g.company_ids else array_remove(g.company_ids, t.company_id) end,
          revoked_at = case when ${opensNothingElse} then $2::timestamptz end,
          revoked_because = case when ${opensNothingElse} then 'membership' end
     from tenants t
    where t.id = current_setting('relance.tenant')::uuid
      and g.person_id = $1 and g.revoked_at is null and t.company_id = any (g.company_ids)`,
)

const endAllConsents = sql(
  'people.revoke-grants',
  `update oauth_grants set revoked_at = $2, revoked_because = 'password' where person_id = $1 and revoked_at is null returning id`,
)

/** Revokes every consent after a password change, so that no application acts for the person any more. Returns how many. */
export const endConsentsOf = async (query: Query, personId: string, wall: number): Promise<number> =>
  (await query(endAllConsents, [personId, iso(wall)])).length
