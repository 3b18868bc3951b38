import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../../kit/http/html.ts'
import { pageHeaders } from '../../../kit/http/pages.ts'
import { frame, languageLink, logo } from '../../access/pages/frame.ts'
import type { PageLocale, Writer } from './page-locale.ts'

interface Page {
  title: string
  body: Html
  hasFaults?: boolean
  isSandbox?: boolean
  /** For a visitor who is not identified: the page does not show what it is about. */
  isDiscreet?: boolean
}

/** No scripts. `form-action` is not set: it would forbid the redirect to the payment page. */
const headers = {
  ...pageHeaders,
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
  'x-robots-tag': 'noindex, nofollow, noarchive',
}

export const sendDebtorPage = (reply: FastifyReply, status: number, page: Html): FastifyReply =>
  reply.code(status).headers(headers).send(page.text)

/** The picture is inlined, because the page loads no files; the rules for logos keep it small. */
const writerMark = ({ name, logo: picture }: Writer): Html =>
  html`<span class="mark">${picture && html`<img class="logo" alt="" src="data:${picture.mediaType};base64,${picture.base64}">`}<span>${isolatedText(name)}</span></span>`

/** Every page a debtor sees. */
export const layout = (locale: PageLocale, { title, body, hasFaults, isSandbox, isDiscreet }: Page): Html => {
  const { texts, language, otherLanguageUrl, writer } = locale
  return frame({
    language,
    title,
    fault: hasFaults && texts.layout.fault,
    skip: texts.layout.skip,
    kind: 'debtor',
    // Browsers must not turn numbers and dates into links.
    head: html`<meta name="format-detection" content="telephone=no, date=no, address=no">`,
    site: writer?.name ?? 'Relance',
    body: html`<header>${writer ? writerMark(writer) : html`<span class="mark">${logo}<span>Relance</span></span>`}${languageLink(language, otherLanguageUrl)}</header>
${isSandbox && html`<p class="sandbox" role="note">${texts.layout.sandbox}</p>`}
<main id="main" tabindex="-1">
${body}
</main>`,
    footer: writer && !isDiscreet && html`<p class="hint">${texts.layout.footer}</p>`,
  })
}

/** Isolates text from outside, so that right-to-left letters do not affect the text around it. */
export const isolatedText = (text: string): Html => html`<bdi>${text}</bdi>`

export const backLink = (locale: PageLocale): Html =>
  html`<p><a href="${locale.pathTo('')}">${locale.texts.layout.back}</a></p>`
