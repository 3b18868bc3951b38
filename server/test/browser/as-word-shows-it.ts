/**
 * An email as classic Outlook on Windows shows it, which draws with Word: without what Word ignores, and with what only Word reads.
 * After "Word 2007 HTML and CSS rendering capabilities in Outlook 2007", which later versions still follow. It is an approximation:
 * whatever is in doubt is left out.
 */

const ignoredEverywhere = new Set([
  'max-width',
  'min-width',
  'max-height',
  'min-height',
  'border-radius',
  'border-spacing',
  'background-image',
  'background-position',
  'box-shadow',
  'display',
  'float',
  'opacity',
  'overflow',
  'position',
  'white-space',
  'word-break',
])
const cells = new Set(['td', 'th'])
const texts = new Set(['p', 'h1', 'h2', 'h3'])
const inline = new Set(['a', 'span', 'strong'])

function isIgnored(tag: string, property: string): boolean {
  if (ignoredEverywhere.has(property)) return true
  if (property.startsWith('padding')) return !cells.has(tag)
  if (property.startsWith('margin')) return !texts.has(tag)
  if (property.startsWith('border')) return inline.has(tag)
  if (tag === 'img') return property === 'width' || property === 'height'
  if (property === 'width' || property === 'height') return !cells.has(tag) && tag !== 'table'
  return property === 'line-height' && inline.has(tag)
}

const styleInWord = (tag: string, style: string): string =>
  style.includes('mso-hide:all')
    ? 'display:none'
    : style
        .split(';')
        .filter(rule => !isIgnored(tag, rule.split(':')[0]!.trim()))
        .join(';')

export const asWordShowsIt = (html: string): string =>
  html
    .replaceAll(/<!--\[if !mso\]><!-->[\s\S]*?<!--<!\[endif\]-->/g, '')
    .replaceAll(/<!--\[if mso\]>([\s\S]*?)<!\[endif\]-->/g, '$1')
    .replaceAll(
      /<([a-z0-9]+)\b([^>]*?) style="([^"]*)"/g,
      (_, tag: string, before: string, style: string) =>
        `<${tag}${before} style="${styleInWord(tag, style)}"`,
    )
