import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type Command, commands } from './commands.ts'

/** The command line was wrong: its message is all that is shown, and nothing was done. */
export class UsageError extends Error {}

export interface CommandLine {
  command: Command
  values: Partial<Record<string, string>>
  flags: readonly string[]
}

/** Nothing is run: what `help` or `--version` asks for is printed. */
export interface Question {
  ask: 'help' | 'version'
  /** The words before `--help`, or after `help`. */
  topic: string
}

const names = Object.keys(commands) as Command[]
const seeHelp = '`relance-server help` shows what there is.'

/** An option takes a value where its usage shows one: `--name …`, but `[--json]`. */
export const optionsOf = (command: Command): ParseArgsOptionsConfig =>
  Object.fromEntries(
    commands[command].flatMap(({ options }) =>
      [...options.matchAll(/--([a-z-]+)( (?!--|\[|\|)[^\]]|)/g)].map(([, name, value]) => [
        name!,
        { type: value ? ('string' as const) : ('boolean' as const) },
      ]),
    ),
  )

function commandOf([role = '', verb = '']: readonly string[]): { command: Command; length: number } {
  const found = names.find(name => name === role) ?? names.find(name => name === `${role} ${verb}`)
  if (found) return { command: found, length: found.split(' ').length }
  const verbs = names.filter(name => name.startsWith(`${role} `)).map(name => name.split(' ')[1])
  throw new UsageError(
    verbs.length > 0
      ? `${role}: use one of ${verbs.join(', ')}; ${seeHelp}`
      : `There is no command ${JSON.stringify(role)}; ${seeHelp}`,
  )
}

const asksForHelp = (args: readonly string[]) =>
  args.length === 0 || args[0] === 'help' || args.includes('--help') || args.includes('-h')

/** The command to run, or a question anywhere on the line. Arguments that a command does not take are refused. */
export function readCommandLine(args: readonly string[]): CommandLine | Question {
  if (asksForHelp(args)) {
    const words = args.filter(word => word !== 'help' && !word.startsWith('-')).slice(0, 2)
    const isCommand = (topic: string) => names.some(name => name === topic)
    const topic = isCommand(words.join(' ')) ? words.join(' ') : (words[0] ?? '')
    return { ask: 'help', topic }
  }
  if (args.includes('--version')) return { ask: 'version', topic: '' }
  const { command, length } = commandOf(args)
  const options = optionsOf(command)
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
