import type { FastifyRequest } from 'fastify'
import type { Scope } from '../../../kit/actor.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { csrf, hidden } from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import type { Session } from '../people/session.ts'
import { type View, viewOf } from '../people/view.ts'
import type { Role } from '../roles.ts'
import type { Client } from './client.ts'
import { type ConsentTexts, consentTexts } from './consent-texts.ts'
import { type Effect, effects, scopeTexts } from './scope-texts.ts'

/** A company the person may open to the application, and what it could do there. */
export interface Choice {
  id: string
  name: string
  role: Role
  scopes: Scope[]
}

export interface ConsentRequest {
  request: FastifyRequest
  session: Session
  client: Client
  /** Where the answer goes. */
  redirectUri: string
  scopes: readonly Scope[]
  choices: readonly Choice[]
  /** The validated request, sealed, to be posted back with the decision. */
  sealed: string
  /** The path of this request, to return to after signing in as another person. */
  here: string
  /** No company was ticked: the page is shown again with an error. */
  isCompanyMissing?: boolean
}

interface ConsentView extends ConsentRequest {
  view: View
  texts: ConsentTexts
}

const hostOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri)
  // A native application may use its own scheme; then there is no host, and the scheme is shown.
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

/** A name chosen by a user, isolated so that bidirectional text in it does not affect the rest of the page. */
const isolated = (name: string) => html`<bdi>${name}</bdi>`

/** Signs out and returns to this request through the sign-in page. */
const signInAsSomeoneElse = ({ view, texts, session, here }: ConsentView) =>
  html`<form method="post" action="${view.to('/sign-out')}" class="someone-else">${csrf(session)}${hidden('next', here)}<button class="link">${texts.someoneElse}</button></form>`

const scopeOrder = Object.keys(scopeTexts)
const byScopeOrder = (a: Scope, b: Scope) => scopeOrder.indexOf(a) - scopeOrder.indexOf(b)

const isSensitive = (effect: Effect) => effect === 'sends' || effect === 'outlives'

const scopesWith = (page: ConsentView, effect: Effect): Scope[] =>
  page.scopes.filter(scope => scopeTexts[scope].effect === effect).sort(byScopeOrder)

/** A short summary of the requested effects, as tags. */
const effectTags = (page: ConsentView) =>
  effects
    .filter(effect => scopesWith(page, effect).length > 0)
    .map(
      effect =>
        html`<span class="tag${isSensitive(effect) && ' warn'}">${page.texts.effectTags[effect]}</span> `,
    )

function applicationFacts(page: ConsentView): Html {
  const { texts, client, redirectUri, session, choices } = page
  const isSandbox = client.environment === 'sandbox'
  const home = choices.find(choice => choice.id === client.company_id)
  return html`<section class="part" aria-labelledby="who"><h2 id="who" class="unseen">${texts.facts}</h2>
<dl class="facts">
<div class="fact"><dt>${texts.application}</dt><dd><strong>${isolated(client.name)}</strong> <span class="aside">${client.secret_hash === null ? texts.builtIn : home ? texts.registeredBy(isolated(home.name)) : texts.registeredElsewhere}</span></dd></div>
<div class="fact"><dt>${texts.host}</dt><dd><strong>${isolated(hostOf(redirectUri))}</strong></dd></div>
<div class="fact"><dt>${texts.environment}</dt><dd><strong class="${isSandbox ? 'tag warn' : 'tag'}">${isSandbox ? texts.sandbox : texts.production}</strong> <span class="aside">${isSandbox ? texts.sandboxNote : texts.productionNote}</span></dd></div>
<div class="fact"><dt>${texts.wants}</dt><dd>${effectTags(page)}</dd></div>
<div class="fact"><dt>${texts.you}</dt><dd><strong>${isolated(session.person.name)}</strong> <span class="aside">${isolated(session.person.email)}</span> ${signInAsSomeoneElse(page)}</dd></div>
</dl></section>`
}

