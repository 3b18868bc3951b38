import type { FastifyReply } from 'fastify'
import { together } from '../../../kit/db/plain.ts'
import { newEvent } from '../../../kit/events.ts'
import { html } from '../../../kit/http/html.ts'
import { seeOther, sendPage } from '../../../kit/http/site.ts'
import { passwordChanged } from './acts.ts'
import { forgetFailures } from './attempts.ts'
import { evenly } from './evenly.ts'
import { type Fault, faultSummary, input } from './form-parts.ts'
import { keepActs } from './keep-acts.ts'
import { layout } from './layout.ts'
import { refuseFlood, sendLink } from './mail-links.ts'
import { type PasswordLink, show, take } from './password-by-link.ts'
import { emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { tellPerson } from './security-mails.ts'
import { endSessions } from './session.ts'
import type { Visit } from './visit.ts'

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

/** A new password ends everything the old one opened: every session, every other link, the count of failures. */
const link: PasswordLink = {
  purpose,
  path: '/reset',
  words({ view: { words } }, email) {
    const { title, intro, submit } = words.reset
    return { title, intro: intro(email), password: words.fields.newPassword, submit }
  },
  async followedBy({ site, request }, ask, { id: personId, email }) {
    await endSessions(ask, personId)
    // Their mailbox is open to them: what a stranger had asked for does not keep the next link from it.
    await forgetFailures(ask, purpose, emailKey(email))
    await tellPerson(site, ask, personId, 'password_changed')
    const changed = newEvent(passwordChanged, personId, { personId, by: 'link' })
    await keepActs(site, ask, request, personId, changed)
  },
  leadsTo: '/sign-in?done=password',
}

export const showReset = show(link)
export const takeReset = take(link)
