import type { FastifyReply } from 'fastify'
import type { CreditorAccounts } from '../../../adapters/payment/payment.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { asApiError } from '../../../kit/http/envelope.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { seeOther, sendForwardingPage } from '../../../kit/http/pages.ts'
import { type CardAccount, keepOpenedAccount, readCardAccount } from '../companies/card-accounts.ts'
import { updateCompany } from '../companies/update-company.ts'
import { type Membership, performAsPerson, readAsPerson } from '../people/act-as-person.ts'
import { csrf, hidden } from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import { companyPath, signInAgain } from '../people/next-path.ts'
import { isFresh } from '../people/session.ts'
import { queryValue, type SignedInVisit } from '../people/visit.ts'
import { type CardState, cardTexts } from './card-payments-texts.ts'
import { mayChangePayout, readMemberships } from './company-facts.ts'
import { companyTexts } from './company-texts.ts'

const path = '/account/card-payments'
const pathFor = (companyId: string) => `${path}?company=${companyId}`

/** A company that the signed-in person owns, and how cards are paid to it. */
type OwnedCompany = Membership & CardAccount

const readOwned = async ({ context, session }: SignedInVisit): Promise<Membership[]> =>
  (await readMemberships(context, session.person.id)).filter(({ role }) => mayChangePayout(role))

/** Null: the operator has closed the company. */
async function readAccount(visit: SignedInVisit, owned: Membership): Promise<OwnedCompany | null> {
  try {
    return { ...owned, ...(await readCardAccount(readAsPerson(visit, owned, 'production'))) }
  } catch (error) {
    if (asApiError(error)?.code === 'AUTH_006') return null
    throw error
  }
}

async function stateOf(
  accounts: CreditorAccounts,
  { account, source, in_use }: CardAccount,
): Promise<CardState> {
  if (account === null) return 'none'
  if (in_use) return 'in_use'
  if (source === 'operator') return 'operator'
  const found = await accounts.find(account)
  if (found.outcome === 'failed') return 'unknown'
  return found.isReady ? 'ready' : found.isSubmitted ? 'submitted' : 'started'
}

/** What the owner may do next, by the state of the account. */
const actions: Partial<Record<CardState, 'start' | 'proceed' | 'use'>> = {
  none: 'start',
  started: 'proceed',
  ready: 'use',
}

function companyPart(visit: SignedInVisit, company: OwnedCompany, state: CardState): Html {
  const { context, view, session } = visit
  const texts = cardTexts[view.language]
  const action = actions[state]
  const form = html`<form method="post" action="${view.to(path)}">${csrf(session)}${hidden('company', company.companyId)}${hidden('do', action === 'use' ? 'use' : 'start')}<button>${action && texts[action]}</button></form>`
  const again = html`<p>${texts.again} <a href="${view.to(signInAgain(pathFor(company.companyId)))}">${texts.againLink}</a></p>`
  return html`<section aria-labelledby="company"><h2 id="company">${company.name}</h2>
<p role="status">${texts.states[state]}</p>
${action && (isFresh(context, session) ? form : again)}
</section>`
}

const companyList = ({ view }: SignedInVisit, owned: readonly Membership[]) =>
  html`<ul class="things">${owned.map(({ companyId, name }) => html`<li><a href="${view.to(pathFor(companyId))}">${name}</a></li>`)}</ul>`

async function sendCardPage(
  visit: SignedInVisit,
  accounts: CreditorAccounts | null,
  { companyId, hasFailed = false }: { companyId: string; hasFailed?: boolean },
): Promise<FastifyReply> {
  const { view, reply } = visit
  const texts = cardTexts[view.language]
  const owned = await readOwned(visit)
  const chosen = owned.length === 1 ? owned[0] : owned.find(one => one.companyId === companyId)
  const content = async () => {
    if (!accounts) return html`<p>${texts.unavailable}</p>`
    if (!chosen) return owned.length === 0 ? html`<p>${texts.none}</p>` : companyList(visit, owned)
    const company = await readAccount(visit, chosen)
    if (!company) return html`<p>${companyTexts[view.language].closed}</p>`
    return companyPart(visit, company, await stateOf(accounts, company))
  }
  const body = html`<h1>${texts.title}</h1>
${hasFailed && html`<p class="notice" role="alert">${texts.failed}</p>`}
<p>${texts.intro}</p>
${await content()}
<p><a href="${view.to('/account')}">${texts.back}</a></p>`
  return sendForwardingPage(reply, hasFailed ? 503 : 200, layout(view, { title: texts.title, body }))
}

export const getCardPayments =
  (accounts: CreditorAccounts | null) =>
  (visit: SignedInVisit): Promise<FastifyReply> =>
    sendCardPage(visit, accounts, { companyId: queryValue(visit, 'company') })

/** Opens the account of a company at the provider, once, and returns the address of the onboarding. */
async function openOnboarding(
  { context, session }: SignedInVisit,
  accounts: CreditorAccounts,
  company: OwnedCompany,
): Promise<string | null> {
  const query = queryOn(context.pool)
  const tenantId = company.tenants.production
  let { account } = company
  if (account === null) {
    const created = await accounts.create({
      tenantId,
      country: company.country,
      email: session.person.email,
    })
    if (created.outcome === 'failed') {
      context.log.warn({ tenantId, reason: created.reason }, 'card account not opened')
      return null
    }
    account = created.account
    await keepOpenedAccount(query, tenantId, account, context.clock.wall())
  }
  const back = context.publicUrl + pathFor(company.companyId)
  const link = await accounts.link({ account, returnUrl: back, refreshUrl: back })
  if (link.outcome === 'opened') return link.url
  context.log.warn({ tenantId, reason: link.reason }, 'onboarding not opened')
  return null
}

/** Uses the account for card payments once the provider reports it as ready. This is a payout change like any other. */
async function activate(visit: SignedInVisit, company: OwnedCompany): Promise<void> {
  const body = { paymentAccount: company.account }
  await performAsPerson(visit, company, 'production', updateCompany, { body })
}

/** Needs an owner with a recent sign-in, so that an unattended browser cannot be used to redirect money. */
export const postCardPayments =
  (accounts: CreditorAccounts | null) =>
  async (visit: SignedInVisit): Promise<FastifyReply> => {
    const { context, view, session, form, reply } = visit
    const companyId = field(form, 'company')
    const owned = (await readOwned(visit)).find(one => one.companyId === companyId)
    if (!accounts || !owned) return seeOther(reply, view.to(path))
    if (!isFresh(context, session)) return seeOther(reply, view.to(signInAgain(pathFor(companyId))))
    const company = await readAccount(visit, owned)
    if (!company) return seeOther(reply, view.to(pathFor(companyId)))
    const state = await stateOf(accounts, company)
    if (field(form, 'do') === 'use') {
      if (state === 'ready') await activate(visit, company)
      const now = await readAccount(visit, owned)
      // The change waits like any other; the company page shows pending changes.
      const isWaiting = state === 'ready' && now?.in_use !== true
      return seeOther(reply, view.to(isWaiting ? companyPath(companyId) : pathFor(companyId)))
    }
    if (state !== 'none' && state !== 'started') return seeOther(reply, view.to(pathFor(companyId)))
    const url = await openOnboarding(visit, accounts, company)
    return url === null ? sendCardPage(visit, accounts, { companyId, hasFailed: true }) : seeOther(reply, url)
  }
