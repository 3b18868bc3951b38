import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const sources = join(import.meta.dirname, '../../../console/src')

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' }

/** Reads a text in quotes from its opening quote on. What is inserted into a template is read as code, and is `…` in the text. */
function readText(code: string, start: number, found: string[]): number {
  const quote = code[start]
  let text = ''
  let at = start + 1
  while (code[at] !== quote) {
    if (code[at] === '\\') {
      const unicode = /^u([0-9a-f]{4})/i.exec(code.slice(at + 1, at + 6))
      text += unicode
        ? String.fromCharCode(Number.parseInt(unicode[1]!, 16))
        : (escapes[code[at + 1]!] ?? code[at + 1])
      at += unicode ? 6 : 2
    } else if (quote === '`' && code.startsWith('${', at)) {
      text += '…'
      at = readCode(code, at + 2, '}', found)
    } else text += code[at++]
  }
  found.push(text)
  return at + 1
}

/** Reads code up to the character that ends it at this level; gives the place behind it. */
function readCode(code: string, start: number, end: string, found: string[]): number {
  let at = start
  let depth = 0
  while (depth > 0 || code[at] !== end) {
    const now = code[at]!
    if (code.startsWith('//', at)) at = code.indexOf('\n', at)
    else if (code.startsWith('/*', at)) at = code.indexOf('*/', at) + 2
    else if (`'"\``.includes(now)) at = readText(code, at, found)
    else {
      if ('([{'.includes(now)) depth++
      if (')]}'.includes(now)) depth--
      at++
    }
    if (at >= code.length) throw new Error(`no ${end} ends what begins at ${start}`)
  }
  return at + 1
}

/** The French texts of a source: the first dictionary of each `defineWords`, and every `fr: '…'`. */
export function frenchIn(code: string): string[] {
  const found: string[] = []
  for (const { 0: call, index } of code.matchAll(/\bdefineWords\(/g))
    readCode(code, index + call.length, ',', found)
  for (const { index } of code.matchAll(/\bfr: (?=['`"])/g)) readText(code, index + 4, found)
  return found.filter(text => /[\p{L}…]/u.test(text))
}

/** Every French text of the console with the file in which it stands. */
export const frenchOfConsole = (): { file: string; text: string }[] =>
  globSync('**/*.{ts,tsx}', { cwd: sources })
    .filter(file => !file.includes('.test.') && !file.endsWith('lib/language.tsx'))
    .toSorted()
    .flatMap(file => frenchIn(readFileSync(join(sources, file), 'utf8')).map(text => ({ file, text })))
