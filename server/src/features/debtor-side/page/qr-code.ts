import { encode } from 'uqr'
import { type Html, html } from '../../../kit/http/html.ts'

/** EPC069-12: level M, version 13 at most; the margin is the one the standard of QR codes asks for. */
export function qrCode(payload: string, label: string): Html {
  const { data, size } = encode(payload, { ecc: 'M', boostEcc: false, maxVersion: 13, border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  // Black on white in the dark too: many apps read nothing else.
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
