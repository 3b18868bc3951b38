import type { FastifyInstance } from 'fastify'
import type { CreditorAccounts } from '../../../adapters/payment/payment.ts'
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
import { getCardPayments, postCardPayments } from './card-payments.ts'
import { getCompanyPage, postAddress, postConfirmPayout, postPayout, postWithdrawPayout } from './company.ts'
import { postCreateKey, postDeleteKey } from './company-keys.ts'
import {
  postAlerts,
  postInvite,
  postRemoveMember,
  postRole,
  postWithdrawInvitation,
} from './company-members.ts'

const pages = (accounts: CreditorAccounts | null): readonly Page[] => [
  { path: '/account', for: 'signed_in', get: getAccount },
  { path: '/account/profile', for: 'signed_in', post: postProfile },
  { path: '/account/password', for: 'signed_in', post: postPassword },
  { path: '/account/sessions/end', for: 'signed_in', post: postEndSession },
  { path: '/account/sessions/end-all', for: 'signed_in', post: postSignOutEverywhere },
  { path: '/account/passkeys/remove', for: 'signed_in', post: postRemovePasskey },
  { path: '/account/owners', for: 'signed_in', post: postAddOwner },
  { path: '/account/applications/withdraw', for: 'signed_in', post: postWithdrawAccess },
  { path: '/account/company', for: 'signed_in', get: getCompanyPage },
  { path: '/account/company/payout', for: 'signed_in', post: postPayout },
  { path: '/account/company/payout/confirm', for: 'signed_in', post: postConfirmPayout },
  { path: '/account/company/payout/withdraw', for: 'signed_in', post: postWithdrawPayout },
  { path: '/account/company/address', for: 'signed_in', post: postAddress },
  { path: '/account/company/members/invite', for: 'signed_in', post: postInvite },
  { path: '/account/company/members/role', for: 'signed_in', post: postRole },
  { path: '/account/company/members/alerts', for: 'signed_in', post: postAlerts },
  { path: '/account/company/members/remove', for: 'signed_in', post: postRemoveMember },
  { path: '/account/company/invitations/withdraw', for: 'signed_in', post: postWithdrawInvitation },
  { path: '/account/company/keys/create', for: 'signed_in', post: postCreateKey },
  { path: '/account/company/keys/delete', for: 'signed_in', post: postDeleteKey },
  {
    path: '/account/card-payments',
    for: 'signed_in',
    get: getCardPayments(accounts),
    post: postCardPayments(accounts),
  },
]

/** Pages for signed-in people: their profile, sessions, passkeys, the applications they allowed, and their companies. */
export const addAccountRoutes = (
  app: FastifyInstance,
  context: PageContext,
  accounts: CreditorAccounts | null,
): void => addPages(app, context, pages(accounts))
