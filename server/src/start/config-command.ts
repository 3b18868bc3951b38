import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { nearestName } from '../kit/nearest-name.ts'
import { type CommandLine, UsageError } from './command-line.ts'
import { ConfigError, readConfig, variableNames } from './config.ts'
import { exitCodes } from './failure.ts'

const prefixOf = (name: string) => name.split('_')[0]!

/** The beginnings that two or more variables share. A shell has many variables; one that begins like ours was meant for us. */
const ourPrefixes = new Set([
  'RELANCE',
  ...variableNames
    .filter(name => name.includes('_'))
    .map(prefixOf)
    .filter((prefix, i, all) => all.indexOf(prefix) !== i),
])

/** Of OpenSSL and Node, which looks like TLS_CERT_FILE; and of every shell and container, which looks like HOST_NAME. */
const notOurs = ['SSL_CERT_FILE', 'HOSTNAME']

/** One sentence per fault. In a file of ours every name has to be known. */
export function faultsOf(environment: Record<string, string | undefined>, isOurFile: boolean): string[] {
  const faults = Object.keys(environment)
    .filter(name => !variableNames.includes(name) && !notOurs.includes(name))
    .flatMap(name => {
      const near = nearestName(name, variableNames)
      if (near) return [`${name} is not a setting; did you mean ${near}?`]
      return isOurFile || (name.includes('_') && ourPrefixes.has(prefixOf(name)))
        ? [`${name} is not a setting.`]
        : []
    })
  try {
    readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [first, ...each] = error.message.split('\n')
    faults.push(...(each.length > 0 ? each.map(line => line.trim()) : [first!]))
  }
  return faults
}

function readEnvironmentFile(path: string) {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`config check: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

export function configCommand(
  environment: Record<string, string | undefined>,
  { values }: CommandLine,
): void {
  const { file } = values
  const faults = faultsOf(file ? readEnvironmentFile(file) : environment, file !== undefined)
  for (const fault of faults) console.log(fault)
  if (faults.length === 0) console.log('the settings can be used')
  else process.exitCode = exitCodes.setup
}
