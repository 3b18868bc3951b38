import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type Database, rolePasswords } from '../../dev/database.ts'
import { startOwnCluster } from '../../dev/postgres.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'

/** A migrated database on a PostgreSQL of its own, for tests that change settings of the server. */
export async function startDatabaseServer(): Promise<{ database: Database; stop(): Promise<void> }> {
  const cluster = await startOwnCluster({
    dataDir: await mkdtemp(join(tmpdir(), 'relance-test-own-pg-')),
    durable: true,
  })
  await bootstrapRoles(cluster.adminUrl, rolePasswords)
  const database = await createDatabase(cluster.adminUrl, 'relance')
  await migrate(database.adminUrl, join(import.meta.dirname, '../../migrations'), new Date().toISOString())
  return {
    database,
    async stop() {
      await cluster.stop()
      await rm(cluster.dataDir, { recursive: true, force: true })
    },
  }
}
