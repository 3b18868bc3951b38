import { newEvent } from '../../../kit/events.ts'
import { signedIn } from './audit-events.ts'
import { startPath } from './next-path.ts'
import { getPasswordLink, type PasswordLink, postPasswordLink } from './password-by-link.ts'
import { findPerson } from './person.ts'
import { recordPersonAudit } from './record-person-audit.ts'
import { csrfOf, signIn } from './session.ts'
import type { Page, SignedInVisit } from './visit.ts'

/** Called after the first sign-in of a person who signed up a company. */
export type FirstSignIn = (visit: Pick<SignedInVisit, 'context' | 'session' | 'request'>) => Promise<void>

/** The password is chosen here and not at sign-up, so only the owner of the mailbox can sign in. */
const linkWith = (onFirstSignIn: FirstSignIn): PasswordLink => ({
  purpose: 'verify_email',
  path: '/verify',
  texts({ view: { texts } }, email) {
    const { title, text, submit, notYou } = texts.verify
    return { title, intro: text(email), password: texts.fields.password, submit, hint: notYou }
  },
  async afterChange({ context, request, reply }, query, { id: personId }) {
    const tokenHash = await signIn(context, query, request, reply, personId, 'link')
    await recordPersonAudit(
      context,
      query,
      request,
      personId,
      newEvent(signedIn, personId, { personId, method: 'link' }),
    )
    const person = await findPerson(query, personId)
    const since = context.clock.wall()
    return async () => {
      if (!person) return
      const { id, email, name, language } = person
      const session = {
        tokenHash,
        person: { id, email, name, language, isVerified: true },
        csrf: csrfOf(context, tokenHash),
        since,
      }
      // A failure here must not prevent the sign-in.
      await onFirstSignIn({ context, session, request }).catch(error =>
        context.log.error({ err: error }, 'the first sign-in was not prepared'),
      )
    }
  },
  redirectTo: startPath,
})

export function verifyPage(onFirstSignIn: FirstSignIn): Page {
  const link = linkWith(onFirstSignIn)
  return {
    path: link.path,
    for: 'anybody',
    get: getPasswordLink(link),
    post: postPasswordLink(link),
  }
}