const scopeItem =
  ({ view }: ConsentView) =>
  (scope: Scope): Html => {
    const { does, note } = scopeTexts[scope][view.language]
    return html`<li>${does}${note && html` <span class="aside">${note}</span>`}</li>`
  }

/** A note on the requested scopes that the person's role does not allow in this company. */
function missingScopesNote(page: ConsentView, choice: Choice): Html | null {
  const { texts, scopes, view } = page
  if (scopes.length === choice.scopes.length) return null
  const about = (text: string) => html`<p class="hint" id="lacking-${choice.id}">${text}</p>`
  if (choice.scopes.length === 0) return about(texts.roleGivesNothing)
  const readable = scopesWith(page, 'reads')
  if (readable.length === choice.scopes.length && readable.every(scope => choice.scopes.includes(scope)))
    return about(texts.roleOnlySees)
  const missing = effects.flatMap(effect => {
    const asked = scopesWith(page, effect)
    const withheld = asked.filter(scope => !choice.scopes.includes(scope))
    if (withheld.length > 1 && withheld.length === asked.length)
      return [texts.allUnder(texts.effects[effect])]
    return withheld.map(scope => scopeTexts[scope][view.language].does)
  })
  return about(`${texts.roleLacks} ${missing.join(' · ')}.`)
}

function singleCompany(page: ConsentView, choice: Choice): Html {
  const { texts, view } = page
  const name = html`<strong>${isolated(choice.name)}</strong>`
  return html`<section class="part" aria-labelledby="companies"><h2 id="companies" class="unseen">${texts.whichCompanies}</h2>
<p>${texts.forCompany(name, view.texts.roles[choice.role])}</p>
${hidden('company', choice.id)}${missingScopesNote(page, choice)}</section>`
}

function companyBox(page: ConsentView, choice: Choice, isOnly: boolean): Html {
  const { texts, view } = page
  const about = missingScopesNote(page, choice)
  const canChoose = choice.scopes.length > 0
  return html`<li><label class="choice"><input type="checkbox" name="company" value="${choice.id}"${isOnly && canChoose && html` checked`}${!canChoose && html` disabled`}${about && html` aria-describedby="lacking-${choice.id}"`}>
<span><strong>${isolated(choice.name)}</strong> <span class="aside">${texts.yourRole(view.texts.roles[choice.role])}</span></span></label>
${about}</li>`
}

function companies(page: ConsentView): Html {
  const { texts, choices, isCompanyMissing } = page
  if (choices.length === 1) return singleCompany(page, choices[0]!)
  const isOnly = choices.filter(choice => choice.scopes.length > 0).length === 1
  return html`<fieldset id="companies" class="part${isCompanyMissing && ' faulty'}" aria-describedby="${isCompanyMissing ? 'companies-fault' : 'companies-hint'}">
<legend><h2>${texts.whichCompanies}</h2></legend>
${
  isCompanyMissing
    ? html`<p class="fault" id="companies-fault" role="alert" tabindex="-1" autofocus>${texts.noneTicked}</p>`
    : html`<p class="hint" id="companies-hint">${texts.tickOne}</p>`
}
<ul class="choices">${choices.map(choice => companyBox(page, choice, isOnly))}</ul>
</fieldset>`
}

const warningSign = html`<svg class="warning-sign" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="M12 3 1.5 21h21z"/><path d="M12 10v5m0 2.5v.5"/></svg>`

function effectSection(page: ConsentView, effect: Effect): Html | null {
  const { texts, client } = page
  const found = scopesWith(page, effect)
  if (found.length === 0) return null
  const sendsNote = client.environment === 'sandbox' ? texts.sendsNoteSandbox : texts.sendsNote
  const note = effect === 'sends' ? sendsNote : effect === 'outlives' ? texts.outlivesNote : null
  return html`<section class="${isSensitive(effect) ? 'grave' : 'part'}" aria-labelledby="${effect}">
<h2 id="${effect}"${isSensitive(effect) && html` class="warned"`}>${isSensitive(effect) && warningSign}${texts.effects[effect]}</h2>
${note && html`<p>${note}</p>`}
<ul class="effects">${found.map(scopeItem(page))}</ul>
</section>`
}

