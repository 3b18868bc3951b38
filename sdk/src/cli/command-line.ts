import { commands, nouns } from '../generated/commands.ts'
import type { Command, Field } from './command.ts'
import { UsageError } from './errors.ts'

/** invoiceNumber → invoice-number; a dot stays. */
export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** What a person types for an operation: `invoices waive-late-payment`. */
export const wordsOf = ({ id }: Command): [noun: string, verb: string] => {
  const [noun = '', verb = ''] = id.split('.').map(kebab)
  return [noun, verb]
}

/** Flags of every command. */
export const commonFields = [
  { name: 'json', type: 'boolean', text: 'print JSON instead of a table' },
  { name: 'production', type: 'boolean', text: 'act in production; without it in the sandbox' },
  { name: 'company', type: 'string', text: 'the id of the company, where a sign-in opens several' },
  { name: 'baseUrl', type: 'string', text: 'the address of the server (BASE_URL)' },
  { name: 'apiKey', type: 'string', text: 'the API key (API_KEY)' },
  { name: 'help', type: 'boolean', text: 'print this help' },
] as const satisfies readonly Field[]

/** Flags of operations, where they apply. */
export const operationFields = {
  all: { name: 'all', type: 'boolean', text: 'every page of the list, as it is read' },
  jsonFile: {
    name: 'jsonFile',
    type: 'string',
    text: 'a file with the body as JSON, or - for standard input',
  },
  output: { name: 'output', type: 'string', text: 'where to write the file' },
  idempotencyKey: {
    name: 'idempotencyKey',
    type: 'string',
    text: 'of your own: the same request with the same key is done once',
  },
} as const satisfies Record<string, Field>

export type Values = Record<string, unknown>

export interface Line {
  words: string[]
  values: Values
}

/** The edit distance, used to suggest the nearest command. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    row = next
  }
  return row[b.length]!
}

export function nearest(word: string, known: readonly string[]): string {
  const [best] = known
    .map(name => ({ name, changes: name.startsWith(word) ? 1 : distance(word, name) }))
    .sort((a, b) => a.changes - b.changes)
  return best && best.changes <= 3 ? ` Did you mean ${best.name}?` : ''
}

function readValue(field: Field, text: string): unknown {
  const flag = `--${kebab(field.name)}`
  const check = (one: string) => {
    if (field.values && !field.values.map(String).includes(one))
      throw new UsageError(`${flag} is one of ${field.values.join(', ')}; it was ${JSON.stringify(one)}.`)
    return one
  }
  switch (field.type) {
    case 'number':
      if (text.trim() === '' || Number.isNaN(Number(text)))
        throw new UsageError(`${flag} takes a number; it was ${JSON.stringify(text)}.`)
      return Number(text)
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new UsageError(`${flag} is true or false.`)
      return text === 'true'
    case 'list':
      return text.split(',').map(one => check(one.trim()))
    case 'json':
      try {
        return JSON.parse(text)
      } catch {
        throw new UsageError(`${flag} takes JSON; it was ${JSON.stringify(text.slice(0, 80))}.`)
      }
    default:
      return check(text)
  }
}

/** Words and flags: `--name value`, `--name=value`, `--name` and `--no-name` for what is true or false. */
export function parse(args: readonly string[], fields: readonly Field[]): Line {
  const byFlag = new Map(fields.flatMap(field => [kebab(field.name), field.name].map(name => [name, field])))
  const line: Line = { words: [], values: {} }
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (arg === '--') {
      line.words.push(...args.slice(i + 1))
      break
    }
    if (!arg.startsWith('--')) {
      if (arg.startsWith('-') && arg !== '-')
        throw new UsageError(`${arg} is not known; options begin with two dashes.`)
      line.words.push(arg)
      continue
    }
    const [, name = '', given] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg)!
    const negated = name.startsWith('no-') ? byFlag.get(name.slice(3)) : undefined
    const field = byFlag.get(name) ?? (negated?.type === 'boolean' ? negated : undefined)
    if (!field)
      throw new UsageError(
        `--${name} is not known.${nearest(
          `--${name}`,
          fields.map(one => `--${kebab(one.name)}`),
        )}`,
      )
    if (field.type === 'boolean' && given === undefined) {
      line.values[field.name] = field !== negated
      continue
    }
    const text = given ?? args[++i]
    if (text === undefined) throw new UsageError(`--${name} needs a value.`)
    const value = readValue(field, text)
    const before = line.values[field.name]
    line.values[field.name] =
      field.type === 'list' && before ? [...(before as unknown[]), ...(value as unknown[])] : value
  }
  return line
}

