import type { FastifyInstance, FastifyReply } from 'fastify'
import { cents, formatMoney } from '../../../domain/money/money.ts'
import { ApiError } from '../../../kit/errors.ts'
import { field } from '../../../kit/http/form.ts'
import { type Html, html } from '../../../kit/http/html.ts'
import { type PageContext, seeOther, sendPage } from '../../../kit/http/pages.ts'
import { mayDo } from '../../../kit/may-do.ts'
import { layout } from '../../access/people/layout.ts'
import { addPages, queryValue, type Visit } from '../../access/people/visit.ts'
import { unsilencedEvents } from '../../platform/events/alerts.ts'
import { type AlertAction, type AlertItem, actionFor, bodyOf, readItems } from './alert-items.ts'
import { type AlertLink, actorOf, findLink, performByLink, stopMails } from './alert-link.ts'
import { alertTexts, kindOf } from './alert-texts.ts'

const pathOf = (token: string, rest = '') => `/alerts?token=${encodeURIComponent(token)}${rest}`

function sendDead({ view, reply }: Visit): FastifyReply {
  const { page: texts } = alertTexts[view.language]
  const body = html`<h1>${texts.dead}</h1>\n<p>${texts.deadText}</p>`
  return sendPage(reply, 404, layout(view, { title: texts.dead, body }))
}

const radios = (name: string, id: string, legend: string, options: readonly [string, string][]) =>
  html`<fieldset class="radios"><legend>${legend}</legend>
${options.map(([value, text]) => html`<div class="choice"><input type="radio" id="${name}-${value}-${id}" name="${name}" value="${value}" required><label for="${name}-${value}-${id}">${text}</label></div>`)}
</fieldset>`

/** The visible controls of the form, including the button. */
function controls({ form }: AlertAction, id: string, texts: (typeof alertTexts)['fr']['page']): Html {
  switch (form.kind) {
    case 'outcome':
      return html`${radios('outcome', id, texts.dispute.legend, Object.entries(texts.dispute.outcomes))}
<div class="field"><label for="amount-${id}">${texts.dispute.amount}</label>
<input id="amount-${id}" name="amount" inputmode="decimal" autocomplete="off"></div>
<div class="field"><label for="answer-${id}">${texts.dispute.answer}</label>
<input id="answer-${id}" name="answer" maxlength="500" autocomplete="off"></div><button>${texts.dispute.submit}</button>
<p class="hint">${texts.dispute.hint}</p>`
    case 'address':
      return html`<div class="field"><label for="address-${id}">${texts.address[form.point]}</label>
<input id="address-${id}" name="address" type="${form.point === 'email' ? 'email' : 'tel'}" value="${form.value}" required></div><button>${texts.address.submit}</button>`
    case 'decision':
      return html`${radios(
        'action',
        id,
        texts.decision.legend,
        form.actions.map(action => [action, texts.decision.actions[action]]),
      )}${
        form.actions.includes('escalate') &&
        html`<div class="choice"><input type="checkbox" id="received-${id}" name="noticeReceived" value="1"><label for="received-${id}">${texts.decision.noticeReceived}</label></div>`
      }<button>${texts.decision.submit}</button>`
    case 'pause':
      return html`<button>${texts.pause}</button>`
    case 'request':
      return html`${radios('decision', id, texts.request.legend, Object.entries(texts.request.decisions))}<button>${texts.request.submit}</button>`
    case 'read':
      return html`<button>${texts.read}</button>`
    case 'situation':
      return html`${radios(
        'decision',
        id,
        texts.situation.legend,
        form.decisions.map(decision => [decision, texts.situation.decisions[decision]]),
      )}<button>${texts.situation.submit}</button>`
  }
}

