import fc from 'fast-check'
import { expect, test } from 'vitest'
import { postalLines } from './postal-lines.ts'

const address = (name: string, lines: string[], city = 'Paris') => ({
  name,
  lines,
  postalCode: '75001',
  city,
  country: 'FR',
})

test.each([
  [
    address('Zoë Lefèvre', ['8 quai Malaquais']),
    ['Zoë Lefèvre', '', '', '8 quai Malaquais', '', '75001 Paris'],
  ],
  [
    address('Société civile des ateliers réunis de la Loire', ['Bâtiment B', '8 quai Malaquais', 'BP 12']),
    [
      'Société civile des ateliers réunis de',
      'la Loire',
      'Bâtiment B',
      '8 quai Malaquais',
      'BP 12',
      '75001 Paris',
    ],
  ],
  [
    address('Zoë', ['Résidence des Peupliers, bâtiment B, 33 avenue de Paris']),
    ['Zoë', '', 'Résidence des Peupliers, bâtiment B,', '33 avenue de Paris', '', '75001 Paris'],
  ],
])('%j is written on six lines', (given, expected) => expect(postalLines(given)).toEqual(expected))

test.each([
  address('', ['8 quai']),
  address('Zoë', []),
  address('Zoë', ['a'.repeat(39)]),
  address('Zoë', ['rue', 'des', 'quatre', 'lignes']),
  address('Zoë', ['8 quai'], 'Saint-Remy-en-Bouzemont-Saint-Genest-et-Isson'),
])('%j does not fit, and is not cut', given => expect(postalLines(given)).toBeNull())

test('no line is longer than 38, none holds a line break, and no word is lost', () => {
  const words = fc
    .array(fc.string({ unit: 'grapheme', maxLength: 20 }), { maxLength: 6 })
    .map(all => all.join('\n'))
  fc.assert(
    fc.property(words, fc.array(words, { maxLength: 4 }), (name, lines) => {
      const written = postalLines(address(name, lines))
      if (!written) return
      expect(written).toHaveLength(6)
      for (const line of written) expect(line).toMatch(/^[^\n\r\p{Cc}]{0,38}$/u)
      const bare = (text: string) => text.replace(/[\s\p{C}]+/gu, '')
      expect(bare(written.join(''))).toBe(bare(`${name}${lines.join('')}75001Paris`))
    }),
  )
})
