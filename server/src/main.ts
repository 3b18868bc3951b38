import { join } from 'node:path'
import { purgeAuditLog } from './features/access/audit/purge-audit-log.ts'
import { setAuditYears, setMaintenance } from './features/access/companies/installation.ts'
import { OperatorError } from './features/access/companies/operate.ts'
import { keyCacheMs } from './features/access/oauth/access-token.ts'
import { discardKeys, rotateKeys } from './features/access/oauth/signing-keys.ts'
import { contract } from './features/all.ts'
import { iso, systemClock } from './kit/clock.ts'
import { keyring } from './kit/crypto.ts'
import { bootstrapRoles } from './kit/db/bootstrap.ts'
import { migrate } from './kit/db/migrate.ts'
import { ensureIdentityKey, startEngine } from './kit/engine/server.ts'
import { openApi } from './kit/http/openapi.ts'
import { createStartContext, type RunningService, startApi, startMetrics } from './start/api.ts'
import { type CommandLine, readCommandLine, readCount, UsageError } from './start/command-line.ts'
import {
  apiPool,
  companyCommand,
  companyUsage,
  operatorPool,
  sendingCommand,
} from './start/company-commands.ts'
import { type Config, explainConfig, readConfig, requireSetting } from './start/config.ts'
import { doctor } from './start/doctor.ts'
import { startWorker } from './start/worker.ts'

const usage = () => `relance <role>

  api                       answers requests
  worker                    wakes debtors' agendas and sends
  all                       both, in one process
  engine                    runs the engine (Restate) on this machine
  bootstrap                 makes the database roles (once per database server)
  migrate                   brings the schema up to date
  openapi                   prints the OpenAPI document
  doctor                    says what is wrong, if anything is
  maintenance on --minutes n | off
                            every request answers SYS_002 meanwhile
  keys rotate [--discard-old]
                            lets the next key sign access tokens, at once; those that were issued stay good, unless the old
                            keys are discarded: then no token signed before is good, and new keys take over
  audit purge [--years n]   deletes audit events past their years (6 unless --years changes it)
${companyUsage}

environment:
${explainConfig()}
`

const untilSignal = () =>
  new Promise<'signal'>(resolve => {
    process.once('SIGTERM', () => resolve('signal'))
    process.once('SIGINT', () => resolve('signal'))
  })

async function runUntilSignal(running: readonly (RunningService | null)[]): Promise<void> {
  await untilSignal()
  for (const part of running) await part?.stop()
}

const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)

async function maintenanceCommand(config: Config, line: CommandLine): Promise<void> {
  const minutes = readCount(line, 'minutes') ?? 15
  const until = line.command === 'maintenance on' ? iso(systemClock.wall() + minutes * 60_000) : null
  const pool = operatorPool(config)
  await setMaintenance(pool, until).finally(() => pool.end())
  console.log(until ? `maintenance until ${until}` : 'maintenance is over')
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

async function engineCommand(config: Config): Promise<void> {
  const baseDir = requireSetting(config, 'ENGINE_DIR')
  const identityKeyFile = join(baseDir, 'identity.pem')
  const { publicKey } = await ensureIdentityKey(identityKeyFile)
  const running = await startEngine({
    baseDir,
    ingressPort: Number(new URL(config.ENGINE_INGRESS_URL).port),
    adminPort: Number(new URL(config.ENGINE_ADMIN_URL).port),
    nodePort: 5122,
    partitions: 4,
    concurrentInvocations: 25,
    identityKeyFile,
  })
  console.log(`engine ready; workers need ENGINE_IDENTITY=${publicKey}`)
  const ended = await Promise.race([untilSignal(), running.exited])
  if (ended === 'signal') return running.stop()
  console.error(
    `The engine (Restate) ended by itself, ${ended === null ? 'killed by a signal' : `with code ${ended}`}; its log above says why. Start this role again: nothing is lost.`,
  )
  process.exitCode = 1
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
      const parts = [
        await startMetrics(context),
        command === 'worker' ? null : await startApi(context),
        command === 'api' ? null : await startWorker(context),
      ]
      return runUntilSignal(parts)
    }
    case 'engine':
      return engineCommand(config)
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
      )
      console.log(done.length > 0 ? `applied ${done.join(', ')}` : 'nothing to apply')
      return
    }
    case 'openapi':
      console.log(JSON.stringify(openApi(contract), null, 2))
      return
    case 'doctor': {
      const pool = operatorPool(config)
      const findings = await doctor(pool, systemClock.wall()).finally(() => pool.end())
      for (const finding of findings) console.log(`${finding.isFine ? 'fine ' : 'LOOK '} ${finding.text}`)
      process.exitCode = findings.every(finding => finding.isFine) ? 0 : 1
      return
    }
    case 'maintenance on':
    case 'maintenance off':
      return maintenanceCommand(config, line)
    case 'sending stop':
    case 'sending resume':
      return sendingCommand(config, line)
    case 'audit purge':
      return auditCommand(config, line)
    case 'keys rotate':
      return keysCommand(config, line)
    default:
      return companyCommand(config, line)
  }
}

await main(process.argv.slice(2)).catch(error => {
  if (!(error instanceof UsageError || error instanceof OperatorError)) throw error
  console.error(error.message)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
