import type { FastifyInstance } from 'fastify'
import type { PageContext } from '../../../kit/http/pages.ts'
import { addPages, type Page } from '../people/visit.ts'
import {
  getAccount,
  postEndSession,
  postPassword,
  postProfile,
  postRemovePasskey,
  postSignOutEverywhere,
  postWithdrawAccess,
} from './account.ts'
import { postAddOwner } from './add-owner.ts'

const pages: readonly Page[] = [
  { path: '/account', for: 'signed_in', get: getAccount },
  { path: '/account/profile', for: 'signed_in', post: postProfile },
  { path: '/account/password', for: 'signed_in', post: postPassword },
  { path: '/account/sessions/end', for: 'signed_in', post: postEndSession },
  { path: '/account/sessions/end-all', for: 'signed_in', post: postSignOutEverywhere },
  { path: '/account/passkeys/remove', for: 'signed_in', post: postRemovePasskey },
  { path: '/account/owners', for: 'signed_in', post: postAddOwner },
  { path: '/account/applications/withdraw', for: 'signed_in', post: postWithdrawAccess },
]

/** Pages for who is signed in: their profile, sessions, passkeys, and the applications they allowed. */
export const addAccountRoutes = (app: FastifyInstance, context: PageContext): void =>
  addPages(app, context, pages)
