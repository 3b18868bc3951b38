import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMetrics } from '../../../src/features/platform/metrics.ts'
import { nextNight, takeDueNights } from '../../../src/features/platform/nights/nights.ts'
import { createPool, type Pool } from '../../../src/kit/db/pool.ts'
import { queryOn } from '../../../src/kit/db/query.ts'
import { uuidv7 } from '../../../src/kit/uuid.ts'
import { examine } from '../../../src/start/doctor.ts'
import { type NightContext, runDueNights, runNight } from '../../../src/start/night.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
const [minute, day] = [60_000, 86_400_000]

let pool: Pool
let aheadMs = 0
const clock = { wall: () => Date.now() + aheadMs }
const failures: { tenantId?: string }[] = []
const log = {
  debug() {},
  info() {},
  warn() {},
  error: (facts: object) => void failures.push(facts),
}
let context: NightContext
let broken: string
beforeAll(async () => {
  pool = createPool({
    url: installation.database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: 4,
    statementTimeoutMs: 30_000,
  })
  broken = installation.company.tenants.sandbox
  await installation.call('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    key: installation.company.sandboxKey,
  })
  // As if its clock had been moved to the year 10001 before it had an end: no date of it can be written any more.
  await installation.sql('update tenants set clock_offset_ms = $2 where id = $1', [
    broken,
    Date.parse('+010001-06-01T00:00:00Z') - Date.now(),
  ])
})
afterAll(() => pool.end())
beforeEach(async () => {
  aheadMs = 0
  failures.length = 0
  context = { pool, clock, log, metrics: createMetrics(), newId: randomUUIDv7 }
  await installation.sql(
    `update tenant_nights set due_at = 'epoch', taken_until = null, after_debtor_id = null, done_at = null, failures = 0, scored = 0`,
  )
})

interface Night {
  due_at: Date
  taken_until: Date | null
  after_debtor_id: string | null
  scored: string
  done_at: Date | null
  failures: number
}
const nightOf = async (tenantId: string) =>
  (await installation.sql<Night>('select * from tenant_nights where tenant_id = $1', [tenantId]))[0]!
const outcomes = async () =>
  Object.fromEntries(
    (await context.metrics.nights.get()).values.map(({ labels, value }) => [labels.outcome, value]),
  )
const newCompany = () =>
  installation.server.createCompany({ name: 'Atelier Petit', ownerEmail: 'petit@atelier.example' })
/** Imports invoices of as many debtors. */
async function importDebtors(key: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += 100)
    await installation.call('POST', '/api/v1/invoices/bulk', {
      body: { invoices: Array.from({ length: Math.min(100, count - i) }, () => invoiceInput()) },
      key,
    })
}
const scoresOf = async (tenantId: string) =>
  (await installation.sql('select from debtor_scores where tenant_id = $1', [tenantId])).length

it('every tenant has its night, though that of one fails; the next comes at a moment of its own', async () => {
  const company = await newCompany()
  await importDebtors(company.productionKey, 1)
  while (await runDueNights(context, () => false)) {}
  const tenants = [
    company.tenants.production,
    company.tenants.sandbox,
    installation.company.tenants.production,
  ]
  for (const tenantId of tenants) expect((await nightOf(tenantId)).done_at).not.toBeNull()
  expect((await nightOf(broken)).failures).toBe(1)
  expect(await scoresOf(company.tenants.production)).toBe(1)
  for (const tenantId of tenants) {
    const { due_at, done_at, taken_until } = await nightOf(tenantId)
    expect(due_at.getTime()).toBe(nextNight(tenantId, done_at!.getTime()))
    expect(taken_until).toBeNull()
  }
  expect(failures.map(({ tenantId }) => tenantId)).toEqual([broken])
  expect(await outcomes()).toMatchObject({ failed: 1 })
  const findings = await examine(installation.server.config, Date.now())
  expect(findings).toContainEqual(
    expect.objectContaining({
      isFine: false,
      text: `1 tenants had a night that failed: ${broken} (1 times)`,
    }),
  )
})

it('what failed is tried again after ten minutes, and after three times in the next night', async () => {
  const query = queryOn(pool)
  const run = async () => {
    expect(await takeDueNights(query, clock.wall(), 1_000)).toContain(broken)
    expect(await runNight(context, broken)).toBe(false)
  }
  for (const expected of [1, 2]) {
    await run()
    const { failures: times, due_at } = await nightOf(broken)
    expect(times).toBe(expected)
    expect(Math.abs(due_at.getTime() - clock.wall() - 10 * minute)).toBeLessThan(5_000)
    expect(await takeDueNights(query, clock.wall(), 1_000)).not.toContain(broken)
    aheadMs += 11 * minute
  }
  await run()
  const night = await nightOf(broken)
  expect(night).toMatchObject({ failures: 3, after_debtor_id: null })
  expect(night.due_at.getTime()).toBe(nextNight(broken, clock.wall()))
})

