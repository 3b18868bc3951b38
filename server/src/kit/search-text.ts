/** Letters that Unicode does not decompose, as people type them on a keyboard without them. */
const plainLetters: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
}
/** Typographic apostrophes, and the signs that are typed for them. */
const apostrophes = /[’‘‛ʼʻʹ′`´]/g

/**
 * The normalised form of a text for searching: without case, accents, ligatures, typographic apostrophes or double spaces. What is
 * stored and what is searched for both go through it, so PostgreSQL only compares.
 */
export const searchKey = (text: string): string =>
  // Before too: to sort many marks takes quadratic time.
  text
    .replace(apostrophes, "'")
    .replace(/\p{M}/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^ -~]/g, letter => plainLetters[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()

function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value | 0
}

/** The trigrams of a key, hashed with the tenant id, so that they match only rows of this tenant. */
export function trigrams(tenantId: string, key: string): number[] {
  const found = new Set<number>()
  for (const line of key.split('\n'))
    for (let i = 0; i + 3 <= line.length; i++) found.add(hash(tenantId + line.slice(i, i + 3)))
  return [...found]
}

/** A LIKE pattern that matches texts containing the key; special characters are escaped. */
export const containsPattern = (key: string): string => `%${key.replace(/[\\%_]/g, '\\$&')}%`
