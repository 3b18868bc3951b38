import { type Html, html } from '../../../kit/http/html.ts'
import { shownTelephone } from '../../recovery/messages/compose/texts/template-writer.ts'
import { type Fault, faultSummary, textInput } from './form-parts.ts'
import { type GateQuestion, passMinutes } from './gate.ts'
import { isolatedText, layout } from './layout.ts'
import type { PageLocale } from './page-locale.ts'
import { gateTexts } from './texts/gate-texts.ts'
import type { Parties } from './view-store.ts'

interface AskedLink extends Pick<Parties, 'creditor' | 'channel'> {
  isSandbox: boolean
}

const autocomplete = { postal_code: 'postal-code', invoice_number: 'off' }

/** For visitors who are not the debtor or want no more messages: they do not have to identify themselves. */
const otherWays = (locale: PageLocale, { channel }: AskedLink): Html => {
  const { actions, stop } = locale.texts
  return html`<ul class="more">
<li><a href="${locale.pathTo('/not-me')}">${actions.notMe}</a></li>
${channel !== 'lrar' && html`<li><a href="${locale.pathTo('/stop')}">${stop.title[channel]}</a></li>`}
</ul>`
}

/** Asks who opens the link. It names the creditor, as the message did, but shows nothing about the debtor or the debt. */
export function gatePage(
  locale: PageLocale,
  link: AskedLink,
  question: GateQuestion,
  page: string,
  fault: Fault | null = null,
): Html {
  const { gate: texts } = gateTexts[locale.language]
  const { creditor, isSandbox } = link
  const title = texts.title(creditor.name)
  return layout(locale, {
    title,
    isSandbox,
    isDiscreet: true,
    hasFaults: fault !== null,
    body: html`${faultSummary(locale, fault)}<h1>${isolatedText(title)}</h1>
<p>${texts.why}</p>
<form class="gate" method="post" action="${locale.pathTo('/open')}" novalidate>
<input type="hidden" name="page" value="${page}">
${textInput({ field: 'answer', label: texts.label[question], hint: texts.hint[question](creditor.name), value: '', autocomplete: autocomplete[question] }, fault)}
<button>${texts.submit}</button>
</form>
<p class="aside">${texts.kept(passMinutes)}</p>
${otherWays(locale, link)}`,
  })
}

/** After too many wrong answers: whom to ask instead. */
export function closedLinkPage(locale: PageLocale, link: AskedLink): Html {
  const { closedLink: texts } = gateTexts[locale.language]
  const { name, telephone, replyEmail } = link.creditor
  return layout(locale, {
    title: texts.title,
    isSandbox: link.isSandbox,
    isDiscreet: true,
    body: html`<h1>${texts.title}</h1>
<p class="notice" role="status">${texts.text}</p>
<p>${texts.contact(name)}</p>
<dl class="sheet">
${telephone && html`<div class="row"><dt>${texts.telephone}</dt><dd><a href="tel:${telephone}">${shownTelephone(telephone)}</a></dd></div>`}
<div class="row"><dt>${texts.email}</dt><dd><a href="mailto:${replyEmail}">${replyEmail}</a></dd></div>
</dl>
<p>${texts.newLink}</p>
${otherWays(locale, link)}`,
  })
}
