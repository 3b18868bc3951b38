import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceStatuses } from '../../src/domain/money/invoice-state.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Invoice {
  id: string
  invoiceNumber: string
  amountCents: number
  issueDate: string
  dueDate: string
  status: string
  createdAt: string
  debtor: { id: string; name: string }
}
const notYetDue = { dueDate: '2026-12-01' }
const create = (changes: object = {}, key = installation.company.productionKey) =>
  installation.call<Invoice>('POST', '/api/v1/invoices', {
    body: invoiceInput({ ...notYetDue, ...changes }),
    key,
  })
const list = (query = '') => installation.call<Invoice[]>('GET', `/api/v1/invoices${query}`)

it('create answers 201 with the fields of the specification, status imported and the recovery started', async () => {
  const answer = await create()
  expect(answer.status).toBe(201)
  const { debtor: _, ...fields } = answer.body.data
  expect(Object.keys(fields)).toEqual([
    'id',
    'invoiceNumber',
    'amountCents',
    'currency',
    'status',
    'workflowStarted',
    'createdAt',
  ])
  expect(fields).toMatchObject({ currency: 'EUR', status: 'imported', workflowStarted: true })
})

it('the record of get and list has every field of the specification, and both show the same', async () => {
  const input = { description: 'Two pallets', metadata: { order: 'C-7' }, currency: 'USD' }
  const { id, debtor } = (await create(input)).body.data
  const got = (await installation.call('GET', `/api/v1/invoices/${id}`)).body.data
  expect(got).toMatchObject({ ...input, id, notes: null, issueDate: '2026-09-15', ...notYetDue })
  for (const field of ['invoiceNumber', 'amountCents', 'status', 'workflowStarted', 'createdAt'])
    expect(got).toHaveProperty(field)
  expect(Object.keys(got.debtor as object)).not.toContain('notes')
  expect((await list(`?debtorId=${debtor.id}`)).body.data).toEqual([got])
})

it.each(['invoiceNumber', 'amountCents', 'issueDate', 'dueDate', 'debtor'])(
  '%s is required on create: VAL_003',
  async field => {
    const answer = await create({ [field]: undefined })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_003'])
    expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
  },
)

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))
it.each([
  ['invoiceNumber', 'x'.repeat(101)],
  ['amountCents', 0],
  ['amountCents', 100.5],
  ['amountCents', '100'],
  ['amountCents', 1_000_000_000_001],
  ['currency', 'euro'],
  ['currency', 'XYZ'],
  ['issueDate', '2026-02-30'],
  ['issueDate', '15/09/2026'],
  ['dueDate', '2026-09-14'],
  ['description', 'x'.repeat(501)],
  ['metadata', keys(51)],
  ['metadata', []],
  ['notes', 'update only'],
])('%s of %j is VAL_001', async (field, value) => {
  const answer = await create({ [field]: value })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.[0]?.field).toMatch(new RegExp(`^${field}`))
})

it('500 characters of description fit, however many bytes they are', async () => {
  expect((await create({ description: '🧾'.repeat(500) })).status).toBe(201)
})

it('an invoice number is unique in its environment and free in the other', async () => {
  const { invoiceNumber } = (await create()).body.data
  const again = await create({ invoiceNumber })
  expect([again.status, again.body.error.code]).toEqual([409, 'RES_002'])
  expect((await create({ invoiceNumber }, installation.company.sandboxKey)).status).toBe(201)
})

it('a debtor that does not exist is created from the data that came with the invoice', async () => {
  const debtor = { name: 'Neuf SARL', email: 'neuf@neuf.example', city: 'Brest' }
  const { id } = (await create({ debtor })).body.data.debtor
  expect((await installation.call('GET', `/api/v1/debtors/${id}`)).body.data).toMatchObject({ id, ...debtor })
})

it('notes take 2000 characters and not one more', async () => {
  const { id } = (await create()).body.data
  const put = (length: number) =>
    installation.call('PUT', `/api/v1/invoices/${id}`, { body: { notes: 'x'.repeat(length) } })
  expect((await put(2000)).status).toBe(200)
  const refused = await put(2001)
  expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_001'])
})

it('bulk import starts every recovery unless autoStartWorkflow is false', async () => {
  for (const [options, status] of [
    [{}, 'in_recovery'],
    [{ autoStartWorkflow: true }, 'in_recovery'],
    [{ autoStartWorkflow: false }, 'pending'],
  ] as const) {
    const body = { invoices: [invoiceInput(notYetDue), invoiceInput(notYetDue)], ...options }
    const report = await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      body,
    })
    expect(report.status).toBe(201)
    for (const { id } of report.body.data.results)
      expect((await installation.call('GET', `/api/v1/workflow/invoice/${id}`)).body.data.status).toBe(status)
  }
})

