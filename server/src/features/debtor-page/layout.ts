import type { FastifyReply } from 'fastify'
import { type Html, html } from '../../kit/http/html.ts'
import { pageHeaders } from '../../kit/http/site.ts'
import { stylesheet } from '../people/assets.ts'
import { icon, mark, otherLanguage } from '../people/layout.ts'
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
  const other = otherLanguage[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no, date=no, address=no">
<title>${hasFaults && `${words.layout.fault} `}${title} · Relance</title>
<link rel="stylesheet" href="${stylesheet.href}">
<link rel="icon" href="${icon}">
</head>
<body class="debtor">
<a class="skip" href="#main">${words.layout.skip}</a>
<header><span class="mark">${mark}<span>Relance</span></span><a href="${inOtherLanguage}" lang="${other.code}" hreflang="${other.code}" rel="nofollow">${other.name}</a></header>
${isSandbox && html`<p class="sandbox" role="note">${words.layout.sandbox}</p>`}
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>`
}

/** Names come from outside: whatever their letters, they do not turn the words around them. */
export const name = (text: string): Html => html`<bdi>${text}</bdi>`

export const back = (view: View): Html => html`<p><a href="${view.to('')}">${view.words.layout.back}</a></p>`
