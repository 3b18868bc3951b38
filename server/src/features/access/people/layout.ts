import { type Html, html } from '../../../kit/http/html.ts'
import { passkeyScript } from '../pages/assets.ts'
import { frame, languageLink, mark } from '../pages/frame.ts'
import type { View } from './view.ts'

interface Page {
  title: string
  body: Html
  hasFaults?: boolean
  hasPasskeys?: boolean
  /** Wide for lists, narrow for a form. */
  isWide?: boolean
}

const account = ({ session, words, to }: View) =>
  session &&
  html`<nav class="who" aria-label="${words.layout.account}">
<a href="${to('/account')}">${session.person.name}</a>
<form method="post" action="${to('/sign-out')}"><input type="hidden" name="csrf" value="${session.csrf}"><button class="link">${words.layout.signOut}</button></form>
</nav>`

/** Every page that is shown to a person. */
export const layout = (view: View, { title, body, hasFaults, hasPasskeys, isWide }: Page): Html => {
  const { words, language, inOtherLanguage } = view
  return frame({
    language,
    title,
    fault: hasFaults && words.layout.fault,
    skip: words.layout.skip,
    head: hasPasskeys && html`<script src="${passkeyScript.href}" defer></script>`,
    body: html`<header><a class="mark" href="${view.to('/account')}">${mark}<span>Relance</span></a>${account(view)}</header>
<main id="main"${isWide && html` class="wide"`}>
${body}
</main>
<footer>${inOtherLanguage && languageLink(language, inOtherLanguage)}</footer>`,
  })
}
