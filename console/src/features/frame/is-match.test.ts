import { expect, it } from 'vitest'
import { isMatch } from './is-match.ts'

it.each([
  ['', 'Mettre en pause', true],
  ['pau', 'Mettre en pause', true],
  ['PAUSE met', 'Mettre en pause', true],
  ['ecri', 'Écrire', true],
  ['hui', 'Aujourd’hui', true],
  ['aujourd’hui', 'Aujourd’hui', true],
  ['ause', 'Mettre en pause', false],
  ['pause x', 'Mettre en pause', false],
])('%j finds %s: %s', (typed, name, found) => {
  expect(isMatch(typed, name)).toBe(found)
})
