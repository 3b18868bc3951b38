import { beforeAll, expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Listed {
  data: { id: string }[]
  pagination: { nextCursor: string }
  warnings?: { code: string; message: string }[]
}
const get = async (path: string) => (await installation.call('GET', path)).body as unknown as Listed

beforeAll(async () => {
  const invoices = Array.from({ length: 5 }, (_, i) =>
    invoiceInput({ amountCents: 10_000 + i, dueDate: '2027-02-01' }),
  )
  await installation.call('POST', '/api/v1/invoices/bulk', { body: { invoices } })
})

it.each([
  ['/api/v1/invoices?fromDate=2026-09-02&toDate=2026-09-01', 'fromDate is above toDate'],
  ['/api/v1/invoices?minAmount=2&maxAmount=1', 'minAmount is above maxAmount'],
  ['/api/v1/invoices?dueFrom=2026-09-02&dueTo=2026-09-01', 'dueFrom is above dueTo'],
  ['/api/v1/invoices?overdueMin=2&overdueMax=-1', 'overdueMin is above overdueMax'],
  [
    '/api/v1/invoices?nextFrom=2026-11-20T10:00:00%2B01:00&nextTo=2026-11-20T08:59:00Z',
    'nextFrom is above nextTo',
  ],
  ['/api/v1/payments?fromDate=2026-09-02&toDate=2026-09-01', 'fromDate is above toDate'],
])('%s cannot match anything: answered with a warning', async (path, sentence) => {
  const { data, warnings } = await get(path)
  expect(data).toEqual([])
  expect(warnings).toEqual([{ code: 'empty_range', message: expect.stringContaining(sentence) }])
})

it('a range that can match has no warning, also where both ends are equal or written in two zones', async () => {
  for (const query of [
    'fromDate=2026-09-01&toDate=2026-09-01',
    'minAmount=9&maxAmount=10',
    'nextFrom=2026-11-20T10:00:00%2B01:00&nextTo=2026-11-20T09:00:00Z',
  ])
    expect(await get(`/api/v1/invoices?${query}`)).not.toHaveProperty('warnings')
})

it('a task by a range that cannot match is accepted with the warning', async () => {
  const filter = { minAmount: 2, maxAmount: 1 }
  for (const [path, body] of [
    ['/api/v1/tasks/bulk', { action: 'pause', dryRun: true, filter }],
    ['/api/v1/tasks/export', { what: 'invoices', format: 'csv', filter }],
  ] as const) {
    const made = await installation.call('POST', path, { body })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({ warnings: [{ code: 'empty_range' }] })
  }
})

it('an invoice due far in the future is accepted with a warning, also in bulk', async () => {
  const far = invoiceInput({ dueDate: '2027-11-16' })
  const made = await installation.call('POST', '/api/v1/invoices', { body: far })
  expect(made.status).toBe(201)
  expect((made.body as unknown as Listed).warnings?.map(({ code }) => code)).toContain('due_far_ahead')
  const near = await installation.call('POST', '/api/v1/invoices', {
    body: invoiceInput({ dueDate: '2027-02-01' }),
  })
  expect((near.body as unknown as Listed).warnings?.map(({ code }) => code) ?? []).not.toContain(
    'due_far_ahead',
  )
  const bulk = await installation.call<{ results: { warnings?: { code: string }[] }[] }>(
    'POST',
    '/api/v1/invoices/bulk',
    { body: { invoices: [invoiceInput({ dueDate: '2027-11-16' })] } },
  )
  expect(bulk.body.data.results[0]!.warnings?.map(({ code }) => code)).toContain('due_far_ahead')
})

it.each([
  ['/api/v1/invoices?limit=2', 'status=imported'],
  ['/api/v1/invoices?limit=2&minAmount=1', 'minAmount=2'],
  ['/api/v1/debtors?limit=2', 'search=debtor'],
])('a cursor of %s goes on with its list only: with %s it is VAL_002', async (path, filter) => {
  const first = await get(path)
  const cursor = encodeURIComponent(first.pagination.nextCursor)
  const same = await installation.call('GET', `${path}&cursor=${cursor}`)
  expect(same.status, same.text).toBe(200)
  // Another number of items on a page is the same list.
  expect(
    (await installation.call('GET', `${path.replace('limit=2', 'limit=3')}&cursor=${cursor}`)).status,
  ).toBe(200)
  const [bare] = path.split('?')
  const other = await installation.call('GET', `${bare}?limit=2&${filter}&cursor=${cursor}`)
  expect([other.status, other.body.error?.code]).toEqual([400, 'VAL_002'])
  expect(other.body.error.message).toContain('its filters')
})
