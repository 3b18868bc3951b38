/** Longer pages are not read to their end. */
const readMax = 200_000

const unshown = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'svg',
  'math',
  'iframe',
  'object',
])
const blocks = new Set([
  ...[
    'address',
    'article',
    'blockquote',
    'br',
    'dd',
    'div',
    'dl',
    'dt',
    'footer',
    'form',
    'h1',
    'h2',
    'h3',
    'h4',
  ],
  ...['h5', 'h6', 'header', 'hr', 'li', 'main', 'ol', 'p', 'pre', 'section', 'table', 'tr', 'ul'],
])

/** The characters 160 to 255, by their names. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const named = new Map<string, string>([
  ...latin1.split(' ').map((name, i) => [name, String.fromCharCode(160 + i)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", euro: '€', oelig: 'œ', OElig: 'Œ' }),
  ...Object.entries({ rsquo: '’', lsquo: '‘', rdquo: '”', ldquo: '“', hellip: '…', ndash: '–', mdash: '—' }),
])

function entity(written: string, name: string): string {
  if (!name.startsWith('#')) return named.get(name) ?? written
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : written
}

const withEntities = (text: string) =>
  text.replaceAll(/&(#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,9});/g, (written, name) =>
    entity(written, name),
  )

const hrefOf = (tag: string): string | null => {
  const [, double, single, bare] =
    /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag.slice(0, 2_000)) ?? []
  const href = withEntities(double ?? single ?? bare ?? '').trim()
  return /^(?:https?|mailto):/i.test(href) ? href : null
}

/**
 * The text of a page: no tags, scripts or styles, and where a link goes in brackets. Nothing is loaded. Each character is read once,
 * so that no page takes longer than its length.
 */
export function textOfHtml(page: string): string {
  const html = page.slice(0, readMax)
  const lower = html.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
  let text = ''
  let link: { href: string; text: string } | null = null
  let at = 0
  for (;;) {
    const open = html.indexOf('<', at)
    const words = html.slice(at, open < 0 ? html.length : open).replaceAll(/\s+/g, ' ')
    text += words
    if (link) link.text += words
    if (open < 0) break
    const isComment = lower.startsWith('<!--', open)
    const end = lower.indexOf(isComment ? '-->' : '>', open)
    const [, isClosing, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/.exec(lower.slice(open, open + 16)) ?? []
    const isTag = name !== '' || lower[open + 1] === '!' || lower[open + 1] === '?' || lower[open + 1] === '/'
    if (!isTag) {
      // With a space: what follows later must not make a tag of it.
      text += '< '
      at = open + 1
      continue
    }
    if (end < 0) break
    at = end + (isComment ? 3 : 1)
    if (unshown.has(name) && !isClosing) {
      at = lower.indexOf(`</${name}`, at)
      if (at < 0) break
    } else if (blocks.has(name)) text += '\n'
    else if (name === 'td' || name === 'th') text += ' '
    else if (name === 'a') {
      if (link && !link.text.includes(link.href)) text += ` (${link.href})`
      const href: string | null = isClosing ? null : hrefOf(html.slice(open, end + 1))
      link = href === null ? null : { href, text: '' }
    }
  }
  return withEntities(text)
    .split('\n')
    .map(line => line.replaceAll(/[ \t]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
