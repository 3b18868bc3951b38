import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { freshUntil } from '../../../kit/fresh-sign-in.ts'
import { jsonHeaders, stampOf, success } from '../../../kit/http/envelope.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { identifyPerson, type PersonAtDoor } from '../people/authenticate-person.ts'
import { notSignedIn, sessionEnded } from '../people/door-errors.ts'
import { findPerson } from '../people/person.ts'
import type { Role } from '../roles.ts'

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

const toCompany = ({ id, name, role, production_open, sandbox_open }: CompanyRow) => ({
  id,
  name,
  role,
  environments: { production: { isOpen: production_open }, sandbox: { isOpen: sandbox_open } },
})

/** Who is signed in, what to send back with a change, and where they may go. */
export function addMeRoute(app: FastifyInstance, context: PageContext): void {
  const identified = new WeakMap<FastifyRequest, PersonAtDoor>()
  const identify = async (request: FastifyRequest) => {
    const person = await identifyPerson(context, request)
    if (person) identified.set(request, person)
    return person
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = identified.get(request)
    // Not counted by address: in the morning a whole office opens the console before it signs in.
    if (!found) throw notSignedIn.make()
    const { personId, csrf, signedInAt } = found
    const query = queryOn(context.pool)
    const [person, companies] = await Promise.all([
      findPerson(query, personId),
      query(selectCompanies, [personId]),
    ])
    if (!person) throw sessionEnded.make()
    const { id, name, email, language } = person
    const me = {
      person: { id, name, email, language },
      csrf,
      since: iso(signedInAt),
      freshUntil: iso(freshUntil(signedInAt)),
      companies: companies.map(toCompany),
    }
    return reply.headers(jsonHeaders).send(success({}, me, stampOf(request.id, context.clock)))
  }
  app.get('/console/me', { config: { door: 'console', identify } }, answer)
}
