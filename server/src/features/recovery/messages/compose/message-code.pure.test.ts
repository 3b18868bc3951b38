import { expect, test } from 'vitest'
import { linkOf, typedLetterCode, typedOf } from './message-code.ts'

const codes = Array.from({ length: 2_000 }, (_, i) => `e1${String(i).padStart(18, 'a')}`)
const typedFrom = (code: string) => typedOf(linkOf('https://relance.example', code))

test('a letter says where to type what, without the scheme', () => {
  const { address, letterCode } = typedFrom(codes[0]!)
  expect(address).toBe('relance.example/d')
  expect(letterCode).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}$/)
  expect(typedFrom(codes[0]!).letterCode).toBe(letterCode)
})

test('no character can be taken for another, all others occur, and no two letters share a code', () => {
  const all = codes.map(code => typedFrom(code).letterCode)
  expect(new Set(all.join('').replaceAll('-', '')).size).toBe(31)
  expect(all.join('')).not.toMatch(/[01OIL]/)
  expect(new Set(all).size).toBe(codes.length)
})

test('it is understood in any case, with spaces, dashes of any kind, or neither', () => {
  const { letterCode } = typedFrom(codes[1]!)
  const [a, b, c] = letterCode.split('-') as [string, string, string]
  const whole = a + b + c
  for (const text of [
    letterCode,
    whole,
    whole.toLowerCase(),
    ` ${a} ${b}\t${c}\n`,
    `${a}–${b}—${c}`,
    `${a}\u00a0${b}.${c}`,
    [...whole].join(' '),
  ])
    expect(typedLetterCode(text), text).toBe(whole)
})

test.each(['', 'K7QF-2MXA-9TR', 'K7QF-2MXA-9TREE', 'K7QF-2MXA-9TR0', 'K7QF-2MXA-9TRÉ', 'K7QF/2MXA/9TRE'])(
  'what cannot be a code is not looked up: “%s”',
  text => {
    expect(typedLetterCode(text)).toBeNull()
  },
)
