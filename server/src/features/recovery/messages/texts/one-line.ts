// Almost no text holds any: one look spares the rest.
const suspicious = /[\p{C}\p{Zl}\p{Zp}]/u
const unseen = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g

/**
 * What somebody typed, as one line that says what it shows: it opens no line of its own, turns no direction of reading and
 * hides nothing.
 */
export const oneLine = (text: string): string =>
  suspicious.test(text)
    ? text
        .toWellFormed()
        .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        .replaceAll(unseen, '')
        .trim()
    : text.trim()

/** Every text in a value, however deep. */
export function cleaned<T>(value: T): T {
  if (typeof value === 'string') return oneLine(value) as T
  if (Array.isArray(value)) return value.map(cleaned) as T
  if (typeof value !== 'object' || value === null) return value
  const copy = { ...value } as Record<string, unknown>
  for (const key of Object.keys(copy)) copy[key] = cleaned(copy[key])
  return copy as T
}
