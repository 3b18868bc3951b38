import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'
import { installJobs } from './jobs-schema.ts'
import { keepAlive, keepAliveOptions } from './pool.ts'
import type { Query } from './query.ts'
import { sql } from './statement.ts'
import { sqlState } from './transaction.ts'

const listApplied = sql('db.list-migrations', 'select name from schema_migrations')

/** The migrations of a directory, in their order. */
const migrationsIn = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter(name => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()

/** The migrations of this release that were not applied. */
export async function pendingMigrations(query: Query, directory: string): Promise<string[]> {
  const applied = await query(listApplied, []).catch(error => {
    // Before the first migrations there is no such table, or no right to read it.
    if (!['42P01', '42501'].includes(sqlState(error))) throw error
    return []
  })
  const names = new Set(applied.map(({ name }) => name))
  return (await migrationsIn(directory)).filter(name => !names.has(name))
}

/** The first file of the baseline: every database that these migrations can bring up to date has it, or is new. */
const firstMigration = '0001_access.sql'

export class MigrationRefused extends Error {}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** How often a waiting migration reports what it waits for. */
const sayEveryMs = 5_000

interface Session {
  pid: number
  application_name: string
  backend_start: Date
  state: string | null
}

const sessionColumns = 'a.pid, a.application_name, a.backend_start, a.state'
const selectHolder = `select ${sessionColumns} from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())`
const selectBlockers = `select ${sessionColumns} from pg_stat_activity a where a.pid = any (pg_blocking_pids($1))`

const describe = (sessions: readonly Session[]): string =>
  sessions
    .map(
      ({ pid, application_name: name, backend_start: since, state }) =>
        `pid ${pid} (${name || 'no name'}), connected since ${since.toISOString()}, ${state ?? 'state unknown'}`,
    )
    .join('; ')

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'relance-migrate',
    ...keepAlive,
    options: keepAliveOptions.join(' '),
  })
  // A lost connection also fails the statement under way, which is where it is handled.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * One migration at a time. Polled, because a session waiting inside pg_advisory_lock holds a snapshot that CREATE INDEX
 * CONCURRENTLY waits for.
 */
async function lockMigrations(client: pg.Client, say: (text: string) => void): Promise<void> {
  const key = [...advisoryLocks.migration]
  for (let saidAt = -sayEveryMs; ; await pause(100)) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', key)
    if (rows[0]!.mine) return
    if (performance.now() - saidAt < sayEveryMs) continue
    const holder = await client.query<Session>(selectHolder, key)
    if (holder.rows.length === 0) continue
    say(`migrate waits for another migration: ${describe(holder.rows)}`)
    saidAt = performance.now()
  }
}

/** Reports every few seconds which sessions keep `client` waiting for a table lock. Uses its own connection. */
async function watchBlockers(
  adminUrl: string,
  client: pg.Client,
  say: (text: string) => void,
): Promise<{ underWay: string; stop(): Promise<void> }> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const observer = await connect(adminUrl)
  const watch = {
    underWay: '',
    stop: () => {
      clearInterval(timer)
      return observer.end()
    },
  }
  const look = async () => {
    const blockers = await observer.query<Session>(selectBlockers, [rows[0]!.pid])
    if (blockers.rows.length > 0) say(`${watch.underWay} waits for: ${describe(blockers.rows)}`)
  }
  // The report is optional: if its query fails, the migration continues.
  const timer = setInterval(() => void look().catch(() => {}), sayEveryMs)
  return watch
}

/**
 * Applies the new migrations of `directory`, in the order of their names, each in its own transaction. Returns the names applied.
 * `say` is called with what it waits for.
 */
export async function migrate(
  adminUrl: string,
  directory: string,
  now: string,
  say: (text: string) => void = () => {},
): Promise<string[]> {
  const client = await connect(adminUrl)
  let watch: Awaited<ReturnType<typeof watchBlockers>> | undefined
  try {
    await lockMigrations(client, say)
    watch = await watchBlockers(adminUrl, client, say)
    const database = (await client.query<{ name: string }>('select quote_ident(current_database()) as name'))
      .rows[0]!.name
    await client.query(`grant connect, temporary, create on database ${database} to relance_owner`)
    await client.query('grant usage, create on schema public to relance_owner')
    await client.query('grant usage on schema public to relance_api, relance_worker, relance_operator')
    await client.query('set role relance_owner')
    await client.query(
      'create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null)',
    )
    const applied = new Set(
      (await client.query<{ name: string }>('select name from schema_migrations')).rows.map(row => row.name),
    )
    if (applied.size > 0 && !applied.has(firstMigration))
      throw new MigrationRefused(
        'this database was made before the first release and cannot be upgraded: create a new database, and run `relance-server migrate` on it; upgrades are supported from the first release on',
      )
    const names = await migrationsIn(directory)
    const done: string[] = []
    for (const name of names) {
      if (applied.has(name)) continue
      const text = await readFile(join(directory, name), 'utf8')
      watch.underWay = name
      const isTransactional = !text.startsWith('-- no-transaction')
      if (isTransactional) await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into schema_migrations values ($1, $2)', [name, now])
        if (isTransactional) await client.query('commit')
      } catch (error) {
        if (isTransactional) await client.query('rollback')
        throw new Error(`migration ${name} failed`, { cause: error })
      }
      done.push(name)
    }
    await client.query('select ensure_event_partitions($1)', [now])
    await installJobs(adminUrl)
    return done
  } finally {
    await watch?.stop()
    await client.end()
  }
}
