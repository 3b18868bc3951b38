import { newEvent } from '../../../kit/events.ts'
import { signedIn } from './acts.ts'
import { keepActs } from './keep-acts.ts'
import { type PasswordLink, show, take } from './password-by-link.ts'
import { signIn } from './session.ts'

/** The password is chosen here and not before: whoever typed this address into the form, only who reads its mail gets in. */
const link: PasswordLink = {
  purpose: 'verify_email',
  path: '/verify',
  words({ view: { words } }, email) {
    const { title, text, submit, notYou } = words.verify
    return { title, intro: text(email), password: words.fields.password, submit, hint: notYou }
  },
  async followedBy({ site, request, reply }, ask, { id: personId }) {
    await signIn(site, ask, request, reply, personId, 'link')
    await keepActs(site, ask, request, personId, newEvent(signedIn, personId, { personId, method: 'link' }))
  },
  leadsTo: '/account',
}

export const showVerify = show(link)
export const takeVerify = take(link)
