/** Run inside the page of the console, where there is a document: each takes all it needs with it. */

interface Box {
  x: number
  y: number
  width: number
  height: number
  right: number
}
interface Element {
  localName: string
  textContent: string
  outerHTML: string
  scrollWidth: number
  clientWidth: number
  childElementCount: number
  parentElement: Element | null
  getBoundingClientRect(): Box
  getAttribute(name: string): string | null
  closest(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element>
}
declare const document: {
  activeElement: Element
  body: Element
  documentElement: Element
  querySelectorAll(selector: string): Iterable<Element>
}
declare const window: { innerWidth: number; scrollX: number; scrollY: number }
declare const frames: readonly { postMessage(data: string, origin: string): void }[]
declare const getComputedStyle: (element: Element) => Record<string, string>

/**
 * What the main part offers: links, buttons and fields, by name. What is in a table of a list is what the row is about. Links side by
 * side may be the entries of a menu where the screen is narrow.
 */
export const controlNames = (): string[] => {
  const names = [...document.querySelectorAll('main a, main button, main input, main select, main option')]
    .filter(
      element =>
        (element.closest('select') ?? element).getBoundingClientRect().width > 0 && !element.closest('svg'),
    )
    .map(element =>
      (element.getAttribute('aria-label') ?? element.textContent).replaceAll(/\s+/g, ' ').trim(),
    )
  return [...new Set(names)].sort()
}

/**
 * Text that is cut off, or lies outside of the screen or of its picture; what a table has may be reached by moving it sideways.
 */
export const clippedText = (): string[] => {
  const found: string[] = []
  const screen = { x: 0, right: window.innerWidth }
  for (const element of document.querySelectorAll('body *')) {
    const { width, height, x, right } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1 || element.childElementCount > 0 || !element.textContent.trim()) continue
    const picture = element.closest('svg')?.getBoundingClientRect()
    const isWithin = (place: { x: number; right: number }) => x >= place.x - 1 && right <= place.right + 1
    if (!element.closest('section[tabindex="0"]') && !(isWithin(screen) && isWithin(picture ?? screen)))
      found.push(`outside: ${element.outerHTML.slice(0, 120)}`)
    for (let around: Element | null = element; around; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around)
      if (
        textOverflow === 'ellipsis' &&
        overflowX !== 'visible' &&
        around.scrollWidth > around.clientWidth + 1
      )
        found.push(`cut: ${around.outerHTML.slice(0, 160)}`)
    }
  }
  return [...new Set(found)]
}

/** The marks and patterns of the pictures, and those whose every shape has the colour of the ground. */
export const readMarks = (): { count: number; hidden: string[] } => {
  const ground = getComputedStyle(document.body).backgroundColor
  const isSeen = (colour: string | undefined) =>
    colour !== undefined && colour !== 'none' && !/^rgba\(.*, 0\)$/.test(colour) && colour !== ground
  const shapes = 'circle, path, rect, line'
  const marks = [
    ...document.querySelectorAll('main svg [data-mark], main svg [data-in] > *, main svg pattern'),
  ]
  const hidden = marks.filter(mark => {
    const own = [...mark.querySelectorAll(shapes)]
    return !(own.length > 0 ? own : [mark]).some(shape => {
      const { fill, stroke } = getComputedStyle(shape)
      return isSeen(fill) || isSeen(stroke)
    })
  })
  return { count: marks.length, hidden: hidden.map(mark => mark.outerHTML.slice(0, 160)) }
}

/** How many pictures are seen as a whole, from left to right. */
export const wholePictures = (): number =>
  [...document.querySelectorAll('main figure svg[role]')].filter(svg => {
    const { x, right, width, height } = svg.getBoundingClientRect()
    return width > 0 && height > 0 && x >= 0 && right <= window.innerWidth
  }).length

/** Evaluated in a page, waits until what was changed is painted. */
export const painted =
  'new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))'

/** What has the focus, whether its outline is seen, and where it is on the page. */
export const showsFocus = () => {
  const element = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const { x, y, width, height } = element.getBoundingClientRect()
  const place = [...document.querySelectorAll('*')].indexOf(element)
  return {
    name: element === document.body ? 'body' : `${place} ${element.outerHTML.slice(0, 120)}`,
    hasOutline: outlineStyle !== 'none' && Number.parseFloat(outlineWidth ?? '0') >= 2,
    box: { x: x + window.scrollX, y: y + window.scrollY, width, height },
  }
}

/** What the console does to show an email. */
export const showInFirstFrame = (html: string): void => frames[0]!.postMessage(html, '*')
