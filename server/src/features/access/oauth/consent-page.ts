import type { FastifyRequest } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import type { Scope } from '../../../kit/operation.ts'
import { csrf, hidden } from '../people/form-parts.ts'
import { layout } from '../people/layout.ts'
import type { Session } from '../people/session.ts'
import { type View, viewOf } from '../people/view.ts'
import type { Role } from '../roles.ts'
import type { Client } from './client.ts'
import { type ConsentWords, consentWords } from './consent-words.ts'
import { type Effect, effects, scopeWords } from './scope-words.ts'

/** A company the person may open to the application, and what it could do there. */
export interface Choice {
  id: string
  name: string
  role: Role
  scopes: Scope[]
}

export interface Asked {
  request: FastifyRequest
  session: Session
  client: Client
  /** Where the answer goes. */
  redirectUri: string
  scopes: readonly Scope[]
  choices: readonly Choice[]
  /** The request as it was judged, to be posted back with the decision. */
  sealed: string
  /** The request as a path of ours, to come back to as somebody else. */
  here: string
  /** It was allowed for no company: asked once more. */
  isCompanyMissing?: boolean
}

interface Page extends Asked {
  view: View
  words: ConsentWords
}

const hostOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri)
  // An application on a device may have a scheme of its own: what looks like a host in it is nobody's.
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

/** A name somebody chose: whatever is written in it changes nothing around it. */
const named = (name: string) => html`<bdi>${name}</bdi>`

/** Signed out, the same request leads to the sign-in page and back. */
const someoneElse = ({ view, words, session, here }: Page) =>
  html`<form method="post" action="${view.to('/sign-out')}" class="someone-else">${csrf(session)}${hidden('next', here)}<button class="link">${words.someoneElse}</button></form>`

const inTheTable = Object.keys(scopeWords)
const inOrder = (a: Scope, b: Scope) => inTheTable.indexOf(a) - inTheTable.indexOf(b)

const isGrave = (effect: Effect) => effect === 'sends' || effect === 'outlives'

const scopesWith = (page: Page, effect: Effect): Scope[] =>
  page.scopes.filter(scope => scopeWords[scope].effect === effect).sort(inOrder)

/** All of it in a few words, before it is told at length. */
const wishes = (page: Page) =>
  effects
    .filter(effect => scopesWith(page, effect).length > 0)
    .map(effect => html`<span class="tag${isGrave(effect) && ' warn'}">${page.words.wishes[effect]}</span> `)

function whoAsks(page: Page): Html {
  const { words, client, redirectUri, session, choices } = page
  const isSandbox = client.environment === 'sandbox'
  const home = choices.find(choice => choice.id === client.company_id)
  return html`<section class="part" aria-labelledby="who"><h2 id="who" class="unseen">${words.facts}</h2>
<dl class="facts">
<div class="fact"><dt>${words.application}</dt><dd><strong>${named(client.name)}</strong> <span class="aside">${home ? words.registeredBy(named(home.name)) : words.registeredElsewhere}</span></dd></div>
<div class="fact"><dt>${words.host}</dt><dd><strong>${named(hostOf(redirectUri))}</strong></dd></div>
<div class="fact"><dt>${words.environment}</dt><dd><strong class="${isSandbox ? 'tag warn' : 'tag'}">${isSandbox ? words.sandbox : words.production}</strong> <span class="aside">${isSandbox ? words.sandboxNote : words.productionNote}</span></dd></div>
<div class="fact"><dt>${words.wants}</dt><dd>${wishes(page)}</dd></div>
<div class="fact"><dt>${words.you}</dt><dd><strong>${named(session.person.name)}</strong> <span class="aside">${named(session.person.email)}</span> ${someoneElse(page)}</dd></div>
</dl></section>`
}

const scopeItem =
  ({ view }: Page) =>
  (scope: Scope): Html => {
    const { does, note } = scopeWords[scope][view.language]
    return html`<li>${does}${note && html` <span class="aside">${note}</span>`}</li>`
  }

/** What the role in this company withholds, whole kinds by the name of the kind; or that it withholds everything. */
function lacking(page: Page, choice: Choice): Html | null {
  const { words, scopes, view } = page
  if (scopes.length === choice.scopes.length) return null
  const about = (text: string) => html`<p class="hint" id="lacking-${choice.id}">${text}</p>`
  if (choice.scopes.length === 0) return about(words.roleGivesNothing)
  const readable = scopesWith(page, 'reads')
  if (readable.length === choice.scopes.length && readable.every(scope => choice.scopes.includes(scope)))
    return about(words.roleOnlySees)
  const missing = effects.flatMap(effect => {
    const asked = scopesWith(page, effect)
    const withheld = asked.filter(scope => !choice.scopes.includes(scope))
    if (withheld.length > 1 && withheld.length === asked.length)
      return [words.allUnder(words.effects[effect])]
    return withheld.map(scope => scopeWords[scope][view.language].does)
  })
  return about(`${words.roleLacks} ${missing.join(' · ')}.`)
}

function oneCompany(page: Page, choice: Choice): Html {
  const { words, view } = page
  const name = html`<strong>${named(choice.name)}</strong>`
  return html`<section class="part" aria-labelledby="companies"><h2 id="companies" class="unseen">${words.whichCompanies}</h2>
<p>${words.forCompany(name, view.words.roles[choice.role])}</p>
${hidden('company', choice.id)}${lacking(page, choice)}</section>`
}

