import { beforeAll, describe, expect, it } from 'vitest'
import { InvoiceFilter } from '../../../src/features/receivables/invoices/filter-schema.ts'
import { listInvoices } from '../../../src/features/receivables/invoices/list-invoices.ts'
import { useManualTasks } from '../../harness/manual-tasks.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false, env: { TRUSTED_PROXIES: '127.0.0.1' } })
const tasks = useManualTasks(installation)

let sandbox: Sandbox
let debtorId: string
const ids: string[] = []

beforeAll(async () => {
  sandbox = await newSandbox(installation)
  const make = async (name: string, changes: object) => {
    const { id, debtor } = await sandbox.invoice({
      debtor: lyonDebtor(`${name} SARL`),
      invoiceNumber: `N-${name}`,
      ...changes,
    })
    ids.push(id)
    return { id, debtorId: debtor.id }
  }
  await make('soon', { issueDate: '2026-10-01', dueDate: '2026-11-20', amountCents: 50_000 })
  const later = await make('later', { dueDate: '2026-12-01', amountCents: 10_000 })
  const held = await make('held', { dueDate: '2026-12-05', amountCents: 30_000 })
  const person = { name: 'Anne Petit', email: 'anne@petit.example', type: 'consumer', postalCode: '69002' }
  const ended = await make('person', { dueDate: '2026-12-10', amountCents: 20_000, debtor: person })
  const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [invoiceInput({ dueDate: '2027-02-01', debtor: lyonDebtor('Waiting SARL') })],
    autoStartWorkflow: false,
  })
  ids.push(results[0]!.id)
  await sandbox.trigger(held.id, { action: 'pause' })
  await sandbox.trigger(ended.id, { action: 'cancel' })
  debtorId = held.debtorId
  await installation.sql(`update recoveries set due_because = 'channel_cooldown' where invoice_id = $1`, [
    later.id,
  ])
})

/** A value of every filter that some of the invoices pass, and others do not. A new filter without one does not compile. */
const values: Record<keyof InvoiceFilter, () => unknown> = {
  status: () => 'cancelled',
  debtorId: () => debtorId,
  fromDate: () => '2026-09-20',
  toDate: () => '2026-09-20',
  minAmount: () => 30_000,
  maxAmount: () => 20_000,
  standing: () => ['held:asked', 'pending'],
  dueFrom: () => '2026-12-05',
  dueTo: () => '2026-12-01',
  overdueMin: () => -10,
  overdueMax: () => -17,
  workflowStatus: () => 'in_recovery',
  step: () => 'email_prise_en_charge',
  nextFrom: () => '2026-12-01T12:00:00+01:00',
  nextTo: () => '2026-12-01T12:00:00+01:00',
  reasonCode: () => 'channel_cooldown',
  debtorType: () => 'consumer',
  search: () => 'SOON',
}

const listed = async (filter: Record<string, unknown>) => {
  const query = new URLSearchParams({ limit: '100' })
  for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
  const found = await sandbox.done<{ id: string }[]>('GET', `/api/v1/invoices?${query}`)
  return found.map(({ id }) => id).sort()
}

async function judged(filter: Record<string, unknown>) {
  const body = { action: 'pause', dryRun: true, filter }
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/bulk', body)
  await tasks.runAll(sandbox.tenantId)
  const items = await sandbox.done<{ invoiceId: string }[]>('GET', `/api/v1/tasks/${id}/items?limit=100`)
  return items.map(({ invoiceId }) => invoiceId).sort()
}

async function exported(filter: Record<string, unknown>) {
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/export', {
    what: 'invoices',
    format: 'csv',
    filter,
  })
  await tasks.runAll(sandbox.tenantId)
  return sandbox.done<{ file: { rows: number }; request: unknown }>('GET', `/api/v1/tasks/${id}`)
}