it('the summary has the four figures of the specification and counts every status', async () => {
  const { id } = (await create({ amountCents: 1_000 })).body.data
  const body = { invoiceId: id, amountCents: 250, method: 'card' }
  await installation.call('POST', '/api/v1/payments', { body })
  const { data } = (await installation.call('GET', '/api/v1/invoices/stats/summary')).body
  const [real] = await installation.sql<{ n: string; cents: string; paid: string }>(
    `select count(*) as n, sum(amount_cents) filter (where currency = 'EUR') as cents,
            sum(least(paid_cents, amount_cents - credited_cents)) filter (where currency = 'EUR') as paid from invoices
      where tenant_id = $1`,
    [installation.company.tenants.production],
  )
  expect(data).toMatchObject({ totalInvoices: Number(real!.n), totalAmountCents: Number(real!.cents) })
  expect(Object.keys(data.byStatus as object)).toEqual([...invoiceStatuses])
  expect(data.recoveryRate).toBeCloseTo((Number(real!.paid) / Number(real!.cents)) * 100, 2)
})

describe('the list', () => {
  const numbers = Array.from({ length: 24 }, (_, i) => `Q-${String(i).padStart(2, '0')}`)
  let debtorId: string
  beforeAll(async () => {
    const invoices = numbers.map((invoiceNumber, i) =>
      invoiceInput({
        invoiceNumber,
        amountCents: 10_000 + i,
        issueDate: `2026-07-${String(i + 1).padStart(2, '0')}`,
        dueDate: `2027-01-${String(28 - i).padStart(2, '0')}`,
        debtor: { name: i < 4 ? 'Quatre & Cie' : 'Vingt SA', email: i < 4 ? 'q@q.example' : 'v@v.example' },
      }),
    )
    await installation.call('POST', '/api/v1/invoices/bulk', { body: { invoices } })
    const [paid] = (await list('?search=Q-00')).body.data
    debtorId = paid!.debtor.id
    const body = { invoiceId: paid!.id, amountCents: 10_000, method: 'card' }
    await installation.call('POST', '/api/v1/payments', { body })
  })
  const numbersIn = async (query: string) =>
    (await list(query)).body.data.map(invoice => invoice.invoiceNumber)

  it('shows page 1 of 20 without being asked, the newest first', async () => {
    const { data, pagination } = (await list()).body
    expect([pagination.page, pagination.limit, data.length]).toEqual([1, 20, 20])
    expect(data).toEqual((await list('?page=1&limit=20&sortBy=created_at&sortOrder=desc')).body.data)
    const created = data.map(invoice => invoice.createdAt)
    expect(created).toEqual([...created].sort().reverse())
  })

  it.each([
    ['status', '?search=Q-&status=paid', ['Q-00']],
    ['debtorId', '?limit=100&sortBy=amount_cents&sortOrder=asc&debtorId=', numbers.slice(0, 4)],
    ['fromDate', '?fromDate=2026-07-23&toDate=2026-07-31&sortBy=amount_cents', ['Q-23', 'Q-22']],
    ['toDate', '?fromDate=2026-07-01&toDate=2026-07-02&sortBy=amount_cents', ['Q-01', 'Q-00']],
    ['minAmount', '?search=Q-&minAmount=10023', ['Q-23']],
    ['maxAmount', '?search=Q-&maxAmount=10001&sortBy=amount_cents', ['Q-01', 'Q-00']],
    ['search', '?search=quatre&sortBy=amount_cents', numbers.slice(0, 4).reverse()],
    ['page', '?search=Q-&sortBy=amount_cents&limit=20&page=2', numbers.slice(0, 4).reverse()],
    ['limit', '?search=Q-&sortBy=amount_cents&limit=1', ['Q-23']],
    ['sortBy', '?search=Q-&limit=2&sortBy=due_date', ['Q-00', 'Q-01']],
    ['sortOrder', '?search=Q-&limit=2&sortBy=amount_cents&sortOrder=asc', ['Q-00', 'Q-01']],
  ])('takes %s: %s', async (name, query, expected) => {
    expect(await numbersIn(name === 'debtorId' ? query + debtorId : query)).toEqual(expected)
  })

  it.each(invoiceStatuses)('takes the status %s', async status => {
    const { data } = (await list(`?status=${status}`)).body
    for (const invoice of data) expect(invoice.status).toBe(status)
  })

  it('takes a limit of 100 and refuses 101 rather than cutting it', async () => {
    expect((await list('?limit=100')).status).toBe(200)
    const refused = await list('?limit=101')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_002'])
  })

  it.each([
    ['a day that never was', ['due_date desc', 2, '2026-02-30', '01a1dd4c-4822-7bf5-bd14-da7a9aa86e3e']],
    ['a page before the first', ['due_date desc', -1, '2026-10-15', '01a1dd4c-4822-7bf5-bd14-da7a9aa86e3e']],
    ['an amount beyond all amounts', ['due_date desc', 2, 9e15, '01a1dd4c-4822-7bf5-bd14-da7a9aa86e3e']],
  ])('refuses a cursor with %s as it refuses any other', async (_what, parts) => {
    const cursor = Buffer.from(JSON.stringify(parts)).toString('base64url')
    const answer = await list(`?sortBy=due_date&cursor=${cursor}`)
    expect([answer.status, answer.body.error?.code]).toEqual([400, 'VAL_002'])
  })
})
