const keywords =
  /^(?:await|async|case|const|catch|def|else|export|finally|for|from|function|if|import|in|let|new|of|print|return|throw|try|with|while|true|false|null|True|False|None)$/

/** One alternative per kind of token: comment, text, variable of the shell, word, number. */
const tokensOf: Readonly<Record<string, RegExp>> = {
  json: /(?<text>"(?:\\.|[^"\\])*")|(?<word>[A-Za-z]+)|(?<number>-?\b\d[\d.]*)/g,
  sh: /(?<comment>(?<=^|\s)#.*)|(?<text>"(?:\\.|[^"\\])*"|'[^']*')|(?<variable>\$\{?\w+\}?)/gm,
  code: /(?<comment>\/\/.*|(?<=^|\s)#.*)|(?<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`)|(?<word>\b[A-Za-z_]\w*)|(?<number>\b\d[\d_.]*)/gm,
}
const kindOf: Readonly<Record<string, string>> = {
  json: 'json',
  sh: 'sh',
  js: 'code',
  ts: 'code',
  python: 'code',
  toml: 'code',
}

export interface Piece {
  readonly text: string
  /** Without a kind, it is not coloured. */
  readonly kind?: 'comment' | 'text' | 'key' | 'variable' | 'keyword' | 'number'
}

/** A code block in pieces that are coloured differently. Code in an unknown language is one piece. */
export function piecesOf(code: string, language: string): Piece[] {
  const tokens = tokensOf[kindOf[language] ?? '']
  if (!tokens) return [{ text: code }]
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(tokens)) {
    const kind = Object.keys(groups).find(name => groups[name] !== undefined)
    const isKey = kind === 'text' && language === 'json' && /^\s*:/.test(code.slice(index + text.length))
    const shown = isKey ? 'key' : kind === 'word' ? (keywords.test(text) ? 'keyword' : undefined) : kind
    if (!shown) continue
    if (index > at) pieces.push({ text: code.slice(at, index) })
    pieces.push({ text, kind: shown as NonNullable<Piece['kind']> })
    at = index + text.length
  }
  pieces.push({ text: code.slice(at) })
  return pieces
}
