import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { completeTenants } from '../../dev/complete-company.ts'
import { asAdmin, createDatabase, type Database, dropDatabase, rolePasswords } from '../../dev/database.ts'
import { newKeyring } from '../../dev/installation.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { startRedis } from '../../dev/redis.ts'
import { type CreatedCompany, createCompany } from '../../src/features/access/companies/create-company.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { createPool } from '../../src/kit/db/pool.ts'

/** One migrated database with one company, and everything a process of the product needs to work on it. */
export interface BenchInstallation {
  database: Database
  company: CreatedCompany
  env: Record<string, string>
}

/** The servers a bench uses: a Postgres and a Redis, and what must be cleaned up at the end. */
export interface BenchEnvironment {
  /** The server's version and what it promises of a commit. */
  postgres: string
  redisUrl: string | undefined
  newInstallation(): Promise<BenchInstallation>
  /** Run in reverse order when the bench stops. */
  onStop(cleanUp: () => unknown): void
  stop(): Promise<void>
}

/** A cluster of our own, so that nobody else's vacuum or checkpoint is measured; or the server of DATABASE_URL. */
export async function startEnvironment(): Promise<BenchEnvironment> {
  const cleanUps: (() => unknown)[] = []
  const stop = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  }
  const ownCluster = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'relance-bench-'))
    cleanUps.push(() => rm(dataDir, { recursive: true, force: true }))
    const cluster = await startOwnCluster({ dataDir: join(dataDir, 'pg'), durable: true })
    cleanUps.push(() => cluster.stop())
    if (!cluster.dataDir.startsWith(dataDir))
      cleanUps.push(() => rm(cluster.dataDir, { recursive: true, force: true }))
    return cluster.adminUrl
  }
  try {
    const adminUrl = process.env.DATABASE_URL ?? (await ownCluster())
    let redisUrl = process.env.REDIS_URL
    if (redisUrl === undefined) {
      const redis = await startRedis()
      if (redis) cleanUps.push(() => redis.stop())
      redisUrl = redis?.url
    }
    await bootstrapRoles(adminUrl, rolePasswords)
    return {
      postgres: await describe(adminUrl),
      redisUrl,
      newInstallation: () => newInstallation(adminUrl, redisUrl, cleanUp => cleanUps.push(cleanUp)),
      onStop: cleanUp => void cleanUps.push(cleanUp),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function newInstallation(
  adminUrl: string,
  redisUrl: string | undefined,
  onStop: (cleanUp: () => unknown) => void,
): Promise<BenchInstallation> {
  const database = await createDatabase(adminUrl, `relance_bench_${randomBytes(4).toString('hex')}`)
  onStop(() => dropDatabase(adminUrl, database.name))
  await migrate(database.adminUrl, join(import.meta.dirname, '../../migrations'), new Date().toISOString())
  const keyringText = newKeyring()
  const pool = createPool({
    url: database.env.OPERATOR_DATABASE_URL,
    role: 'relance-operator',
    max: 1,
    statementTimeoutMs: 10_000,
  })
  try {
    const company = await createCompany(
      { pool, keyring: keyring(keyringText), wall: Date.now(), newId: randomUUIDv7 },
      {
        name: 'Atelier Martin',
        ownerEmail: 'comptabilite@atelier-martin.example',
        tier: 'enterprise',
        requestsPerMinute: 1_000_000,
        inFlight: 10_000,
        sellsTo: 'business',
      },
    )
    await completeTenants(database.adminUrl, Object.values(company.tenants))
    const env = {
      RELANCE_ENV: 'development',
      LOG_LEVEL: 'warn',
      KEYRING: keyringText,
      ...database.env,
      ...(redisUrl && { REDIS_URL: redisUrl }),
    }
    return { database, company, env }
  } finally {
    await pool.end()
  }
}

async function describe(adminUrl: string): Promise<string> {
  const settings = ['server_version', 'fsync', 'synchronous_commit', 'shared_buffers']
  const { rows } = await asAdmin(adminUrl, client =>
    client.query<{ name: string; setting: string }>(
      'select name, current_setting(name) as setting from unnest($1::text[]) name',
      [settings],
    ),
  )
  return rows.map(row => `${row.name.replace('server_version', 'PostgreSQL')} ${row.setting}`).join(', ')
}
