import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { field } from '../../../kit/http/form.ts'
import { seeOther, sendPage } from '../../../kit/http/pages.ts'
import { hashPassword, isPassword } from '../../../kit/password-hash.ts'
import { revokeGrant } from '../oauth/grants.ts'
import { countAttempt, resetFailures } from '../people/attempts.ts'
import {
  accessWithdrawn,
  passkeyRemoved,
  passwordChanged,
  sessionEnded,
  signedOutEverywhere,
} from '../people/audit-events.ts'
import { endConsentsOf } from '../people/consent-store.ts'
import type { Fault } from '../people/form-parts.ts'
import { deleteLinks } from '../people/mail-links.ts'
import { signInAgainPath } from '../people/next-path.ts'
import { changePassword, changeProfile, findPerson } from '../people/person.ts'
import { formReader } from '../people/read-form.ts'
import { recordPersonAudit } from '../people/record-person-audit.ts'
import { notifyPerson } from '../people/security-mails.ts'
import { endSession, endSessions, isFresh, signIn, signOut } from '../people/session.ts'
import { queryValue, type SignedInVisit } from '../people/visit.ts'
import { readAccount } from './account-facts.ts'
import { accountPage } from './account-page.ts'

async function sendAccountPage(
  visit: SignedInVisit,
  faults: readonly Fault[],
  name?: string,
): Promise<FastifyReply> {
  const { context, view, session, reply } = visit
  const code = queryValue(visit, 'done')
  const { done } = view.texts.account
  const facts = await readAccount(context, session.person.id)
  const account = {
    view,
    session,
    facts,
    faults,
    isFresh: isFresh(context, session),
    name: name ?? session.person.name,
    done: faults.length === 0 && Object.hasOwn(done, code) ? done[code] : undefined,
  }
  return sendPage(reply, faults.length > 0 ? 400 : 200, accountPage(account))
}

const redirectToAccount = ({ view, reply }: SignedInVisit, done: string) =>
  seeOther(reply, view.to(`/account?done=${done}`))

export const getAccount = (visit: SignedInVisit): Promise<FastifyReply> => sendAccountPage(visit, [])

export async function postProfile(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, session, form } = visit
  const read = formReader(form)
  const name = read.text('name', 'name_missing')
  const language = read.language('language')
  if (read.faults.length > 0) return sendAccountPage(visit, read.faults, name)
  await changeProfile(queryOn(context.pool), session.person.id, name, language)
  return redirectToAccount(visit, 'profile')
}

/** A new password ends every other session and every consent, so a person who knew the old one loses access. */
export async function postPassword(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, session, request, reply, form } = visit
  const query = queryOn(context.pool)
  const read = formReader(form)
  const current = read.password('current')
  const password = read.newPassword('password', session.person.email)
  if (read.faults.length > 0) return sendAccountPage(visit, read.faults)
  const person = await findPerson(query, session.person.id)
  const counted = await countAttempt(query, 'account', person!.email_key, context.clock.wall())
  if (!counted.allowed || !(await isPassword(current, person!.password_hash, context.passwordCost)))
    return sendAccountPage(visit, [{ field: 'current', because: 'current_wrong' }])
  const passwordHash = await hashPassword(password, context.passwordCost)
  const { id: personId, email_key } = person!
  await inTransaction(context.pool, async txQuery => {
    await changePassword(txQuery, personId, passwordHash, iso(context.clock.wall()))
    await resetFailures(txQuery, 'account', email_key)
    await deleteLinks(txQuery, personId)
    await endSessions(txQuery, personId)
    const endedConsents = await endConsentsOf(txQuery, personId, context.clock.wall())
    await signIn(context, txQuery, request, reply, personId, 'password')
    const auditEvent = newEvent(passwordChanged, personId, { personId, by: 'session', endedConsents })
    await recordPersonAudit(context, txQuery, request, personId, auditEvent)
    await notifyPerson(context, txQuery, personId, { kind: 'password_changed' })
  })
  return redirectToAccount(visit, 'password')
}

/** Ends one session; for the current session this is a sign-out. */
export async function postEndSession(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, session, request, form } = visit
  const personId = session.person.id
  await inTransaction(context.pool, async query => {
    if (!(await endSession(query, personId, Buffer.from(field(form, 'session'), 'base64url')))) return
    await recordPersonAudit(context, query, request, personId, newEvent(sessionEnded, personId, { personId }))
  })
  return redirectToAccount(visit, 'session')
}

export async function postSignOutEverywhere(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, view, session, request, reply } = visit
  const personId = session.person.id
  await inTransaction(context.pool, async query => {
    const sessions = await endSessions(query, personId)
    const auditEvent = newEvent(signedOutEverywhere, personId, { personId, sessions })
    await recordPersonAudit(context, query, request, personId, auditEvent)
    await signOut(query, session, reply)
  })
  return seeOther(reply, view.to('/sign-in?done=out'))
}

const removePasskey = sql(
  'people.delete-passkey',
  'delete from passkeys where person_id = $1 and id = $2 returning id',
)

export async function postRemovePasskey(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, view, session, request, reply, form } = visit
  if (!isFresh(context, session)) return seeOther(reply, view.to(signInAgainPath))
  const personId = session.person.id
  await inTransaction(context.pool, async query => {
    const removed = await query(removePasskey, [personId, field(form, 'passkey')])
    if (removed.length === 0) return
    await recordPersonAudit(
      context,
      query,
      request,
      personId,
      newEvent(passkeyRemoved, personId, { personId }),
    )
  })
  return redirectToAccount(visit, 'passkey_removed')
}

const findGrant = sql(
  'people.find-grant',
  'select id, client_id, company_ids from oauth_grants where person_id = $1 and id = $2 and revoked_at is null for update',
)
const uuid = /^[0-9a-f-]{36}$/

/** The application loses access with its next request, because the grant is checked each time. */
export async function postWithdrawAccess(visit: SignedInVisit): Promise<FastifyReply> {
  const { context, session, request, form } = visit
  const personId = session.person.id
  const grantId = field(form, 'grant')
  await inTransaction(context.pool, async query => {
    const [grant] = uuid.test(grantId) ? await query(findGrant, [personId, grantId]) : []
    if (!grant) return
    await revokeGrant(query, grantId, 'person', context.clock.wall())
    const auditEvent = newEvent(accessWithdrawn, personId, { personId, grantId, clientId: grant.client_id })
    await recordPersonAudit(context, query, request, personId, auditEvent, grant.company_ids)
  })
  return redirectToAccount(visit, 'application')
}
