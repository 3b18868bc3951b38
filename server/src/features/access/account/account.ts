import type { FastifyReply } from 'fastify'
import { iso } from '../../../kit/clock.ts'
import { asking, together } from '../../../kit/db/plain.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { field, seeOther, sendPage } from '../../../kit/http/site.ts'
import { revokeGrant } from '../oauth/grants.ts'
import {
  accessWithdrawn,
  passkeyRemoved,
  passwordChanged,
  sessionEnded,
  signedOutEverywhere,
} from '../people/acts.ts'
import { countAttempt, forgetFailures } from '../people/attempts.ts'
import type { Fault } from '../people/form-parts.ts'
import { keepActs } from '../people/keep-acts.ts'
import { dropLinks } from '../people/mail-links.ts'
import { signInAgain } from '../people/next-path.ts'
import { hashPassword, isPassword } from '../people/password-hash.ts'
import { changePassword, changeProfile, findPerson } from '../people/person.ts'
import { formReader } from '../people/read-form.ts'
import { tellPerson } from '../people/security-mails.ts'
import { endSession, endSessions, isFresh, signIn, signOut } from '../people/session.ts'
import { queried, type SignedIn } from '../people/visit.ts'
import { readAccount } from './account-facts.ts'
import { accountPage } from './account-page.ts'

async function show(visit: SignedIn, faults: readonly Fault[], name?: string): Promise<FastifyReply> {
  const { site, view, session, reply } = visit
  const code = queried(visit, 'done')
  const { done } = view.words.account
  const facts = await readAccount(site, session.person.id)
  const shown = {
    view,
    session,
    facts,
    faults,
    isFresh: isFresh(site, session),
    name: name ?? session.person.name,
    done: faults.length === 0 && Object.hasOwn(done, code) ? done[code] : undefined,
  }
  return sendPage(reply, faults.length > 0 ? 400 : 200, accountPage(shown))
}

const back = ({ view, reply }: SignedIn, done: string) => seeOther(reply, view.to(`/account?done=${done}`))

export const showAccount = (visit: SignedIn): Promise<FastifyReply> => show(visit, [])

export async function takeProfile(visit: SignedIn): Promise<FastifyReply> {
  const { site, session, form } = visit
  const read = formReader(form)
  const name = read.text('name', 'name_missing')
  const language = read.language('language')
  if (read.faults.length > 0) return show(visit, read.faults, name)
  await changeProfile(asking(site.pool), session.person.id, name, language)
  return back(visit, 'profile')
}

/** A new password ends every other session: whoever knew the old one is out. */
export async function takePassword(visit: SignedIn): Promise<FastifyReply> {
  const { site, session, request, reply, form } = visit
  const ask = asking(site.pool)
  const read = formReader(form)
  const current = read.password('current')
  const password = read.newPassword('password', session.person.email)
  if (read.faults.length > 0) return show(visit, read.faults)
  const person = await findPerson(ask, session.person.id)
  const counted = await countAttempt(ask, 'account', person!.email_key, site.clock.wall())
  if (!counted.allowed || !(await isPassword(current, person!.password_hash)))
    return show(visit, [{ field: 'current', because: 'current_wrong' }])
  const passwordHash = await hashPassword(password)
  const { id: personId, email_key } = person!
  await together(site.pool, async inOne => {
    await changePassword(inOne, personId, passwordHash, iso(site.clock.wall()))
    await forgetFailures(inOne, 'account', email_key)
    await dropLinks(inOne, personId)
    await endSessions(inOne, personId)
    await signIn(site, inOne, request, reply, personId, 'password')
    const act = newEvent(passwordChanged, personId, { personId, by: 'session' })
    await keepActs(site, inOne, request, personId, act)
    await tellPerson(site, inOne, personId, 'password_changed')
  })
  return back(visit, 'password')
}

/** Of this very session it is a sign-out. */
export async function takeSessionEnd(visit: SignedIn): Promise<FastifyReply> {
  const { site, session, request, form } = visit
  const personId = session.person.id
  await together(site.pool, async ask => {
    if (!(await endSession(ask, personId, Buffer.from(field(form, 'session'), 'base64url')))) return
    await keepActs(site, ask, request, personId, newEvent(sessionEnded, personId, { personId }))
  })
  return back(visit, 'session')
}

export async function takeSignOutEverywhere(visit: SignedIn): Promise<FastifyReply> {
  const { site, view, session, request, reply } = visit
  const personId = session.person.id
  await together(site.pool, async ask => {
    const sessions = await endSessions(ask, personId)
    const act = newEvent(signedOutEverywhere, personId, { personId, sessions })
    await keepActs(site, ask, request, personId, act)
    await signOut(ask, session, reply)
  })
  return seeOther(reply, view.to('/sign-in?done=out'))
}

const removePasskey = sql(
  'people.delete-passkey',
  'delete from passkeys where person_id = $1 and id = $2 returning id',
)

export async function takePasskeyRemoval(visit: SignedIn): Promise<FastifyReply> {
  const { site, view, session, request, reply, form } = visit
  if (!isFresh(site, session)) return seeOther(reply, view.to(signInAgain))
  const personId = session.person.id
  await together(site.pool, async ask => {
    const gone = await ask(removePasskey, [personId, field(form, 'passkey')])
    if (gone.length === 0) return
    await keepActs(site, ask, request, personId, newEvent(passkeyRemoved, personId, { personId }))
  })
  return back(visit, 'passkey_removed')
}

const findGrant = sql(
  'people.find-grant',
  'select id, client_id, company_ids from oauth_grants where person_id = $1 and id = $2 and revoked_at is null for update',
)
const uuid = /^[0-9a-f-]{36}$/

/** The application is out with its next request: its tokens are judged by their grant each time. */
export async function takeWithdrawal(visit: SignedIn): Promise<FastifyReply> {
  const { site, session, request, form } = visit
  const personId = session.person.id
  const grantId = field(form, 'grant')
  await together(site.pool, async ask => {
    const [grant] = uuid.test(grantId) ? await ask(findGrant, [personId, grantId]) : []
    if (!grant) return
    await revokeGrant(ask, grantId, 'person', site.clock.wall())
    const act = newEvent(accessWithdrawn, personId, { personId, grantId, clientId: grant.client_id })
    await keepActs(site, ask, request, personId, act, grant.company_ids)
  })
  return back(visit, 'application')
}