function companyBox(page: Page, choice: Choice, isOnly: boolean): Html {
  const { words, view } = page
  const about = lacking(page, choice)
  const canChoose = choice.scopes.length > 0
  return html`<li><label class="choice"><input type="checkbox" name="company" value="${choice.id}"${isOnly && canChoose && html` checked`}${!canChoose && html` disabled`}${about && html` aria-describedby="lacking-${choice.id}"`}>
<span><strong>${named(choice.name)}</strong> <span class="aside">${words.yourRole(view.words.roles[choice.role])}</span></span></label>
${about}</li>`
}

function companies(page: Page): Html {
  const { words, choices, isCompanyMissing } = page
  if (choices.length === 1) return oneCompany(page, choices[0]!)
  const isOnly = choices.filter(choice => choice.scopes.length > 0).length === 1
  return html`<fieldset id="companies" class="part${isCompanyMissing && ' faulty'}" aria-describedby="${isCompanyMissing ? 'companies-fault' : 'companies-hint'}">
<legend><h2>${words.whichCompanies}</h2></legend>
${
  isCompanyMissing
    ? html`<p class="fault" id="companies-fault" role="alert" tabindex="-1" autofocus>${words.noneTicked}</p>`
    : html`<p class="hint" id="companies-hint">${words.tickOne}</p>`
}
<ul class="choices">${choices.map(choice => companyBox(page, choice, isOnly))}</ul>
</fieldset>`
}

const warningSign = html`<svg class="warning-sign" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="M12 3 1.5 21h21z"/><path d="M12 10v5m0 2.5v.5"/></svg>`

function effectSection(page: Page, effect: Effect): Html | null {
  const { words, client } = page
  const found = scopesWith(page, effect)
  if (found.length === 0) return null
  const sendsNote = client.environment === 'sandbox' ? words.sendsNoteSandbox : words.sendsNote
  const note = effect === 'sends' ? sendsNote : effect === 'outlives' ? words.outlivesNote : null
  return html`<section class="${isGrave(effect) ? 'grave' : 'part'}" aria-labelledby="${effect}">
<h2 id="${effect}"${isGrave(effect) && html` class="warned"`}>${isGrave(effect) && warningSign}${words.effects[effect]}</h2>
${note && html`<p>${note}</p>`}
<ul class="effects">${found.map(scopeItem(page))}</ul>
</section>`
}

const decisionForm = ({ view, session, sealed }: Page, inside: Html): Html =>
  html`<form method="post" action="${view.to('/api/oauth/authorize')}" class="consent">
${csrf(session)}${hidden('request', sealed)}
${inside}
</form>`

/** The first button is the one that Enter presses: it grants nothing. */
const decision = ({ words }: Page): Html =>
  html`<div class="decision"><button class="answer" name="decision" value="deny">${words.deny}</button><button class="answer" name="decision" value="allow">${words.allow}</button></div>`

const withdrawal = ({ words, view }: Page): Html =>
  html`<p>${words.withdraw(html`<a href="${view.to('/account#applications')}">${words.account}</a>`)}</p>`

function question(page: Page): Html {
  const { words, client } = page
  return html`<h1>${words.heading(named(client.name))}</h1>
<p>${words.doubt}</p>
${whoAsks(page)}
${decisionForm(page, html`${companies(page)}${effects.map(effect => effectSection(page, effect) ?? html``)}${withdrawal(page)}${decision(page)}`)}`
}

/** Nothing can be granted: the application is told so when the person goes back. */
function nothingToGrant(page: Page): Html {
  const { words, client, session, redirectUri, scopes, choices } = page
  const name = html`<strong>${named(client.name)}</strong>`
  const body =
    choices.length === 0
      ? html`<h1>${words.noCompany}</h1><p>${words.noCompanyText(name, html`<strong>${named(session.person.email)}</strong>`)}</p>`
      : html`<h1>${words.nothingToGive}</h1><p>${words.nothingToGiveText(name)}</p>
<section class="part" aria-labelledby="asked"><h2 id="asked">${words.askedFor}</h2><ul class="effects">${scopes.map(scopeItem(page))}</ul></section>`
  return html`${body}${someoneElse(page)}
${decisionForm(page, html`<p>${words.backNote}</p><div class="decision"><button class="answer" name="decision" value="deny">${words.back(hostOf(redirectUri))}</button></div>`)}`
}

export function consentPage(asked: Asked): Html {
  const view = viewOf(asked.request, asked.session)
  const words = consentWords[view.language]
  const page = { ...asked, view, words }
  const canGrant = asked.choices.some(choice => choice.scopes.length > 0)
  return layout(view, {
    title: words.title(asked.client.name),
    body: canGrant ? question(page) : nothingToGrant(page),
    hasFaults: asked.isCompanyMissing === true,
  })
}

/** Both languages, since nobody knows whom the application sent; and no way on to anything it named. */
export function refusalPage(request: FastifyRequest, message: string): Html {
  const view = { ...viewOf(request, null), inOtherLanguage: null }
  const kind = request.method === 'GET' ? 'application' : 'answer'
  const languages = view.language === 'fr' ? (['fr', 'en'] as const) : (['en', 'fr'] as const)
  const told = languages.map((language, i) => {
    const { heading, text, todo } = consentWords[language].refusals[kind]
    return html`<section lang="${language}">${i === 0 ? html`<h1>${heading}</h1>` : html`<h2>${heading}</h2>`}<p>${text}</p><p>${todo}</p></section>`
  })
  const { detail, refusals } = consentWords[view.language]
  return layout(view, {
    title: refusals[kind].heading,
    body: html`<div class="refusal">${told}<p class="hint">${detail} <code lang="en">${message}</code></p></div>`,
  })
}
