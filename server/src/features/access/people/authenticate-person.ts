import type { FastifyRequest } from 'fastify'
import type { Environment } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { ApiError } from '../../../kit/errors.ts'
import { companyClosed, companyNotOpened } from '../../../kit/http/envelope.ts'
import type { Caller, Principal, RefusedCaller } from '../../../kit/http/http-context.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { chosenCompany, malformedCompany } from '../chosen-company.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { scopes } from '../scopes.ts'
import { personAllowance } from '../tiers.ts'
import {
  companyMissing,
  environmentMalformed,
  environmentMissing,
  foreignPage,
  noSuchMembership,
  notSignedIn,
  sessionEnded,
  wrongCsrf,
} from './errors.ts'
import { csrfOf, isCsrfOf, tokenHashOf, touchSession } from './session.ts'

interface SessionRow {
  person_id: string
  created_at: number
  seen_at: number
  role: Role | null
  tenant_id: string | null
  tenant_enabled: boolean | null
  company_enabled: boolean | null
}

// Read by primary or unique key at every request, so that access withdrawn by another process is refused at once.
const findSessionOfPerson = sql(
  'people.find-at-door',
  `select s.person_id, s.created_at, s.seen_at, m.role, t.id as tenant_id, t.enabled as tenant_enabled, c.enabled as company_enabled
     from sessions s
     left join memberships m on m.person_id = s.person_id and m.company_id = $3::uuid
     left join companies c on c.id = m.company_id
     left join tenants t on t.company_id = m.company_id and t.environment = $4
    where s.token_hash = $1 and s.expires_at > $2`,
).as<SessionRow>()
const enterConsole = sql('people.enter-console', 'select enter_console($1, $2, $3, $4, $5) as offset_ms').as<{
  offset_ms: number
}>()

const isReading = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/**
 * Refuses requests that another site made the browser send. Browsers send Sec-Fetch-Site with every request, and Origin with
 * every request that changes something.
 */
function requireOwnPage({ publicUrl }: PageContext, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOwnOrigin = origin === undefined ? isReading(request) : origin === new URL(publicUrl).origin
  if (!isOwnOrigin || (site !== undefined && site !== 'same-origin')) throw foreignPage.make()
}

export interface SignedInPerson extends Caller {
  readonly personId: string
  readonly tokenHash: Buffer
  /** To be sent back with every request that changes something. */
  readonly csrf: string
  readonly signedInAt: number
}

interface Chosen {
  readonly companyId: string
  readonly environment: Environment
}

async function findPerson(
  context: PageContext,
  request: FastifyRequest,
  chosen: Chosen | null,
): Promise<{ person: SignedInPerson; row: SessionRow }> {
  requireOwnPage(context, request)
  const tokenHash = tokenHashOf(request)
  if (!tokenHash) throw notSignedIn.make()
  const query = queryOn(context.pool)
  const wall = request.startedAt
  const [row] = await query(findSessionOfPerson, [
    tokenHash,
    iso(wall),
    chosen?.companyId ?? null,
    chosen?.environment ?? null,
  ])
  if (!row) throw sessionEnded.make()
  await touchSession(query, tokenHash, row.seen_at, wall)
  const person = {
    personId: row.person_id,
    tokenHash,
    csrf: csrfOf(context, tokenHash),
    signedInAt: row.created_at,
    subject: `person:${row.person_id}`,
    allowance: personAllowance,
  }
  return { person, row }
}

/** The signed-in person, whatever their companies. Null: the request has no session, and nothing was looked up. */
export async function identifyPerson(
  context: PageContext,
  request: FastifyRequest,
): Promise<SignedInPerson | null> {
  requireOwnPage(context, request)
  return tokenHashOf(request) ? (await findPerson(context, request, null)).person : null
}

function chosenEnvironment({ headers }: FastifyRequest): Environment | 'malformed' | null {
  const given = headers['x-environment']
  if (given === undefined) return null
  return given === 'production' || given === 'sandbox' ? given : 'malformed'
}

/** Cookie → principal, in the company and the environment that the request names. Nothing is cached. */
export const personAuthentication =
  (context: PageContext) =>
  async (request: FastifyRequest): Promise<Principal | RefusedCaller> => {
    const companyId = chosenCompany(request.headers)
    const environment = chosenEnvironment(request)
    const isChosen =
      companyId !== null && companyId !== 'malformed' && environment !== null && environment !== 'malformed'
    const { person, row } = await findPerson(context, request, isChosen ? { companyId, environment } : null)
    const { personId, tokenHash, csrf, signedInAt, subject, allowance } = person
    // From here on the person is known. Only a signed-in person gets errors about companies.
    const refuse = (refusal: ApiError): RefusedCaller => ({ subject, allowance, refusal })
    if (!isReading(request) && !isCsrfOf({ csrf }, request.headers['x-csrf-token']))
      return refuse(wrongCsrf.make())
    if (companyId === null) return refuse(companyMissing.make())
    if (companyId === 'malformed') return refuse(malformedCompany())
    if (environment === null) return refuse(environmentMissing.make())
    if (environment === 'malformed') return refuse(environmentMalformed.make())
    const { role, tenant_id: tenantId } = row
    if (role === null || tenantId === null) return refuse(noSuchMembership.make())
    if (!row.company_enabled) return refuse(companyClosed.make())
    if (!row.tenant_enabled) return refuse(companyNotOpened.make())
    return {
      actor: {
        kind: 'person',
        id: personId,
        tenantId,
        companyId,
        environment,
        scopes: scopesOfRole(role, scopes),
        role,
        signedInAt,
      },
      subject,
      allowance,
      // The session and the role are checked by the opening statement: requests that differ in them are not batched.
      sessionHash: tokenHash,
      queueKey: `${tokenHash.toString('hex')} ${tenantId} ${role}`,
      entry: wall => ({
        statement: enterConsole,
        values: [tokenHash, personId, role, tenantId, iso(wall)],
      }),
    }
  }
