import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef } from '../../../kit/events.ts'
import { idShape } from '../../../kit/list.ts'
import { ofCompany } from './members.ts'
import type { ShownActor } from './schema.ts'

// Each key is looked up by its id; `offset 0` keeps the planner from reading all keys of the tenant.
const selectNames = sql(
  'people.list-actor-names',
  `select k.id::text as id, k.name
     from unnest($1::uuid[]) as given(id)
    cross join lateral (select id, name, tenant_id from api_keys where id = given.id offset 0) k
    where k.tenant_id = current_setting('relance.tenant')::uuid
   union all
   select c.id, c.name from oauth_clients c where c.id = any ($2::text[])
   union all
   select p.id::text, p.name from memberships m join people p on p.id = m.person_id
    where m.${ofCompany} and m.person_id = any ($3::uuid[])`,
).as<{ id: string; name: string }>()

/** Returns a function that adds the name to an actor. The names for a whole page are read in one query, if there are any. */
export async function actorNames(
  tx: Tx,
  actors: readonly (ActorRef | null)[],
): Promise<(actor: ActorRef | null) => ShownActor | null> {
  const idsOf = (kind: ActorRef['kind']) => [
    ...new Set(actors.flatMap(actor => (actor?.kind === kind ? [actor.id] : []))),
  ]
  const people = new Set([...idsOf('person'), ...actors.flatMap(actor => actor?.onBehalfOf ?? [])])
  const ids = [
    idsOf('api_key').filter(id => idShape.test(id)),
    idsOf('oauth_client'),
    [...people].filter(id => idShape.test(id)),
  ] as const
  const rows = ids.some(one => one.length > 0) ? await tx.rows(selectNames, ids) : []
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return actor =>
    actor && {
      kind: actor.kind,
      name: names.get(actor.id) ?? null,
      onBehalfOf: actor.onBehalfOf === undefined ? null : (names.get(actor.onBehalfOf) ?? null),
    }
}
