import { encode } from 'uqr'
import { type Html, html } from '../../../kit/http/html.ts'

/** EPC069-12: error correction M, version 13 at most; the border of 4 is required by the QR standard. */
export function qrCode(payload: string, label: string): Html {
  const { data, size } = encode(payload, { ecc: 'M', boostEcc: false, maxVersion: 13, border: 4 })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  // Black on white in dark mode too: many apps can read nothing else.
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}
