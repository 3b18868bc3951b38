import { describe, expect, it } from 'vitest'
import { readCommandLine, readCount, requireValue, UsageError } from './command-line.ts'

const roles = ['api', 'worker', 'all', 'engine', 'bootstrap', 'migrate', 'openapi', 'doctor']

describe('help', () => {
  it.each([
    ...[...roles, 'maintenance', 'keys', 'company', 'sends', 'keys rotate', 'nonsense'].map(
      line => `${line} --help`,
    ),
    'company close --company x --reason y --help',
    'migrate -h',
    'help',
    '--help',
    '',
  ])('is asked for by "%s", and nothing is run', line => {
    expect(readCommandLine(line.split(' ').filter(Boolean))).toBeNull()
  })
})

describe('refused with one sentence:', () => {
  it.each([
    ...roles.map(role => `${role} --forse`),
    ...roles.map(role => `${role} something`),
    'migrat',
    'company',
    'company delete',
    'company close --company x --reason y --force',
    'company list --company x',
    'sends off',
    'maintenance off --minutes 3',
    'keys rotate now',
  ])('%s', line => {
    const read = () => readCommandLine(line.split(' '))
    expect(read).toThrow(UsageError)
    expect(read).toThrow(/^[^\n]*`relance help`[^\n]*$/)
  })
})

it('reads values, flags and numbers', () => {
  const line = readCommandLine([
    'company',
    'create',
    '--name',
    'Durand & fils',
    '--json',
    '--in-flight',
    '7',
  ])!
  expect(line).toEqual({
    command: 'company create',
    values: { name: 'Durand & fils', 'in-flight': '7' },
    flags: ['json'],
  })
  expect(readCount(line, 'in-flight')).toBe(7)
  expect(readCount(line, 'requests-per-minute')).toBeUndefined()
  expect(() => readCount(line, 'name')).toThrow('--name must be a whole number')
  expect(() => requireValue(line, 'owner-email')).toThrow('--owner-email is missing')
})
