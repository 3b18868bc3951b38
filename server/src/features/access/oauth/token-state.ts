import { iso } from '../../../kit/clock.ts'
import { asking, together } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Scope } from '../../../kit/operation.ts'
import type { tokenReader } from './access-token.ts'
import { endByRefreshToken } from './grants.ts'

type Reader = ReturnType<typeof tokenReader>

const recall = sql(
  'oauth.revoke-token',
  'insert into oauth_revoked_tokens (jti, expires_at) values ($1, $2) on conflict do nothing',
)

/** RFC 7009: whoever holds a token may end it; a refresh token ends its whole grant. Says nothing about what it was. */
export async function revokeToken(site: Site, read: Reader, requestId: string, token: string): Promise<void> {
  const verified = await read(token)
  await together(site.pool, async ask => {
    if ('claims' in verified) {
      await ask(recall, [verified.claims.jti, iso(verified.claims.expiresAt * 1000)])
      return
    }
    await endByRefreshToken(site, ask, requestId, token)
  })
}

// It opens a company at this moment: its client stands, and so do its grant and one membership. A company of another cell is
// judged there.
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
export async function introspect(site: Site, read: Reader, token: string): Promise<Record<string, unknown>> {
  const verified = await read(token)
  if (!('claims' in verified)) return { active: false }
  const { claims } = verified
  const { jti, clientId, grantId, personId } = claims
  const [client] = await asking(site.pool)(findScopes, [jti, clientId, grantId, personId])
  if (!client) return { active: false }
  return {
    active: true,
    client_id: clientId,
    scope: claims.scopes.filter(scope => (client.scopes as string[]).includes(scope)).join(' '),
    token_type: 'Bearer',
    sub: personId ?? clientId,
    iss: site.publicUrl,
    aud: site.publicUrl,
    iat: claims.issuedAt,
    exp: claims.expiresAt,
    jti,
  }
}
