import type { FastifyReply } from 'fastify'
import { iso } from '../../kit/clock.ts'
import { asking, together } from '../../kit/db/plain.ts'
import { newEvent } from '../../kit/events.ts'
import { html } from '../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../kit/http/site.ts'
import { signedIn } from './acts.ts'
import { forgetFailures } from './attempts.ts'
import { type Fault, faultSummary, hidden, newPasswordInput, userName } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { sendDeadLink } from './link-pages.ts'
import { dropLinks, findLink, useLink } from './mail-links.ts'
import { hashPassword } from './password-hash.ts'
import { changePassword, emailKey } from './person.ts'
import { formReader } from './read-form.ts'
import { signIn } from './session.ts'
import { queried, type Visit } from './visit.ts'

const purpose = 'verify_email'

function verifyPage({ view }: Visit, email: string, token: string, faults: readonly Fault[]) {
  const { verify } = view.words
  return layout(view, {
    title: verify.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${verify.title}</h1>
<p>${verify.text(email)}</p>
<form method="post" action="${view.to('/verify')}" novalidate>
${hidden('token', token)}
${userName(email)}
${newPasswordInput(view, view.words.fields.password, faults)}
<button>${verify.submit}</button>
</form>
<p class="hint">${verify.notYou}</p>`,
  })
}

export async function showVerify(visit: Visit): Promise<FastifyReply> {
  const token = queried(visit, 'token')
  const person = await findLink(visit.site, asking(visit.site.pool), token, purpose)
  if (!person) return sendDeadLink(visit, purpose)
  return sendPage(visit.reply, 200, verifyPage(visit, person.email, token, []))
}

/** The password is chosen here and not before: whoever typed this address into the form, only who reads its mail gets in. */
export async function takeVerify(visit: Visit): Promise<FastifyReply> {
  const { site, view, request, reply, form } = visit
  const token = field(form, 'token')
  const person = await findLink(site, asking(site.pool), token, purpose)
  if (!person) return sendDeadLink(visit, purpose)
  const { id: personId, email } = person
  const read = formReader(form)
  const password = read.newPassword('password', email)
  if (read.faults.length > 0) return sendPage(reply, 400, verifyPage(visit, email, token, read.faults))
  const passwordHash = await hashPassword(password)
  const isVerified = await together(site.pool, async ask => {
    if ((await useLink(site, ask, token, purpose)) !== personId) return false
    await changePassword(ask, personId, passwordHash, iso(site.clock.wall()))
    await dropLinks(ask, personId)
    await forgetFailures(ask, 'account', emailKey(email))
    await signIn(site, ask, request, reply, personId, 'link')
    await keepActs(site, ask, request, personId, newEvent(signedIn, personId, { personId, method: 'link' }))
    return true
  })
  return isVerified ? seeOther(reply, view.to('/account')) : sendDeadLink(visit, purpose)
}
