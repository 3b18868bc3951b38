import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Ask } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import type { Site } from '../../../kit/http/site.ts'
import type { Scope } from '../../../kit/operation.ts'
import { newToken } from '../new-token.ts'
import type { Client } from './client.ts'
import { accessEnded, accessGranted, keepGrantAct } from './grant-acts.ts'

const codeLifeMs = 60_000

// Two answers at the same moment come one after the other: the second takes the place of the first.
const alone = sql(
  'oauth.lock-consents',
  `select pg_advisory_xact_lock(hashtextextended('consents of ' || $1::text || ' to ' || $2::text, 0))`,
)
// Who leaves a company meanwhile has left it before this, or loses it from the consent as soon as there is one.
const stillIn = sql(
  'oauth.list-current-companies',
  `select company_id from memberships where person_id = $1 and company_id = any ($2::uuid[]) order by company_id for share`,
)
const replace = sql(
  'oauth.replace-grants',
  `update oauth_grants set revoked_at = $4, revoked_because = 'replaced'
    where person_id = $1 and client_id = $2 and environment = $3 and revoked_at is null returning id, company_ids`,
)
const insertGrant = sql(
  'oauth.insert-grant',
  `insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
)
const insertCode = sql(
  'oauth.insert-code',
  `insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_at) values ($1, $2, $3, $4, $5)`,
)

export interface Consent {
  client: Client
  personId: string
  scopes: readonly Scope[]
  companyIds: readonly string[]
  redirectUri: string
  challenge: string
}

/**
 * One consent is one grant, and a code that is good for a minute and for once. It is all the application has from then on: an
 * older one would go on opening what the person has just not ticked. Null: they have left all these companies.
 */
export async function grantConsent(
  site: Site,
  ask: Ask,
  requestId: string,
  consent: Consent,
): Promise<string | null> {
  const { client, personId, scopes, redirectUri, challenge } = consent
  await ask(alone, [personId, client.id])
  const companyIds = (await ask(stillIn, [personId, consent.companyIds])).map(row => row.company_id)
  if (companyIds.length === 0) return null
  const wall = site.clock.wall()
  const occasion = { actor: { kind: 'person', id: personId } as const, requestId }
  const about = { personId, clientId: client.id }
  for (const older of await ask(replace, [personId, client.id, client.environment, iso(wall)])) {
    const ended = newEvent(accessEnded, personId, { ...about, grantId: older.id, because: 'replaced' })
    await keepGrantAct(site, ask, occasion, ended, older.company_ids)
  }
  const grantId = site.newId(wall)
  await ask(insertGrant, [grantId, client.id, personId, client.environment, scopes, companyIds, iso(wall)])
  const code = await newToken(ask, 'oac')
  await ask(insertCode, [plainSha256(code), grantId, redirectUri, challenge, iso(wall + codeLifeMs)])
  const granted = newEvent(accessGranted, personId, { ...about, grantId, scopes: [...scopes] })
  await keepGrantAct(site, ask, occasion, granted, companyIds)
  return code
}
