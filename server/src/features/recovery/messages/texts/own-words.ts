import type { Said } from './notice.ts'

/** What a company may write into its own words. */
export const placeholders = ['creditor', 'debtor', 'reference', 'sum', 'dueDate'] as const

/** Ours as they are shown to whoever writes their own. */
export const shown: Said = {
  creditor: '{{creditor}}',
  debtor: '{{debtor}}',
  reference: '{{reference}}',
  sum: '{{sum}}',
  dueDate: '{{dueDate}}',
  isSeveral: false,
}

const anyPlaceholder = /\{\{\s*([^{}]*?)\s*\}\}/g

const isPlaceholder = (name: string): name is (typeof placeholders)[number] =>
  (placeholders as readonly string[]).includes(name)

/** Those nobody could fill, braces without an end included. */
export const unknownPlaceholders = (text: string): string[] => {
  const unknown = [...text.matchAll(anyPlaceholder)]
    .map(match => match[1]!)
    .filter(name => !isPlaceholder(name))
  return /\{\{|\}\}/.test(text.replaceAll(anyPlaceholder, '')) ? [...unknown, '{{'] : unknown
}

/** In one go: what is filled in is not read for placeholders again. */
export const filled = (text: string, said: Said): string =>
  text.replaceAll(anyPlaceholder, (whole, name: string) => (isPlaceholder(name) ? said[name] : whole))