describe('bulk tasks and exports find what the list finds', () => {
  it.each(Object.keys(values) as (keyof InvoiceFilter)[])('with the filter %s', async name => {
    const filter = { [name]: values[name]() }
    const expected = await listed(filter)
    expect(expected.length).toBeGreaterThan(0)
    expect(expected.length).toBeLessThan(ids.length)
    expect(await judged(filter)).toEqual(expected)
    const { file, request } = await exported(filter)
    expect(file.rows).toBe(expected.length)
    // What was asked can be read and sent again as it is.
    expect(request).toMatchObject({ filter })
    expect(InvoiceFilter.parse((request as { filter: unknown }).filter)).toEqual(filter)
  })

  it('with several filters, and with a standing written as in the address', async () => {
    const filter = { standing: 'running,held:asked', maxAmount: 30_000, search: 'SARL' }
    const expected = await listed(filter)
    expect(expected).toHaveLength(2)
    expect(await judged(filter)).toEqual(expected)
  })
})

it('the list has no parameter beside its filters, its order and its pages', () => {
  const parameters = Object.keys((listInvoices.query as unknown as typeof InvoiceFilter).shape)
  const others = ['page', 'limit', 'cursor', 'include', 'sortBy', 'sortOrder']
  expect(parameters.toSorted()).toEqual([...Object.keys(InvoiceFilter.shape), ...others].toSorted())
})

it('a filter by the recovery needs the scope that reading it needs', async () => {
  const { apiKey } = await sandbox.done<{ apiKey: string }>('POST', '/api/v1/api-keys', {
    name: 'No recoveries',
    scopes: ['invoices:read', 'workflow:trigger'],
  })
  const filter = { standing: ['running'] }
  for (const [path, body] of [
    ['/api/v1/tasks/bulk', { action: 'pause', dryRun: true, filter }],
    ['/api/v1/tasks/export', { what: 'invoices', format: 'csv', filter }],
  ] as const) {
    const refused = await installation.call('POST', path, { key: apiKey, body })
    expect([refused.status, refused.body.error?.code]).toEqual([403, 'AUTH_004'])
  }
})

const newKey = async (scopes: readonly string[]) =>
  (await sandbox.done<{ apiKey: string }>('POST', '/api/v1/api-keys', { name: 'Few scopes', scopes })).apiKey

it('what a filter finds is known to nobody who may not read it', async () => {
  const may = await newKey(['workflow:trigger', 'workflow:read', 'invoices:read'])
  const [actsOnly, readsInvoices] = [
    await newKey(['workflow:trigger']),
    await newKey(['workflow:trigger', 'invoices:read']),
  ]
  const bulk = (key: string, filter: object) =>
    installation.call<{ id: string }>('POST', '/api/v1/tasks/bulk', {
      key,
      body: { action: 'pause', dryRun: true, filter },
    })
  for (const filter of [{ minAmount: 10_000, maxAmount: 10_000 }, { debtorType: 'consumer' }]) {
    const refused = await bulk(actsOnly, filter)
    expect([refused.status, refused.body.error?.requiredScopes]).toEqual([
      403,
      ['workflow:trigger', 'invoices:read'],
    ])
  }
  const byStanding = (await bulk(may, { standing: ['running'] })).body.data.id
  const exported = (
    await installation.call<{ id: string }>('POST', '/api/v1/tasks/export', {
      key: may,
      body: { what: 'invoices', format: 'csv', filter: { standing: ['running'] } },
    })
  ).body.data.id
  await tasks.runAll(sandbox.tenantId)
  for (const key of [actsOnly, readsInvoices])
    for (const [method, path] of [
      ['GET', `/api/v1/tasks/${byStanding}`],
      ['GET', `/api/v1/tasks/${byStanding}/items`],
      ['POST', `/api/v1/tasks/${byStanding}/start`],
      ['GET', `/api/v1/tasks/${exported}`],
    ] as const)
      expect([path, (await installation.call(method, path, { key })).status]).toEqual([path, 404])
  expect((await installation.call('GET', `/api/v1/tasks/${byStanding}`, { key: may })).status).toBe(200)
})
