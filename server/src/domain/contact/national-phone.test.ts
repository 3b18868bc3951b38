import { expect, it } from 'vitest'
import { numberDialledIn } from './national-phone.ts'

it.each([
  ['FR', '0612345678', '+33612345678'],
  ['FR', '0145678901', '+33145678901'],
  ['FR', '0692123456', '+262692123456'],
  ['RE', '0692123456', '+262692123456'],
  ['GP', '0690123456', '+590690123456'],
  ['FR', '0508411234', '+508411234'],
  ['FR', '0033612345678', '+33612345678'],
  ['BE', '0032470123456', '+32470123456'],
  ['BE', '0470123456', '+32470123456'],
  ['BE', '042211234', '+3242211234'],
  ['LU', '621123456', '+352621123456'],
  ['NL', '0612345678', '+31612345678'],
  ['DE', '03012345678', '+493012345678'],
  ['CH', '0791234567', '+41791234567'],
  ['ES', '612345678', '+34612345678'],
  ['IT', '0612345678', '+390612345678'],
  ['IT', '3331234567', '+393331234567'],
  ['PT', '912345678', '+351912345678'],
])('in %s %s is %s', (country, digits, number) => expect(numberDialledIn(country, digits)).toBe(number))

it.each([
  ['FR', '612345678', 'the zero is missing'],
  ['FR', '33612345678', 'a country code without its plus'],
  ['FR', '061234567', 'a digit is missing'],
  ['FR', '00', 'nothing after 00'],
  ['BE', '0612345678', 'ten digits of no mobile'],
  ['DE', '123456', 'a local number'],
  ['IT', '3906123456', 'a country code without its plus, or a mobile'],
  ['US', '4155552671', 'a country whose numbers are not known'],
  ['GB', '0033612345678', 'a country whose numbers are not known'],
])('in %s %s has not one meaning: %s', (country, digits) => {
  expect(numberDialledIn(country, digits)).toBeNull()
})
