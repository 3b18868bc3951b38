import { type Html, html } from '../../../kit/http/html.ts'
import { stylesheet } from './assets.ts'

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%230f5c4d'/%3E%3Cpath d='M11 24V8h6a5 5 0 0 1 0 10h-6m6 0 5 6' fill='none' stroke='%23fff' stroke-width='3' stroke-linecap='round' stroke-linejoin='round'/%3E%3C/svg%3E"

export const logo = html`<svg class="sign" viewBox="0 0 32 32" aria-hidden="true" focusable="false" width="28" height="28"><rect width="32" height="32" rx="8"/><path d="M11 24V8h6a5 5 0 0 1 0 10h-6m6 0 5 6"/></svg>`

const otherLanguage = {
  fr: { code: 'en', name: 'English' },
  en: { code: 'fr', name: 'Français' },
} as const

export const languageLink = (language: 'fr' | 'en', href: string): Html => {
  const { code, name } = otherLanguage[language]
  return html`<a href="${href}" lang="${code}" hreflang="${code}">${name}</a>`
}

export const legalPath = '/legal'
const legalNotice = { fr: 'Mentions légales', en: 'Legal notice' }

/** The HTML document around every page. */
export const frame = (page: {
  language: 'fr' | 'en'
  title: string
  /** First in the title, because a screen reader reads it first when the page comes back with an error. */
  fault: string | false | undefined
  skip: string
  head?: Html | false | undefined
  kind?: 'debtor' | 'docs'
  /** The name after the title; our own by default. */
  site?: string
  body: Html
  /** At the end of the page, before the link to the legal notice. */
  footer?: Html | false | null | undefined
}): Html => html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${page.fault && `${page.fault} `}${page.title} · ${page.site ?? 'Relance'}</title>
<link rel="stylesheet" href="${stylesheet.href}">
<link rel="icon" href="${icon}">
${page.head}
</head>
<body${page.kind && html` class="${page.kind}"`}>
<a class="skip" href="#main">${page.skip}</a>
${page.body}
<footer>${page.footer}<a href="${legalPath}?lang=${page.language}">${legalNotice[page.language]}</a></footer>
</body>
</html>`
