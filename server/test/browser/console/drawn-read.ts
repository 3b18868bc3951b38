import type { Page } from 'playwright-core'

/** An element of the page as plain data, so that what was drawn is judged outside of the page. */
export interface Drawn {
  readonly tag: string
  readonly at: Readonly<Record<string, string>>
  readonly text: string
  readonly in: readonly Drawn[]
}

interface InPage {
  localName: string
  attributes: Iterable<{ name: string; value: string }>
  textContent: string
  children: Iterable<InPage>
}

const outline = (found: unknown): Drawn[] => {
  const drawn = (element: InPage): Drawn => ({
    tag: element.localName,
    at: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
    text: element.textContent,
    in: [...element.children].map(drawn),
  })
  return (found as InPage[]).map(drawn)
}

export const readDrawn = (page: Page, selector: string): Promise<Drawn[]> =>
  page.locator(selector).evaluateAll(outline)

/** All below an element, in the order of the page. */
export const below = (drawn: Drawn): Drawn[] => drawn.in.flatMap(child => [child, ...below(child)])

export const number = (drawn: Drawn, name: string): number => Number(drawn.at[name] ?? 'NaN')
export const has = (drawn: Drawn, className: string): boolean =>
  (drawn.at.class ?? '').split(' ').includes(className)

/** The cells of the rows of a table, without its head. */
export const rowsOf = (table: Drawn): Drawn[][] =>
  below(table)
    .filter(({ tag }) => tag === 'tbody')
    .flatMap(({ in: rows }) => rows.map(({ in: cells }) => [...cells]))
