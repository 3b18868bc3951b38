import { randomBytes } from 'node:crypto'
import { type CreatedCompany, createCompany } from '../src/features/access/companies/create-company.ts'
import { setPayout, type TypedPayout } from '../src/features/access/companies/set-payout.ts'
import { keyring } from '../src/kit/crypto.ts'
import { createPool, type Pool } from '../src/kit/db/pool.ts'
import type { RouteEntry } from '../src/kit/http/route-table.ts'
import type { PasswordCost } from '../src/kit/password-hash.ts'
import { uuidv7 } from '../src/kit/uuid.ts'
import { createStartContext, startApi, startInternals } from '../src/start/api.ts'
import { type Config, readConfig } from '../src/start/config.ts'
import { startWorker } from '../src/start/worker.ts'
import { completeTenants } from './complete-company.ts'
import { asAdmin, type Database } from './database.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { freePort } from './ports.ts'

export interface InstallationOptions {
  database: Database
  redisUrl?: string | undefined
  /** The initial time of the development clock, which then runs normally. */
  now?: number | undefined
  port?: number | undefined
  /** The host name that browsers use; on `localhost` they allow secure cookies and passkeys. */
  publicHost?: string
  logLevel?: string
  env?: Record<string, string>
  /** Without a worker nothing is sent, nothing is delivered, and tasks wait. */
  hasWorker?: boolean
  /** Default: the cost in production. Tests hash many passwords and use a lower cost. */
  passwordCost?: PasswordCost
}

export interface Installation {
  baseUrl: string
  metricsUrl: string
  config: Config
  mailbox: Mailbox
  /** The routes of the API, health and pages included. */
  routes: readonly RouteEntry[]
  /** Creates a company with an address and a bank account, so that it can send. With `isIncomplete` it has neither. */
  createCompany(
    input: Parameters<typeof createCompany>[1],
    options?: { isIncomplete?: boolean },
  ): Promise<CreatedCompany>
  /** Sets the payout of a company in production without the waiting time, as the operator's command does. */
  setPayout(companyId: string, payout: TypedPayout): Promise<unknown>
  stop(): Promise<void>
}

/** Sets the development clock: an offset to wall time, stored in the database. Production refuses it. */
export const shiftClock = (database: Database, now: number): Promise<unknown> =>
  asAdmin(database.adminUrl, client =>
    client.query('update installation set clock_offset_ms = $1', [Math.round(now - Date.now())]),
  )

export const newKeyring = (): string => `k1:${randomBytes(32).toString('base64')}`

/** Starts a complete Relance on loopback for a migrated database: mailbox, API and worker. */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const { database } = options
  if (options.now !== undefined) await shiftClock(database, options.now)
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.reverse()) await end()
  }
  try {
    const mailbox = await startMailbox({})
    stops.push(() => mailbox.stop())
    const port = options.port ?? (await freePort())
    const env: Record<string, string> = {
      RELANCE_ENV: 'development',
      ...database.env,
      KEYRING: newKeyring(),
      PORT: String(port),
      ...(options.publicHost && { PUBLIC_URL: `http://${options.publicHost}:${port}` }),
      METRICS_PORT: String(await freePort()),
      SMTP_URL: mailbox.smtpUrl,
      LOG_LEVEL: options.logLevel ?? 'warn',
      // Developers of a webhook receiver first run it on the same machine.
      EGRESS_TEST_ALLOW: 'localhost:*,127.0.0.1:*',
      ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
      ...options.env,
    }
    const asOperator = async <T>(
      work: (context: { pool: Pool; wall: number; newId: () => string }) => Promise<T>,
    ): Promise<T> => {
      const url = database.env.OPERATOR_DATABASE_URL
      const pool = createPool({ url, role: 'relance-operator', max: 1, statementTimeoutMs: 10_000 })
      return work({ pool, wall: Date.now(), newId: () => uuidv7(Date.now()) }).finally(() => pool.end())
    }
    const config = readConfig(env)
    const { passwordCost } = options
    const externalContext = { ...createStartContext(config), ...(passwordCost && { passwordCost }) }
    const internals = await startInternals(externalContext)
    if (internals) stops.push(() => internals.stop())
    const api = await startApi(externalContext)
    stops.push(() => api.stop())
    if (options.hasWorker !== false) {
      const worker = await startWorker(externalContext)
      stops.push(() => worker.stop())
    }
    return {
      baseUrl: `http://127.0.0.1:${config.PORT}`,
      metricsUrl: `http://127.0.0.1:${config.METRICS_PORT}/metrics`,
      config,
      mailbox,
      routes: api.routes,
      async createCompany(input, { isIncomplete = false } = {}) {
        const ring = keyring(env.KEYRING!)
        const created = await asOperator(context => createCompany({ ...context, keyring: ring }, input))
        if (!isIncomplete) await completeTenants(database.adminUrl, Object.values(created.tenants))
        return created
      },
      setPayout: (companyId, payout) =>
        asOperator(context => setPayout(context, { companyId, atOnce: true, ...payout })),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
