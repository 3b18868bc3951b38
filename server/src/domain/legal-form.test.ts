import { expect, it } from 'vitest'
import { lacksCapital } from './legal-form.ts'

it.each([
  ['SARL', true],
  ['S.A.S.', true],
  ['Sàrl unipersonnelle', true],
  ['Société par actions simplifiée', true],
  ['SA au capital variable', true],
  ['SARL au capital de 10 000 €', false],
  ['SAS à capital variable, capital minimum de 1 000 euros', false],
  ['S.A. – capital : 37 000 €', false],
  ['EI', false],
  ['Association loi 1901', false],
  ['SNC', false],
  ['Sarah Martin EI', false],
])('of %s the capital is missing: %s', (legalForm, isMissing) => {
  expect(lacksCapital(legalForm)).toBe(isMissing)
})