it('a night that was interrupted goes on behind the last debtor it had scored, and each is scored once', async () => {
  const company = await newCompany()
  const tenantId = company.tenants.production
  await importDebtors(company.productionKey, 600)
  const query = queryOn(pool)
  await takeDueNights(query, clock.wall(), 1_000)
  expect(await runNight(context, tenantId)).toBe(true)
  const half = await nightOf(tenantId)
  expect([half.scored, half.done_at]).toEqual(['500', null])
  expect(await scoresOf(tenantId)).toBe(500)
  // Whoever ran it is gone: it is left alone for the length of the lease, and then taken again.
  expect(await takeDueNights(query, clock.wall(), 1_000)).not.toContain(tenantId)
  aheadMs += 2 * minute + 1_000
  expect(await takeDueNights(query, clock.wall(), 1_000)).toContain(tenantId)
  // Two at the same moment: one of them goes on.
  expect(await Promise.all([runNight(context, tenantId), runNight(context, tenantId)])).toEqual([
    false,
    false,
  ])
  const done = await nightOf(tenantId)
  expect([done.scored, done.after_debtor_id]).toEqual(['600', null])
  expect(await scoresOf(tenantId)).toBe(600)
  expect(await outcomes()).toEqual({ done: 1 })
  expect(await runNight(context, tenantId)).toBe(false)
})

it('only some nights are under way at once, and those that have waited longest come first', async () => {
  const query = queryOn(pool)
  const rows = await installation.sql<{ tenant_id: string }>('select tenant_id from tenant_nights')
  expect(rows.length).toBeGreaterThan(3)
  const [oldest, older] = rows as [{ tenant_id: string }, { tenant_id: string }]
  await installation.sql('update tenant_nights set due_at = $1', [
    new Date(Date.now() - minute).toISOString(),
  ])
  await installation.sql('update tenant_nights set due_at = $2 where tenant_id = $1', [
    older.tenant_id,
    new Date(Date.now() - 2 * minute).toISOString(),
  ])
  await installation.sql('update tenant_nights set due_at = $2 where tenant_id = $1', [
    oldest.tenant_id,
    new Date(Date.now() - 3 * minute).toISOString(),
  ])
  expect(await takeDueNights(query, clock.wall(), 1)).toEqual([oldest.tenant_id])
  expect(await takeDueNights(query, clock.wall(), 1)).toEqual([])
  expect(await takeDueNights(query, clock.wall(), 2)).toEqual([older.tenant_id])
})

it('a night deletes what its tenant no longer needs, and nothing of another', async () => {
  const company = await newCompany()
  const [mine, other] = [company.tenants.production, installation.company.tenants.production]
  const at = (days: number) => new Date(Date.now() - days * day).toISOString()
  const insertTask = async (tenantId: string, days: number) => {
    const id = uuidv7(Date.now())
    await installation.sql(
      `insert into tasks (tenant_id, id, kind, status, input, actor, scopes, request_id, is_dry_run, created_at, ended_at)
       values ($1, $2, 'bulk', 'finished', '{}', '{}', '{}', 'r', false, $3, $3)`,
      [tenantId, id, at(days)],
    )
    return id
  }
  const [old, recent, theirs] = [
    await insertTask(mine, 31),
    await insertTask(mine, 29),
    await insertTask(other, 31),
  ]
  while (await runNight(context, mine)) {}
  const left = await installation.sql<{ id: string }>('select id from tasks where id = any ($1)', [
    [old, recent, theirs],
  ])
  expect(left.map(({ id }) => id).sort()).toEqual([recent, theirs].sort())
})

it('a night alerts the creditor of time bars that come near, in batches, and each of them once', async () => {
  const company = await newCompany()
  const tenantId = company.tenants.production
  // The invoices are of 15 September: this special time ends in less than a month.
  const near = () => invoiceInput({ limitationMonths: 3 })
  const send = async (count: number) => {
    const invoices = Array.from({ length: count }, near)
    const body = { invoices, autoStartWorkflow: false }
    await installation.call('POST', '/api/v1/invoices/bulk', { body, key: company.productionKey })
  }
  for (let i = 0; i < 6; i++) await send(100)
  const alerted = async () =>
    (
      await installation.sql<{ n: number; invoices: number; alerts: number }>(
        `select count(*)::integer as n, count(distinct subject_id)::integer as invoices,
                (select count(*)::integer from alerts where tenant_id = $1 and kind = 'limitation.approaching') as alerts
           from events where tenant_id = $1 and type = 'limitation.approaching'`,
        [tenantId],
      )
    )[0]
  expect(await runNight(context, tenantId)).toBe(true)
  expect(await alerted()).toMatchObject({ n: 500 })
  while (await runNight(context, tenantId)) {}
  expect(await alerted()).toEqual({ n: 600, invoices: 600, alerts: 600 })
  await installation.sql(`update tenant_nights set due_at = 'epoch' where tenant_id = $1`, [tenantId])
  await Promise.all([runNight(context, tenantId), runNight(context, tenantId)])
  expect(await alerted()).toEqual({ n: 600, invoices: 600, alerts: 600 })
})
