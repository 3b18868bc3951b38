/** The part of WinAnsi above Latin-1; the standard fonts of PDF know these, ASCII and Latin-1, and nothing else. */
const aboveLatin1 = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

const isKnown = (character: string) => {
  const code = character.codePointAt(0)!
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff && code !== 0xad)
    ? true
    : aboveLatin1.includes(character)
}

/** Replacements for characters that have no Unicode decomposition. */
const replacements: Record<string, string> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  ẞ: 'SS',
  '‐': '-',
  '‑': '-',
  '‒': '–',
  '−': '-',
  '\u202f': '\u00a0',
  '\u2007': '\u00a0',
}

const missingGlyph = '[?]'

export interface Printable {
  text: string
  /** Whether the text is unchanged; spaces of another width count as the same. */
  isExact: boolean
}

/**
 * Text as the standard PDF fonts can show it. A letter with an unknown accent loses the accent; an unknown character becomes
 * `[?]`. Only invisible characters are removed, and `isExact` is false if the text was changed.
 */
export function printable(written: string): Printable {
  let text = ''
  let isExact = true
  for (const character of written.normalize('NFC')) {
    if (isKnown(character) || character === '\n') text += character
    else if (/\p{Cf}/u.test(character)) continue
    else if (/[\p{Zs}\t\u2028\u2029]/u.test(character)) text += replacements[character] ?? ' '
    else {
      isExact = false
      const plain = replacements[character] ?? character.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      if ([...plain].every(isKnown)) text += plain
      else if (!text.endsWith(missingGlyph)) text += missingGlyph
    }
  }
  return { text, isExact }
}
