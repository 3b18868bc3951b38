/** Trusted markup, with every interpolated value escaped. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | readonly Html[] | null | undefined | false

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const special = /[&<>"']/
const escapeText = (text: string) =>
  special.test(text) ? text.replaceAll(/[&<>"']/g, found => entities[found]!) : text

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(render).join('')
  return escapeText(String(piece))
}

/** Interpolated values are escaped unless they are `Html`; attributes are always written in double quotes. */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = parts[0]!
  for (const [i, piece] of pieces.entries()) text += render(piece) + parts[i + 1]!
  return new Html(text)
}
