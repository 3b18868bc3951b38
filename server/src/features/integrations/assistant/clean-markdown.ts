const removedLinkText = '(link removed)'

/** A path on our own server, limited to characters that no renderer can read as another host. */
const ownPath = String.raw`\/(?![/\\])[\w\-./?=%#~]*`

/** Escapes a text for a regular expression. */
const literal = (text: string) =>
  text.replaceAll(/[^A-Za-z0-9]/g, sign => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

function patterns(publicUrl: string) {
  const own = `(?:${literal(publicUrl)})?${ownPath}`
  return {
    ownTarget: new RegExp(`^${own}$`, 'u'),
    ownLink: new RegExp(String.raw`\]\((?!${own}\))`, 'gu'),
    foreign: /(?:[a-z][a-z0-9+.-]{0,30}:[\\/]{2,}|\bwww\.)[^\s<>()[\]{}"'\x60|]*/giu,
    ownUrl: new RegExp(`^${literal(publicUrl)}(?:${ownPath})?$`, 'u'),
  }
}

const wholeLink = /\[([^[\]]*)\]\(([^()\s]*)(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/gu

/**
 * Removes images, HTML and foreign links from Markdown; the text of a foreign link stays. Code blocks are treated like all other
 * text: an error in recognising them would be a way around the filter.
 */
function cleaned(text: string, { ownTarget, ownLink, foreign, ownUrl }: ReturnType<typeof patterns>): string {
  const unlinked = (part: string) =>
    part.replaceAll(wholeLink, (whole, words: string, target: string) =>
      ownTarget.test(target) ? whole : words,
    )
  const noPictures = (part: string) => part.replaceAll(/(?<!!)!+(?=\[)/g, '')
  // Twice, for an image inside a link.
  const words = unlinked(unlinked(noPictures(text))).replaceAll(foreign, found =>
    ownUrl.test(found) ? found : removedLinkText,
  )
  // Removing parts may have joined others into a new link. So at the end every remaining pattern of an image, a link or a link
  // definition is broken by a space.
  return noPictures(words)
    .replaceAll(ownLink, '] (')
    .replaceAll(/\](?=[:[])/g, '] ')
    .replaceAll(/<(?=[a-z/!?])/gi, '&lt;')
}

export interface MarkdownCleaner {
  /** Adds streamed text; it is passed on as soon as later text cannot change its meaning. */
  add(text: string): void
  /** Ends the stream and returns all the text that was passed on. */
  end(): string
}

/** An answer is cut here: it has a few thousand tokens, and a token of one repeated sign may have many characters. */
const answerMax = 32_000

/** The longest link to wait for. */
const longestLink = 600

export function createMarkdownCleaner(publicUrl: string, onText: (text: string) => void): MarkdownCleaner {
  const rules = patterns(publicUrl)
  let waiting = ''
  let whole = ''
  const emit = (text: string) => {
    if (text === '') return
    const clean = cleaned(text, rules)
    whole += clean
    onText(clean)
  }
  return {
    add(text) {
      waiting += text.slice(0, Math.max(0, answerMax - whole.length - waiting.length))
      const cut = safeCut(waiting)
      emit(waiting.slice(0, cut))
      waiting = waiting.slice(cut)
    },
    end() {
      emit(waiting)
      waiting = ''
      return whole
    },
  }
}

/** The end of the text that is safe to pass on: after the last space, and before a bracket that may still become a link. */
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
