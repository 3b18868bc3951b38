import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tables } from '../../src/features/tables.ts'
import { fillWithManyRows, useClone } from './clone.ts'

const clone = useClone()
const roles = ['api', 'worker', 'operator'] as const
const clients = {} as Record<(typeof roles)[number], pg.Client>

const refused = '42501'
/** The setting was never made on this connection, or was left behind empty by a transaction that ended. */
const noTenant = ['42704', '22P02']

let owner: string
let looker: string

const connect = async (role: (typeof roles)[number]) => {
  const name = `${role.toUpperCase()}_DATABASE_URL` as 'API_DATABASE_URL'
  const client = new pg.Client({ connectionString: clone.database.env[name] })
  await client.connect()
  return client
}

beforeAll(async () => {
  ;({ large: owner, small: looker } = await fillWithManyRows(clone, 200))
  for (const role of roles) clients[role] = await connect(role)
})
afterAll(async () => {
  for (const client of Object.values(clients)) await client.end()
})

/** How many rows a statement sees or touches, or the state it is refused with; nothing of it stays. */
async function attempt(client: pg.Client, tenant: string | null, text: string, values: unknown[] = []) {
  await client.query('begin')
  try {
    if (tenant !== null) await client.query(`select set_config('relance.tenant', $1, true)`, [tenant])
    return (await client.query(text, values)).rowCount
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await client.query('rollback')
  }
}

describe.each(tables.tenant)('tenant table %s', table => {
  it('has a row the guard could see if it were open', async () => {
    expect((await clone.query(`select from ${table} where tenant_id = $1`, [owner])).length).toBeGreaterThan(
      0,
    )
  })

  it.each(roles)(
    'answers %s nothing outside a tenant, on a fresh connection and on a used one',
    async role => {
      const fresh = await connect(role)
      try {
        await attempt(clients[role], looker, 'select 1')
        for (const client of [fresh, clients[role]])
          for (const text of [
            `select from ${table}`,
            `update ${table} set tenant_id = tenant_id`,
            `delete from ${table}`,
          ])
            expect([refused, ...noTenant], text).toContain(await attempt(client, null, text))
      } finally {
        await fresh.end()
      }
    },
  )

  it.each(roles)('keeps the rows of one tenant from %s in another', async role => {
    const client = clients[role]
    const touch = (text: string, ...values: unknown[]) => attempt(client, looker, text, values)
    for (const text of [
      `select from ${table} where tenant_id = $1`,
      `update ${table} set tenant_id = tenant_id where tenant_id = $1`,
      `delete from ${table} where tenant_id = $1`,
    ])
      expect([0, refused], text).toContain(await touch(text, owner))
    const [row] = await clone.query<{ row: unknown; columns: string }>(
      `select to_jsonb(t) as row,
              (select string_agg(attname, ', ') from pg_attribute
                where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '') as columns
         from ${table} t where tenant_id = $1 limit 1`,
      [owner],
    )
    const { columns } = row!
    const insert = `insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`
    expect(await touch(insert, row!.row)).toBe(refused)
    expect(await touch(`${insert} on conflict do nothing`, row!.row)).toBe(refused)
    // A row of one's own may not be given away either; where there is none of one's own, nothing is touched.
    expect([0, refused]).toContain(await touch(`update ${table} set tenant_id = $1`, owner))
  })
})

/** Nobody sees them: what the law wants kept of erased persons. */
const closedToAll: readonly string[] = ['blocked_records']

it('a process sees the rows of the tenant it entered, or the guard above would prove nothing', async () => {
  for (const table of closedToAll)
    for (const role of roles)
      expect(await attempt(clients[role], owner, `select from ${table}`), `${table} ${role}`).toBe(refused)
  for (const table of tables.tenant) {
    if (closedToAll.includes(table)) continue
    const seen = await Promise.all(
      (['api', 'worker'] as const).map(role => attempt(clients[role], owner, `select from ${table}`)),
    )
    expect(
      seen.some(rows => typeof rows === 'number' && rows > 0),
      table,
    ).toBe(true)
  }
})
