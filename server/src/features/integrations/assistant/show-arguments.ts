import type { Language } from './language.ts'

/**
 * Shows every argument of a planned operation in full: exactly this is executed after the confirmation. A text is quoted, so
 * that it cannot pass for another argument, and nothing in it works as Markdown or as a link.
 */
export function showArguments(
  args: Readonly<Record<string, unknown>>,
  mentioned: readonly string[],
  { language, isChange }: { readonly language: Language; readonly isChange: boolean },
): string {
  const texts = argumentTexts[language]
  const show = (name: string, value: unknown): string => {
    if (value === null) return isChange ? texts.cleared : texts.none
    if (Array.isArray(value)) return showList(value)
    if (typeof value === 'object') {
      const shown = showFields(value as Record<string, unknown>)
      // A change of metadata drops the keys that are not in it.
      return name === 'metadata' && isChange ? `${texts.replaced} ${shown}` : shown
    }
    if (typeof value === 'number' && isCents(name)) return `${value} (${inUnits(value)})`
    return typeof value === 'string' ? quoted(value) : String(value)
  }
  const showFields = (fields: Record<string, unknown>): string =>
    `\\{${Object.entries(fields)
      .map(([name, value]) => `${plainName(name)}: ${show(name, value)}`)
      .join('; ')}\\}`
  const showList = (items: readonly unknown[]): string => {
    const sums = sumsOf(items).map(
      ([label, sum]) => `, ${escaped(label)} ${sum} ${texts.inAll} (${inUnits(sum)})`,
    )
    const count = `${items.length} ${items.length === 1 ? texts.entry : texts.entries}`
    return `${count}${sums.join('')}: \\[${items.map(item => show('', item)).join(', ')}\\]`
  }
  const remaining = Object.entries(args).filter(([name]) => !mentioned.includes(name))
  if (remaining.length === 0) return ''
  return ` (${remaining.map(([name, value]) => `${plainName(name)}: ${show(name, value)}`).join('; ')})`
}

const argumentTexts = {
  en: {
    cleared: 'cleared',
    none: 'none',
    replaced: 'all replaced by',
    entry: 'entry',
    entries: 'entries',
    inAll: 'in all',
  },
  fr: {
    cleared: 'effacé',
    none: 'aucun',
    replaced: 'entièrement remplacé par',
    entry: 'élément',
    entries: 'éléments',
    inAll: 'au total',
  },
} as const satisfies Record<Language, Record<string, string>>

const isCents = (name: string) => name.endsWith('Cents')

/** Exact for every safe integer. */
const inUnits = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The sums of the amounts in a list, one per field and currency. */
function sumsOf(items: readonly unknown[]): [label: string, sum: number][] {
  const sums = new Map<string, number>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null) continue
    const { currency } = item as { currency?: unknown }
    for (const [name, value] of Object.entries(item)) {
      if (!isCents(name) || typeof value !== 'number') continue
      const label = typeof currency === 'string' ? `${name} ${currency}` : name
      sums.set(label, (sums.get(label) ?? 0) + value)
    }
  }
  return [...sums]
}

/** Names of fields are ours, but the keys of metadata are not. */
const plainName = (name: string): string => (/^[A-Za-z][A-Za-z0-9]*$/.test(name) ? name : quoted(name))

const quoted = (text: string): string => escaped(JSON.stringify(text))

/** Invisible characters, and characters that look like a space but are not one. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}|\u2800/gu
const markdown = /[\\*_`[\](){}<>~|#&]/g

/** Shows invisible characters by their code, escapes Markdown, and keeps addresses from becoming links. */
const escaped = (text: string): string =>
  text
    .replaceAll(unseen, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replaceAll(markdown, sign => `\\${sign}`)
    .replaceAll(/:(?=[\\/])/g, ': ')
    .replaceAll(/www\./gi, found => `${found.slice(0, -1)} .`)
