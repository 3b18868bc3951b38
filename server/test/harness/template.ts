import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createDatabase, dropDatabase, dropLeftovers, newName, rolePasswords } from '../../dev/database.ts'
import { findPostgres } from '../../dev/postgres.ts'
import { findRedis } from '../../dev/redis.ts'
import { bootstrapRoles } from '../../src/kit/db/bootstrap.ts'
import { migrate } from '../../src/kit/db/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string
    template: string
    redisUrl: string
  }
}

/** One migrated database; every test file clones it. */
export default async function setup(project: TestProject) {
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-test-pg-'))
  const databaseUrl = process.env.DATABASE_URL
  const postgres = await findPostgres({ dataDir, ...(databaseUrl && { databaseUrl }) })
  await bootstrapRoles(postgres.adminUrl, rolePasswords)
  await dropLeftovers(postgres.adminUrl, 'relance_test_')
  const template = newName('relance_test_')
  const database = await createDatabase(postgres.adminUrl, template)
  await migrate(database.adminUrl, join(import.meta.dirname, '../../migrations'), new Date().toISOString())
  project.provide('adminUrl', postgres.adminUrl)
  project.provide('template', template)
  project.provide('redisUrl', (await findRedis(process.env.REDIS_URL)) ?? '')
  return async () => {
    await dropDatabase(postgres.adminUrl, template)
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
