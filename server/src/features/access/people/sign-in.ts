import type { FastifyReply } from 'fastify'
import { asking, together } from '../../../kit/db/plain.ts'
import { newEvent } from '../../../kit/events.ts'
import { html } from '../../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../../kit/http/site.ts'
import { signedIn, signInLocked } from './acts.ts'
import { countAttempt, forgetFailures, takeBack } from './attempts.ts'
import { evenly } from './evenly.ts'
import { type Fault, faultSummary, hidden, input, notice } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { ownPath } from './next-path.ts'
import { isPassword } from './password-hash.ts'
import { emailKey, findPersonByEmail, type PersonRow } from './person.ts'
import { formReader } from './read-form.ts'
import { signIn, signOut } from './session.ts'
import { queried, type SignedIn, type Visit } from './visit.ts'

interface Shown {
  email: string
  next: string | null
  done?: string | undefined
}

function signInPage({ view }: Visit, { email, next, done }: Shown, faults: readonly Fault[]) {
  const { words, to } = view
  const { signIn: text, account } = words
  return layout(view, {
    title: text.title,
    hasFaults: faults.length > 0,
    hasPasskeys: true,
    body: html`${faultSummary(view, faults)}<h1>${text.title}</h1>
${notice(done)}
<form method="post" action="${to('/sign-in')}" novalidate>
${hidden('next', next)}
${input(view, { name: 'email', label: words.fields.email, type: 'email', value: email, autocomplete: 'username' }, faults)}
${input(view, { name: 'password', label: words.fields.password, type: 'password', autocomplete: 'current-password' }, faults)}
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

export function showSignIn(visit: Visit): FastifyReply {
  const { site, view, reply } = visit
  const next = ownPath(site, queried(visit, 'next'))
  const again = queried(visit, 'again') !== '' && view.session
  if (view.session && !again) return seeOther(reply, next ?? view.to('/account'))
  const { done } = view.words.signIn
  const code = again ? 'again' : queried(visit, 'done')
  const shown = {
    email: again ? again.person.email : '',
    next,
    done: Object.hasOwn(done, code) ? done[code] : undefined,
  }
  return sendPage(reply, 200, signInPage(visit, shown, []))
}

/** Counted first, looked up and hashed for everybody alike: neither the words nor the time say whether there is such a person. */
async function authenticate(visit: Visit, email: string, password: string): Promise<PersonRow | null> {
  const { site, request } = visit
  const ask = asking(site.pool)
  const wall = site.clock.wall()
  const key = emailKey(email)
  // From an address that is closed nobody closes an account.
  const { allowed } = await countAttempt(ask, 'address', request.ip, wall)
  const ofAccount = allowed ? await countAttempt(ask, 'account', key, wall) : null
  const person = await findPersonByEmail(ask, key)
  if (!ofAccount?.allowed) {
    await evenly(async () => {
      if (!ofAccount?.isFirst || !person) return
      const act = newEvent(signInLocked, person.id, { personId: person.id })
      await together(site.pool, inOne => keepActs(site, inOne, request, person.id, act))
    })
    return null
  }
  const isRight = await isPassword(password, person?.password_hash ?? null).catch(async error => {
    // That we are too busy is nobody's failure.
    await takeBack(ask, 'account', key)
    await takeBack(ask, 'address', request.ip)
    throw error
  })
  if (!isRight || !person) return null
  await forgetFailures(ask, 'account', key)
  await takeBack(ask, 'address', request.ip)
  return person
}

export async function takeSignIn(visit: Visit): Promise<FastifyReply> {
  const { site, view, request, reply, form } = visit
  const next = ownPath(site, field(form, 'next'))
  const email = field(form, 'email').trim()
  const again = (faults: readonly Fault[]) => sendPage(reply, 400, signInPage(visit, { email, next }, faults))
  const read = formReader(form)
  if (email === '') read.refuse('email', 'email_missing')
  const password = read.password('password')
  if (read.faults.length > 0) return again(read.faults)
  const person = await authenticate(visit, email, password)
  if (!person) return again([{ field: 'email', because: 'sign_in' }])
  const personId = person.id
  await together(site.pool, async ask => {
    await signIn(site, ask, request, reply, personId, 'password')
    await keepActs(
      site,
      ask,
      request,
      personId,
      newEvent(signedIn, personId, { personId, method: 'password' }),
    )
  })
  return seeOther(reply, next ?? view.to('/account'))
}

export async function takeSignOut({ site, view, reply, session, form }: SignedIn): Promise<FastifyReply> {
  const next = ownPath(site, field(form, 'next'))
  await signOut(asking(site.pool), session, reply)
  return seeOther(reply, next ?? view.to('/sign-in?done=out'))
}
