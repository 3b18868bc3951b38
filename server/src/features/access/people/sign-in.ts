import type { FastifyReply } from 'fastify'
import { inTransaction, queryOn } from '../../../kit/db/query.ts'
import { newEvent } from '../../../kit/events.ts'
import { field } from '../../../kit/http/form.ts'
import { html } from '../../../kit/http/html.ts'
import { seeOther, sendForwardingPage, sendPage } from '../../../kit/http/pages.ts'
import { isPassword } from '../../../kit/password-hash.ts'
import { countAttempt, resetFailures, uncountAttempt } from './attempts.ts'
import { signedIn, signInLocked } from './audit-events.ts'
import { constantTime } from './constant-time.ts'
import { type Fault, faultSummary, hidden, input, statusMessage } from './form-parts.ts'
import { layout } from './layout.ts'
import { ownPath, startPath } from './next-path.ts'
import { emailKey, findPersonByEmail, type PersonRow } from './person.ts'
import { formReader } from './read-form.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { signIn, signOut } from './session.ts'
import { queryValue, type SignedInVisit, type Visit } from './visit.ts'

interface SignInValues {
  email: string
  next: string | null
  done?: string | undefined
}

function signInPage({ view }: Visit, { email, next, done }: SignInValues, faults: readonly Fault[]) {
  const { texts, to } = view
  const { signIn: text, account } = texts
  return layout(view, {
    title: text.title,
    hasFaults: faults.length > 0,
    hasPasskeys: true,
    body: html`${faultSummary(view, faults)}<h1>${text.title}</h1>
${statusMessage(done)}
<form method="post" action="${to('/sign-in')}" novalidate>
${hidden('next', next)}
${input(view, { name: 'email', label: texts.fields.email, type: 'email', value: email, autocomplete: 'username' }, faults)}
${input(view, { name: 'password', label: texts.fields.password, type: 'password', autocomplete: 'current-password' }, faults)}
<button>${text.submit}</button>
<p><a href="${to('/forgot')}">${text.forgot}</a></p>
</form>
<p class="or"><span>${text.or}</span></p>
<form data-passkey="sign-in" data-unsupported="${account.passkeys.unsupported}" data-refused="${account.passkeys.refused}">
${hidden('next', next)}
<button class="second">${text.passkey}</button>
<p class="passkey-answer" role="status" aria-live="polite"><noscript>${account.passkeys.needsScript}</noscript></p>
</form>
<p>${text.other} <a href="${to('/sign-up')}">${text.otherLink}</a></p>`,
  })
}

/** Signing in for a consent may lead on to the application: a request that is wrong is answered there. */
function sendSignIn(visit: Visit, status: 200 | 400, values: SignInValues, faults: readonly Fault[]) {
  const send = values.next?.startsWith('/api/oauth/') ? sendForwardingPage : sendPage
  return send(visit.reply, status, signInPage(visit, values, faults))
}

export function getSignIn(visit: Visit): FastifyReply {
  const { context, view, reply } = visit
  const next = ownPath(context, queryValue(visit, 'next'))
  const again = queryValue(visit, 'again') !== '' && view.session
  if (view.session && !again) return seeOther(reply, next ?? view.to(startPath))
  const { done } = view.texts.signIn
  const purpose = queryValue(visit, 'again') === 'company' ? 'again_company' : 'again'
  const code = again ? purpose : queryValue(visit, 'done')
  const values = {
    email: again ? again.person.email : '',
    next,
    done: Object.hasOwn(done, code) ? done[code] : undefined,
  }
  return sendSignIn(visit, 200, values, [])
}

/** Counts, looks up and hashes in every case, so that neither the text nor the response time shows whether the account exists. */
async function authenticate(visit: Visit, email: string, password: string): Promise<PersonRow | null> {
  const { context, request } = visit
  const query = queryOn(context.pool)
  const wall = context.clock.wall()
  const key = emailKey(email)
  // Attempts from a blocked address do not count against the account.
  const { allowed } = await countAttempt(query, 'address', request.ip, wall)
  const accountVerdict = allowed ? await countAttempt(query, 'account', key, wall) : null
  const person = await findPersonByEmail(query, key)
  if (!accountVerdict?.allowed) {
    await constantTime(async () => {
      if (!accountVerdict?.isFirst || !person) return
      const auditEvent = newEvent(signInLocked, person.id, { personId: person.id })
      await inTransaction(context.pool, txQuery =>
        recordPersonAudit(context, txQuery, request, person.id, auditEvent),
      )
    })
    return null
  }
  const isRight = await isPassword(password, person?.password_hash ?? null, context.passwordCost).catch(
    async error => {
      // If we are too busy, the attempt is not counted.
      await uncountAttempt(query, 'account', key)
      await uncountAttempt(query, 'address', request.ip)
      throw error
    },
  )
  if (!isRight || !person) return null
  await resetFailures(query, 'account', key)
  await uncountAttempt(query, 'address', request.ip)
  return person
}

export async function postSignIn(visit: Visit): Promise<FastifyReply> {
  const { context, view, request, reply, form } = visit
  const next = ownPath(context, field(form, 'next'))
  const email = field(form, 'email').trim()
  const again = (faults: readonly Fault[]) => sendSignIn(visit, 400, { email, next }, faults)
  const read = formReader(form)
  if (email === '') read.refuse('email', 'email_missing')
  const password = read.password('password')
  if (read.faults.length > 0) return again(read.faults)
  const person = await authenticate(visit, email, password)
  if (!person) return again([{ field: 'email', because: 'sign_in' }])
  const personId = person.id
  await inTransaction(context.pool, async query => {
    await signIn(context, query, request, reply, personId, 'password')
    await recordPersonAudit(
      context,
      query,
      request,
      personId,
      newEvent(signedIn, personId, { personId, method: 'password' }),
    )
  })
  return seeOther(reply, next ?? view.to(startPath))
}

export async function postSignOut({
  context,
  view,
  reply,
  session,
  form,
}: SignedInVisit): Promise<FastifyReply> {
  const next = ownPath(context, field(form, 'next'))
  await signOut(queryOn(context.pool), session, reply)
  return seeOther(reply, next ?? view.to('/sign-in?done=out'))
}
