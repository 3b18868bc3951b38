import { join } from 'node:path'
import { purgeAuditLog } from './features/access/audit/purge-audit-log.ts'
import { endMaintenance, setAuditYears, startMaintenance } from './features/access/companies/installation.ts'
import { waitForSendsToEnd } from './features/access/companies/operate-sends.ts'
import { everything } from './features/access/companies/stops.ts'
import { keyCacheMs } from './features/access/oauth/access-token.ts'
import { discardKeys, rotateKeys } from './features/access/oauth/signing-keys.ts'
import { contract } from './features/all.ts'
import { iso, systemClock } from './kit/clock.ts'
import { keyring } from './kit/crypto.ts'
import { bootstrapRoles } from './kit/db/bootstrap.ts'
import { migrate } from './kit/db/migrate.ts'
import { openApi } from './kit/http/openapi.ts'
import { version } from './kit/version.ts'
import { createStartContext, type RunningService, startApi, startInternals } from './start/api.ts'
import { type CommandLine, readCommandLine, readCount, UsageError } from './start/command-line.ts'
import { helpOn } from './start/commands.ts'
import { apiPool, asOperator, companyCommand, operatorPool, ratesCommand } from './start/company-commands.ts'
import { type Config, explainConfig, readConfig, requireSetting } from './start/config.ts'
import { configCommand } from './start/config-command.ts'
import { examine } from './start/doctor.ts'
import type { Finding } from './start/doctor-services.ts'
import { exitCodes, failureOf } from './start/failure.ts'
import { privacyCommand } from './start/privacy-command.ts'
import { testProviders } from './start/providers-command.ts'
import { sendsCommand } from './start/sends-commands.ts'
import { startWorker } from './start/worker.ts'

const untilSignal = () =>
  new Promise<'signal'>(resolve => {
    process.once('SIGTERM', () => resolve('signal'))
    process.once('SIGINT', () => resolve('signal'))
  })

/** Starts one part after the other and stops them on a signal, even while a part waits for its database. */
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
    await waitForSendsToEnd({ pool: context.pool, clock: systemClock, leaseMs: config.LEASE_MS }, everything)
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

function printFindings(findings: readonly Finding[]): void {
  for (const { isFine, isNote, text, next } of findings) {
    console.log(`${isFine ? (isNote ? 'note ' : 'fine ') : 'LOOK '} ${text}`)
    if (!isFine && next) console.log(`      → ${next}`)
  }
  if (findings.some(({ isFine }) => !isFine)) process.exitCode = exitCodes.findings
}

async function main(args: readonly string[]): Promise<void> {
  const line = readCommandLine(args)
  if ('ask' in line) return console.log(line.ask === 'version' ? version : helpOn(line.topic, explainConfig))
  const { command } = line
  if (command === 'config check') return configCommand(process.env, line)
  const config = readConfig(process.env)
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
    case 'privacy papers':
      return privacyCommand(config, line, systemClock.wall())
    case 'doctor':
      return printFindings(await examine(config, systemClock.wall()))
    case 'providers test':
      return printFindings(await testProviders(config, line, systemClock.wall()))
    case 'maintenance on':
    case 'maintenance off':
      return maintenanceCommand(config, line)
    case 'sends stop':
    case 'sends resume':
    case 'sends status':
    case 'sends unpark':
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
  const failure = failureOf(error)
  console.error(failure ? failure.text : error)
  // Open pools would keep the process alive.
  process.exit(failure?.code ?? exitCodes.defect)
})
