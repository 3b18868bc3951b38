import pg from 'pg'
import { expect, it } from 'vitest'
import { digestOf } from '../../../../test/guards/digest.ts'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })

/** The tables that hold rows of a tenant, except those a reset keeps. */
async function tablesOf(tenantId: string): Promise<string[]> {
  const digest = (await digestOf(installation, [tenantId]))[tenantId]!
  return Object.entries(digest)
    .filter(
      ([name, digestText]) =>
        !digestText.startsWith('0 rows') && !['company_settings', 'cascades'].includes(name),
    )
    .map(([name]) => name)
}

it('a reset empties every table of the sandbox but the audit log, keeps its settings, sets its clock back, and production has all it had', async () => {
  const { sandboxKey: key, tenants } = installation.company
  const callSandbox = async (method: string, path: string, body?: unknown) => {
    const answer = await installation.call<Record<string, never>>(method, path, {
      key,
      ...(body !== undefined && { body }),
    })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body.data
  }
  for (const [owner, count] of [
    [installation.company.productionKey, 3],
    [key, 3],
  ] as const)
    for (let i = 0; i < count; i++)
      await installation.call('POST', '/api/v1/invoices', {
        key: owner,
        body: invoiceInput({ debtor: lyonDebtor(['Un', 'Deux', 'Trois'][i]!) }),
      })
  await callSandbox('PUT', '/api/v1/company', { legalName: 'Kept SAS' })
  const [id] = (
    await installation.sql<{ id: string }>('select id from invoices where tenant_id = $1', [tenants.sandbox])
  ).map(row => row.id)
  await callSandbox('POST', '/api/v1/sandbox/clock', { advance: 'P30D' })
  await callSandbox('POST', '/api/v1/sandbox/simulate/lrar-signed', { invoiceId: id })
  await callSandbox('POST', '/api/v1/sandbox/simulate/promise', { invoiceId: id })
  await callSandbox('POST', '/api/v1/sandbox/simulate/dispute', { invoiceId: id })
  await callSandbox('POST', '/api/v1/sandbox/simulate/payment', { invoiceId: id, amountCents: 100 })
  await eventually(
    () => installation.server.mailbox.messages().length,
    n => n === 3,
  )
  expect((await tablesOf(tenants.sandbox)).length).toBeGreaterThan(15)
  const before = (await digestOf(installation, [tenants.production]))[tenants.production]
  const clock = await callSandbox('GET', '/api/v1/sandbox/clock')

  const { now } = await callSandbox('POST', '/api/v1/sandbox/reset')

  expect(Date.parse(now!)).toBeLessThan(Date.parse(clock.now!) - 29 * 86_400_000)
  // The audit log says what was done, also that the sandbox was emptied.
  expect(await tablesOf(tenants.sandbox)).toEqual(['audit_log'])
  expect((await digestOf(installation, [tenants.production]))[tenants.production]).toEqual(before)
  expect(await callSandbox('GET', '/api/v1/company')).toMatchObject({ legalName: 'Kept SAS' })
  for (const path of ['invoices', 'debtors', 'payments', 'sandbox/messages'])
    expect((await installation.call('GET', `/api/v1/${path}`, { key })).body.pagination.total, path).toBe(0)
  expect(await callSandbox('GET', '/api/v1/invoices/stats/summary')).toMatchObject({ totalInvoices: 0 })
})

/** Whether a message was being sent at that moment. */
async function resetNow(tenantId: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: installation.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('relance.tenant', $1, true)`, [tenantId])
  await client.query('select lock_sandbox_exclusive()')
  const gone = await client.query<{ n: number }>(
    `select count(*)::integer as n from communications where tenant_id = $1 and state in ('reserved', 'sending')`,
    [tenantId],
  )
  await client.query('select reset_sandbox()')
  await client.query('commit')
  await client.end()
  return gone.rows[0]!.n > 0
}

it('a worker whose debtors are deleted while it sends goes on with later ones', async () => {
  const sandbox = await newSandbox(installation)
  const fill = () =>
    sandbox.done('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: 40 }, () => invoiceInput()),
    })
  let met = 0
  for (let round = 0; met < 3 && round < 30; round++) {
    await fill()
    // Bypasses the check of the API: resets while a message is being sent, between two of its transactions.
    await eventually(
      () => installation.sql('select 1 from pending_sends where tenant_id = $1', [sandbox.tenantId]),
      rows => rows.length > 0,
    )
    if (await resetNow(sandbox.tenantId)) met++
  }
  expect(met).toBe(3)
  await fill()
  await sandbox.advance('P6D')
  expect(await sandbox.messages()).toHaveLength(80)
})

/**
 * What stays: who may do what, what the company says of itself, the audit log, and what ends by itself within days. Conversations are
 * deleted by the function of their owner. Stored bytes are counted on: an upload may arrive meanwhile.
 */
const kept = new Set(
  `alert_batches alert_links alerts api_keys audit_log card_accounts cascades company_logos company_settings confirmations conversation_messages
   conversation_tokens conversations
   daily_sends account_mails idempotency_keys oauth_clients company_texts payout_changes stored_bytes tenant_nights webhooks webhook_endpoints`.split(
    /\s+/,
  ),
)

it('every table of a tenant is emptied, with the row it belongs to or by itself, or is named as one that stays', async () => {
  const tables = await installation.sql<{ name: string; parents: string[] }>(
    `select c.relname as name, array(select f.confrelid::regclass::text from pg_constraint f
              where f.conrelid = c.oid and f.contype = 'f' and f.confdeltype = 'c') as parents
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const [reset] = await installation.sql<{ body: string }>(
    `select prosrc as body from pg_proc where proname = 'reset_sandbox'`,
  )
  const parentsOf = new Map(tables.map(({ name, parents }) => [name, parents]))
  const isEmptied = (name: string): boolean =>
    reset!.body.includes(`'${name}'`) ||
    reset!.body.includes(`delete from ${name} `) ||
    (parentsOf.get(name) ?? []).some(isEmptied)
  const left = tables.map(({ name }) => name).filter(name => !isEmptied(name) && !kept.has(name))
  expect(left.sort()).toEqual([])
  expect([...kept].filter(name => !parentsOf.has(name))).toEqual([])
})
