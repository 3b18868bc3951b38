import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDatabase, rolePasswords } from '../../dev/database.ts'
import { type OwnCluster, startOwnCluster } from '../../dev/postgres.ts'
import { generateSchemaTypes } from '../../generate/schema-types.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'
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
