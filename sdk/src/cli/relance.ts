#!/usr/bin/env node
import { playSamplePortfolio, sampleStages } from '../sample-portfolio.ts'
import type { Field } from './command.ts'
import {
  columns,
  commandHelp,
  commonFields,
  fieldsOf,
  findCommand,
  flagRows,
  isNoun,
  kebab,
  type Line,
  nearest,
  nounHelp,
  nounRows,
  parse,
  verbsOf,
  wordsOf,
} from './command-line.ts'
import { type Client, type Connection, connect, version } from './credentials.ts'
import { exitCodes, explain, UsageError } from './errors.ts'
import { importFile } from './import-file.ts'
import { listen } from './listen.ts'
import { login, logout, whoami } from './login.ts'
import { runOperation } from './operations.ts'
import { note, print, recordText } from './output.ts'
import { trigger, triggerRows } from './trigger.ts'
import { advanceAndShow, durationOf, watch } from './watch.ts'

/** A command that is more than an operation. */
interface OwnCommand {
  usage: string
  summary: string
  fields: readonly Field[]
  more?: () => string
  run(line: Line, connection: Connection, signal: AbortSignal): Promise<void>
}

const text = (line: Line, name: string) => line.values[name] as string | undefined
const word = (line: Line, name: string, usage: string): string => {
  const [first, second] = line.words
  if (first === undefined) throw new UsageError(`${name} is missing: relance ${usage}`)
  if (second !== undefined) throw new UsageError(`${JSON.stringify(second)} is too much: relance ${usage}`)
  return first
}

/** Only the sandbox can advance the clock and simulate events. */
function connectToSandbox(connection: Connection, what: string): Client {
  const client = connect(connection)
  if (client.environment === 'production')
    throw new UsageError(
      `${what} works in the sandbox only; use a key that begins with fk_test_, without --production.`,
    )
  return client
}

const ownCommands: Record<string, OwnCommand> = {
  login: {
    usage: 'login [--production] [--api-key <key>]',
    summary: 'Sign in by the browser, or store an API key',
    fields: [{ name: 'browser', type: 'boolean', text: '--no-browser prints the address and opens nothing' }],
    run: (line, connection) => login(connection, { opensBrowser: line.values.browser !== false }),
  },
  logout: {
    usage: 'logout [--production]',
    summary: 'Sign out, and end the consent on the server',
    fields: [],
    run: (_line, connection) => logout(connection),
  },
  whoami: {
    usage: 'whoami',
    summary: 'Show the server, the environment and the company',
    fields: [],
    run: (line, connection) => whoami(connection, line.values.json === true),
  },
  listen: {
    usage: 'listen [--forward-to <url>]',
    summary: 'Show events as they happen, and send them to a receiver on this computer, signed as webhooks',
    fields: [
      { name: 'forwardTo', type: 'string', text: 'where to post them, as in http://localhost:3000/hooks' },
      { name: 'events', type: 'list', text: 'only these; all unless given.' },
      {
        name: 'since',
        type: 'string',
        text: 'begin earlier: a moment, oldest, or the cursor that an earlier run printed',
      },
      {
        name: 'secret',
        type: 'string',
        text: 'sign with this one (WEBHOOK_SECRET); else one is made for this computer',
      },
    ],
    run: (line, connection, signal) =>
      listen(connect(connection).relance, {
        forwardTo: text(line, 'forwardTo'),
        types: line.values.events as string[] | undefined,
        since: text(line, 'since') ?? 'now',
        secret: text(line, 'secret'),
        isJson: line.values.json === true,
        signal,
      }),
  },
  trigger: {
    usage: 'trigger <event>',
    summary: 'Cause an event for real, in the sandbox',
    fields: [],
    more: () => columns(triggerRows()),
    async run(line, connection) {
      if (line.words.length === 0) return print(columns(triggerRows()))
      const name = word(line, 'The event', this.usage)
      await trigger(connectToSandbox(connection, 'trigger').relance, name, line.values.json === true)
    },
  },
  clock: {
    usage: 'clock [advance 3d]',
    summary: 'Read the clock of the sandbox, or let time pass there',
    fields: [{ name: 'to', type: 'string', text: 'a moment to advance to, instead of a duration' }],
    async run({ words: [verb, duration, ...rest], values }, connection) {
      if (verb !== undefined && verb !== 'advance')
        throw new UsageError(`There is no clock ${verb}: relance ${this.usage}`)
      const to = values.to as string | undefined
      if (rest.length > 0 || (verb && (duration === undefined) === (to === undefined)))
        throw new UsageError(
          'clock advance takes one duration, as in `relance clock advance 3d`, or --to a moment.',
        )
      const { relance } = connectToSandbox(connection, 'clock')
      if (verb)
        return advanceAndShow(relance, to ? { to } : { advance: durationOf(duration!) }, values.json === true)
      const clock = await relance.sandbox.clock()
      print(values.json ? JSON.stringify(clock, null, 2) : recordText(clock))
    },
  },
  sample: {
    usage: 'sample',
    summary: 'Fill the empty sandbox with 68 clients in every state, after nine weeks of reminders',
    fields: [],
    async run(line, connection) {
      const { relance } = connectToSandbox(connection, 'sample')
      const { data: known } = await relance.invoices.list({ limit: 1 })
      if (known.length > 0)
        throw new UsageError(
          'There are invoices in the sandbox already. `relance sandbox reset` empties it; what is in it is lost.',
        )
      const made = await playSamplePortfolio(relance, stage => note(`stage ${stage + 1} of ${sampleStages}`))
      if (line.values.json) return print(JSON.stringify(made, null, 2))
      print(columns(made.map(({ name, invoiceId }): [string, string] => [name, invoiceId])))
    },
  },
  watch: {
    usage: 'watch <invoice>',
    summary: 'Show the history of an invoice, by its id or number, as it grows',
    fields: [{ name: 'last', type: 'number', text: 'how many earlier lines to show first; 10 unless given' }],
    run(line, connection, signal) {
      const invoice = word(line, 'The invoice', this.usage)
      const { last = 10, json } = line.values as { last?: number; json?: boolean }
      return watch(connect(connection).relance, invoice, { last, isJson: json === true, signal })
    },
  },
}

