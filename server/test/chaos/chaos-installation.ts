import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { completeTenants } from '../../dev/complete-company.ts'
import { createDatabase, type Database, dropDatabase, newName, rolePasswords } from '../../dev/database.ts'
import { newKeyring, shiftClock } from '../../dev/installation.ts'
import { type Mailbox, startMailbox } from '../../dev/mailbox.ts'
import { freePort } from '../../dev/ports.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { startRedis } from '../../dev/redis.ts'
import { inheritedEnv, relanceArgs } from '../../dev/relance-args.ts'
import { type CreatedCompany, createCompany } from '../../src/features/access/companies/create-company.ts'
import { runChild } from '../../src/kit/child-process.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { ownRoot } from '../bench/base-commit.ts'
import { sharedServer } from '../harness/shared-server.ts'
import { type ManagedProcess, postgresServer, productProcess } from './managed-process.ts'
import { startSlowProxy } from './slow-proxy.ts'

/** Monday 16 November 2026, 09:00 in Paris: eleven hours in which anybody may be written to. */
export const mondayMorning = Date.parse('2026-11-16T09:00:00+01:00')

export interface ChaosOptions {
  apis: number
  workers: number
  /** How long a sender holds a message; the next try and the lateness of a wake-up follow from it. */
  leaseMs: number
  smtpDelayMs?: () => number
  /** Where its clock starts; a Monday morning if nothing is said. */
  now?: number
  /** False: apis and workers are prepared but not started. */
  isStarted?: boolean
  /** Further environment variables of apis and workers. */
  env?: Record<string, string>
  /** The checkout whose migrations and programs are used; ours if none is given. */
  root?: string
  /** PostgreSQL is killed, frozen or copied, so it must not be the one that the check shares among its stages. */
  harmsPostgres?: boolean
}

export interface ChaosInstallation {
  database: Database
  /** For commands that run beside the processes. */
  keyring: string
  company: CreatedCompany
  apiUrls: string[]
  metricsUrls: string[]
  mailbox: Mailbox
  /** Null where it is shared. */
  postgres: ManagedProcess | null
  apis: ManagedProcess[]
  workers: ManagedProcess[]
  /** Exits of our processes that the proof did not cause. */
  unexpectedExits: string[]
  logDir: string
  /** A query as the administrator, on its own connection, because Postgres is killed in these proofs. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
  /** What apis and workers are started with. */
  env: Record<string, string>
  /** Another worker, prepared but not started, with other settings. It is stopped with the installation. */
  newWorker(name: string, env: Record<string, string>): Promise<ManagedProcess>
  /** The same for both roles. It is of our checkout, whatever the others are of. */
  newProcess(role: 'api' | 'worker', name: string, env: Record<string, string>): Promise<ManagedProcess>
  /** Another company with limits as wide as the first one's. */
  newCompany(name: string): Promise<CreatedCompany>
  close(keepLogs: boolean): Promise<void>
}

/** One whose PostgreSQL may be killed: it is its own. */
export type KillableInstallation = ChaosInstallation & { postgres: ManagedProcess }

const widely = { requestsPerMinute: 1_000_000, inFlight: 10_000 }

async function createCompanyIn(
  database: Database,
  keyringText: string,
  name: string,
  root: string | undefined,
): Promise<CreatedCompany> {
  const created = await (root === undefined
    ? createOwnCompany(database, keyringText, name)
    : createCompanyOf(root, database, keyringText, name))
  await completeTenants(database.adminUrl, Object.values(created.tenants))
  return created
}

const ownerEmail = 'comptabilite@atelier-martin.example'

async function createOwnCompany(
  database: Database,
  keyringText: string,
  name: string,
): Promise<CreatedCompany> {
  const url = database.env.OPERATOR_DATABASE_URL
  const pool = createPool({ url, role: 'relance-operator', max: 1, statementTimeoutMs: 30_000 })
  const wall = Date.now()
  const context = { pool, wall, newId: () => uuidv7(wall), keyring: keyring(keyringText) }
  const input = { name, ownerEmail, tier: 'enterprise', sellsTo: 'business', ...widely } as const
  return createCompany(context, input).finally(() => pool.end())
}

/** By the command line of a checkout of another release. */
async function createCompanyOf(
  root: string,
  database: Database,
  keyringText: string,
  name: string,
): Promise<CreatedCompany> {
  const options = {
    name,
    'owner-email': ownerEmail,
    tier: 'enterprise',
    'requests-per-minute': String(widely.requestsPerMinute),
    'in-flight': String(widely.inFlight),
    'sells-to': 'business',
  }
  const { stdout } = await runChild(
    process.execPath,
    [
      ...relanceArgs(root),
      ...['company', 'create', '--json'],
      ...Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
    ],
    {
      env: {
        ...inheritedEnv(),
        ...database.env,
        KEYRING: keyringText,
      },
    },
  )
  return JSON.parse(stdout) as CreatedCompany
}

