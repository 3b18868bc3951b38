import { type Html, html } from '../../../kit/http/html.ts'
import { layout } from './layout.ts'
import type { View } from './view.ts'

/** An error page with one sentence and no details; the reference finds the request in our logs. */
export function failurePage(view: View, status: number, reference: string): Html {
  const { failures } = view.texts
  const known = [400, 403, 404, 405, 413, 429, 500, 503] as const
  // 423: another request has locked the row; shown as busy.
  const fallback = status < 500 && status !== 423 ? 400 : 503
  const { title, text } = failures[known.find(one => one === status) ?? fallback]
  return layout(view, {
    title,
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p><a href="${view.to('/account')}">${failures.back}</a></p>
<p class="hint">${failures.reference} ${reference}</p>`,
  })
}
