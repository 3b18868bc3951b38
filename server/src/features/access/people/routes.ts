import type { FastifyInstance } from 'fastify'
import type { Site } from '../../../kit/http/site.ts'
import { addAssetRoutes } from '../pages/assets.ts'
import { showInvitation, takeInvitation } from './invitation.ts'
import { showMailSent } from './link-pages.ts'
import { addPasskeyRoutes } from './passkey-routes.ts'
import { showForgot, showReset, takeForgot, takeReset } from './reset-password.ts'
import { showSignIn, takeSignIn, takeSignOut } from './sign-in.ts'
import { showSignUp, takeSignUp } from './sign-up.ts'
import { showVerify, takeVerify } from './verify-email.ts'
import { addPages, type Page } from './visit.ts'

const pages: readonly Page[] = [
  { path: '/sign-up', for: 'anybody', get: showSignUp, post: takeSignUp },
  { path: '/sign-in', for: 'anybody', get: showSignIn, post: takeSignIn },
  { path: '/sign-out', for: 'signed_in', post: takeSignOut },
  { path: '/mail-sent', for: 'anybody', get: showMailSent },
  { path: '/verify', for: 'anybody', get: showVerify, post: takeVerify },
  { path: '/forgot', for: 'anybody', get: showForgot, post: takeForgot },
  { path: '/reset', for: 'anybody', get: showReset, post: takeReset },
  { path: '/invitation', for: 'anybody', get: showInvitation, post: takeInvitation },
]

/** Pages to sign up, sign in and out, and the links in mails. */
export function addPeopleRoutes(app: FastifyInstance, site: Site): void {
  addAssetRoutes(app)
  addPages(app, site, pages)
  addPasskeyRoutes(app, site)
}
