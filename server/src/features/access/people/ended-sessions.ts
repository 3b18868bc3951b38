import { iso } from '../../../kit/clock.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Principal } from '../../../kit/http/http-context.ts'

// One subquery per session, so that each is looked up by its keys, however many there are.
const selectEnded = sql(
  'people.list-ended-sessions',
  `select token_hash from unnest($1::bytea[], $2::uuid[], $3::text[]) as given (token_hash, person_id, role)
    where (select count(*) from sessions s join memberships m on m.person_id = s.person_id and m.company_id = $4
            where s.token_hash = given.token_hash and s.person_id = given.person_id and s.expires_at > $5
              and m.role = given.role) = 0`,
).as<{ token_hash: Buffer }>()

/**
 * For connections that last longer than one request: the hashes, in hexadecimal, of the sessions that have ended or whose person
 * no longer has the role in the company.
 */
export async function endedSessions(
  query: Query,
  companyId: string,
  principals: readonly Principal[],
  wall: number,
): Promise<ReadonlySet<string>> {
  const sessions = new Map(
    principals.flatMap(({ sessionHash, actor }) =>
      sessionHash ? [[sessionHash.toString('hex'), { sessionHash, actor }] as const] : [],
    ),
  )
  const given = [...sessions.values()]
  const ended = await query(selectEnded, [
    given.map(({ sessionHash }) => sessionHash),
    given.map(({ actor }) => actor.id),
    given.map(({ actor }) => actor.role ?? ''),
    companyId,
    iso(wall),
  ])
  return new Set(ended.map(({ token_hash }) => token_hash.toString('hex')))
}
