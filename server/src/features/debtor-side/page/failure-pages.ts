import { type Html, html } from '../../../kit/http/html.ts'
import { layout } from './layout.ts'
import type { PageLocale } from './page-locale.ts'

/** One sentence about what went wrong, without details; the reference is used to find the log entry. */
export function failurePage(locale: PageLocale, status: number, reference: string): Html {
  const { failures } = locale.texts
  const known = [400, 403, 404, 429, 500, 503] as const
  const fallback = status < 500 && status !== 423 ? 400 : 503
  const { title, text } = failures[known.find(one => one === status) ?? fallback]
  return layout(locale, {
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p class="hint">${failures.reference} ${reference}</p>`,
  })
}

export function deadLinkPage(locale: PageLocale): Html {
  const { title, text, who } = locale.texts.failures.dead
  return layout(locale, { title, body: html`<h1>${title}</h1>\n<p>${text}</p>\n<p>${who}</p>` })
}

/** Contains no names: the reader is not the debtor. */
export function disownedPage(locale: PageLocale): Html {
  const { done, doneText } = locale.texts.notMe
  return layout(locale, { title: done, body: html`<h1>${done}</h1>\n<p role="status">${doneText}</p>` })
}
