import { type Html, html } from '../../kit/http/html.ts'
import { passkeyScript, stylesheet } from './assets.ts'
import type { View } from './view.ts'

interface Page {
  title: string
  body: Html
  /** Said first, in the title too: it is what a screen reader reads out when the page comes back. */
  hasFaults?: boolean
  hasPasskeys?: boolean
  /** Wide for lists, narrow for a form. */
  isWide?: boolean
}

export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230f5c4d'/%3E%3Cpath d='M11 24V8h6a5 5 0 0 1 0 10h-6m6 0 5 6' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

export const mark = html`<svg class="sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false" width="28" height="28"><rect width="32" height="32" rx="8"/><path d="M11 24V8h6a5 5 0 0 1 0 10h-6m6 0 5 6"/></svg>`

const account = ({ session, words, to }: View) =>
  session &&
  html`<nav class="who" aria-label="${words.layout.account}">
<a href="${to('/account')}">${session.person.name}</a>
<form method="post" action="${to('/sign-out')}"><input type="hidden" name="csrf" value="${session.csrf}"><button class="link">${words.layout.signOut}</button></form>
</nav>`

export const otherLanguage = {
  fr: { code: 'en', name: 'English' },
  en: { code: 'fr', name: 'Français' },
} as const

/** Every page that is shown to a person. */
export const layout = (view: View, { title, body, hasFaults, hasPasskeys, isWide }: Page): Html => {
  const { words, language, inOtherLanguage } = view
  const other = otherLanguage[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${hasFaults && `${words.layout.fault} `}${title} · Relance</title>
<link rel="stylesheet" href="${stylesheet.href}">
<link rel="icon" href="${icon}">
${hasPasskeys && html`<script src="${passkeyScript.href}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">${words.layout.skip}</a>
<header><a class="mark" href="${view.to('/account')}">${mark}<span>Relance</span></a>${account(view)}</header>
<main id="main"${isWide && html` class="wide"`}>
${body}
</main>
<footer>${inOtherLanguage && html`<a href="${inOtherLanguage}" lang="${other.code}" hreflang="${other.code}">${other.name}</a>`}</footer>
</body>
</html>`
}
