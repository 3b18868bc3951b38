import { expect, test } from 'vitest'
import { isMobile } from './phone.ts'

test.each([
  '+33612345678',
  '+33712345678',
  '+590690123456',
  '+590691123456',
  '+594694123456',
  '+596696123456',
  '+596697123456',
  '+262692123456',
  '+262693123456',
  '+262639123456',
  '+508412345',
  '+687751234',
  '+68987123456',
  '+32470123456',
  '+352621123456',
  '+491511234567',
  '+34612345678',
  '+34712345678',
  '+393312345678',
  '+31612345678',
  '+351912345678',
  '+41791234567',
])('%s is a mobile number', number => {
  expect(isMobile(number)).toBe(true)
})

test.each([
  ['+33123456789', 'a landline in Paris'],
  ['+33912345678', 'a box'],
  ['+590590123456', 'a landline in Guadeloupe'],
  ['+262262123456', 'a landline in Réunion'],
  ['+262269123456', 'a landline in Mayotte'],
  ['+3222345678', 'a landline in Brussels'],
  ['+49301234567', 'a landline in Berlin'],
  ['+390612345678', 'a landline in Rome'],
  ['+41441234567', 'a landline in Zürich'],
  ['+447700900123', 'a mobile of a country without a calendar'],
  ['+14155550123', 'a number of North America'],
  ['0612345678', 'a number without its country'],
  ['33612345678', 'a number without its plus'],
  ['+336', 'a beginning'],
  ['+33612345678x', 'a number with something behind it'],
])('%s, %s, is none', number => {
  expect(isMobile(number)).toBe(false)
})
