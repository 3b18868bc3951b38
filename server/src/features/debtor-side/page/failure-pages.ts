import { type Html, html } from '../../../kit/http/html.ts'
import { layout } from './layout.ts'
import type { View } from './view.ts'

/** What went wrong, in a sentence, without any detail; the reference finds the rest in our logs. */
export function failurePage(view: View, status: number, reference: string): Html {
  const { failures } = view.words
  const known = [400, 403, 404, 429, 500, 503] as const
  const fallback = status < 500 && status !== 423 ? 400 : 503
  const { title, text } = failures[known.find(one => one === status) ?? fallback]
  return layout(view, {
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p class="hint">${failures.reference} ${reference}</p>`,
  })
}

export function deadPage(view: View): Html {
  const { title, text, who } = view.words.failures.dead
  return layout(view, { title, body: html`<h1>${title}</h1>\n<p>${text}</p>\n<p>${who}</p>` })
}

/** It names nobody: whoever reads it is not the one who was meant. */
export function disownedPage(view: View): Html {
  const { done, doneText } = view.words.notMe
  return layout(view, { title: done, body: html`<h1>${done}</h1>\n<p role="status">${doneText}</p>` })
}
