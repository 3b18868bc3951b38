import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const migrationLock = [1919708771, 2]

/** Applies what is new in `directory`, in the order of the names, each in its own transaction. Returns the names applied. */
export async function migrate(adminUrl: string, directory: string, now: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    // Polled, because a session waiting inside pg_advisory_lock holds a snapshot that CREATE INDEX CONCURRENTLY waits for.
    while (
      !(await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1, $2) as mine', migrationLock))
        .rows[0]!.mine
    )
      await new Promise(resolve => setTimeout(resolve, 100))
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
    const names = (await readdir(directory)).filter(name => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
    const done: string[] = []
    for (const name of names) {
      if (applied.has(name)) continue
      const text = await readFile(join(directory, name), 'utf8')
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
    return done
  } finally {
    await client.end()
  }
}
