/** Markup that was written by us, with everything else in it escaped. */
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

const escapeText = (text: string) => text.replaceAll(/[&<>"']/g, found => entities[found]!)

function write(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(write).join('')
  return escapeText(String(piece))
}

/** What is interpolated is text unless it was itself made here; attributes are always written in double quotes. */
export const html = (parts: TemplateStringsArray, ...pieces: Piece[]): Html =>
  new Html(parts.reduce((whole, part, i) => whole + part + (i < pieces.length ? write(pieces[i]) : ''), ''))
