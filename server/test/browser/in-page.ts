/** Run inside the page, where there is a document: each takes all it needs with it. */

interface Box {
  textContent: string
  closest(selector: string): Box | null
}
declare const document: {
  activeElement: Box
  documentElement: { scrollWidth: number }
  cookie: string
  querySelector(selector: string): unknown
}
declare const getComputedStyle: (element: unknown) => Record<string, string>

export const styleOf = (element: unknown) => {
  const { color, backgroundColor, fontWeight, fontSize, borderTopColor, opacity } = getComputedStyle(element)
  return { color, backgroundColor, fontWeight, fontSize, borderTopColor, opacity }
}

/** What is written on what has the focus. */
export const focusedText = (): string =>
  (document.activeElement.closest('label') ?? document.activeElement).textContent.trim().split('\n')[0] ?? ''

export const contentWidth = (): number => document.documentElement.scrollWidth

interface Rect {
  x: number
  width: number
  height: number
  bottom: number
}
interface Measured {
  getBoundingClientRect(): Rect
  closest(selector: string): Measured
}

/** The sheet around the words of an email, and the cell of its button. */
export const boxesOfEmail = (heading: unknown): { sheet: number; button: number; buttonEnds: number } => {
  const sheet = (heading as Measured).closest('table[bgcolor="#ffffff"]')
  const cell = (document.querySelector('a') as Measured).closest('td')
  return {
    sheet: sheet.getBoundingClientRect().width,
    button: cell.getBoundingClientRect().height,
    buttonEnds: cell.getBoundingClientRect().bottom,
  }
}

export const seenCookies = (): string => document.cookie

export const addressesOf = (links: unknown[]): string[] =>
  (links as { href: string }[]).map(({ href }) => href)
