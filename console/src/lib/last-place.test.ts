import { expect, it } from 'vitest'
import type { CompanyOfMe } from './api.ts'
import { firstPlace } from './last-place.ts'

const company = (id: string, production: boolean): CompanyOfMe => ({
  id,
  name: id,
  role: 'agent',
  environments: { production: { isOpen: production }, sandbox: { isOpen: true } },
})
const companies = [company('a', true), company('b', false)]

it.each([
  [null, 'a', 'production'],
  ['b/sandbox', 'b', 'sandbox'],
  ['a/sandbox', 'a', 'sandbox'],
  // No longer open, no longer theirs, and not a place at all.
  ['b/production', 'b', 'sandbox'],
  ['c/production', 'a', 'production'],
  ['a/elsewhere', 'a', 'production'],
])('who was last at %s begins at %s/%s', (last, id, environment) => {
  expect(firstPlace(companies, last)).toEqual({ company: id, environment })
})

it('who belongs to no company begins nowhere', () => {
  expect(firstPlace([], 'a/production')).toBeNull()
})
