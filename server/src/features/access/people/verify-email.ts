import { newEvent } from '../../../kit/events.ts'
import { startPath } from './next-path.ts'
import { getPasswordLink, type PasswordLink, postPasswordLink } from './password-by-link.ts'
import { signedIn } from './people-audit-events.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { signIn } from './session.ts'

/** The password is chosen here and not at sign-up, so only the owner of the mailbox can sign in. */
const link: PasswordLink = {
  purpose: 'verify_email',
  path: '/verify',
  texts({ view: { texts } }, email) {
    const { title, text, submit, notYou } = texts.verify
    return { title, intro: text(email), password: texts.fields.password, submit, hint: notYou }
  },
  async afterChange({ context, request, reply }, query, { id: personId }) {
    await signIn(context, query, request, reply, personId, 'link')
    await recordPersonAudit(
      context,
      query,
      request,
      personId,
      newEvent(signedIn, personId, { personId, method: 'link' }),
    )
  },
  redirectTo: startPath,
}

export const getVerify = getPasswordLink(link)
export const postVerify = postPasswordLink(link)
