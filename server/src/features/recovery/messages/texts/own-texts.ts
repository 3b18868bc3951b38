import type { TemplateValues } from './message-content.ts'

/** The placeholders that a company may use in its own texts. */
export const placeholders = ['creditor', 'debtor', 'reference', 'sum', 'dueDate'] as const

/** Shows the placeholders themselves, for the API that lists our texts. */
export const placeholderValues: TemplateValues = {
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

/** Placeholders that do not exist, including unclosed braces. */
export const unknownPlaceholders = (text: string): string[] => {
  const unknown = [...text.matchAll(anyPlaceholder)]
    .map(match => match[1]!)
    .filter(name => !isPlaceholder(name))
  return /\{\{|\}\}/.test(text.replaceAll(anyPlaceholder, '')) ? [...unknown, '{{'] : unknown
}

/** Replaces all placeholders in one pass: inserted values are not searched for placeholders again. */
export const fillPlaceholders = (text: string, values: TemplateValues): string =>
  text.replaceAll(anyPlaceholder, (whole, name: string) => (isPlaceholder(name) ? values[name] : whole))
