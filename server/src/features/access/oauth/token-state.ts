import type { Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import type { AuditedRequest } from '../../platform/events/record-company-audit.ts'
import type { tokenReader } from './access-token.ts'
import { revokeByRefreshToken } from './grants.ts'

type TokenReader = ReturnType<typeof tokenReader>

const insertRevokedToken = sql(
  'oauth.revoke-token',
  'insert into oauth_revoked_tokens (jti, expires_at) values ($1, $2) on conflict do nothing',
)

/** RFC 7009: the holder of a token may revoke it; a refresh token revokes its whole grant. The answer is always the same. */
export async function revokeToken(
  context: PageContext,
  readToken: TokenReader,
  request: AuditedRequest,
  token: string,
): Promise<void> {
  const verified = await readToken(token)
  await inTransaction(context.pool, async query => {
    if ('claims' in verified) {
      await query(insertRevokedToken, [verified.claims.jti, iso(verified.claims.expiresAt * 1000)])
      return
    }
    await revokeByRefreshToken(context, query, request, token)
  })
}

// A token is active when its client is enabled, its grant is not revoked, and the person is still a member of one company. A
// company of another cell is checked there.
const findScopes = sql(
  'oauth.find-client-scopes',
  `select c.scopes from oauth_clients c left join companies home on home.id = c.company_id
    where c.id = $2 and c.enabled and coalesce(home.enabled, true)
      and not exists (select from oauth_revoked_tokens where jti = $1)
      and ($3::uuid is null or exists (
        select from oauth_grants g
          join memberships m on m.person_id = g.person_id and m.company_id = any (g.company_ids)
          left join companies o on o.id = m.company_id
         where g.id = $3 and g.client_id = c.id and g.person_id = $4 and g.revoked_at is null and coalesce(o.enabled, true)))`,
).as<{ scopes: Scope[] }>()

/** RFC 7662, with the deliberate exception that holding the token is enough to ask about it. */
export async function introspect(
  context: PageContext,
  readToken: TokenReader,
  token: string,
): Promise<Record<string, unknown>> {
  const verified = await readToken(token)
  if (!('claims' in verified)) return { active: false }
  const { claims } = verified
  const { jti, clientId, grantId, personId } = claims
  const [client] = await queryOn(context.pool)(findScopes, [jti, clientId, grantId, personId])
  if (!client) return { active: false }
  return {
    active: true,
    client_id: clientId,
    scope: claims.scopes.filter(scope => (client.scopes as string[]).includes(scope)).join(' '),
    token_type: 'Bearer',
    sub: personId ?? clientId,
    iss: context.publicUrl,
    aud: context.publicUrl,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
    jti,
  }
}
