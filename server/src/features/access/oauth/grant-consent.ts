import type { Scope } from '../../../kit/actor.ts'
import { iso } from '../../../kit/clock.ts'
import { plainSha256 } from '../../../kit/crypto.ts'
import type { Query } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { type AuditedRequest, recordCompanyAudit } from '../../platform/events/record-company-audit.ts'
import { newToken } from '../new-token.ts'
import { notifyPerson } from '../people/security-mails.ts'
import { accessEnded, accessGranted } from './audit-events.ts'
import type { Client } from './client.ts'

const codeLifeMs = 60_000

// Two consents at once run one after the other: the second replaces the first.
const lockConsents = sql(
  'oauth.lock-consents',
  `select pg_advisory_xact_lock(hashtextextended('consents of ' || $1::text || ' to ' || $2::text, 0))`,
)
// Locks the memberships: a person who leaves a company at the same time left before this, or loses it from the grant after this.
const lockMemberships = sql(
  'oauth.list-current-companies',
  `select company_id from memberships where person_id = $1 and company_id = any ($2::uuid[]) order by company_id for share`,
)
const listNames = sql(
  'oauth.list-company-names',
  'select name from companies where id = any ($1) order by name',
)
const revokeOlderGrants = sql(
  'oauth.replace-grants',
  `update oauth_grants set revoked_at = $4, revoked_because = 'replaced'
    where person_id = $1 and client_id = $2 and environment = $3 and revoked_at is null returning id, company_ids`,
)
const insertGrant = sql(
  'oauth.insert-grant',
  `insert into oauth_grants (id, client_id, person_id, environment, scopes, company_ids, created_at, auth_time) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)
const insertCode = sql(
  'oauth.insert-code',
  `insert into oauth_codes (code_hash, grant_id, redirect_uri, challenge, expires_at) values ($1, $2, $3, $4, $5)`,
)

export interface Consent {
  client: Client
  personId: string
  /** When they signed in. */
  authTime: number
  scopes: readonly Scope[]
  companyIds: readonly string[]
  redirectUri: string
  challenge: string
}

/**
 * Creates one grant for a consent, and a code that is valid for one minute and one use. Older grants to this application are
 * revoked, so that it has no access the person did not tick now. The person is told by mail. Null: the person has left all these companies.
 */
export async function grantConsent(
  context: PageContext,
  query: Query,
  request: AuditedRequest,
  consent: Consent,
): Promise<string | null> {
  const { client, personId, scopes, redirectUri, challenge } = consent
  await query(lockConsents, [personId, client.id])
  const companyIds = (await query(lockMemberships, [personId, consent.companyIds])).map(row => row.company_id)
  if (companyIds.length === 0) return null
  const wall = context.clock.wall()
  const person = { kind: 'person', id: personId } as const
  const subject = { personId, clientId: client.id }
  for (const older of await query(revokeOlderGrants, [personId, client.id, client.environment, iso(wall)])) {
    const ended = newEvent(accessEnded, personId, { ...subject, grantId: older.id, because: 'replaced' })
    await recordCompanyAudit(context, query, request, person, ended, older.company_ids)
  }
  const grantId = context.newId(wall)
  await query(insertGrant, [
    grantId,
    client.id,
    personId,
    client.environment,
    scopes,
    companyIds,
    iso(wall),
    iso(consent.authTime),
  ])
  const code = await newToken(query, 'oac')
  await query(insertCode, [plainSha256(code), grantId, redirectUri, challenge, iso(wall + codeLifeMs)])
  const granted = newEvent(accessGranted, personId, { ...subject, grantId, scopes: [...scopes] })
  await recordCompanyAudit(context, query, request, person, granted, companyIds)
  const companies = (await query(listNames, [companyIds])).map(({ name }) => name)
  const facts = { application: client.name, companies }
  await notifyPerson(context, query, personId, { kind: 'access_granted', facts })
  return code
}