/** `invoices import` with a file. With JSON it is the operation, which takes up to 100 invoices. */
const importCommand: OwnCommand = {
  usage: 'invoices import <file>',
  summary: 'Import a file of invoices (CSV, XLSX or NDJSON) as a task that can be interrupted',
  fields: [
    { name: 'map', type: 'list', text: 'what a column is: "Montant=amount".' },
    { name: 'dryRun', type: 'boolean', text: 'say what would be imported, and stop there' },
    { name: 'task', type: 'string', text: 'go on with the task of an earlier run' },
    {
      name: 'autoStartWorkflow',
      type: 'boolean',
      text: '--no-auto-start-workflow creates invoices without starting their recovery',
    },
    { name: 'language', type: 'string', values: ['fr', 'en'], text: 'of the causes of refusals' },
  ],
  run: ({ words: [file], values }, connection, signal) =>
    importFile(connect(connection).relance, {
      file,
      task: values.task as string | undefined,
      map: (values.map as string[] | undefined) ?? [],
      isDryRun: values.dryRun === true,
      startsWorkflow: values.autoStartWorkflow !== false,
      language: values.language as 'fr' | 'en' | undefined,
      isJson: values.json === true,
      signal,
    }),
}

const ownHelp = ({ usage, summary, fields, more }: OwnCommand): string =>
  [
    `relance ${usage}`,
    '',
    `${summary}.`,
    ...(fields.length > 0 ? ['', columns(flagRows(fields))] : []),
    ...(more ? ['', more()] : []),
    '',
    'Everywhere:',
    columns(flagRows(commonFields)),
  ].join('\n')

