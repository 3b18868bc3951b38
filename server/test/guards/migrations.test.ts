import { copyFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asAdmin, createDatabase, rolePasswords } from '../../dev/database.ts'
import { type OwnCluster, startOwnCluster } from '../../dev/postgres.ts'
import { generateSchemaTypes } from '../../generate/schema-types.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
import { keptCounts } from '../harness/kept-counts.ts'
import { useClone } from './clone.ts'

const clone = useClone()

const migrations = join(import.meta.dirname, '../../migrations')
const generated = () => readFile(join(import.meta.dirname, '../../src/kit/db/schema.generated.ts'), 'utf8')

const now = '2026-11-16T08:00:00.000Z'

let home: string
let newest: OwnCluster
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'relance-newest-'))
  newest = await startOwnCluster({ dataDir: join(home, 'data'), durable: false, binaries: 'embedded' })
  await bootstrapRoles(newest.adminUrl, rolePasswords)
})
afterAll(async () => {
  await newest?.stop()
  await rm(home, { recursive: true, force: true })
})

it('the types the program is checked against are those of the migrated schema', async () => {
  expect(await generateSchemaTypes(clone.database.adminUrl)).toBe(await generated())
})

it('the migrations make the same schema on the newest PostgreSQL, and change nothing when run again', async () => {
  const { adminUrl } = await createDatabase(newest.adminUrl, 'relance')
  expect(await migrate(adminUrl, migrations, now)).not.toEqual([])
  expect(await generateSchemaTypes(adminUrl)).toBe(await generated())
  expect(await migrate(adminUrl, migrations, now)).toEqual([])
})

it('recoveries from before are given their standing and due date, and what is kept stays what is there', async () => {
  const { adminUrl } = await createDatabase(newest.adminUrl, 'before')
  const earlier = join(home, 'earlier')
  await mkdir(earlier)
  for (const name of await readdir(migrations))
    if (name < '0043') await copyFile(join(migrations, name), join(earlier, name))
  await migrate(adminUrl, earlier, now)
  await asAdmin(adminUrl, async client => {
    const tenant = '01930000-0000-7000-8000-000000000001'
    await client.query(`
      insert into companies (id, name, owner_email, reply_email, tier, country, time_zone, language, currency, default_debtor_type, created_at)
      values ('${tenant}', 'Company', 'o@example.org', 'o@example.org', 'pro', 'FR', 'Europe/Paris', 'fr', 'EUR', 'business', '${now}');
      insert into tenants (id, company_id, environment, created_at) values ('${tenant}', '${tenant}', 'production', '${now}');
      insert into debtors (tenant_id, id, name, name_key, email, email_key, country, type, language, created_at, updated_at, search_text, search_grams)
      values ('${tenant}', '${tenant}', 'D', 'd', 'd@example.org', 'd@example.org', 'FR', 'business', 'fr', '${now}', '${now}', 'd', '{}');
      insert into invoices (tenant_id, id, debtor_id, number, amount_cents, currency, issue_date, due_date, status, created_at, updated_at,
        number_search, number_grams, open_cents)
      select '${tenant}', md5(i::text)::uuid, '${tenant}', i::text, 1000 * i, 'EUR', '2026-09-01', date '2026-10-01' + i, 'imported', '${now}',
             '${now}', i::text, '{}', 1000 * i from generate_series(1, 4) i;
      insert into recoveries (tenant_id, invoice_id, debtor_id, status, holds, cascade, cascade_version, started_at, anchor_at, wish_at, due_at,
        due_channel, paused_at, created_at)
      select '${tenant}', md5(i::text)::uuid, '${tenant}', status, holds, 'fr_b2b_standard', 1, started, started, due, due,
             case when due is not null then 'email' end, case when status = 'paused' then timestamptz '${now}' end, '${now}'
        from (values (1, 'in_recovery', '{}'::text[], timestamptz '${now}', timestamptz '${now}'), (2, 'paused', '{asked}', '${now}', null),
                     (3, 'judicial', '{}', '${now}', null), (4, 'pending', '{}', null, null)) x(i, status, holds, started, due)`)
    expect((await migrate(adminUrl, migrations, now))[0]).toBe('0043_standing_of_recoveries.sql')
    const { rows } = await client.query(
      'select standing, due_date::text from recoveries order by recoveries.due_date',
    )
    expect(rows).toEqual([
      { standing: 'running', due_date: '2026-10-02' },
      { standing: 'held:asked', due_date: '2026-10-03' },
      { standing: 'judicial', due_date: '2026-10-04' },
      { standing: 'pending', due_date: '2026-10-05' },
    ])
    for (const [name, query] of Object.entries(keptCounts))
      expect((await client.query(query)).rows, name).toEqual([])
  })
})
