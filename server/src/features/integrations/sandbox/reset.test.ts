import pg from 'pg'
import { expect, it } from 'vitest'
import { digestOf } from '../../../../test/guards/digest.ts'
import { eventually, invoiceInput, useHouse } from '../../../../test/harness/house.ts'
import { lyon, newSandbox } from '../../../../test/harness/sandbox.ts'

const house = useHouse()

/** Tables with rows of a tenant, but for those a reset leaves alone. */
async function tablesOf(tenantId: string): Promise<string[]> {
  const digest = (await digestOf(house, [tenantId]))[tenantId]!
  return Object.entries(digest)
    .filter(
      ([name, words]) => !words.startsWith('0 rows') && !['company_settings', 'cascades'].includes(name),
    )
    .map(([name]) => name)
}

it('a reset empties every table of the sandbox, keeps its settings and clock, and production has all it had', async () => {
  const { sandboxKey: key, tenants } = house.company
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await house.call<Record<string, never>>(method, path, {
      key,
      ...(body !== undefined && { body }),
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data
  }
  for (const [owner, count] of [
    [house.company.productionKey, 3],
    [key, 3],
  ] as const)
    for (let i = 0; i < count; i++)
      await house.call('POST', '/api/v1/invoices', {
        key: owner,
        body: invoiceInput({ debtor: lyon(['Un', 'Deux', 'Trois'][i]!) }),
      })
  await ask('PUT', '/api/v1/company', { legalName: 'Kept SAS' })
  const [id] = (
    await house.sql<{ id: string }>('select id from invoices where tenant_id = $1', [tenants.sandbox])
  ).map(row => row.id)
  await ask('POST', '/api/v1/sandbox/clock', { advance: 'P30D' })
  await ask('POST', '/api/v1/sandbox/simulate/lrar-signed', { invoiceId: id })
  await ask('POST', '/api/v1/sandbox/simulate/promise', { invoiceId: id })
  await ask('POST', '/api/v1/sandbox/simulate/dispute', { invoiceId: id })
  await ask('POST', '/api/v1/sandbox/simulate/payment', { invoiceId: id, amountCents: 100 })
  await eventually(
    () => house.installation.mailbox.messages().length,
    n => n === 3,
  )
  expect((await tablesOf(tenants.sandbox)).length).toBeGreaterThan(15)
  const before = (await digestOf(house, [tenants.production]))[tenants.production]
  const clock = await ask('GET', '/api/v1/sandbox/clock')

  const { now } = await ask('POST', '/api/v1/sandbox/reset')

  expect(Date.parse(now!)).toBeGreaterThanOrEqual(Date.parse(clock.now!))
  expect(await tablesOf(tenants.sandbox)).toEqual([])
  expect((await digestOf(house, [tenants.production]))[tenants.production]).toEqual(before)
  expect(await ask('GET', '/api/v1/company')).toMatchObject({ legalName: 'Kept SAS' })
  for (const path of ['invoices', 'debtors', 'payments', 'sandbox/messages'])
    expect((await house.call('GET', `/api/v1/${path}`, { key })).body.pagination.total, path).toBe(0)
  expect(await ask('GET', '/api/v1/invoices/stats/summary')).toMatchObject({ totalInvoices: 0 })
})

async function resetNow(tenantId: string): Promise<void> {
  const client = new pg.Client({ connectionString: house.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('relance.tenant', $1, true)`, [tenantId])
  await client.query('select have_sandbox_alone()')
  const gone = await client.query<{ n: number }>(
    `select count(*)::integer as n from communications where tenant_id = $1 and state in ('reserved', 'sending')`,
    [tenantId],
  )
  expect(gone.rows[0]!.n).toBeGreaterThan(0)
  await client.query('select reset_sandbox()')
  await client.query('commit')
  await client.end()
}

it('a worker whose debtors vanish in the middle goes on with those who come after', async () => {
  const sandbox = await newSandbox(house)
  const fill = () =>
    sandbox.done('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: 40 }, () => invoiceInput()),
    })
  for (let round = 0; round < 3; round++) {
    await fill()
    // Past the politeness of the API: in the middle of a message's way, between two of its transactions.
    await eventually(
      () => house.sql('select 1 from pending_sends where tenant_id = $1', [sandbox.tenantId]),
      rows => rows.length > 0,
    )
    await resetNow(sandbox.tenantId)
  }
  await fill()
  await sandbox.advance('P6D')
  expect(await sandbox.messages()).toHaveLength(80)
})
