import { iso } from '../../../kit/clock.ts'
import { asking } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import type { Principal } from '../../../kit/http/edge.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Environment, Scope } from '../../../kit/operation.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { allowanceOf, type Tier } from '../tiers.ts'
import { type TokenClaims, tokenReader } from './access-token.ts'
import { type ChosenCompany, companyHeader, malformedCompany } from './chosen-company.ts'

interface Standing {
  is_revoked: boolean
  client_enabled: boolean
  client_scopes: Scope[]
  environment: Environment
  /** Whether the company whose application it is may act; null where another cell knows. */
  home_enabled: boolean | null
  grant_stands: boolean
  /** The companies of the grant, or the client's own. */
  company_ids: string[]
  company_id: string | null
  tenant_id: string | null
  company_enabled: boolean | null
  tier: Tier
  requests_per_minute: number | null
  in_flight: number | null
  role: Role | null
}

// Everything by primary key, at every request: what was withdrawn a moment ago on another process is refused here.
const findStanding = sql(
  'oauth.find-token-standing',
  `with standing as (
     select exists (select from oauth_revoked_tokens where jti = $1) as is_revoked, c.enabled as client_enabled,
            c.scopes as client_scopes, c.environment, home.enabled as home_enabled,
            $3::uuid is null or (g.id is not null and g.revoked_at is null) as grant_stands,
            coalesce(g.company_ids, array[c.company_id]) as company_ids
       from oauth_clients c
       left join companies home on home.id = c.company_id
       left join oauth_grants g on g.id = $3 and g.client_id = c.id and g.person_id = $4
      where c.id = $2),
   chosen as (
     select standing.*, coalesce($5::uuid, case when cardinality(company_ids) = 1 then company_ids[1] end) as company_id from standing)
   select chosen.*, t.id as tenant_id, o.enabled as company_enabled, o.tier, o.requests_per_minute, o.in_flight, m.role
     from chosen
     left join tenants t on t.company_id = chosen.company_id and t.environment = chosen.environment
     left join companies o on o.id = t.company_id
     left join memberships m on m.company_id = o.id and m.person_id = $4`,
).as<Standing>()
const enterByToken = sql(
  'oauth.enter-by-token',
  'select enter_by_token($1, $2, $3, $4, $5, $6, $7) as offset_ms',
).as<{ offset_ms: number }>()

const invalid = () => new ApiError('AUTH_002', 'This access token is not valid; get a new one.')
const expired = () => new ApiError('AUTH_003', 'This access token has expired; get a new one.')

function principalOf(claims: TokenClaims, standing: Standing): Principal {
  const { company_id: companyId, tenant_id: tenantId, company_ids: companyIds, role } = standing
  if (companyId === null)
    throw new ApiError('VAL_003', 'This token opens several companies; choose one with X-Company-Id.', {
      details: [{ field: companyHeader, code: 'missing', message: 'is required' }],
    })
  if (!companyIds.includes(companyId) || tenantId === null || (claims.personId !== null && role === null))
    throw new ApiError('AUTH_004', 'This token does not open that company.')
  if (!standing.company_enabled)
    throw new ApiError('AUTH_006', 'This company is switched off; contact the operator.')
  if (standing.home_enabled === false)
    throw new ApiError('AUTH_006', 'The company of this application is switched off; contact the operator.')
  const ofClient = standing.client_scopes.filter(scope => claims.scopes.includes(scope))
  const { jti, clientId, grantId, personId } = claims
  return {
    actor: {
      kind: 'oauth_client',
      id: clientId,
      ...(personId !== null && { onBehalfOf: personId }),
      tenantId,
      companyId,
      environment: standing.environment,
      scopes: role === null ? ofClient : scopesOfRole(role, ofClient),
    },
    allowance: allowanceOf(standing.tier, standing.requests_per_minute, standing.in_flight),
    // With the role, which the opening statement asks for: whoever got another meanwhile does not travel with the old one.
    lane: `${jti} ${tenantId} ${role}`,
    entry: wall => ({
      statement: enterByToken,
      values: [jti, clientId, grantId, personId, role, tenantId, iso(wall)],
    }),
  }
}

/** Token → principal: what it may do is what it says, as far as its client and the person's role in the company still go. */
export function bearerAuthentication(site: Site) {
  const read = tokenReader(site)
  return async (token: string, company: ChosenCompany): Promise<Principal> => {
    const verified = await read(token)
    if (!('claims' in verified)) throw verified.refused === 'expired' ? expired() : invalid()
    const { claims } = verified
    const [standing] = await asking(site.pool)(findStanding, [
      claims.jti,
      claims.clientId,
      claims.grantId,
      claims.personId,
      company === 'malformed' ? null : company,
    ])
    if (!standing || standing.is_revoked || !standing.client_enabled || !standing.grant_stands)
      throw invalid()
    if (standing.environment !== claims.environment) throw invalid()
    // Said to whoever may know that much: a token that is dead is dead, whatever comes with it.
    if (company === 'malformed') throw malformedCompany()
    return principalOf(claims, standing)
  }
}
