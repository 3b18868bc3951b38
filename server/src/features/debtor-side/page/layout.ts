import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { pageHeaders } from '../../../kit/http/site.ts'
import { frame, languageLink, mark } from '../../access/pages/frame.ts'
import type { View } from './view.ts'

interface Page {
  title: string
  body: Html
  hasFaults?: boolean
  isSandbox?: boolean
}

/** No script at all. There is no `form-action`: it would forbid the redirect to the payment page. */
const headers = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

export const sendDebtorPage = (reply: FastifyReply, status: number, page: Html): FastifyReply =>
  reply.code(status).headers(headers).send(page.text)

/** Every page a debtor sees. */
export const layout = (view: View, { title, body, hasFaults, isSandbox }: Page): Html => {
  const { words, language, inOtherLanguage } = view
  return frame({
    language,
    title,
    fault: hasFaults && words.layout.fault,
    skip: words.layout.skip,
    kind: 'debtor',
    // What looks like a number to ring or a day to write down is left alone.
    head: html`<meta name="format-detection" content="telephone=no, date=no, address=no">`,
    body: html`<header><span class="mark">${mark}<span>Relance</span></span>${languageLink(language, inOtherLanguage)}</header>
${isSandbox && html`<p class="sandbox" role="note">${words.layout.sandbox}</p>`}
<main id="main" tabindex="-1">
${body}
</main>`,
  })
}

/** Names come from outside: whatever their letters, they do not turn the words around them. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`

export const back = (view: View): Html => html`<p><a href="${view.to('')}">${view.words.layout.back}</a></p>`
