import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createDatabase, type Database, dropDatabase } from '../../dev/database.ts'

export interface Clone {
  database: Database
  /** Questions as the administrator, who sees through every policy. */
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

/** A migrated database of its own for one test file, with nobody in it: connecting to the template would stop the others. */
export function useClone(): Clone {
  const clone = {} as Clone
  let admin: pg.Client
  beforeAll(async () => {
    const name = `relance_test_${randomBytes(5).toString('hex')}`
    clone.database = await createDatabase(inject('adminUrl'), name, inject('template'))
    admin = new pg.Client({ connectionString: clone.database.adminUrl })
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    if (clone.database) await dropDatabase(inject('adminUrl'), clone.database.name)
  })
  clone.ask = async (text, values = []) => (await admin.query(text, values)).rows
  return clone
}

/** Fills every table: `many` invoices of one tenant, whose id is returned, and a few of others, of whom one is returned too. */
export async function fillWithCrowd(clone: Clone, many: number): Promise<{ large: string; small: string }> {
  const large = '01930000-0000-7000-8000-000000000001'
  const text = await readFile(join(import.meta.dirname, 'crowd.sql'), 'utf8')
  await clone.ask(text.replaceAll('$tenant', large).replaceAll('$many', String(many)))
  const [other] = await clone.ask<{ id: string }>(
    'select tenant_id as id from invoices where tenant_id <> $1 limit 1',
    [large],
  )
  return { large, small: other!.id }
}