/** All flags of a command. */
export const fieldsOf = ({ query, body, answers, method }: Command): Field[] => [
  ...(query ?? []),
  ...(Array.isArray(body) ? (body as Field[]) : []),
  ...(Array.isArray(body) ? [operationFields.jsonFile] : []),
  ...(answers === 'list' ? [operationFields.all] : []),
  ...(answers === 'file' ? [operationFields.output] : []),
  ...(method === 'POST' ? [operationFields.idempotencyKey] : []),
]

function wrapped(text: string, indent: number, width = 100): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line && line.length + word.length + 1 > width - indent) {
      lines.push(line)
      line = word
    } else line = line ? `${line} ${word}` : word
  }
  lines.push(line)
  return lines.join(`\n${' '.repeat(indent)}`)
}

/** Two columns: what is typed, and what it does. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)))
  return rows
    .map(([left, right]) => {
      const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : ' '.repeat(width - left.length + 2)
      return `  ${left}${gap}${wrapped(right, width + 4)}`
    })
    .join('\n')
}

const metavar = ({ type, values }: Field): string =>
  type === 'boolean' ? '' : ` <${values ? 'value' : type === 'string' ? 'text' : type}>`

export const flagRows = (fields: readonly Field[]): [string, string][] =>
  fields.map(field => [
    `--${kebab(field.name)}${metavar(field)}`,
    [
      field.values || field.type === 'list' ? (field.text ?? '').replace(/[^.]$/, '$&.') : (field.text ?? ''),
      field.isRequired ? '(required)' : '',
      field.values ? `One of: ${field.values.join(', ')}` : '',
      field.type === 'list' ? 'With commas between, or several times.' : '',
    ]
      .filter(Boolean)
      .join(' '),
  ])

export const findCommand = (noun: string, verb: string): Command | undefined =>
  commands.find(command => wordsOf(command).join(' ') === `${kebab(noun)} ${kebab(verb)}`)

export const isNoun = (word: string): boolean => commands.some(command => wordsOf(command)[0] === kebab(word))

export const verbsOf = (noun: string): Command[] =>
  commands.filter(command => wordsOf(command)[0] === kebab(noun))

export function commandHelp(command: Command): string {
  const [noun, verb] = wordsOf(command)
  const own = fieldsOf(command)
  const names = [...command.params.map(({ name }) => name), ...(command.body === 'file' ? ['file'] : [])]
  const words = names.map(name => `<${kebab(name)}>`)
  const params = command.params.flatMap(({ name, text, values }): [string, string][] =>
    text || values
      ? [[`<${kebab(name)}>`, [text, values && `One of: ${values.join(', ')}`].filter(Boolean).join('. ')]]
      : [],
  )
  return [
    `relance ${[noun, verb, ...words].join(' ')}${own.length > 0 ? ' [options]' : ''}`,
    '',
    wrapped(
      [command.summary, command.text]
        .filter(Boolean)
        .map(text => text!.replace(/\.$/, ''))
        .join('. '),
      0,
    ),
    ...(params.length > 0 ? ['', columns(params)] : []),
    ...(own.length > 0 ? ['', columns(flagRows(own))] : []),
    '',
    'Everywhere:',
    columns(flagRows(commonFields)),
  ].join('\n')
}

export function nounHelp(noun: string, more: readonly (readonly [string, string])[] = []): string {
  const own = verbsOf(noun)
  const [key = ''] = own[0]!.id.split('.')
  const rows = own.map((command): [string, string] => [
    [...wordsOf(command), ...command.params.map(({ name }) => `<${kebab(name)}>`)].join(' '),
    command.summary,
  ])
  return [
    `${nouns[key]}`,
    '',
    columns([...rows, ...more]),
    '',
    `\`relance ${noun} ${wordsOf(own[0]!)[1]} --help\` shows what a command takes.`,
  ].join('\n')
}

export const nounRows = (): [string, string][] =>
  [...new Set(commands.map(command => wordsOf(command)[0]))].map(noun => [
    noun,
    nouns[verbsOf(noun)[0]!.id.split('.')[0]!] ?? '',
  ])
