import { join } from 'node:path'
import { vi } from 'vitest'
import { inheritedEnv } from '../../dev/relance-args.ts'
import {
  closeCompany,
  type OperatorContext,
  openCompany,
} from '../../src/features/access/companies/operate.ts'
import {
  resumeSends,
  type SendsTarget,
  stopSends,
} from '../../src/features/access/companies/operate-sends.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { type CommandLine, readCommandLine } from '../../src/start/command-line.ts'
import { companyCommand, ratesCommand } from '../../src/start/company-commands.ts'
import { readConfig } from '../../src/start/config.ts'
import { failureOf } from '../../src/start/failure.ts'
import { sendsCommand } from '../../src/start/sends-commands.ts'
import type { TestInstallation } from './use-installation.ts'

/** What the operator's commands do, with the operator's database role. */
export function operatorCalls(installation: TestInstallation) {
  async function withContext<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
    const pool = createPool({
      url: installation.database.env.OPERATOR_DATABASE_URL,
      role: 'relance-operator',
      max: 1,
      statementTimeoutMs: 10_000,
    })
    const wall = Date.now()
    return work({ pool, wall, newId: () => uuidv7(wall), by: 'operator' }).finally(() => pool.end())
  }
  return {
    withContext,
    close: (companyId: string, reason = 'complaints of debtors') =>
      withContext(context => closeCompany(context, { companyId, reason })),
    open: (companyId: string) => withContext(context => openCompany(context, companyId)),
    stop: (target: SendsTarget = {}, reason = 'a fault in our texts') =>
      withContext(context => stopSends(context, target, reason)),
    resume: (target: SendsTarget = {}) => withContext(context => resumeSends(context, target)),
  }
}

interface CommandResult {
  code: number
  /** What was printed; of a command that failed, the reason. */
  out: string
}
export type RunCommand = (...args: string[]) => Promise<CommandResult>

const commandEnv = ({ database, server }: TestInstallation) => ({
  ...database.env,
  KEYRING: server.config.KEYRING!,
  RELANCE_ENV: 'development',
  ...Object.fromEntries(Object.entries(server.config).filter(([name]) => name.startsWith('COLLECTOR_'))),
})

/** Starts the program, as the operator would. A start takes seconds: one per kind of command proves that it is wired. */
export const startedCommand =
  (installation: TestInstallation): RunCommand =>
  async (...args) => {
    const main = join(import.meta.dirname, '../../src/main.ts')
    // With the cache of the check, where there is one, the sources are not compiled again.
    const env = { ...inheritedEnv(), ...commandEnv(installation) }
    try {
      const { stdout } = await runChild(process.execPath, [main, ...args], { env })
      return { code: 0, out: stdout }
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string }
      return { code, out: stderr }
    }
  }

/** The same command in this process: all that main.ts does for `company`, `sends` and `rates`. */
export const command =
  (installation: TestInstallation): RunCommand =>
  async (...args) => {
    const printed: string[] = []
    const print = (line: unknown) => void printed.push(`${line}\n`)
    const log = vi.spyOn(console, 'log').mockImplementation(print)
    const error = vi.spyOn(console, 'error').mockImplementation(print)
    try {
      const line = readCommandLine(args) as CommandLine
      const settings = readConfig(commandEnv(installation))
      // Reconciling asks the providers, so it has the settings of a worker.
      if (line.command.startsWith('sends ')) await sendsCommand(installation.server.config, line)
      else if (line.command.startsWith('rates ')) await ratesCommand(settings, line)
      else await companyCommand(settings, line)
      return { code: 0, out: printed.join('') }
    } catch (failure) {
      const known = failureOf(failure)
      if (!known) throw failure
      return { code: known.code, out: `${known.text}\n` }
    } finally {
      log.mockRestore()
      error.mockRestore()
    }
  }

/** Closes or opens a company by its stops alone, where a test has nothing but SQL. */
export const switchCompany = (
  { sql }: Pick<TestInstallation, 'sql'>,
  companyId: string,
  isOpen: boolean,
): Promise<unknown> =>
  isOpen
    ? sql(`update stops set ended_at = since, ended_by = 'test' where target = $1 and ended_at is null`, [
        companyId,
      ])
    : sql(
        `insert into stops (id, scope, target, reason, since, stopped_by)
         values (gen_random_uuid(), 'company', $1, 'test', clock_timestamp(), 'test') on conflict do nothing`,
        [companyId],
      )
