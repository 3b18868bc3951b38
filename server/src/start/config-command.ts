import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
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

/** A variable of OpenSSL and Node, which looks like TLS_CERT_FILE. */
const notOurs = 'SSL_CERT_FILE'

/** How many letters have to be inserted, left out, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const above = rows[i - 1]!
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

/** The variable that was probably meant. */
function nearestTo(name: string): string | undefined {
  const near = variableNames
    .map(known => ({ known, apart: distance(name, known) }))
    .filter(({ known, apart }) => apart <= (known.length <= 6 ? 1 : 2))
  return near.sort((a, b) => a.apart - b.apart)[0]?.known
}

/** One sentence per fault. In a file of ours every name has to be known. */
export function faultsOf(environment: Record<string, string | undefined>, isOurFile: boolean): string[] {
  const faults = Object.keys(environment)
    .filter(name => !variableNames.includes(name) && name !== notOurs)
    .flatMap(name => {
      const near = nearestTo(name)
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