const decisionForm = ({ view, session, sealed }: ConsentView, inside: Html): Html =>
  html`<form method="post" action="${view.to('/api/oauth/authorize')}" class="consent">
${csrf(session)}${hidden('request', sealed)}
${inside}
</form>`

/** Enter presses the first button, so the first one denies. */
const decision = ({ texts }: ConsentView): Html =>
  html`<div class="decision"><button class="answer" name="decision" value="deny">${texts.deny}</button><button class="answer" name="decision" value="allow">${texts.allow}</button></div>`

const withdrawal = ({ texts, view }: ConsentView): Html =>
  html`<p>${texts.withdraw(html`<a href="${view.to('/account#applications')}">${texts.account}</a>`)}</p>`

function consentForm(page: ConsentView): Html {
  const { texts, client } = page
  return html`<h1>${texts.heading(isolated(client.name))}</h1>
<p>${texts.doubt}</p>
${applicationFacts(page)}
${decisionForm(page, html`${companies(page)}${effects.map(effect => effectSection(page, effect) ?? html``)}${withdrawal(page)}${decision(page)}`)}`
}

/** The page when nothing can be granted: going back returns an error to the application. */
function nothingToGrant(page: ConsentView): Html {
  const { texts, client, session, redirectUri, scopes, choices } = page
  const name = html`<strong>${isolated(client.name)}</strong>`
  const body =
    choices.length === 0
      ? html`<h1>${texts.noCompany}</h1><p>${texts.noCompanyText(name, html`<strong>${isolated(session.person.email)}</strong>`)}</p>`
      : html`<h1>${texts.nothingToGive}</h1><p>${texts.nothingToGiveText(name)}</p>
<section class="part" aria-labelledby="asked"><h2 id="asked">${texts.askedFor}</h2><ul class="effects">${scopes.map(scopeItem(page))}</ul></section>`
  return html`${body}${signInAsSomeoneElse(page)}
${decisionForm(page, html`<p>${texts.backNote}</p><div class="decision"><button class="answer" name="decision" value="deny">${texts.back(hostOf(redirectUri))}</button></div>`)}`
}

export function consentPage(request: ConsentRequest): Html {
  const view = viewOf(request.request, request.session)
  const texts = consentTexts[view.language]
  const page = { ...request, view, texts }
  const canGrant = request.choices.some(choice => choice.scopes.length > 0)
  return layout(view, {
    title: texts.title(request.client.name),
    body: canGrant ? consentForm(page) : nothingToGrant(page),
    hasFaults: request.isCompanyMissing === true,
  })
}

/** In both languages, because the person is unknown; without a link to any address from the request. */
export function refusalPage(request: FastifyRequest, message: string): Html {
  const view = { ...viewOf(request, null), otherLanguageUrl: null }
  const kind = request.method === 'GET' ? 'application' : 'answer'
  const languages = view.language === 'fr' ? (['fr', 'en'] as const) : (['en', 'fr'] as const)
  const sections = languages.map((language, i) => {
    const { heading, text, todo } = consentTexts[language].refusals[kind]
    return html`<section lang="${language}">${i === 0 ? html`<h1>${heading}</h1>` : html`<h2>${heading}</h2>`}<p>${text}</p><p>${todo}</p></section>`
  })
  const { detail, refusals } = consentTexts[view.language]
  return layout(view, {
    title: refusals[kind].heading,
    body: html`<div class="refusal">${sections}<p class="hint">${detail} <code lang="en">${message}</code></p></div>`,
  })
}
