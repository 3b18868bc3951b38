import type { Environment, Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { ApiError } from '../../../kit/errors.ts'
import { companyClosed, companyNotOpened } from '../../../kit/http/envelope.ts'
import type { Principal } from '../../../kit/http/http-context.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { type ChosenCompany, companyHeader, malformedCompany } from '../chosen-company.ts'
import { type Role, scopesOfRole } from '../roles.ts'
import { allowanceOf, type Tier } from '../tiers.ts'
import { type TokenClaims, tokenReader } from './access-token.ts'

interface TokenStatus {
  is_revoked: boolean
  client_enabled: boolean
  client_scopes: Scope[]
  environment: Environment
  /** Whether the company that registered the application is enabled; null when it belongs to another cell. */
  home_enabled: boolean | null
  grant_stands: boolean
  /** The companies of the grant, or the client's own. */
  company_ids: string[]
  company_id: string | null
  tenant_id: string | null
  company_enabled: boolean | null
  tenant_enabled: boolean | null
  tier: Tier
  requests_per_minute: number | null
  in_flight: number | null
  role: Role | null
  /** When the person had signed in who gave the consent. */
  auth_time: number | null
  /** The role of who made the application. */
  maker_role: Role | null
}

// Read by primary key at every request, so that a revocation on another process takes effect at once.
const findTokenStatus = sql(
  'oauth.find-token-standing',
  `with standing as (
     select exists (select from oauth_revoked_tokens where jti = $1) as is_revoked, c.enabled as client_enabled,
            c.scopes as client_scopes, c.environment, c.maker_role, home.enabled as home_enabled,
            $3::uuid is null or (g.id is not null and g.revoked_at is null) as grant_stands,
            coalesce(g.company_ids, array[c.company_id]) as company_ids, g.auth_time
       from oauth_clients c
       left join companies home on home.id = c.company_id
       left join oauth_grants g on g.id = $3 and g.client_id = c.id and g.person_id = $4
      where c.id = $2),
   chosen as (
     select standing.*, coalesce($5::uuid, case when cardinality(company_ids) = 1 then company_ids[1] end) as company_id from standing)
   select chosen.*, t.id as tenant_id, t.enabled as tenant_enabled, o.enabled as company_enabled, o.tier, o.requests_per_minute, o.in_flight, m.role
     from chosen
     left join tenants t on t.company_id = chosen.company_id and t.environment = chosen.environment
     left join companies o on o.id = t.company_id
     left join memberships m on m.company_id = o.id and m.person_id = $4`,
).as<TokenStatus>()
const enterByToken = sql(
  'oauth.enter-by-token',
  'select enter_by_token($1, $2, $3, $4, $5, $6, $7) as offset_ms',
).as<{ offset_ms: number }>()

const invalid = () => new ApiError('AUTH_002', 'This access token is not valid; get a new one.')
const expired = () => new ApiError('AUTH_003', 'This access token has expired; get a new one.')

function principalOf(claims: TokenClaims, status: TokenStatus): Principal {
  const { company_id: companyId, tenant_id: tenantId, company_ids: companyIds, role } = status
  if (companyId === null)
    throw new ApiError('VAL_003', 'This token opens several companies; choose one with X-Company-Id.', {
      details: [{ field: companyHeader, code: 'missing', message: 'is required' }],
    })
  if (!companyIds.includes(companyId) || tenantId === null || (claims.personId !== null && role === null))
    throw new ApiError('AUTH_004', 'This token does not open that company.')
  if (!status.company_enabled) throw companyClosed.make()
  if (!status.tenant_enabled) throw companyNotOpened.make()
  if (status.home_enabled === false)
    throw new ApiError(
      'AUTH_006',
      'The operator has closed the company of this application; contact the operator.',
    )
  const clientScopes = status.client_scopes.filter(scope => claims.scopes.includes(scope))
  const { jti, clientId, grantId, personId } = claims
  const actingRole = personId === null ? status.maker_role : role
  return {
    actor: {
      kind: 'oauth_client',
      id: clientId,
      ...(personId !== null && { onBehalfOf: personId }),
      tenantId,
      companyId,
      environment: status.environment,
      scopes: role === null ? clientScopes : scopesOfRole(role, clientScopes),
      ...(actingRole !== null && { role: actingRole }),
      ...(status.auth_time !== null && { signedInAt: status.auth_time }),
    },
    subject: tenantId,
    allowance: allowanceOf(status.tier, status.requests_per_minute, status.in_flight),
    // Includes the role, which the opening statement checks: requests with different roles are not batched.
    queueKey: `${jti} ${tenantId} ${role}`,
    entry: wall => ({
      statement: enterByToken,
      values: [jti, clientId, grantId, personId, role, tenantId, iso(wall)],
    }),
  }
}

/** Token → principal. Its scopes are those of the token, limited by the client's scopes and the person's role in the company. */
export function bearerAuthentication(context: PageContext) {
  const readToken = tokenReader(context)
  return async (token: string, company: ChosenCompany): Promise<Principal> => {
    const verified = await readToken(token)
    if (!('claims' in verified)) throw verified.refused === 'expired' ? expired() : invalid()
    const { claims } = verified
    const [status] = await queryOn(context.pool)(findTokenStatus, [
      claims.jti,
      claims.clientId,
      claims.grantId,
      claims.personId,
      company === 'malformed' ? null : company,
    ])
    if (!status || status.is_revoked || !status.client_enabled || !status.grant_stands) throw invalid()
    if (status.environment !== claims.environment) throw invalid()
    // Checked only after the token: an invalid token gets the same error, whatever header comes with it.
    if (company === 'malformed') throw malformedCompany()
    return principalOf(claims, status)
  }
}
