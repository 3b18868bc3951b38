import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compactIban, isIban } from './iban.ts'

/** The examples of the registry of ISO 13616. */
const examples = [
  'FR14 2004 1010 0505 0001 3M02 606',
  'BE68 5390 0754 7034',
  'DE89 3704 0044 0532 0130 00',
  'LU28 0019 4006 4475 0000',
  'CH93 0076 2011 6238 5295 7',
  'NL91 ABNA 0417 1643 00',
  'ES91 2100 0418 4502 0005 1332',
  'IT60 X054 2811 1010 0000 0123 456',
  'PT50 0002 0123 1234 5678 9015 4',
  'MT84 MALT 0110 0001 2345 MTLC AST0 01S',
]

it.each(examples)('%s is an IBAN', example => {
  expect(isIban(compactIban(example))).toBe(true)
})

it('written with spaces or in small letters it is the same', () => {
  expect(compactIban('fr14 2004 1010 0505 0001 3m02 606')).toBe('FR1420041010050500013M02606')
})

it('one wrong sign, or two neighbours exchanged, is never an IBAN', () => {
  const signs = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  fc.assert(
    fc.property(
      fc.constantFrom(...examples.map(compactIban)),
      fc.nat(33),
      fc.constantFrom(...signs),
      (iban, at, sign) => {
        const place = 4 + (at % (iban.length - 4))
        fc.pre(iban[place] !== sign)
        const wrong = iban.slice(0, place) + sign + iban.slice(place + 1)
        // A letter for a digit shifts the others, and mod 97 promises nothing then: digits for digits, letters for letters.
        fc.pre(/\d/.test(sign) === /\d/.test(iban[place]!))
        expect(isIban(wrong)).toBe(false)
      },
    ),
  )
  expect(isIban('FR1420041010050500013M02660')).toBe(false)
})

it.each([
  ['', 'nothing'],
  ['FR1420041010050500013M0260', 'too short for France'],
  ['FR1420041010050500013M026060', 'too long for France'],
  ['FR0020041010050500013M02606', 'check digits never given out'],
  ['1420041010050500013M02606', 'no country'],
  ['FR14 2004 1010 0505 0001 3M02 606', 'spaces'],
])('%s is none: %s', text => {
  expect(isIban(text)).toBe(false)
})
