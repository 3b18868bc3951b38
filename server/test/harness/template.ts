import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { dropDatabase, dropLeftovers, newName } from '../../dev/database.ts'
import { findPostgres } from '../../dev/postgres.ts'
import { findRedis } from '../../dev/redis.ts'
import { makeTemplate, sharedServer } from './shared-server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    adminUrl: string
    template: string
    redisUrl: string
  }
}

/** One migrated database; test files clone it. */
export default async function setup(project: TestProject) {
  const redisUrl = (await findRedis(process.env.REDIS_URL)) ?? ''
  project.provide('redisUrl', redisUrl)
  const shared = sharedServer()
  if (shared) {
    project.provide('adminUrl', shared.adminUrl)
    project.provide('template', shared.template)
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'relance-test-pg-'))
  const databaseUrl = process.env.DATABASE_URL
  const postgres = await findPostgres({ dataDir, ...(databaseUrl && { databaseUrl }) })
  await dropLeftovers(postgres.adminUrl, 'relance_test_')
  const { template } = await makeTemplate(postgres.adminUrl, newName('relance_test_'))
  project.provide('adminUrl', postgres.adminUrl)
  project.provide('template', template)
  return async () => {
    await dropDatabase(postgres.adminUrl, template)
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
