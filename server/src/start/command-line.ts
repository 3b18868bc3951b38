import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The command line was wrong: its message is all that is shown, and nothing was done. */
export class UsageError extends Error {}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const

/** Every command, and the options it takes. */
export const commands = {
  api: {},
  worker: {},
  all: {},
  engine: {},
  bootstrap: {},
  migrate: {},
  openapi: {},
  doctor: {},
  'maintenance on': { minutes: text },
  'maintenance off': {},
  'keys rotate': { 'discard-old': flag },
  'audit purge': { years: text },
  'sends stop': { company: text, tenant: text, provider: text, reason: text, by: text },
  'sends resume': { company: text, tenant: text, provider: text, by: text },
  'sends status': {},
  'sends unpark': { tenant: text },
  'sends reconcile': { since: text, until: text, file: text },
  'rates add': { from: text, 'rate-bps': text, source: text, kind: text, replace: flag, by: text },
  'rates list': {},
  'company create': {
    name: text,
    'owner-email': text,
    tier: text,
    'sells-to': text,
    country: text,
    language: text,
    'requests-per-minute': text,
    'in-flight': text,
    json: flag,
  },
  'company open': { company: text, by: text },
  'company close': { company: text, reason: text, by: text },
  'company key': { company: text, environment: text, scopes: text },
  'company set': {
    company: text,
    'sells-to': text,
    tier: text,
    'requests-per-minute': text,
    'in-flight': text,
    iban: text,
    'account-holder': text,
    'reply-email': text,
    telephone: text,
    'legal-name': text,
    'payment-account': text,
    'at-once': flag,
  },
  'company set-limits': { company: text, channel: text, messages: text, cents: text },
  'company mandate': { company: text, 'signed-on': text, reference: text, end: flag, by: text },
  'company invite-owner': { company: text, email: text },
  'company list': {},
  'company show': { company: text },
} as const satisfies Record<string, ParseArgsOptionsConfig>

export type Command = keyof typeof commands

export interface CommandLine {
  command: Command
  values: Partial<Record<string, string>>
  flags: readonly string[]
}

const names = Object.keys(commands) as Command[]
const seeHelp = '`relance help` shows what there is.'

function commandOf([role = '', verb = '']: readonly string[]): { command: Command; length: number } {
  const found = names.find(name => name === role) ?? names.find(name => name === `${role} ${verb}`)
  if (found) return { command: found, length: found.split(' ').length }
  const verbs = names.filter(name => name.startsWith(`${role} `)).map(name => name.split(' ')[1])
  throw new UsageError(
    verbs.length > 0
      ? `${role}: say one of ${verbs.join(', ')}; ${seeHelp}`
      : `There is no command ${JSON.stringify(role)}; ${seeHelp}`,
  )
}

/** The command to run; null if help was asked for, wherever on the line. Anything that a command does not take is refused. */
export function readCommandLine(args: readonly string[]): CommandLine | null {
  if (args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')) return null
  const { command, length } = commandOf(args)
  const options: ParseArgsOptionsConfig = commands[command]
  try {
    const { values } = parseArgs({ args: args.slice(length), options, allowPositionals: false, strict: true })
    const given = Object.entries(values)
    return {
      command,
      values: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Record<
        string,
        string
      >,
      flags: given.filter(([, value]) => value === true).map(([name]) => name),
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError(`${command}: ${error.message.split('. ')[0]}; ${seeHelp}`)
  }
}

/** A whole number from the command line. */
export function readCount({ command, values }: CommandLine, name: string): number | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const count = Number(given)
  if (!Number.isSafeInteger(count) || count < 0)
    throw new UsageError(`${command}: --${name} must be a whole number; ${seeHelp}`)
  return count
}

export function requireValue({ command, values }: CommandLine, name: string): string {
  const given = values[name]
  if (given === undefined) throw new UsageError(`${command}: --${name} is missing; ${seeHelp}`)
  return given
}
