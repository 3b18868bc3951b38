import { type Html, html } from '../../../kit/http/html.ts'
import { docsStylesheet } from '../../access/pages/assets.ts'
import { frame, languageLink, logo } from '../../access/pages/frame.ts'
import type { View } from '../../access/people/view.ts'

const texts = {
  fr: {
    title: 'Recouvrement de factures par API',
    lead: 'Envoyez une facture échue et dites qui la doit. Relance écrit au débiteur en votre nom, dans le respect des règles de contact, et rend compte de chaque message, réponse et paiement.',
    start: 'Démarrer en cinq étapes',
    console: 'Ouvrir la console',
    developers: 'Pour les développeurs (en anglais)',
    debtor: 'Vous avez reçu un courrier\u00a0?',
    code: 'Saisissez le code qu’il contient',
    skip: 'Aller au contenu',
  },
  en: {
    title: 'Recover overdue invoices through an API',
    lead: 'Send an overdue invoice and say who owes it. Relance writes to the debtor on your behalf, within the contact rules, and reports every message, answer and payment.',
    start: 'Start in five steps',
    console: 'Open the console',
    developers: 'For developers',
    debtor: 'Did you receive a letter?',
    code: 'Enter the code it contains',
    skip: 'Skip to the content',
  },
}

const cards = [
  ['/docs', 'Guides', 'Sandbox, webhooks, keys, testing, going live.'],
  ['/docs/api', 'API reference', 'Every operation in curl, TypeScript and Python.'],
  ['/docs/events', 'Events', 'What is delivered to your webhooks.'],
  ['/docs/errors', 'Error codes', 'What each code means and what to do.'],
] as const

/** The page at `/`: for developers, for people who use the console, and for a debtor who typed the address of a letter. */
export const startPage = ({ language, otherLanguageUrl, to }: View): Html => {
  const words = texts[language]
  return frame({
    language,
    title: words.title,
    fault: undefined,
    skip: words.skip,
    kind: 'docs',
    head: html`<link rel="stylesheet" href="${docsStylesheet.href}">`,
    body: html`<header><a class="mark" href="${to('/')}">${logo}<span>Relance</span></a>${otherLanguageUrl && languageLink(language, otherLanguageUrl)}</header>
<main id="main" class="start">
<h1>${words.title}</h1>
<p class="lead">${words.lead}</p>
<p class="actions"><a class="button" href="/docs/quickstart">${words.start}</a> <a class="button second" href="/console">${words.console}</a></p>
<h2>${words.developers}</h2>
<ul class="cards" lang="en">${cards.map(([href, name, text]) => html`<li><a href="${href}">${name}</a> ${text}</li>`)}</ul>
<p class="debtors">${words.debtor} <a href="${to('/d')}">${words.code}</a></p>
</main>`,
  })
}