const help = (): string =>
  [
    'relance <command>: the API of Relance on the command line',
    '',
    columns([
      ...Object.values(ownCommands).map(({ usage, summary }): [string, string] => [usage, summary]),
      [importCommand.usage, importCommand.summary],
    ]),
    '',
    'Operations of the API, as in `relance invoices list --limit 5`:',
    columns(nounRows()),
    '',
    'Everywhere:',
    columns(flagRows(commonFields)),
    '',
    '`relance invoices --help` shows the commands of a noun, `relance invoices create --help` what one takes.',
    `Exit codes: ${Object.entries(exitCodes)
      .map(([kind, code]) => `${code} ${kebab(kind)}`)
      .join(', ')}.`,
  ].join('\n')

/** Separates the common flags from the words and the flags of the command. */
function splitArgs(args: readonly string[]): { common: string[]; rest: string[] } {
  const common: string[] = []
  const rest: string[] = []
  for (let i = 0; i < args.length; i++) {
    const [, name = '', value] = /^--([^=]+)(=[\s\S]*)?$/.exec(args[i]!) ?? []
    const field = commonFields.find(one => one.name === name || kebab(one.name) === name)
    if (!field) rest.push(args[i]!)
    else {
      common.push(args[i]!)
      if (field.type !== 'boolean' && value === undefined && args[i + 1] !== undefined)
        common.push(args[++i]!)
    }
  }
  return { common, rest }
}

async function main(args: readonly string[], signal: AbortSignal): Promise<void> {
  if (args[0] === '--version') return print(version)
  const { common, rest } = splitArgs(args[0] === 'help' ? [...args.slice(1), '--help'] : args)
  const { values } = parse(common, commonFields)
  const connection: Connection = {
    baseUrl: values.baseUrl as string | undefined,
    apiKey: values.apiKey as string | undefined,
    companyId: values.company as string | undefined,
    isProduction: values.production === true,
  }
  const [first, second = '', ...others] = rest
  if (first === undefined) {
    if (values.help) return print(help())
    throw new UsageError(help())
  }
  const read = (argsOfCommand: readonly string[], fields: readonly Field[]): Line => {
    const line = parse(argsOfCommand, fields)
    return { ...line, values: { ...line.values, ...values } }
  }
  const own = Object.hasOwn(ownCommands, first) ? ownCommands[first] : undefined
  if (own) {
    if (values.help) return print(ownHelp(own))
    return own.run(read(rest.slice(1), own.fields), connection, signal)
  }
  if (!isNoun(first)) {
    const known = [...Object.keys(ownCommands), ...nounRows().map(([noun]) => noun)]
    throw new UsageError(
      `There is no command ${JSON.stringify(first)}.${nearest(first, known)} \`relance --help\` lists them.`,
    )
  }
  const noun = kebab(first)
  const command = findCommand(noun, second)
  const isImport = command?.id === 'invoices.import'
  if (!command) {
    const more = noun === 'invoices' ? [[importCommand.usage, importCommand.summary] as const] : []
    if (second === '' && values.help) return print(nounHelp(noun, more))
    if (second === '') throw new UsageError(nounHelp(noun, more))
    throw new UsageError(
      `There is no command ${noun} ${second}.${nearest(
        second,
        verbsOf(noun).map(one => wordsOf(one)[1]),
      )} \`relance ${noun} --help\` lists them.`,
    )
  }
  if (values.help)
    return print(isImport ? `${ownHelp(importCommand)}\n\n${commandHelp(command)}` : commandHelp(command))
  if (isImport && !others.some(arg => /^--(json-?file|invoices)\b/i.test(arg)))
    return importCommand.run(read(others, importCommand.fields), connection, signal)
  const line = read(others, fieldsOf(command))
  return runOperation(connect(connection).relance, command, line)
}

// A reader that closes the pipe early, as in `| head`, is not an error.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
  throw error
})
const ending = new AbortController()
let isInterrupted = false
for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => {
    isInterrupted = true
    ending.abort()
  })

await main(process.argv.slice(2), ending.signal).then(
  () => {
    process.exitCode = isInterrupted ? exitCodes.interrupted : exitCodes.done
  },
  error => {
    const { text: said, code } = explain(error)
    if (!isInterrupted) note(said)
    process.exitCode = isInterrupted ? exitCodes.interrupted : code
  },
)
