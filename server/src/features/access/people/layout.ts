import { type Html, html } from '../../../kit/http/html.ts'
import { passkeyScript } from '../pages/assets.ts'
import { frame, languageLink, logo } from '../pages/frame.ts'
import type { View } from './view.ts'

interface Page {
  title: string
  body: Html
  hasFaults?: boolean
  hasPasskeys?: boolean
  /** Wide for lists, narrow for a form. */
  isWide?: boolean
}

const accountNav = ({ session, texts, to }: View) =>
  session &&
  html`<nav class="who" aria-label="${texts.layout.account}">
<a href="/console">${texts.layout.console}</a>
<a href="${to('/account')}">${session.person.name}</a>
<form method="post" action="${to('/sign-out')}"><input type="hidden" name="csrf" value="${session.csrf}"><button class="link">${texts.layout.signOut}</button></form>
</nav>`

/** The layout of all account pages. */
export const layout = (view: View, { title, body, hasFaults, hasPasskeys, isWide }: Page): Html => {
  const { texts, language, otherLanguageUrl } = view
  return frame({
    language,
    title,
    fault: hasFaults && texts.layout.fault,
    skip: texts.layout.skip,
    head: hasPasskeys && html`<script src="${passkeyScript.href}" defer></script>`,
    body: html`<header><a class="mark" href="${view.to('/account')}">${logo}<span>Relance</span></a>${accountNav(view)}</header>
<main id="main"${isWide && html` class="wide"`}>
${body}
</main>`,
    footer: otherLanguageUrl !== null && languageLink(language, otherLanguageUrl),
  })
}
