import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanMarkdown, createMarkdownCleaner } from './clean-markdown.ts'

const ownUrl = 'https://relance.example'
const cleanOwn = (text: string) => cleanMarkdown(ownUrl, text)

/** Cleans a text that is streamed in pieces. */
function cleanedInPieces(pieces: readonly string[]): string {
  let emitted = ''
  const out = createMarkdownCleaner(ownUrl, text => {
    emitted += text
  })
  for (const piece of pieces) out.add(piece)
  expect(out.end()).toBe(emitted)
  return emitted
}

/** An independent check for links, images and HTML, written without looking at the code under test. */
function leaks(text: string): string[] {
  const found: string[] = []
  if (/!\[/.test(text)) found.push('a picture')
  if (/\]:/.test(text)) found.push('a definition')
  if (/<[a-z/!?]/i.test(text)) found.push('HTML')
  for (const [, target] of text.matchAll(/\]\(([^)]*)\)?/g))
    if (!/^(https:\/\/relance\.example)?\/[^/\\]/.test(target!) && target !== '/')
      found.push(`a link to ${target}`)
  for (const [url] of text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s)\]]*/gi))
    if (!url.startsWith(`${ownUrl}/`) && url !== ownUrl) found.push(url)
  if (/(^|[\s*_~(])www\./i.test(text)) found.push('www')
  return found
}

describe('an answer', () => {
  it('is cut at 32,000 characters', () => {
    expect(cleanedInPieces(Array.from({ length: 5_000 }, () => 'a word. '))).toHaveLength(32_000)
  })

  it.each([
    ['![a](https://evil.example/x.png?d=secret)', 'a'],
    ['![a][b]\n\n[b]: https://evil.example/x', '[a] [b]\n\n[b] : (link removed)'],
    ['see [this](https://evil.example/?q=1)', 'see this'],
    ['see [this](  javascript:alert(1) )', 'see [this] (  javascript:alert(1) )'],
    ['[x](//evil.example)', 'x'],
    [String.raw`[x](/\evil.example)`, 'x'],
    ['[x](/&sol;evil.example)', 'x'],
    ['[x](<https://evil.example>)', 'x'],
    ['<img src="https://evil.example">', '&lt;img src="(link removed)">'],
    ['<https://evil.example/a>', '<(link removed)>'],
    ['go to https://evil.example/a?b or www.evil.example', 'go to (link removed) or (link removed)'],
    ['HTTPS://EVIL.EXAMPLE', '(link removed)'],
    ['[![pic](https://evil.example/p)](https://evil.example/l)', 'pic'],
    ['![](https://evil.example)[x](https://evil.example/y)', 'x'],
    ['![](x)[x][y]', '[x] [y]'],
    ['ht[](x)tps://evil.example', '(link removed)'],
    [`${ownUrl}.evil.example/x`, '(link removed)'],
    ['[x](https://relance.example@evil.example/)', 'x'],
    ['a < b and 3 > 2', 'a < b and 3 > 2'],
    ['**F-1**: 120 € [the invoice](/invoices/1)', '**F-1**: 120 € [the invoice](/invoices/1)'],
    [`[docs](${ownUrl}/docs/errors#VAL_001)`, `[docs](${ownUrl}/docs/errors#VAL_001)`],
  ])('%s', (text, expected) => {
    expect(cleanOwn(text)).toBe(expected)
    expect(leaks(cleanOwn(text))).toEqual([])
  })

  const signs = fc.constantFrom(
    ...'![]()<>:/\\ \n"\'`ax'.split(''),
    'https://evil.example/',
    'www.evil.example',
    '](',
    ']: ',
    '![',
    '<img ',
    `${ownUrl}/a`,
    '/own',
    'javascript:',
    '//',
  )
  it('contains no foreign link, image or HTML, whatever it is made of and however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(signs, { maxLength: 6 }).map(part => part.join('')),
          { maxLength: 12 },
        ),
        pieces => {
          expect(leaks(cleanOwn(pieces.join('')))).toEqual([])
          expect(leaks(cleanedInPieces(pieces))).toEqual([])
        },
      ),
      { numRuns: 20_000 },
    )
  })

  it('is streamed: words are passed on before the end', () => {
    const emitted: string[] = []
    const out = createMarkdownCleaner(ownUrl, text => emitted.push(text))
    for (const word of ['The ', 'invoice ', '[F-1', '](https://evil', '.example/x) ', 'is ', 'paid'])
      out.add(word)
    expect(emitted.join('')).toBe('The invoice F-1 is ')
    expect(out.end()).toBe('The invoice F-1 is paid')
  })
})
