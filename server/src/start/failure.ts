import { OperatorError } from '../features/access/companies/require-company.ts'
import { MigrationRefused } from '../kit/db/migrate.ts'
import { isDatabaseFault, sqlState } from '../kit/db/transaction.ts'
import { ApiError } from '../kit/errors.ts'
import { UsageError } from './command-line.ts'
import { ConfigError } from './config.ts'
import { isLoginRefused } from './doctor-services.ts'

/** How a command ends, for scripts and service managers. 0 is success; the table is in docs/operating.md. */
export const exitCodes = {
  defect: 1,
  usage: 2,
  setup: 3,
  unavailable: 4,
  refused: 5,
  findings: 6,
} as const

interface Failure {
  code: number
  /** What is wrong and what to do, in one sentence. */
  text: string
}

/** SQLSTATEs which mean that a step of the installation is missing. */
const missingSteps: Record<string, string> = {
  '42P01': 'a table is missing in this database: run `relance-server migrate`',
  '42703': 'a column is missing in this database: run `relance-server migrate`',
  '42883': 'a function is missing in this database: run `relance-server migrate`',
  '42704': 'a database role is missing: run `relance-server bootstrap`, once per database server',
  '42501':
    'this login may not do that: `bootstrap` needs a superuser in DATABASE_URL, `migrate` needs the owner of the database',
}

function systemFailure(error: NodeJS.ErrnoException & { port?: number }): Failure | null {
  if (error.code === 'EADDRINUSE')
    return { code: exitCodes.setup, text: `port ${error.port} is in use: stop what uses it, or set another` }
  if (error.path !== undefined && ['ENOENT', 'EACCES', 'EISDIR'].includes(error.code ?? ''))
    return { code: exitCodes.setup, text: `${error.path} cannot be read (${error.code})` }
  return null
}

/** A failure that the operator can fix. Null: a defect of the program, which is shown with its stack. */
export function failureOf(error: unknown): Failure | null {
  if (!(error instanceof Error)) return null
  if (error instanceof UsageError) return { code: exitCodes.usage, text: error.message }
  if (error instanceof ConfigError || error instanceof MigrationRefused)
    return { code: exitCodes.setup, text: error.message }
  if (error instanceof OperatorError || error instanceof ApiError)
    return { code: exitCodes.refused, text: error.message }
  if (isLoginRefused(error))
    return {
      code: exitCodes.setup,
      text: `the database refuses the login (${error.message}): correct its address, or run \`relance-server bootstrap\``,
    }
  const step = missingSteps[sqlState(error)]
  if (step !== undefined) return { code: exitCodes.setup, text: `${step} (${error.message})` }
  const failure = systemFailure(error)
  if (failure) return failure
  if (isDatabaseFault(error))
    return {
      code: exitCodes.unavailable,
      text: `the database does not answer (${error.message || sqlState(error)}): start PostgreSQL, or correct its address`,
    }
  return null
}
