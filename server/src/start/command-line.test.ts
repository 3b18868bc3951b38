import { describe, expect, it } from 'vitest'
import {
  type CommandLine,
  optionsOf,
  readCommandLine,
  readCount,
  requireValue,
  UsageError,
} from './command-line.ts'
import { commands, helpOn } from './commands.ts'

const roles = ['api', 'worker', 'all', 'bootstrap', 'migrate', 'openapi', 'doctor']

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
    expect(readCommandLine(line.split(' ').filter(Boolean))).toMatchObject({ ask: 'help' })
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
    expect(read).toThrow(/^[^\n]*`relance-server help`[^\n]*$/)
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
  ]) as CommandLine
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

it('tells of a command what it takes, of a word all commands that begin with it, and of nothing what there is', () => {
  const help = (...args: string[]) =>
    helpOn((readCommandLine(args) as { topic: string }).topic, () => 'PORT the port')
  expect(help('company', 'close', '--help')).toContain('--company id --reason … [--by …]')
  expect(help('company', 'close', '--help')).not.toContain('company open')
  expect(help('help', 'company')).toContain('company open')
  expect(help('help', 'environment')).toBe('PORT the port')
  for (const name of Object.keys(commands)) expect(help('help')).toContain(`\n  ${name} `)
  for (const line of help('sends', '--help').split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

it('reads from the usage of a command which options take a value', () => {
  expect(optionsOf('company mandate')).toEqual({
    company: { type: 'string' },
    'signed-on': { type: 'string' },
    reference: { type: 'string' },
    end: { type: 'boolean' },
    by: { type: 'string' },
  })
  expect(optionsOf('sends stop')).toMatchObject({ tenant: { type: 'string' }, provider: { type: 'string' } })
  expect(optionsOf('keys rotate')).toEqual({ 'discard-old': { type: 'boolean' } })
  expect(optionsOf('rates add')).toMatchObject({ from: { type: 'string' }, replace: { type: 'boolean' } })
})

it('is asked for the version', () => {
  expect(readCommandLine(['--version'])).toEqual({ ask: 'version', topic: '' })
})