export async function query<Row extends object>(
  url: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  // A busy machine may take long to accept; a killed server refuses at once.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

/** A migrated database: a clone on the PostgreSQL of the check, or one of its own. */
async function openDatabase(
  { harmsPostgres = false, root }: ChaosOptions,
  stops: (() => Promise<unknown>)[],
): Promise<{ database: Database; postgres: ManagedProcess | null }> {
  const shared = sharedServer()
  if (shared && !harmsPostgres && root === undefined) {
    const database = await createDatabase(shared.adminUrl, newName('relance_proof_'), shared.template)
    stops.push(() => dropDatabase(shared.adminUrl, database.name))
    return { database, postgres: null }
  }
  const cluster = await startOwnCluster({
    dataDir: await mkdtemp(join(tmpdir(), 'relance-chaos-pg-')),
    durable: true,
  })
  stops.push(() => rm(cluster.dataDir, { recursive: true, force: true }))
  const postgres = postgresServer(cluster)
  stops.push(() => postgres.stop())
  await bootstrapRoles(cluster.adminUrl, rolePasswords)
  const database = await createDatabase(cluster.adminUrl, 'relance')
  await migrate(database.adminUrl, join(root ?? ownRoot, 'server/migrations'), new Date().toISOString())
  return { database, postgres }
}

/** A whole Relance of real processes. */
export function startChaosInstallation(
  options: ChaosOptions & { harmsPostgres: true },
): Promise<KillableInstallation>
export function startChaosInstallation(options: ChaosOptions): Promise<ChaosInstallation>
export async function startChaosInstallation(options: ChaosOptions): Promise<ChaosInstallation> {
  const { isStarted = true, root } = options
  const stops: (() => Promise<unknown>)[] = []
  const logDir = await mkdtemp(join(tmpdir(), 'relance-chaos-'))
  const close = async (keepLogs: boolean) => {
    for (const stop of stops.splice(0).reverse()) await stop()
    if (!keepLogs) await rm(logDir, { recursive: true, force: true })
  }
  try {
    const { database, postgres } = await openDatabase(options, stops)
    await shiftClock(database, options.now ?? mondayMorning)
    const redis = await startRedis()
    if (redis) stops.push(() => redis.stop())
    const mailbox = await startMailbox()
    stops.push(() => mailbox.stop())
    const smtpProxy = await startSlowProxy(mailbox, options.smtpDelayMs)
    stops.push(() => smtpProxy.stop())

    const keyringText = newKeyring()
    const env: Record<string, string> = {
      RELANCE_ENV: 'development',
      ...database.env,
      KEYRING: keyringText,
      SMTP_URL: `smtp://127.0.0.1:${smtpProxy.port}`,
      LEASE_MS: String(options.leaseMs),
      RECLAIM_AFTER_MS: String(options.leaseMs * 1.2),
      WAKE_TIMEOUT_MS: String(options.leaseMs * 1.5),
      NEVER_SEEN_AFTER_MS: String(options.leaseMs * 5),
      ...(redis && { REDIS_URL: redis.url }),
      ...options.env,
    }
    const unexpectedExits: string[] = []
    const ports = { api: [] as number[], metrics: [] as number[] }
    const newProcess = async (
      role: 'api' | 'worker',
      place: string,
      changes: Record<string, string>,
      from?: string,
    ): Promise<ManagedProcess> => {
      const [port, metrics] = [await freePort(), await freePort()]
      if (role === 'api') ports.api.push(port)
      else ports.metrics.push(metrics)
      return productProcess({
        role,
        name: `${role} ${place}`,
        env: { ...env, PORT: String(port), METRICS_PORT: String(metrics), ...changes },
        logFile: join(logDir, `${role}-${place}.log`),
        onUnexpectedExit: message => unexpectedExits.push(message),
        root: from,
      })
    }
    const newOwnProcess: ChaosInstallation['newProcess'] = async (role, name, changes) => {
      const started = await newProcess(role, name, changes)
      stops.push(() => started.stop())
      return started
    }
    const apis: ManagedProcess[] = []
    const workers: ManagedProcess[] = []
    for (let i = 0; i < options.apis; i++) apis.push(await newProcess('api', String(i + 1), {}, root))
    for (let i = 0; i < options.workers; i++)
      workers.push(await newProcess('worker', String(i + 1), {}, root))
    for (const process of [...apis, ...workers]) stops.push(() => process.stop())
    if (isStarted) await Promise.all([...apis, ...workers].map(process => process.start()))
    return {
      database,
      keyring: keyringText,
      company: await createCompanyIn(database, keyringText, 'Atelier Martin', root),
      apiUrls: ports.api.map(port => `http://127.0.0.1:${port}`),
      metricsUrls: ports.metrics.map(port => `http://127.0.0.1:${port}/metrics`),
      mailbox,
      postgres,
      apis,
      workers,
      unexpectedExits,
      logDir,
      query: (text, values = []) => query(database.adminUrl, text, values),
      env,
      newWorker: (name, changes) => newOwnProcess('worker', name, changes),
      newProcess: newOwnProcess,
      newCompany: name => createCompanyIn(database, keyringText, name, root),
      close,
    }
  } catch (error) {
    await close(true)
    throw error
  }
}
