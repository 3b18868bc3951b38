import { expect, it } from 'vitest'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'
import { expectRecord, type records } from './spec-records.ts'

const installation = useInstallation({ redisUrl: undefined })

type RecordName = keyof typeof records

/** Calls the API and judges the envelope, the record or each item of the list, and the pagination. */
async function ask<Data = { id: string }>(
  method: string,
  path: string,
  expected: { status: number; record?: RecordName; page?: 'page' | 'offsetPage' },
  body?: unknown,
): Promise<Data> {
  const answer = await installation.call(method, path, body === undefined ? {} : { body })
  expect(answer.status, `${method} ${path} ${answer.text}`).toBe(expected.status)
  if (expected.status === 204) return undefined as Data
  expectRecord('envelope', answer.body)
  const { data, pagination } = answer.body as { data: unknown; pagination?: unknown }
  if (expected.page) {
    expectRecord(expected.page, pagination)
    expect(data).toBeInstanceOf(Array)
  }
  if (expected.record)
    for (const record of expected.page ? (data as unknown[]) : [data]) expectRecord(expected.record, record)
  return data as Data
}

it('every answer of invoices, debtors and payments has the fields of the specification', async () => {
  const input = invoiceInput({ dueDate: '2027-02-01', metadata: { tags: ['a'] } })
  const { id } = await ask('POST', '/api/v1/invoices', { status: 201, record: 'createdInvoice' }, input)
  const { debtor } = await ask<{ debtor: { id: string } }>('GET', `/api/v1/invoices/${id}`, {
    status: 200,
    record: 'invoice',
  })
  await ask('GET', '/api/v1/invoices', { status: 200, record: 'invoice', page: 'page' })
  await ask('PUT', `/api/v1/invoices/${id}`, { status: 200, record: 'invoice' }, { notes: 'Called' })
  await ask('GET', '/api/v1/invoices/stats/summary', { status: 200, record: 'invoiceSummary' })
  const bulk = { invoices: [invoiceInput()], autoStartWorkflow: false }
  const { results } = await ask<{ results: { id: string }[] }>(
    'POST',
    '/api/v1/invoices/bulk',
    { status: 201 },
    bulk,
  )
  await ask('DELETE', `/api/v1/invoices/${results[0]!.id}`, { status: 204 })

  const person = { name: 'Durand SARL', email: 'compta@durand.example' }
  await ask('POST', '/api/v1/debtors', { status: 201, record: 'debtor' }, person)
  await ask('GET', '/api/v1/debtors', { status: 200, record: 'debtor', page: 'page' })
  await ask('GET', `/api/v1/debtors/${debtor.id}`, { status: 200, record: 'debtor' })
  await ask('PUT', `/api/v1/debtors/${debtor.id}`, { status: 200, record: 'debtor' }, { city: 'Lyon' })
  await ask('GET', `/api/v1/debtors/${debtor.id}/invoices`, {
    status: 200,
    record: 'invoiceOfDebtor',
    page: 'page',
  })
  await ask('GET', `/api/v1/debtors/${debtor.id}/score`, { status: 200, record: 'score' })

  const money = { invoiceId: id, amountCents: 100, method: 'card' }
  const payment = await ask('POST', '/api/v1/payments', { status: 201, record: 'payment' }, money)
  await ask('GET', '/api/v1/payments', { status: 200, record: 'payment', page: 'page' })
  await ask('GET', `/api/v1/payments/${payment.id}`, { status: 200, record: 'payment' })
  const [listed] = await ask<object[]>('GET', `/api/v1/payments/invoice/${id}`, {
    status: 200,
    record: 'paymentOfInvoice',
    page: 'page',
  })
  expect(listed).not.toHaveProperty('invoiceId')
  await ask('GET', '/api/v1/payments/stats/summary', { status: 200, record: 'paymentSummary' })
})

it('every answer of the workflow has the fields of the specification', async () => {
  const { id } = await ask(
    'POST',
    '/api/v1/invoices',
    { status: 201 },
    invoiceInput({ dueDate: '2027-02-01' }),
  )
  const path = `/api/v1/workflow/invoice/${id}`
  await ask('GET', path, { status: 200, record: 'workflow' })
  await ask('GET', `${path}/next-action`, { status: 200, record: 'nextAction' })
  for (const action of ['pause', 'resume'])
    await ask('POST', `${path}/trigger`, { status: 200, record: 'workflow' }, { action })
  await ask('GET', `${path}/history`, { status: 200, record: 'historyEntry', page: 'page' })
  await ask('GET', '/api/v1/workflow/stats', { status: 200, record: 'workflowStats' })
  const cancelled = await ask<{ summary: unknown }>(
    'POST',
    `/api/v1/invoices/${id}/cancel`,
    { status: 200, record: 'cancelled' },
    { reason: 'Invoiced twice' },
  )
  expectRecord('cancelSummary', cancelled.summary)
})

it('every answer of webhooks and keys has the fields of the specification', async () => {
  const body = { url: 'https://hooks.example.com/relance', events: ['invoice.created'] }
  const { id } = await ask('POST', '/api/v1/webhooks', { status: 201, record: 'createdWebhook' }, body)
  await ask('GET', '/api/v1/webhooks', { status: 200, record: 'webhookListed', page: 'page' })
  await ask('GET', `/api/v1/webhooks/${id}`, { status: 200, record: 'webhookListed' })
  await ask(
    'PUT',
    `/api/v1/webhooks/${id}`,
    { status: 200, record: 'webhookListed' },
    { description: 'Ours' },
  )
  await ask('POST', `/api/v1/webhooks/${id}/rotate-secret`, { status: 200, record: 'rotatedSecret' })
  await ask('GET', `/api/v1/webhooks/${id}/deliveries`, { status: 200, page: 'offsetPage' })
  await ask('DELETE', `/api/v1/webhooks/${id}`, { status: 204 })

  const key = await ask('POST', '/api/v1/api-keys', { status: 201, record: 'newKey' })
  await ask('GET', '/api/v1/api-keys', { status: 200, page: 'page' })
  const rotated = await ask('POST', `/api/v1/api-keys/${key.id}/rotate`, { status: 200, record: 'newKey' })
  await ask('DELETE', `/api/v1/api-keys/${rotated.id}`, { status: 204 })
})

it('the cursor of a page leads to the next one, and the last page has none', async () => {
  for (let i = 0; i < 3; i++) await ask('POST', '/api/v1/invoices', { status: 201 }, invoiceInput())
  const seen: string[] = []
  let query = '?limit=2'
  for (;;) {
    const { body, headers } = await installation.call<{ id: string }[]>('GET', `/api/v1/invoices${query}`)
    seen.push(...body.data.map(({ id }) => id))
    const { nextCursor, hasNext, total } = body.pagination as typeof body.pagination & {
      nextCursor: string | null
    }
    expect([nextCursor !== null, headers.has('link')]).toEqual([hasNext, hasNext])
    if (nextCursor === null) {
      expect([seen.length, new Set(seen).size]).toEqual([total, total])
      return
    }
    query = `?limit=2&cursor=${encodeURIComponent(nextCursor)}`
  }
})
