import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runChild } from '../../../src/kit/child-process.ts'
import { migrate } from '../../../src/kit/db/migrate.ts'
import { useClone } from '../../guards/clone.ts'
import { eventually, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
const now = '2026-11-16T08:00:00.000Z'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'relance-migrations-'))
  await writeFile(join(directory, '9001_companies.sql'), 'alter table companies add column later text;')
})
afterAll(() => rm(directory, { recursive: true, force: true }))

it('a migration finishes beside a worker that leads all loops', async () => {
  await eventually(
    () => installation.sql('select from loop_leases'),
    held => held.length === 4,
  )
  const said: string[] = []
  const migrations = join(import.meta.dirname, '../../../migrations')
  const applied = await migrate(installation.database.adminUrl, migrations, now, text => said.push(text))
  expect([applied, said]).toEqual([[], []])
})

it('a migration says who holds its table, a second one that it waits for the first; then there is nothing to apply', async () => {
  const url = installation.database.adminUrl
  const holder = new pg.Client({ connectionString: url, application_name: 'a report' })
  await holder.connect()
  await holder.query('begin; lock table companies in share mode')
  const said: { first: string[]; second: string[] } = { first: [], second: [] }
  const first = migrate(url, directory, now, text => said.first.push(text))
  await eventually(
    () =>
      installation.sql(
        `select from pg_stat_activity where query like 'alter table companies%' and wait_event_type = 'Lock'`,
      ),
    found => found.length === 1,
  )
  const second = migrate(url, directory, now, text => said.second.push(text))
  await eventually(
    () => said,
    ({ first, second }) => first.length > 0 && second.length > 0,
  )
  await holder.query('rollback')
  await holder.end()
  expect(await first).toEqual(['9001_companies.sql'])
  expect(await second).toEqual([])
  expect(said.first[0]).toMatch(
    /^9001_companies.sql waits for: pid \d+ \(a report\), connected since \d{4}-\d\d-\d\dT[\d:.]+Z, idle in transaction$/,
  )
  expect(said.second[0]).toMatch(
    /^migrate waits for another migration: pid \d+ \(relance-migrate\), connected since \S+Z, active$/,
  )
})

describe('a database from before the first release', () => {
  const old = useClone()

  it('is refused with what to do, and nothing in it is changed', async () => {
    await old.query(
      `update schema_migrations set name = '0043_standing_of_recoveries.sql' where name = '0001_access.sql'`,
    )
    const main = join(import.meta.dirname, '../../../src/main.ts')
    const { PATH } = process.env
    const failed = await runChild(process.execPath, [main, 'migrate'], {
      env: { PATH, RELANCE_ENV: 'development', ...old.database.env },
    }).catch(error => error)
    expect(failed.code).toBe(3)
    expect(failed.stderr).toMatch(/made before the first release .* create a new database/)
    expect(failed.stderr.trim()).not.toContain('\n')
    expect(await old.query(`select from schema_migrations where name = '0001_access.sql'`)).toEqual([])
  })
})
