import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { purgeAuditLog } from './features/access/audit/purge-audit-log.ts'
import { createCompany } from './features/access/companies/create-company.ts'
import { setAuditYears, setMaintenance } from './features/access/companies/installation.ts'
import { keyCacheMs } from './features/access/oauth/access-token.ts'
import { discardKeys, rotateKeys } from './features/access/oauth/signing-keys.ts'
import { inviteOwner } from './features/access/people/invite-owner.ts'
import { contract } from './features/all.ts'
import { iso, systemClock } from './kit/clock.ts'
import { keyring } from './kit/crypto.ts'
import { bootstrapRoles } from './kit/db/bootstrap.ts'
import { migrate } from './kit/db/migrate.ts'
import { createPool } from './kit/db/pool.ts'
import { ensureIdentityKey, startEngine } from './kit/engine/server.ts'
import { openApi } from './kit/http/openapi.ts'
import { uuidv7 } from './kit/uuid.ts'
import { createStartContext, type RunningService, startApi, startMetrics } from './start/api.ts'
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
  audit purge [--years n]   deletes audit events that are past their years: six, or as many as were given last
  keys rotate [--discard-old]
                            lets the next key sign access tokens, at once; those that were issued stay good, unless the old
                            keys are discarded: then no token signed before is good, and new keys take over
  company create --name … --owner-email … [--tier starter|pro|enterprise] [--sells-to business|consumer|public_body]
                 [--country FR] [--language fr|en] [--requests-per-minute n] [--in-flight n] [--json]
                            makes a company with a production and a sandbox key, shown once
  company invite-owner --company id --email …
                            mails somebody the link to become an owner; keys and applications cannot

environment:
${explainConfig()}
`

async function runUntilSignal(running: readonly (RunningService | null)[]): Promise<void> {
  await new Promise<void>(resolve => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
  for (const part of running) await part?.stop()
}

const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)

function operatorPool(config: Config) {
  return createPool({
    url: requireSetting(config, 'OPERATOR_DATABASE_URL'),
    role: 'relance-operator',
    max: 2,
    statementTimeoutMs: 30_000,
  })
}

async function companyCommand(config: Config, args: string[]): Promise<void> {
  const [verb, ...rest] = args
  if (verb === 'invite-owner') return inviteOwnerCommand(config, rest)
  if (verb !== 'create') throw new Error('company: create, or invite-owner')
  const { values } = parseArgs({
    args: rest,
    options: {
      name: { type: 'string' },
      'owner-email': { type: 'string' },
      tier: { type: 'string' },
      'sells-to': { type: 'string' },
      country: { type: 'string' },
      language: { type: 'string' },
      'requests-per-minute': { type: 'string' },
      'in-flight': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  })
  const pool = operatorPool(config)
  try {
    const context = {
      pool,
      keyring: keyring(requireSetting(config, 'KEYRING')),
      wall: systemClock.wall(),
      newId: () => uuidv7(systemClock.wall()),
    }
    const created = await createCompany(context, {
      name: values.name ?? '',
      ownerEmail: values['owner-email'] ?? '',
      ...(values.tier && { tier: values.tier as 'starter' }),
      ...(values['sells-to'] && { sellsTo: values['sells-to'] as 'business' }),
      ...(values.country && { country: values.country }),
      ...(values.language && { language: values.language as 'fr' }),
      ...(values['requests-per-minute'] && { requestsPerMinute: Number(values['requests-per-minute']) }),
      ...(values['in-flight'] && { inFlight: Number(values['in-flight']) }),
    })
    console.log(
      values.json
        ? JSON.stringify(created)
        : `${created.name} (${created.companyId})\n  production key  ${created.productionKey}\n  sandbox key     ${created.sandboxKey}\nThe keys are shown this once; keep them safe.`,
    )
  } finally {
    await pool.end()
  }
}

async function inviteOwnerCommand(config: Config, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { company: { type: 'string' }, email: { type: 'string' } },
  })
  if (!values.company || !values.email) throw new Error('company invite-owner: --company id --email address')
  // People belong to the API's role; the operator's has no rights on them.
  const pool = createPool({
    url: requireSetting(config, 'API_DATABASE_URL'),
    role: 'relance-api',
    max: 1,
    statementTimeoutMs: 30_000,
  })
  const wall = systemClock.wall()
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const context = { pool, keyring: ring, wall, newId: () => uuidv7(wall) }
  await inviteOwner(context, values.company, values.email).finally(() => pool.end())
  console.log(`${values.email} was sent a link, good for seven days`)
}

async function maintenanceCommand(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { minutes: { type: 'string', default: '15' } },
    allowPositionals: true,
  })
  const minutes = Number(values.minutes)
  if (!['on', 'off'].includes(positionals[0] ?? '') || !(minutes > 0))
    throw new Error('maintenance: on --minutes n, or off')
  const until = positionals[0] === 'on' ? iso(systemClock.wall() + minutes * 60_000) : null
  const pool = operatorPool(config)
  await setMaintenance(pool, until).finally(() => pool.end())
  console.log(until ? `maintenance until ${until}` : 'maintenance is over')
}

async function auditCommand(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { years: { type: 'string' } },
    allowPositionals: true,
  })
  const years = values.years === undefined ? null : Number(values.years)
  if (positionals.join(' ') !== 'purge' || (years !== null && !(years >= 1 && years <= 30)))
    throw new Error('audit: purge, with --years 1 to 30 to change how long audit events are kept')
  const pool = operatorPool(config)
  try {
    if (years !== null) await setAuditYears(pool, years)
    console.log(`${await purgeAuditLog(pool, iso(systemClock.wall()))} audit events deleted`)
  } finally {
    await pool.end()
  }
}

async function keysCommand(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { 'discard-old': { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  if (positionals.join(' ') !== 'rotate') throw new Error('keys: the one verb is rotate')
  const pool = createPool({
    url: requireSetting(config, 'API_DATABASE_URL'),
    role: 'relance-api',
    max: 1,
    statementTimeoutMs: 30_000,
  })
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const change = values['discard-old'] ? discardKeys : rotateKeys
  await change({ pool, keyring: ring, clock: systemClock }).finally(() => pool.end())
  if (!values['discard-old'])
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
  await runUntilSignal([{ url: running.ingressUrl, stop: () => running.stop() }])
}

async function main([role, ...args]: string[]): Promise<void> {
  const config = readConfig(process.env)
  switch (role) {
    case 'api':
    case 'worker':
    case 'all': {
      const context = createStartContext(config)
      const parts = [
        await startMetrics(context),
        role === 'worker' ? null : await startApi(context),
        role === 'api' ? null : await startWorker(context),
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
    case 'maintenance':
      return maintenanceCommand(config, args)
    case 'company':
      return companyCommand(config, args)
    case 'audit':
      return auditCommand(config, args)
    case 'keys':
      return keysCommand(config, args)
    default:
      console.log(usage())
      process.exitCode = role === undefined || role === 'help' ? 0 : 2
  }
}

await main(process.argv.slice(2))
