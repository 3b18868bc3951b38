import { z } from 'zod'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type ActorRef, type ActType, defineAct, type NewEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import type { Site } from '../../../kit/http/site.ts'
import { eventRows } from '../../platform/events/record-events.ts'
import { scopes } from '../scopes.ts'

const about = { personId: outputUuid, grantId: outputUuid, clientId: z.string() }

export const accessGranted = defineAct({
  type: 'person.access_granted',
  schemaVersion: 1,
  summary: 'A member let an application act for them',
  data: z.object({ ...about, scopes: z.array(z.enum(scopes)) }),
})

/** RFC 9700 §4.14.2: one of the two who had it was not meant to. */
export const accessReused = defineAct({
  type: 'oauth_grant.reused',
  schemaVersion: 1,
  summary: 'A code or a refresh token came a second time: whatever the consent behind it had given ended',
  data: z.object({ ...about, because: z.enum(['code_reuse', 'refresh_reuse']) }),
})

export const accessEnded = defineAct({
  type: 'oauth_grant.ended',
  schemaVersion: 1,
  summary:
    'What a member had let an application do ended: a newer consent took its place, or its refresh token was called back',
  data: z.object({ ...about, because: z.enum(['replaced', 'token']) }),
})

export const grantActs: readonly ActType[] = [accessGranted, accessReused, accessEnded]

/** Acts, each with the company in whose book it is written. */
export const keepInBooks = sql(
  'oauth.insert-audit',
  `select keep_act((a->>'company_id')::uuid, a->'act') from jsonb_array_elements($1::jsonb) as x(a)`,
)

/** Written into the book of each of these companies. */
export async function keepGrantAct(
  site: Site,
  ask: Ask,
  occasion: { actor: ActorRef; requestId: string },
  act: NewEvent,
  companyIds: readonly string[],
): Promise<void> {
  const wall = site.clock.wall()
  const acts = companyIds.map(companyId => {
    const [row] = eventRows([act], { ...occasion, now: wall, wall, newId: () => site.newId(wall) })
    return { company_id: companyId, act: row! }
  })
  await ask(keepInBooks, [JSON.stringify(acts)])
}
