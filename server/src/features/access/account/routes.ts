import type { FastifyInstance } from 'fastify'
import type { Site } from '../../../kit/http/site.ts'
import { addPages, type Page } from '../people/visit.ts'
import {
  showAccount,
  takePasskeyRemoval,
  takePassword,
  takeProfile,
  takeSessionEnd,
  takeSignOutEverywhere,
  takeWithdrawal,
} from './account.ts'

const pages: readonly Page[] = [
  { path: '/account', for: 'signed_in', get: showAccount },
  { path: '/account/profile', for: 'signed_in', post: takeProfile },
  { path: '/account/password', for: 'signed_in', post: takePassword },
  { path: '/account/sessions/end', for: 'signed_in', post: takeSessionEnd },
  { path: '/account/sessions/end-all', for: 'signed_in', post: takeSignOutEverywhere },
  { path: '/account/passkeys/remove', for: 'signed_in', post: takePasskeyRemoval },
  { path: '/account/applications/withdraw', for: 'signed_in', post: takeWithdrawal },
]

/** Pages for who is signed in: their profile, sessions, passkeys, and the applications they allowed. */
export const addAccountRoutes = (app: FastifyInstance, site: Site): void => addPages(app, site, pages)
