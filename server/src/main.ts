import { join } from 'node:path'
import { purgeAuditLog } from './features/access/audit/purge-audit-log.ts'
import { endMaintenance, setAuditYears, startMaintenance } from './features/access/companies/installation.ts'
import { untilNothingLeaves } from './features/access/companies/operate-sends.ts'
import { OperatorError } from './features/access/companies/require-company.ts'
import { everything } from './features/access/companies/stops.ts'
import { keyCacheMs } from './features/access/oauth/access-token.ts'
import { discardKeys, rotateKeys } from './features/access/oauth/signing-keys.ts'
import { contract } from './features/all.ts'
import { iso, systemClock } from './kit/clock.ts'
import { keyring } from './kit/crypto.ts'
import { bootstrapRoles } from './kit/db/bootstrap.ts'
import { migrate } from './kit/db/migrate.ts'
import { ApiError } from './kit/errors.ts'
import { openApi } from './kit/http/openapi.ts'
import { createStartContext, type RunningService, startApi, startInternals } from './start/api.ts'
import { type CommandLine, readCommandLine, readCount, UsageError } from './start/command-line.ts'
import {
  apiPool,
  asOperator,
  companyCommand,
  companyUsage,
  operatorPool,
  ratesCommand,
} from './start/company-commands.ts'
import { type Config, explainConfig, readConfig, requireSetting } from './start/config.ts'
import { examine } from './start/doctor.ts'
import { runEngine } from './start/engine-command.ts'
import { sendsCommand, sendsUsage } from './start/sends-commands.ts'
import { startWorker } from './start/worker.ts'

const usage = () => `relance <role>

  api                       answers requests
  worker                    wakes debtors' agendas and sends
  all                       both, in one process
  engine                    runs the engine (Restate) on this machine, for tasks; restarts it when it dies
  bootstrap                 makes the database roles (once per database server)
  migrate                   brings the schema up to date
  openapi                   prints the OpenAPI document
  doctor                    says what is wrong, if anything is
  maintenance on --minutes n | off
                            every request answers SYS_002 and nothing is sent meanwhile
  keys rotate [--discard-old]
                            lets the next key sign access tokens, at once; those that were issued stay good, unless the old
                            keys are discarded: then no token signed before is good, and new keys take over
  audit purge [--years n]   deletes audit events past their years (6 unless --years changes it)
${companyUsage}
${sendsUsage}

environment:
${explainConfig()}
`

const untilSignal = () =>
  new Promise<'signal'>(resolve => {
    process.once('SIGTERM', () => resolve('signal'))
    process.once('SIGINT', () => resolve('signal'))
  })

/** Starts one part after the other, and stops them when a signal comes, also one that comes while a part waits for its database. */
async function runUntilSignal(starts: readonly (() => Promise<RunningService | null>)[]): Promise<void> {
  const running: RunningService[] = []
  const startAll = async () => {
    for (const start of starts) {
      const part = await start()
      if (part) running.push(part)
    }
    return 'started' as const
  }
  const signal = untilSignal()
  const first = await Promise.race([signal, startAll()])
  await signal
  for (const part of running) await part.stop()
  if (first === 'signal') process.exit()
}

const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)

async function maintenanceCommand(config: Config, line: CommandLine): Promise<void> {
  const minutes = readCount(line, 'minutes') ?? 15
  await asOperator(config, line.values.by, async context => {
    if (line.command === 'maintenance off') {
      await endMaintenance(context)
      return console.log('maintenance is over')
    }
    const until = context.wall + minutes * 60_000
    await startMaintenance(context, until)
    await untilNothingLeaves({ pool: context.pool, clock: systemClock, leaseMs: config.LEASE_MS }, everything)
    console.log(`maintenance until ${iso(until)}; nothing is sent meanwhile`)
  })
}

async function auditCommand(config: Config, line: CommandLine): Promise<void> {
  const years = readCount(line, 'years')
  if (years !== undefined && !(years >= 1 && years <= 30))
    throw new UsageError('audit purge: --years is from 1 to 30; nothing was deleted')
  const pool = operatorPool(config)
  try {
    if (years !== undefined) await setAuditYears(pool, years)
    console.log(`${await purgeAuditLog(pool, iso(systemClock.wall()))} audit events deleted`)
  } finally {
    await pool.end()
  }
}

async function keysCommand(config: Config, { flags }: CommandLine): Promise<void> {
  const discardsOld = flags.includes('discard-old')
  const pool = apiPool(config)
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const change = discardsOld ? discardKeys : rotateKeys
  await change({ pool, keyring: ring, clock: systemClock }).finally(() => pool.end())
  if (!discardsOld)
    return console.log('the next key signs from now on; the one before is published for two more hours')
  // Printed only when every process has dropped its cached keys.
  await new Promise(resolve => setTimeout(resolve, keyCacheMs + 1_000))
  console.log('new keys sign from now on; no token that was signed before is good any more')
}

async function main(args: readonly string[]): Promise<void> {
  const line = readCommandLine(args)
  if (line === null) return console.log(usage())
  const config = readConfig(process.env)
  const { command } = line
  switch (command) {
    case 'api':
    case 'worker':
    case 'all': {
      const context = createStartContext(config)
      return runUntilSignal([
        () => startInternals(context),
        ...(command === 'worker' ? [] : [() => startApi(context)]),
        ...(command === 'api' ? [] : [() => startWorker(context)]),
      ])
    }
    case 'engine':
      // An open pause would keep the process alive after a signal.
      process.exit((await runEngine(config, untilSignal())) ? 0 : 1)
      break
    case 'bootstrap':
      return bootstrapRoles(requireSetting(config, 'DATABASE_URL'), {
        api: passwordIn(requireSetting(config, 'API_DATABASE_URL')),
        worker: passwordIn(requireSetting(config, 'WORKER_DATABASE_URL')),
        operator: passwordIn(requireSetting(config, 'OPERATOR_DATABASE_URL')),
      })
    case 'migrate': {
      const done = await migrate(
        requireSetting(config, 'DATABASE_URL'),
        join(import.meta.dirname, '../migrations'),
        iso(systemClock.wall()),
        text => console.error(text),
      )
      console.log(done.length > 0 ? `applied ${done.join(', ')}` : 'nothing to apply')
      return
    }
    case 'openapi':
      console.log(JSON.stringify(openApi(contract), null, 2))
      return
    case 'doctor': {
      const findings = await examine(config, systemClock.wall())
      for (const { isFine, isNote, text, next } of findings) {
        console.log(`${isFine ? (isNote ? 'note ' : 'fine ') : 'LOOK '} ${text}`)
        if (!isFine && next) console.log(`      → ${next}`)
      }
      process.exitCode = findings.every(finding => finding.isFine) ? 0 : 1
      return
    }
    case 'maintenance on':
    case 'maintenance off':
      return maintenanceCommand(config, line)
    case 'sends stop':
    case 'sends resume':
    case 'sends status':
    case 'sends reconcile':
      return sendsCommand(config, line)
    case 'rates add':
    case 'rates list':
      return ratesCommand(config, line)
    case 'audit purge':
      return auditCommand(config, line)
    case 'keys rotate':
      return keysCommand(config, line)
    default:
      return companyCommand(config, line)
  }
}

await main(process.argv.slice(2)).catch(error => {
  if (![UsageError, OperatorError, ApiError].some(known => error instanceof known)) throw error
  console.error(error.message)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
