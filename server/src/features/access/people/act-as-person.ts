import type { Actor, Environment } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { reader } from '../../../kit/db/reader.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type Entry, type Tx, transact } from '../../../kit/db/transaction.ts'
import { bodyRulesOf } from '../../../kit/http/body-rules.ts'
import { checkRights } from '../../../kit/http/refusals.ts'
import { validateBody, validateParams } from '../../../kit/http/validate.ts'
import type { Call, Operation } from '../../../kit/operation.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import type { Session } from './session.ts'
import type { SignedInVisit } from './visit.ts'

/** A company the person belongs to. */
export interface Membership {
  companyId: string
  name: string
  role: Role
  /** Whether they receive alert mails. */
  receivesAlerts: boolean
  tenants: Record<Environment, string>
}

const enterBySession = sql(
  'people.enter-by-session',
  'select enter_by_session($1, $2, $3, $4, $5) as offset_ms',
).as<{ offset_ms: number }>()

/** The opening statement checks the session, the role and the company again, so withdrawn access is refused at once. */
const sessionEntry = (
  { tokenHash, person }: Session,
  { role, tenants }: Membership,
  environment: Environment,
  wall: number,
): Entry => ({
  statement: enterBySession,
  values: [tokenHash, person.id, role, tenants[environment], iso(wall)],
})

const actorOf = (
  { person, since }: Session,
  { companyId, role, tenants }: Membership,
  environment: Environment,
): Actor => ({
  kind: 'person',
  id: person.id,
  tenantId: tenants[environment],
  companyId,
  environment,
  scopes: scopesOfRole(role, scopes),
  role,
  signedInAt: since,
})

/** Reads in a tenant of the company, as the signed-in person. */
export const readAsPerson = (
  { context, session }: Pick<SignedInVisit, 'context' | 'session'>,
  membership: Membership,
  environment: Environment,
): Tx => reader(context.pool, sessionEntry(session, membership, environment, context.clock.wall()))

type PersonCall = Omit<Call<unknown, unknown, unknown>, 'params' | 'query' | 'body'>

/** Runs a change in one transaction in a tenant of the company, as the signed-in person. */
export function changeAsPerson<T>(
  { context, session, request }: Pick<SignedInVisit, 'context' | 'session' | 'request'>,
  membership: Membership,
  environment: Environment,
  work: (call: PersonCall) => Promise<T>,
): Promise<T> {
  const wall = context.clock.wall()
  const entry = sessionEntry(session, membership, environment, wall)
  return transact(context.pool, entry, [], ({ tx, offsetMs }) =>
    work({
      tx,
      actor: actorOf(session, membership, environment),
      now: wall + offsetMs,
      wall,
      requestId: request.id,
      newId: () => context.newId(wall),
      keyring: context.keyring,
      publicUrl: context.publicUrl,
    }),
  )
}

/** Runs an operation of the API as the signed-in person, with the checks a request with a key gets. */
export function performAsPerson(
  visit: SignedInVisit,
  membership: Membership,
  environment: Environment,
  operation: Operation,
  input: { params?: Record<string, string>; body?: Record<string, unknown> },
): Promise<unknown> {
  checkRights(operation, actorOf(visit.session, membership, environment), visit.context.clock.wall())
  const params = operation.params ? validateParams(operation.params, input.params) : undefined
  const body = operation.body ? validateBody(operation.body, input.body, bodyRulesOf(operation)) : undefined
  return changeAsPerson(visit, membership, environment, call =>
    operation.run!({ ...call, params, query: undefined, body }),
  )
}
