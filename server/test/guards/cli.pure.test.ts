import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Field } from '../../../sdk/src/cli/command.ts'
import {
  commandHelp,
  commonFields,
  fieldsOf,
  findCommand,
  kebab,
  operationFields,
  parse,
} from '../../../sdk/src/cli/command-line.ts'
import { runOperation } from '../../../sdk/src/cli/operations.ts'
import { durationOf } from '../../../sdk/src/cli/watch.ts'
import { commands } from '../../../sdk/src/generated/commands.ts'
import { Relance } from '../../../sdk/src/index.ts'
import { operations } from '../../src/features/all.ts'

interface Sent {
  method: string
  url: URL
  body: unknown
}
const sent: Sent[] = []
const relance = new Relance({
  apiKey: 'fk_test_x',
  baseUrl: 'http://api.example',
  async fetch(url, init) {
    sent.push({ method: init!.method!, url: new URL(String(url)), body: init!.body })
    return new Response(JSON.stringify({ success: true, data: [], pagination: {} }))
  },
})
afterEach(() => vi.restoreAllMocks())

const sample = ({ type, values }: Field): string => {
  if (values) return String(values[0])
  return { string: 'a b', number: '7', boolean: 'true', list: 'x,y', json: '[{"k":1}]' }[type]
}

describe.each(operations)('$id', operation => {
  const [noun = '', verb = ''] = operation.id.split('.')
  const command = findCommand(noun, verb)

  it('is a command that sends each of its flags, and explains them', async () => {
    expect(command, `npm run generate writes the command of ${operation.id}`).toBeDefined()
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const own = fieldsOf(command!)
    const said = commandHelp(command!)
    const ids = command!.params.map(({ values }, i) => String(values?.[0] ?? `id-${i}`))
    const words = [...ids, ...(command!.body === 'file' ? [import.meta.filename] : [])]
    const body = Array.isArray(command!.body) ? (command!.body as Field[]) : []
    const fields = [...(command!.query ?? []), ...body]
    for (const field of own) expect(said).toContain(`--${kebab(field.name)}`)
    const line = parse([...words, ...fields.map(field => `--${kebab(field.name)}=${sample(field)}`)], own)
    sent.length = 0
    await runOperation(relance, command!, { ...line, values: { ...line.values, output: '/dev/null' } })
    const [request] = sent
    expect(request!.method).toBe(operation.method)
    let next = 0
    expect(request!.url.pathname).toBe(operation.path.replaceAll(/:[A-Za-z]+/g, () => ids[next++]!))
    expect([...request!.url.searchParams.keys()]).toEqual((command!.query ?? []).map(({ name }) => name))
    if (operation.body) {
      const keys = [...new Set(body.map(({ name }) => name.split('.')[0]!))]
      expect(Object.keys(JSON.parse(request!.body as string))).toEqual(keys)
    }
  })
})

it('there is no command without an operation', () => {
  expect(commands.map(({ id }) => id)).toEqual(operations.map(({ id }) => id))
})

it('no field of an operation has the name of a flag that every command has', () => {
  const taken = new Set(
    [...commonFields, ...Object.values(operationFields)].map(({ name }) => name as string),
  )
  const all = commands.flatMap(({ query, body }) => [
    ...(query ?? []),
    ...(Array.isArray(body) ? (body as Field[]) : []),
  ])
  expect(all.filter(({ name }) => taken.has(name))).toEqual([])
})

it.each([
  ['3d', 'P3D'],
  ['2w', 'P14D'],
  ['1w2d', 'P9D'],
  ['6h', 'PT6H'],
  ['1d12h30m', 'P1DT12H30M'],
  ['p3d', 'P3D'],
])('%s is %s', (text, duration) => {
  expect(durationOf(text)).toBe(duration)
})

it.each(['', '3', 'd', '3 days', '-1d'])('%j is no duration', text => {
  expect(() => durationOf(text)).toThrow(/is no duration/)
})

it('a flag that is not known, lacks its value or has a wrong one is named before anything is sent', () => {
  const own = fieldsOf(findCommand('invoices', 'list')!)
  expect(() => parse(['--limitt', '5'], own)).toThrow('--limitt is not known. Did you mean --limit?')
  expect(() => parse(['--limit'], own)).toThrow('--limit needs a value.')
  expect(() => parse(['--limit', 'five'], own)).toThrow('--limit takes a number; it was "five".')
  expect(() => parse(['--status', 'payed'], own)).toThrow(/--status is one of .*paid/)
  expect(parse(['--from-date=2026-01-01', '--fromDate', '2026-02-01', '--all'], own).values).toEqual({
    fromDate: '2026-02-01',
    all: true,
  })
})
