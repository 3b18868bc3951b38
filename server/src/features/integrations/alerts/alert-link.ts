import type { Actor } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type Entry, transact } from '../../../kit/db/transaction.ts'
import { originOf } from '../../../kit/events.ts'
import { bodyRulesOf } from '../../../kit/http/body-rules.ts'
import { checkRights } from '../../../kit/http/refusals.ts'
import { validateBody, validateParams } from '../../../kit/http/validate.ts'
import type { Operation } from '../../../kit/operation.ts'
import { setReceivesAlerts } from '../../access/people/hear-alerts.ts'
import type { Visit } from '../../access/people/visit.ts'
import { type Role, scopesOfRole } from '../../access/roles.ts'
import { scopes } from '../../access/scopes.ts'

/** The link of a mail, and who acts with it. */
export interface AlertLink {
  hash: Buffer
  tenant_id: string
  company_id: string
  company_name: string
  /** Null: the address the company was opened with, while it has no owner who is a person. */
  person_id: string | null
  role: Role
  kind: string
  event_ids: string[]
  total: number
}

const selectLink = sql(
  'alerts.get-link',
  `select l.tenant_id, t.company_id, c.name as company_name, l.person_id, coalesce(m.role, 'owner') as role, l.kind, l.event_ids, l.total
     from alert_links l
     cross join lateral (select company_id from tenants where id = l.tenant_id offset 0) t
     cross join lateral (select * from companies where id = t.company_id offset 0) c
     left join memberships m on m.person_id = l.person_id and m.company_id = t.company_id
    where l.token_hash = $1 and l.expires_at > $2
      and receives_alerts(t.company_id, l.person_id, l.kind)`,
).as<Omit<AlertLink, 'hash'>>()

/** Null for a link that does not work, or not any more. */
export async function findLink(
  { context }: Pick<Visit, 'context'>,
  token: string,
): Promise<AlertLink | null> {
  const hash = plainSha256(token)
  const [link] = await queryOn(context.pool)(selectLink, [hash, iso(context.clock.wall())])
  return link ? { ...link, hash } : null
}

const enterByLink = sql('alerts.enter-by-link', 'select enter_by_alert_link($1, $2) as offset_ms').as<{
  offset_ms: number
}>()

/** The opening statement checks the link, the person and the company again, so withdrawn access is refused at once. */
export const linkEntry = ({ hash }: AlertLink, wall: number): Entry => ({
  statement: enterByLink,
  values: [hash, iso(wall)],
})

/** The person of the link. Nobody has signed in, so nothing that needs a fresh sign-in is done. */
export const actorOf = (link: AlertLink): Actor => ({
  kind: 'person',
  id: link.person_id ?? 'owner_address',
  tenantId: link.tenant_id,
  companyId: link.company_id,
  environment: 'production',
  scopes: scopesOfRole(link.role, scopes),
  role: link.role,
})

/** Runs an operation of the API as the person of the link, with the checks a request with a key gets. */
export function performByLink(
  visit: Pick<Visit, 'context' | 'request'>,
  link: AlertLink,
  operation: Operation,
  input: { params: Record<string, string>; body?: Record<string, unknown> },
): Promise<unknown> {
  const { context, request } = visit
  const actor = { ...actorOf(link), origin: originOf(request) }
  const wall = context.clock.wall()
  checkRights(operation, actor, wall)
  const params = operation.params ? validateParams(operation.params, input.params) : undefined
  const body = operation.body ? validateBody(operation.body, input.body, bodyRulesOf(operation)) : undefined
  return transact(context.pool, linkEntry(link, wall), [], ({ tx, offsetMs }) =>
    operation.run!({
      tx,
      actor,
      now: wall + offsetMs,
      wall,
      requestId: request.id,
      newId: () => context.newId(wall),
      keyring: context.keyring,
      publicUrl: context.publicUrl,
      params,
      query: undefined,
      body,
    }),
  )
}

/** Switches the alert mails off for the person of the link. */
export const stopMails = (
  { context }: Pick<Visit, 'context'>,
  { company_id: companyId }: AlertLink,
  personId: string,
): Promise<boolean> => setReceivesAlerts(queryOn(context.pool), { personId, companyId, hears: false })