function itemSection(visit: Visit, link: AlertLink, token: string, item: AlertItem): Html {
  const { view } = visit
  const { kinds, page: texts } = alertTexts[view.language]
  const facts = {
    debtor: item.name,
    invoice: item.number,
    balance: formatMoney(cents(item.balance_cents), item.currency, view.language),
    data: item.data,
    nextPerson: item.next_person,
  }
  const action = actionFor(item)
  const mayAct = action !== null && mayDo(action.operation, actorOf(link), null).allowed
  return html`<section class="notice">
<p><bdi>${kinds[kindOf(item.type).name].line(facts)}</bdi></p>
${item.dispute !== null && html`<p><strong>${texts.reason}</strong> <bdi>${item.dispute}</bdi></p>`}
${
  action === null
    ? item.type !== 'limitation.approaching' && html`<p>${texts.settled}</p>`
    : mayAct
      ? html`<form method="post" action="${view.to(pathOf(token))}"><input type="hidden" name="event" value="${item.id}">${controls(action, item.id, texts)}</form>`
      : html`<p>${texts.noRight}</p>`
}
</section>`
}

async function sendAlerts(
  visit: Visit,
  link: AlertLink,
  token: string,
  isRefused = false,
): Promise<FastifyReply> {
  const { view, reply } = visit
  const { kinds, page: texts } = alertTexts[view.language]
  const { name, channel } = kindOf(link.kind)
  const items = await readItems(visit, link)
  const rest = link.total - items.length
  const title = name === 'provider_away' ? kinds[name].many(link.total, channel) : texts.title
  const isDone = queryValue(visit, 'done') === '1' && !isRefused
  const body = html`<h1>${title}</h1>
${isRefused && html`<p class="faults" role="alert">${texts.refused}</p>`}
${isDone && html`<p class="notice" role="status">${texts.done}</p>`}
<p><strong><bdi>${link.company_name}</bdi></strong></p>
<p>${kinds[name].next}</p>
${items.map(item => itemSection(visit, link, token, item))}
${rest > 0 && items.length > 0 && html`<p>${texts.rest(rest)}</p>`}
${
  link.person_id !== null &&
  !unsilencedEvents.includes(link.kind) &&
  html`<form method="post" action="${view.to(pathOf(token))}"><input type="hidden" name="off" value="1"><button class="second">${texts.off}</button></form>`
}`
  return sendPage(reply, isRefused ? 400 : 200, layout(view, { title, hasFaults: isRefused, body }))
}

/** Opening the link changes nothing: mail scanners open links. */
async function getAlerts(visit: Visit): Promise<FastifyReply> {
  const token = queryValue(visit, 'token')
  const link = await findLink(visit, token)
  return link ? sendAlerts(visit, link, token) : sendDead(visit)
}

async function postAlerts(visit: Visit): Promise<FastifyReply> {
  const { view, reply, form } = visit
  const token = queryValue(visit, 'token')
  const link = await findLink(visit, token)
  if (!link) return sendDead(visit)
  if (field(form, 'off') === '1' && link.person_id !== null && !unsilencedEvents.includes(link.kind)) {
    await stopMails(visit, link, link.person_id)
    const { page: texts } = alertTexts[view.language]
    const body = html`<h1>${texts.done}</h1>\n<p role="status">${texts.isOff}</p>`
    return sendPage(reply, 200, layout(view, { title: texts.done, body }))
  }
  const item = (await readItems(visit, link)).find(({ id }) => id === field(form, 'event'))
  const action = item && actionFor(item)
  if (!action) return sendAlerts(visit, link, token, true)
  try {
    const body = bodyOf(action, name => field(form, name))
    await performByLink(visit, link, action.operation, { params: action.params, body })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return sendAlerts(visit, link, token, true)
  }
  return seeOther(reply, view.to(pathOf(token, '&done=1')))
}

/** The page behind the link of an alert mail. */
export const addAlertPages = (app: FastifyInstance, context: PageContext): void =>
  addPages(app, context, [{ path: '/alerts', for: 'anybody', get: getAlerts, post: postAlerts }])
