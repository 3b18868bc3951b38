import { beforeAll, describe, expect, it } from 'vitest'
import { invoiceInput, mondayMorning, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Payment {
  id: string
  amountCents: number
  status: string
}
const newInvoice = async () =>
  (
    await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2026-12-01' }),
    })
  ).body.data.id
const pay = async (invoiceId: string, amountCents: number, more: object = {}) =>
  (
    await installation.call<Payment>('POST', '/api/v1/payments', {
      body: { invoiceId, amountCents, method: 'bank_transfer', ...more },
    })
  ).body.data
const fields = ['id', 'amountCents', 'currency', 'status', 'method', 'paidAt']

it('a payment is read with every field of the specification; under its invoice the invoiceId is absent', async () => {
  const invoiceId = await newInvoice()
  const { id } = await pay(invoiceId, 500, { paidAt: '2026-11-10T10:00:00+01:00' })
  const one = (await installation.call('GET', `/api/v1/payments/${id}`)).body.data
  expect(one).toMatchObject({
    id,
    invoiceId,
    amountCents: 500,
    currency: 'EUR',
    status: 'completed',
    method: 'bank_transfer',
    paidAt: '2026-11-10T09:00:00.000Z',
  })
  expect((await installation.call('GET', `/api/v1/payments?invoiceId=${invoiceId}`)).body.data).toEqual([one])
  const under = await installation.call<object[]>('GET', `/api/v1/payments/invoice/${invoiceId}`)
  expect(under.body.data).toHaveLength(1)
  for (const field of fields) expect(under.body.data[0]).toHaveProperty(field)
  expect(under.body.data[0]).not.toHaveProperty('invoiceId')
})

it.each(['card', 'bank_transfer', 'sepa_debit', 'payment_link'])('the method may be %s', async method => {
  expect(await pay(await newInvoice(), 100, { method })).toMatchObject({ method })
})

it('a payment may be lower than the invoice, and the invoice is then partial', async () => {
  const id = await newInvoice()
  await pay(id, 1)
  expect((await installation.call('GET', `/api/v1/invoices/${id}`)).body.data.status).toBe('partial')
})

describe('the list and the statistics', () => {
  const byStatus: Record<string, string> = {}
  let key: string
  const list = (query: string) => installation.call<Payment[]>('GET', `/api/v1/payments${query}`, { key })
  const amounts = async (query: string) => (await list(query)).body.data.map(payment => payment.amountCents)
  let invoiceId: string

  beforeAll(async () => {
    const company = await installation.server.createCompany({
      name: 'Comptable',
      ownerEmail: 'owner@comptable.example',
      tier: 'enterprise',
    })
    key = company.productionKey
    const call = async (method: string, path: string, body: object) =>
      (await installation.call<{ id: string }>(method, path, { body, key })).body.data.id
    invoiceId = await call('POST', '/api/v1/invoices', invoiceInput({ dueDate: '2026-12-01' }))
    const other = await call('POST', '/api/v1/invoices', invoiceInput({ dueDate: '2026-12-01' }))
    const record = (paidInvoiceId: string, amountCents: number, more: object) =>
      call('POST', '/api/v1/payments', { invoiceId: paidInvoiceId, amountCents, method: 'card', ...more })
    const day = 86_400_000
    const ago = (days: number) => new Date(mondayMorning - days * day).toISOString()
    byStatus.completed = await record(invoiceId, 1, {})
    await record(invoiceId, 10, { paidAt: ago(0.1) })
    await record(other, 100, { paidAt: ago(10), method: 'sepa_debit' })
    await record(other, 1_000, { paidAt: ago(100) })
    byStatus.pending = await record(other, 10_000, { status: 'pending' })
    byStatus.failed = await record(other, 20_000, { status: 'pending' })
    await call('PUT', `/api/v1/payments/${byStatus.failed}`, { status: 'failed' })
    byStatus.refunded = await record(other, 30_000, {})
    await call('POST', `/api/v1/payments/${byStatus.refunded}/refund`, { reason: 'twice' })
  })

  it.each(['pending', 'completed', 'failed', 'refunded'])(
    'the status may be %s, and filters the list',
    async status => {
      const { data } = (await list(`?status=${status}`)).body
      expect(data.map(payment => payment.id)).toContain(byStatus[status])
      for (const payment of data) expect(payment.status).toBe(status)
    },
  )

  it('fromDate and toDate are days of payment, both included', async () => {
    expect(await amounts('?fromDate=2026-11-06&toDate=2026-11-06')).toEqual([100])
    expect(await amounts('?toDate=2026-11-06')).toEqual([1_000, 100])
    expect(await amounts('?fromDate=2026-11-07&status=completed')).toEqual([10, 1])
  })

  it('invoiceId filters, page and limit page: 20 unless asked, at most 100', async () => {
    expect(await amounts(`?invoiceId=${invoiceId}`)).toEqual([10, 1])
    expect(await amounts('?limit=2&page=4')).toEqual([1])
    expect((await list('')).body.pagination).toMatchObject({ page: 1, limit: 20, total: 7 })
    expect((await list('?limit=100')).status).toBe(200)
    const refused = await list('?limit=101')
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VAL_002'])
  })

  it.each([
    ['day', 11],
    ['week', 11],
    ['month', 111],
    ['year', 1_111],
  ])(
    'the statistics of the %s have every figure of the specification: %i collected',
    async (period, collected) => {
      const { data } = (
        await installation.call('GET', `/api/v1/payments/stats/summary?period=${period}`, { key })
      ).body
      const late = period === 'month' || period === 'year' ? 100 : 0
      expect(data).toEqual({
        totalCollected: collected,
        totalPending: 10_000,
        currency: 'EUR',
        period,
        byMethod: { card: collected - late, bank_transfer: 0, sepa_debit: late, payment_link: 0 },
        conversionRate: { day: 66.67, week: 66.67, month: 75, year: 80 }[period],
      })
    },
  )

  it('the period is the month unless another is asked for, and no other word is taken', async () => {
    const statistics = (query: string) =>
      installation.call('GET', `/api/v1/payments/stats/summary${query}`, { key })
    expect((await statistics('')).body.data.period).toBe('month')
    expect((await statistics('?period=decade')).body.error.code).toBe('VAL_002')
  })
})
