import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { freshUntil } from '../../../kit/fresh-sign-in.ts'
import { jsonHeaders, stampOf, success } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { needsFreshSignIn } from '../../../kit/may-do.ts'
import type { Operation } from '../../../kit/operation.ts'
import { mayRole } from '../may-role.ts'
import { identifyPerson, type SignedInPerson } from '../people/authenticate-person.ts'
import { notSignedIn, sessionEnded } from '../people/errors.ts'
import { findPerson } from '../people/person.ts'
import { type Role, roles } from '../roles.ts'

const environment = z.object({ isOpen: z.boolean() })

/** The first data that the console loads. It is not an operation of the contract: only our own pages read it. */
export const Me = z.object({
  person: z.object({ id: z.string(), name: z.string(), email: z.string(), language: z.string() }),
  csrf: z.string(),
  since: z.string(),
  freshUntil: z.string(),
  companies: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      role: z.enum(roles),
      environments: z.object({ production: environment, sandbox: environment }),
    }),
  ),
  /** What each role of the person may change, so that the console offers nothing that would be refused. */
  roles: z.array(z.object({ role: z.enum(roles), may: z.array(z.string()) })),
  needFreshSignIn: z.array(z.string()),
})
type Me = z.input<typeof Me>

interface CompanyRow {
  id: string
  name: string
  role: Role
  production_open: boolean
  sandbox_open: boolean
}

const selectCompanies = sql(
  'console.list-companies',
  `select c.id, c.name, m.role, p.enabled and c.enabled as production_open, s.enabled and c.enabled as sandbox_open
     from memberships m
     join companies c on c.id = m.company_id
     join tenants p on p.company_id = c.id and p.environment = 'production'
     join tenants s on s.company_id = c.id and s.environment = 'sandbox'
    where m.person_id = $1 order by c.name, c.id limit 200`,
).as<CompanyRow>()

const toCompany = ({
  id,
  name,
  role,
  production_open,
  sandbox_open,
}: CompanyRow): Me['companies'][number] => ({
  id,
  name,
  role,
  environments: { production: { isOpen: production_open }, sandbox: { isOpen: sandbox_open } },
})

/** The operations that change something and that a person in this role may call, in production too. */
const changesOf = (role: Role, operations: readonly Operation[]): string[] =>
  operations.filter(one => one.method !== 'GET' && mayRole(role, one)).map(({ id }) => id)

/** The signed-in person, their CSRF token, their companies, and what they may do there. */
export function addMeRoute(
  app: FastifyInstance,
  context: PageContext,
  operations: readonly Operation[],
): void {
  const changes = new Map(roles.map(role => [role, changesOf(role, operations)]))
  const needFreshSignIn = operations.filter(needsFreshSignIn).map(({ id }) => id)
  const identified = new WeakMap<FastifyRequest, SignedInPerson>()
  const identify = async (request: FastifyRequest) => {
    const person = await identifyPerson(context, request)
    if (person) identified.set(request, person)
    return person
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = identified.get(request)
    // Not counted by address: a whole office may open the console before signing in.
    if (!found) throw notSignedIn.make()
    const { personId, csrf, signedInAt } = found
    const query = queryOn(context.pool)
    const [person, companies] = await Promise.all([
      findPerson(query, personId),
      query(selectCompanies, [personId]),
    ])
    if (!person) throw sessionEnded.make()
    const { id, name, email, language } = person
    const held = roles.filter(role => companies.some(company => company.role === role))
    const me: Me = {
      person: { id, name, email, language },
      csrf,
      since: iso(signedInAt),
      freshUntil: iso(freshUntil(signedInAt)),
      companies: companies.map(toCompany),
      roles: held.map(role => ({ role, may: changes.get(role)! })),
      needFreshSignIn,
    }
    return reply.headers(jsonHeaders).send(success({}, me, stampOf(request.id, context.clock)))
  }
  app.get('/console/me', { config: { door: 'console', identify } }, answer)
}
