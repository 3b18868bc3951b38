import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { everyStatement } from '../../generate/every-statement.ts'
import type { Statement } from '../../src/kit/db/statement.ts'
import { fillWithManyRows, useClone } from './clone.ts'
import { type Judge, judgePlans, large, type PlanNode } from './plan-checks.ts'

const clone = useClone()
const tenant = '01930000-0000-7000-8000-000000000001'

/** Something plausible of each type; a generic plan does not look at it, a custom one does. */
const values: Record<string, string> = {
  uuid: tenant,
  'uuid[]': `{${tenant}}`,
  text: 'F-1',
  'text[]': '{F-1,F-2}',
  jsonb: '[]',
  integer: '100',
  'integer[]': '{1,2}',
  date: '2026-11-16',
  bigint: '1',
  'bigint[]': '{1}',
  'double precision': '120000',
  'timestamp with time zone': '2026-11-16T08:00:00Z',
  bytea: '\\x00',
  'bytea[]': '{"\\\\x00"}',
  boolean: 'true',
}

const clients: Record<string, pg.Client> = {}
let growing: Judge

beforeAll(async () => {
  await fillWithManyRows(clone, 50_000)
  for (const [role, url] of [
    ['api', clone.database.env.API_DATABASE_URL],
    ['worker', clone.database.env.WORKER_DATABASE_URL],
    ['operator', clone.database.env.OPERATOR_DATABASE_URL],
  ] as const) {
    clients[role] = new pg.Client({ connectionString: url })
    await clients[role].connect()
  }
  growing = await judgePlans(clone)
}, 180_000)
afterAll(async () => {
  for (const client of Object.values(clients)) await client.end()
})

/** The plan as one role gets it in a tenant's transaction, or null where the role may not run it. */
async function explain(
  role: string,
  mode: string,
  { text, name }: Statement<unknown>,
): Promise<PlanNode | null> {
  const client = clients[role]!
  await client.query('begin')
  try {
    await client.query(
      `select set_config('relance.tenant', $1, true), set_config('plan_cache_mode', $2, true)`,
      [tenant, mode],
    )
    await client.query(`prepare guarded as ${text}`)
    const { rows } = await client.query<{ types: string[] }>(
      `select array(select t::text from unnest(parameter_types) t) as types from pg_prepared_statements where name = 'guarded'`,
    )
    const given = rows[0]!.types.map(type => {
      if (!(type in values)) throw new Error(`the guard has no value of type ${type} for ${name}: ${text}`)
      return `${pg.escapeLiteral(values[type]!)}::${type}`
    })
    const call = given.length > 0 ? `guarded (${given.join(', ')})` : 'guarded'
    const plan = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (format json) execute ${call}`,
    )
    return plan.rows[0]!['QUERY PLAN'][0]!.Plan
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return null
    throw error
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

it('the filled tables are large enough for the planner', async () => {
  for (const table of large) {
    const [row] = await clone.query<{ n: number }>(`select count(*)::integer as n from ${table}`)
    expect(row!.n, `many-rows.sql fills ${table}`).toBeGreaterThanOrEqual(3_000)
  }
  const [big] = await clone.query<{ n: number }>(
    'select count(*)::integer as n from invoices where tenant_id = $1',
    [tenant],
  )
  expect(big!.n).toBeGreaterThanOrEqual(50_000)
})

it.each(['force_generic_plan', 'force_custom_plan'])(
  'no statement of the program reads a whole table or a whole tenant (%s)',
  async mode => {
    const found: string[] = []
    for (const statement of await everyStatement()) {
      const plan =
        (await explain('api', mode, statement)) ??
        (await explain('worker', mode, statement)) ??
        (await explain('operator', mode, statement))
      if (plan) found.push(...growing(plan).map(scan => `${scan}: ${statement.name}`))
      else found.push(`none of our roles may run: ${statement.name}`)
    }
    expect(found).toEqual([])
  },
)

it.each([
  'amount_cents >= $1 order by amount_cents',
  'amount_cents <= $1 order by amount_cents',
  'debtor_id = $1 and status = $2 order by id',
  'debtor_id = $1 and issue_date >= $2 and issue_date <= $3 order by id',
  'debtor_id = $1 and amount_cents >= $2 order by id',
  'status = $1 and amount_cents >= $2',
  'issue_date >= $1 and issue_date <= $2 and amount_cents <= $3',
])('counting up to ten thousand where %s never leaves an index', async where => {
  await clone.query('vacuum invoices')
  const scans = (node: PlanNode): string[] => [
    ...(node['Relation Name'] ? [node['Node Type']] : []),
    ...(node.Plans ?? []).flatMap(scans),
  ]
  const text = `select count(*) from (select 1 from invoices where ${where} limit 10001) counted`
  for (const mode of ['force_generic_plan', 'force_custom_plan'])
    expect(scans((await explain('api', mode, { name: 'counted', text }))!)).toEqual(['Index Only Scan'])
})

it.each(['force_generic_plan', 'force_custom_plan'])(
  'the timeline of a debtor reads each source in the order of its index (%s)',
  async mode => {
    const sorted = (node: PlanNode): string[] =>
      (node.Plans ?? []).flatMap(below => [
        ...(node['Node Type'].endsWith('Sort') && below['Relation Name'] ? [below['Relation Name']] : []),
        ...sorted(below),
      ])
    const timeline = (await everyStatement()).find(({ name }) => name === 'timeline.list-of-debtor')!
    expect(sorted((await explain('api', mode, timeline))!)).toEqual([])
  },
)

it('the guard sees a scan where there is one', async () => {
  const seen = async (text: string) =>
    growing((await explain('api', 'force_generic_plan', { name: 'seen', text }))!)
  expect(await seen('select id from invoices where notes = $1')).toEqual(['Seq Scan on invoices'])
  expect(await seen(`select id from invoices where number like 'F-1%'`)).not.toEqual([])
  expect(await seen('select id from debtors where lower(email) = $1')).not.toEqual([])
  expect(await seen('select count(*) from events where type = $1')).not.toEqual([])
  expect(await seen('select id from invoices where number = $1')).toEqual([])
})
