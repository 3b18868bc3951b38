import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonFault } from './json-fault.ts'

it.each([
  ['{"a": 1,}', 'line 1, column 9: a name in double quotes is missing; the last item has no comma after it'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3, column 3: a comma or } is missing'],
  ["{'a': 1}", 'line 1, column 2: a name in double quotes is missing'],
  ['{a: 1}', 'line 1, column 2: a name in double quotes is missing'],
  ['{"a" 1}', 'line 1, column 6: a colon is missing after the name'],
  ['{"a": 1 200,00}', 'line 1, column 9: a comma or } is missing'],
  ['{"a": 012}', 'line 1, column 8: a comma or } is missing'],
  ['{"a": None}', 'line 1, column 7: a value is missing'],
  ['[1, 2,]', 'line 1, column 7: a value is missing'],
  ['{"a": "x\ny"}', 'line 1, column 9: a line break, tab or control character stands in a text'],
  ['{"a": "C:\\Users"}', 'line 1, column 10: a backslash begins no escape sequence'],
  ['{"a": "x}', 'line 1, column 10: the text ends before it is complete'],
  ['{"a": [1, 2', 'line 1, column 12: the text ends before it is complete'],
  ['{"a": 1}}', 'line 1, column 9: something stands behind the end of the value'],
  ['   ', 'line 1, column 4: the text ends before it is complete'],
])('%j: %s', (text, said) => expect(jsonFault(text)).toContain(said))

const isJson = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('what JSON.parse refuses has a fault with a place, and what it takes has none', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '{', ']', '\\', '\n', '0', '-', 'e', '\u0001'))
    .map(([text, at, sign]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + sign + text.slice(place + (sign === '' ? 1 : 0))
    })
  fc.assert(
    fc.property(broken, text => {
      const fault = jsonFault(text)
      expect(fault.startsWith('line '), `${JSON.stringify(text)}: ${fault}`).toBe(!isJson(text))
    }),
    { numRuns: 2_000 },
  )
})
