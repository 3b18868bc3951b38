import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createDatabase, type Database, dropDatabase } from '../../dev/database.ts'

export interface Clone {
  database: Database
  /** Queries as the administrator, without row-level security. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>
}

/** An empty migrated database for one test file; connecting to the template itself would block other files from cloning it. */
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
  clone.query = async (text, values = []) => (await admin.query(text, values)).rows
  return clone
}

/** Fills every table: `many` invoices of one large tenant and a few of small ones; returns the large tenant's id and a small one's. */
export async function fillWithManyRows(
  clone: Clone,
  many: number,
): Promise<{ large: string; small: string }> {
  const large = '01930000-0000-7000-8000-000000000001'
  const text = await readFile(join(import.meta.dirname, 'many-rows.sql'), 'utf8')
  await clone.query(text.replaceAll('$tenant', large).replaceAll('$many', String(many)))
  const [other] = await clone.query<{ id: string }>(
    'select tenant_id as id from invoices where tenant_id <> $1 limit 1',
    [large],
  )
  return { large, small: other!.id }
}
