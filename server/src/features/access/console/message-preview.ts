import { createHash } from 'node:crypto'
import { pageHeaders } from '../../../kit/http/pages.ts'

/** Shows the HTML that the page around it posts, tells it how high that is, and follows no link. */
const script = `
addEventListener('message', event => {
  if (event.source !== parent || typeof event.data !== 'string') return
  const { documentElement } = new DOMParser().parseFromString(event.data, 'text/html')
  document.replaceChild(document.adoptNode(documentElement), document.documentElement)
  parent.postMessage(document.body.offsetHeight, '*')
})
addEventListener('click', event => event.preventDefault())
`

/**
 * The page in which the console shows an email before it is sent. It is sandboxed, so it has an origin of its own: no cookie, no
 * storage, no request. Nothing runs in it but its own script, and nothing is fetched. An email has its styles inside, which the
 * policy of the console forbids; so does its policy `srcdoc`.
 */
export const messagePreview = {
  headers: {
    ...pageHeaders,
    'content-security-policy': [
      'sandbox allow-scripts',
      "default-src 'none'",
      `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
      "style-src 'unsafe-inline'",
      'img-src data:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'x-frame-options': 'SAMEORIGIN',
  },
  page: `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Message</title><script>${script}</script></head><body></body></html>\n`,
} as const
