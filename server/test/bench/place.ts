import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
export interface Site {
  database: Database
  company: CreatedCompany
  env: Record<string, string>
}

/** Where a bench takes place: a Postgres and a Redis, and what must be undone in the end. */
export interface Place {
  /** The server's version and what it promises of a commit. */
  postgres: string
  redisUrl: string | undefined
  newSite(): Promise<Site>
  /** Undone last to first. */
  whenOver(undo: () => unknown): void
  leave(): Promise<void>
}

/** A cluster of our own, so that nobody else's vacuum or checkpoint is measured; or the server of DATABASE_URL. */
export async function enterPlace(): Promise<Place> {
  const undoing: (() => unknown)[] = []
  const leave = async () => {
    for (const undo of undoing.splice(0).reverse()) await undo()
  }
  const ownCluster = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'relance-bench-'))
    undoing.push(() => rm(dataDir, { recursive: true, force: true }))
    const cluster = await startOwnCluster({ dataDir: join(dataDir, 'pg'), durable: true })
    undoing.push(() => cluster.stop())
    if (!cluster.dataDir.startsWith(dataDir))
      undoing.push(() => rm(cluster.dataDir, { recursive: true, force: true }))
    return cluster.adminUrl
  }
  try {
    const adminUrl = process.env.DATABASE_URL ?? (await ownCluster())
    let redisUrl = process.env.REDIS_URL
    if (redisUrl === undefined) {
      const redis = await startRedis()
      if (redis) undoing.push(() => redis.stop())
      redisUrl = redis?.url
    }
    await bootstrapRoles(adminUrl, rolePasswords)
    return {
      postgres: await describe(adminUrl),
      redisUrl,
      newSite: () => newSite(adminUrl, redisUrl, undo => undoing.push(undo)),
      whenOver: undo => void undoing.push(undo),
      leave,
    }
  } catch (error) {
    await leave()
    throw error
  }
}

async function newSite(
  adminUrl: string,
  redisUrl: string | undefined,
  whenOver: (undo: () => unknown) => void,
): Promise<Site> {
  const database = await createDatabase(adminUrl, `relance_bench_${randomBytes(4).toString('hex')}`)
  whenOver(() => dropDatabase(adminUrl, database.name))
  await migrate(database.adminUrl, join(import.meta.dirname, '../../migrations'), new Date().toISOString())
  const ring = newKeyring()
  const pool = createPool({
    url: database.env.OPERATOR_DATABASE_URL,
    role: 'relance-operator',
    max: 1,
    statementTimeoutMs: 10_000,
  })
  try {
    const company = await createCompany(
      { pool, keyring: keyring(ring), wall: Date.now(), newId: randomUUIDv7 },
      {
        name: 'Atelier Martin',
        ownerEmail: 'comptabilite@atelier-martin.example',
        tier: 'enterprise',
        requestsPerMinute: 1_000_000,
        inFlight: 10_000,
        sellsTo: 'business',
      },
    )
    const env = {
      RELANCE_ENV: 'development',
      LOG_LEVEL: 'warn',
      KEYRING: ring,
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
