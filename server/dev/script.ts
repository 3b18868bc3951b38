import { type ParseArgsConfig, parseArgs } from 'node:util'
import { failureOf } from '../src/start/failure.ts'

/**
 * The options of a script. `--help` prints the usage and ends; a wrong option is answered with one sentence, and nothing is
 * done.
 */
export function readOptions<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs(config)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    console.error(`${error.message.split('. ')[0]}.\n\n${usage}`)
    return process.exit(2)
  }
}

/** Runs a script. A failure that the user can fix is printed as one sentence, a defect with its stack. */
export async function runScript(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const failure = failureOf(error)
    console.error(failure ? `${failure.text}.` : error)
    process.exit(failure?.code ?? 1)
  }
}
