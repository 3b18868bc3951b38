import type { FastifyReply } from 'fastify'
import { inTransaction } from '../../../kit/db/query.ts'
import { newEvent } from '../../../kit/events.ts'
import { html } from '../../../kit/http/html.ts'
import { seeOther, sendPage } from '../../../kit/http/pages.ts'
import { resetFailures } from './attempts.ts'
import { passwordChanged } from './audit-events.ts'
import { endConsentsOf } from './consent-store.ts'
import { constantTime } from './constant-time.ts'
import { type Fault, faultSummary, input } from './form-parts.ts'
import { layout } from './layout.ts'
import { limitMails, sendLink } from './mail-links.ts'
import { getPasswordLink, type PasswordLink, postPasswordLink } from './password-by-link.ts'
import { emailKey, findPersonByEmail } from './person.ts'
import { formReader } from './read-form.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { notifyPerson } from './security-mails.ts'
import { endSessions } from './session.ts'
import type { Visit } from './visit.ts'

const purpose = 'reset_password'

function forgotPage({ view }: Visit, email: string, faults: readonly Fault[]) {
  const { texts, to } = view
  return layout(view, {
    title: texts.forgot.title,
    hasFaults: faults.length > 0,
    body: html`${faultSummary(view, faults)}<h1>${texts.forgot.title}</h1>
<p>${texts.forgot.intro}</p>
<form method="post" action="${to('/forgot')}" novalidate>
${input(view, { name: 'email', label: texts.fields.email, type: 'email', value: email, autocomplete: 'username' }, faults)}
<button>${texts.forgot.submit}</button>
</form>
<p><a href="${to('/sign-in')}">${texts.forgot.back}</a></p>`,
  })
}

export const getForgot = (visit: Visit): FastifyReply =>
  sendPage(visit.reply, 200, forgotPage(visit, visit.session?.person.email ?? '', []))

export async function postForgot(visit: Visit): Promise<FastifyReply> {
  const { context, view, reply, form } = visit
  const read = formReader(form)
  const email = read.email('email')
  if (read.faults.length > 0) return sendPage(reply, 400, forgotPage(visit, email, read.faults))
  await limitMails(visit)
  await constantTime(() =>
    inTransaction(context.pool, async query => {
      const person = await findPersonByEmail(query, email)
      if (person) await sendLink(context, query, person, purpose)
    }),
  )
  return seeOther(reply, view.to('/mail-sent'))
}

/** A new password ends every session, consent and other link, and resets failed attempts. The passkeys are shown afterwards. */
const link: PasswordLink = {
  purpose,
  path: '/reset',
  texts({ view: { texts } }, email) {
    const { title, intro, submit } = texts.reset
    return { title, intro: intro(email), password: texts.fields.newPassword, submit }
  },
  async afterChange({ context, request }, query, { id: personId, email }) {
    await endSessions(query, personId)
    const endedConsents = await endConsentsOf(query, personId, context.clock.wall())
    // The person has access to the mailbox, so mails that a stranger requested no longer count against the limit.
    await resetFailures(query, purpose, emailKey(email))
    await notifyPerson(context, query, personId, { kind: 'password_changed' })
    const changed = newEvent(passwordChanged, personId, { personId, by: 'link', endedConsents })
    await recordPersonAudit(context, query, request, personId, changed)
    return null
  },
  redirectTo: `/sign-in?done=password&next=${encodeURIComponent('/account?done=reset#passkeys')}`,
}

export const getReset = getPasswordLink(link)
export const postReset = postPasswordLink(link)
