import { randomBytes } from 'node:crypto'
import pg from 'pg'

const password = 'relance'

const withPath = (url: string, database: string, user?: string) => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  if (user) {
    changed.username = user
    changed.password = password
  }
  return changed.href
}

export interface Database {
  name: string
  adminUrl: string
  /** The connection URLs of the processes, by environment variable. */
  env: Record<'DATABASE_URL' | 'API_DATABASE_URL' | 'WORKER_DATABASE_URL' | 'OPERATOR_DATABASE_URL', string>
}

export const rolePasswords = { api: password, worker: password, operator: password }

export function databaseNamed(adminUrl: string, name: string): Database {
  const own = withPath(adminUrl, name)
  return {
    name,
    adminUrl: own,
    env: {
      DATABASE_URL: own,
      API_DATABASE_URL: withPath(adminUrl, name, 'relance_api'),
      WORKER_DATABASE_URL: withPath(adminUrl, name, 'relance_worker'),
      OPERATOR_DATABASE_URL: withPath(adminUrl, name, 'relance_operator'),
    },
  }
}

export async function asAdmin<T>(adminUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<Database> {
  const id = pg.escapeIdentifier(name)
  await asAdmin(adminUrl, async client => {
    await client.query(`create database ${id}${template ? ` template ${pg.escapeIdentifier(template)}` : ''}`)
    // A clone is used by one test file only, so it does not have to survive a power cut.
    if (template) await client.query(`alter database ${id} set synchronous_commit = off`)
  })
  return databaseNamed(adminUrl, name)
}

export const dropDatabase = (adminUrl: string, name: string): Promise<unknown> =>
  asAdmin(adminUrl, client =>
    client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
  )

const leftoverAgeMs = 3_600_000

/** A database name that contains its creation time. */
export const newName = (prefix: string): string =>
  `${prefix}${Date.now().toString(36)}_${randomBytes(3).toString('hex')}`

/** Drops databases that killed processes left behind: older than an hour and without connections. */
export async function dropLeftovers(adminUrl: string, prefix: string): Promise<void> {
  const idle = await asAdmin(adminUrl, client =>
    client.query<{ datname: string }>(
      `select datname from pg_database d where starts_with(datname, $1)
          and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
      [prefix],
    ),
  )
  for (const { datname } of idle.rows) {
    const madeAt = Number.parseInt(datname.slice(prefix.length).split('_')[0]!, 36)
    if (madeAt < Date.now() - leftoverAgeMs) await dropDatabase(adminUrl, datname)
  }
}
