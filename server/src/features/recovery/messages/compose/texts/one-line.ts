// Almost no text contains such characters: one test avoids the replacements below.
const suspicious = /[\p{C}\p{Zl}\p{Zp}]/u
const invisible = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/**
 * Turns user input into one safe line: no line breaks, no characters that change the direction of the text, no invisible
 * characters.
 */
export const oneLine = (text: string): string =>
  suspicious.test(text)
    ? text
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .replaceAll(invisible, '')
        .trim()
    : text.trim()

/** Applies `oneLine` to every string in a value, at any depth. */
export function cleanTexts<T>(value: T): T {
  if (typeof value === 'string') return oneLine(value) as T
  if (Array.isArray(value)) return value.map(cleanTexts) as T
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value } as Record<string, unknown>
  for (const key of Object.keys(copy)) copy[key] = cleanTexts(copy[key])
  return copy as T
}
