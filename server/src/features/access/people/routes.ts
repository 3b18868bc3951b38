import type { FastifyInstance } from 'fastify'
import type { PageContext } from '../../../kit/http/pages.ts'
import { addAssetRoutes } from '../pages/assets.ts'
import { getInvitation, postInvitation } from './invitation.ts'
import { getMailSent } from './link-pages.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { getForgot, getReset, postForgot, postReset } from './reset-password.ts'
import { getSignIn, postSignIn, postSignOut } from './sign-in.ts'
import { getSignUp, postSignUp, showSignUpClosed } from './sign-up.ts'
import { type FirstSignIn, verifyPage } from './verify-email.ts'
import { addPages, type Page } from './visit.ts'

const signUp: Page = { path: '/sign-up', for: 'anybody', get: getSignUp, post: postSignUp }
const closedSignUp: Page = {
  path: '/sign-up',
  for: 'anybody',
  get: showSignUpClosed,
  post: showSignUpClosed,
}

const pages: readonly Page[] = [
  { path: '/sign-in', for: 'anybody', get: getSignIn, post: postSignIn },
  { path: '/sign-out', for: 'signed_in', post: postSignOut },
  { path: '/mail-sent', for: 'anybody', get: getMailSent },
  { path: '/forgot', for: 'anybody', get: getForgot, post: postForgot },
  { path: '/reset', for: 'anybody', get: getReset, post: postReset },
  { path: '/invitation', for: 'anybody', get: getInvitation, post: postInvitation },
]

/** Pages to sign up, sign in and out, and the links in mails. */
export function addPeopleRoutes(
  app: FastifyInstance,
  context: PageContext,
  { isSignUpOpen, onFirstSignIn }: { isSignUpOpen: boolean; onFirstSignIn: FirstSignIn },
): void {
  addAssetRoutes(app)
  addPages(app, context, [isSignUpOpen ? signUp : closedSignUp, verifyPage(onFirstSignIn), ...pages])
  addPasskeyRoutes(app, context)
}
