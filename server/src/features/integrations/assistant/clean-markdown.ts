const removed = '(link removed)'

/** What an address may look like that leads nowhere but to us: nothing in it can be read as anything else by anybody. */
const ownPath = String.raw`\/(?![/\\])[\w\-./?=%#~]*`

/** As a pattern that means itself. */
const literal = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9]/g, sign => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

function patterns(publicUrl: string) {
  const own = `(?:${literal(publicUrl)})?${ownPath}`
  return {
    ownTarget: new RegExp(`^${own}$`, 'u'),
    ownLink: new RegExp(String.raw`\]\((?!${own}\))`, 'gu'),
    foreign: /(?:[a-z][a-z0-9+.-]*:[\\/]{2,}|\bwww\.)[^\s<>()[\]{}"'\x60|]*/giu,
    ownUrl: new RegExp(`^${literal(publicUrl)}(?:${ownPath})?$`, 'u'),
  }
}

const wholeLink = /\[([^[\]]*)\]\(([^()\s]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/gu

/**
 * Markdown without pictures, without HTML and without a link to anybody but us. What is left of a foreign link is its words. It
 * takes no view of what is code and what is not: to be wrong about that would be a way out.
 */
function cleaned(text: string, { ownTarget, ownLink, foreign, ownUrl }: ReturnType<typeof patterns>): string {
  const unlinked = (part: string) =>
    part.replaceAll(wholeLink, (whole, words: string, target: string) =>
      ownTarget.test(target) ? whole : words,
    )
  const noPictures = (part: string) => part.replaceAll(/!+(?=\[)/g, '')
  // Twice, for a picture that is a link.
  const words = unlinked(unlinked(noPictures(text))).replaceAll(foreign, found =>
    ownUrl.test(found) ? found : removed,
  )
  // What was taken out may have brought together what was apart: so last of all, whatever a renderer might take for a picture,
  // a link, or a definition of one. A space, and it is none.
  return noPictures(words)
    .replaceAll(ownLink, '] (')
    .replaceAll(/\](?=[:[])/g, '] ')
    .replaceAll(/<(?=[a-z/!?])/gi, '&lt;')
}

export interface Cleaner {
  /** Text as it comes; handed on as soon as nothing that may follow can change what it means. */
  add(text: string): void
  /** Nothing follows. Answers all that was handed on. */
  end(): string
}

/** A link has an end: what is longer is not one, and need not be waited for. */
const longestLink = 600

export function cleaner(publicUrl: string, handOn: (text: string) => void): Cleaner {
  const known = patterns(publicUrl)
  let waiting = ''
  let whole = ''
  const pass = (text: string) => {
    if (text === '') return
    const clean = cleaned(text, known)
    whole += clean
    handOn(clean)
  }
  return {
    add(text) {
      waiting += text
      const cut = safeCut(waiting)
      pass(waiting.slice(0, cut))
      waiting = waiting.slice(cut)
    },
    end() {
      pass(waiting)
      waiting = ''
      return whole
    },
  }
}

/** After a space: none of the signs that make a link has one inside. And before a bracket that may still become one. */
function safeCut(text: string): number {
  const space = Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1
  const bracket = text.lastIndexOf('[', space - 1)
  if (bracket === -1 || text.length - bracket > longestLink) return space
  const isClosed = /^\[[^[\]]*\](?:\([^()]*\)|[^([:])/.test(text.slice(bracket, space))
  if (isClosed) return space
  const before = Math.max(text.lastIndexOf(' ', bracket), text.lastIndexOf('\n', bracket)) + 1
  return Math.min(before, space)
}

export function cleanMarkdown(publicUrl: string, text: string): string {
  return cleaned(text, patterns(publicUrl))
}
