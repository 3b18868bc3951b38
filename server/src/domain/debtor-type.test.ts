import { expect, test } from 'vitest'
import { isNaturalPerson } from './debtor-type.ts'

test.each([
  'Durand et Fils SARL',
  'S.A.R.L. Durand',
  'Sarl Durand',
  'DURAND SAS',
  'Durand S.A.S.U.',
  'Société Durand',
  'Durand GmbH',
])('%s is a legal person', name => {
  expect(isNaturalPerson('business', name)).toBe(false)
})

test.each([
  'Jeanne Durand',
  'Jeanne Durand EI',
  'EI Jeanne Durand',
  'Menuiserie Durand',
  'Durand EIRL',
  'Entreprise individuelle Société du Bois',
  // Surnames that look like forms.
  'Peter Sas',
  'Maria de Sá',
])('a business called %s may be a sole trader, and is taken for a natural person', name => {
  expect(isNaturalPerson('business', name)).toBe(true)
})

test('a consumer is a natural person and a public body is none, whatever they are called', () => {
  expect(isNaturalPerson('consumer', 'Durand SARL')).toBe(true)
  expect(isNaturalPerson('public_body', 'Jeanne Durand')).toBe(false)
})
