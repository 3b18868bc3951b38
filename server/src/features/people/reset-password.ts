import type { FastifyReply } from 'fastify'
import { iso } from '../../kit/clock.ts'
import { asking, together } from '../../kit/db/plain.ts'
import { newEvent } from '../../kit/events.ts'
import { html } from '../../kit/http/html.ts'
import { field, seeOther, sendPage } from '../../kit/http/site.ts'
import { passwordChanged } from './acts.ts'
import { forgetFailures } from './attempts.ts'
import { evenly } from './evenly.ts'
import { type Fault, faultSummary, hidden, input, newPasswordInput, userName } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { sendDeadLink } from './link-pages.ts'
import { dropLinks, findLink, refuseFlood, sendLink, useLink } from './mail-links.ts'
import { hashPassword } from './password-hash.ts'
import { changePassword, emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { tellPerson } from './security-mails.ts'
import { endSessions } from './session.ts'
import { queried, type Visit } from './visit.ts'

const purpose = 'reset_password'

function forgotPage({ view }: Visit, email: string, faults: readonly Fault[]) {
  const { words, to } = view
  return layout(view, {
    title: words.forgot.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${words.forgot.title}</h1>
<p>${words.forgot.intro}</p>
<form method="post" action="${to('/forgot')}" novalidate>
${input(view, { name: 'email', label: words.fields.email, type: 'email', value: email, autocomplete: 'username' }, faults)}
<button>${words.forgot.submit}</button>
</form>
<p><a href="${to('/sign-in')}">${words.forgot.back}</a></p>`,
  })
}

export const showForgot = (visit: Visit): FastifyReply =>
  sendPage(visit.reply, 200, forgotPage(visit, visit.session?.person.email ?? '', []))

export async function takeForgot(visit: Visit): Promise<FastifyReply> {
  const { site, view, reply, form } = visit
  const read = formReader(form)
  const email = read.email('email')
  if (read.faults.length > 0) return sendPage(reply, 400, forgotPage(visit, email, read.faults))
  await refuseFlood(visit)
  await evenly(() =>
    together(site.pool, async ask => {
      const person = await findPersonByEmail(ask, email)
      if (person) await sendLink(site, ask, person, purpose)
    }),
  )
  return seeOther(reply, view.to('/mail-sent'))
}

function resetPage({ view }: Visit, email: string, token: string, faults: readonly Fault[]) {
  const { words, to } = view
  return layout(view, {
    title: words.reset.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${words.reset.title}</h1>
<p>${words.reset.intro(email)}</p>
<form method="post" action="${to('/reset')}" novalidate>
${hidden('token', token)}
${userName(email)}
${newPasswordInput(view, words.fields.newPassword, faults)}
<button>${words.reset.submit}</button>
</form>`,
  })
}

export async function showReset(visit: Visit): Promise<FastifyReply> {
  const token = queried(visit, 'token')
  const person = await findLink(visit.site, asking(visit.site.pool), token, purpose)
  if (!person) return sendDeadLink(visit, purpose)
  return sendPage(visit.reply, 200, resetPage(visit, person.email, token, []))
}

/** A new password ends everything the old one opened: every session, every other link, the count of failures. */
export async function takeReset(visit: Visit): Promise<FastifyReply> {
  const { site, view, request, reply, form } = visit
  const token = field(form, 'token')
  const person = await findLink(site, asking(site.pool), token, purpose)
  if (!person) return sendDeadLink(visit, purpose)
  const { id: personId, email } = person
  const read = formReader(form)
  const password = read.newPassword('password', email)
  if (read.faults.length > 0) return sendPage(reply, 400, resetPage(visit, email, token, read.faults))
  const passwordHash = await hashPassword(password)
  const isDone = await together(site.pool, async ask => {
    if ((await useLink(site, ask, token, purpose)) !== personId) return false
    await changePassword(ask, personId, passwordHash, iso(site.clock.wall()))
    await dropLinks(ask, personId)
    await endSessions(ask, personId)
    await forgetFailures(ask, 'account', emailKey(email))
    // Their mailbox is open to them: what a stranger had asked for does not keep the next link from it.
    await forgetFailures(ask, purpose, emailKey(email))
    await tellPerson(site, ask, personId, 'password_changed')
    await keepActs(
      site,
      ask,
      request,
      personId,
      newEvent(passwordChanged, personId, { personId, by: 'link' }),
    )
    return true
  })
  return isDone ? seeOther(reply, view.to('/sign-in?done=password')) : sendDeadLink(visit, purpose)
}
