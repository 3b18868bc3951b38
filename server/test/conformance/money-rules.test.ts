import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Shown {
  status: string
  paidCents: number
  balanceCents: number
  overpaidCents: number
  latePayment: { paidCents: number; owedCents: number }
}
interface Payment {
  id: string
  status: string
  failureReason: string | null
}

const newInvoice = async (amountCents = 120_000) =>
  (
    await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ amountCents, dueDate: '2026-12-01' }),
    })
  ).body.data.id
const read = async (id: string) => (await installation.call<Shown>('GET', `/api/v1/invoices/${id}`)).body.data
const pay = (invoiceId: string, amountCents: number, more: object = {}) =>
  installation.call<Payment>('POST', '/api/v1/payments', {
    body: { invoiceId, amountCents, method: 'bank_transfer', ...more },
  })
let credits = 0
const credit = (id: string, amountCents: number) =>
  installation.call('POST', `/api/v1/invoices/${id}/credits`, {
    body: { number: `A-${++credits}`, amountCents, issuedOn: '2026-11-01' },
  })

/** An invoice of 1,200.00 €, of which a reminder claimed 64.37 € for late payment. */
async function claimedInvoice(): Promise<{ sandbox: Sandbox; id: string }> {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({
    issueDate: '2026-03-31',
    dueDate: '2026-04-30',
    debtor: lyonDebtor('Durand SARL'),
  })
  await sandbox.advanceToDay('2026-12-05')
  return { sandbox, id }
}

it('paidCents is principal: what exceeds it is late payment, then overpaid, and events say the same', async () => {
  const { sandbox, id } = await claimedInvoice()
  const payment = { invoiceId: id, method: 'bank_transfer' }
  await sandbox.done('POST', '/api/v1/payments', { ...payment, amountCents: 120_000 })
  await sandbox.done('POST', '/api/v1/payments', { ...payment, amountCents: 4_000 })
  const shown = await sandbox.done<Shown>('GET', `/api/v1/invoices/${id}`)
  expect(shown).toMatchObject({ paidCents: 120_000, balanceCents: 0, overpaidCents: 0 })
  expect(shown.latePayment).toMatchObject({ paidCents: 4_000, owedCents: 2_437 })
  await sandbox.done('POST', '/api/v1/payments', { ...payment, amountCents: 3_000, allowOverpayment: true })
  expect(await sandbox.done('GET', `/api/v1/invoices/${id}`)).toMatchObject({
    paidCents: 120_000,
    overpaidCents: 563,
    latePayment: { paidCents: 6_437, owedCents: 0 },
  })
  const received = (await sandbox.events(id)).filter(({ type }) => type === 'payment.received')
  expect(received.map(({ data }) => data)).toMatchObject([
    { amountCents: 120_000, paidCents: 120_000, latePaymentPaidCents: 0, overpaidCents: 0 },
    { amountCents: 4_000, paidCents: 120_000, latePaymentPaidCents: 4_000, overpaidCents: 0 },
    { amountCents: 3_000, paidCents: 120_000, latePaymentPaidCents: 6_437, overpaidCents: 563 },
  ])
})

it('paidCents stops at the amount less its credits, and the recovery rate counts the same', async () => {
  const company = await installation.server.createCompany({
    name: 'Taux',
    ownerEmail: 'owner@taux.example',
    tier: 'enterprise',
  })
  const call = (method: string, path: string, body?: object) =>
    installation.call<{ id: string; recoveryRate: number }>(method, path, {
      body,
      key: company.productionKey,
    })
  const { id } = (
    await call('POST', '/api/v1/invoices', invoiceInput({ amountCents: 10_000, dueDate: '2026-12-01' }))
  ).body.data
  await call('POST', `/api/v1/invoices/${id}/credits`, {
    number: 'A-1',
    amountCents: 4_000,
    issuedOn: '2026-11-01',
  })
  const payment = { invoiceId: id, amountCents: 7_000, method: 'card', allowOverpayment: true }
  expect((await call('POST', '/api/v1/payments', payment)).status).toBe(201)
  expect((await call('GET', `/api/v1/invoices/${id}`)).body.data).toMatchObject({
    paidCents: 6_000,
    overpaidCents: 1_000,
  })
  expect((await call('GET', '/api/v1/invoices/stats/summary')).body.data.recoveryRate).toBe(60)
})

it('a credit above what is left is refused by name: the amount less its credits and what was paid', async () => {
  const id = await newInvoice(10_000)
  await pay(id, 4_000)
  const refused = await credit(id, 7_000)
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'VAL_001'])
  expect(refused.body.error.message).toContain('what is left of the invoice, 6000 cents')
  expect(refused.body.error.details).toMatchObject([{ field: 'amountCents' }])
  expect((await credit(id, 6_000)).status).toBe(201)
  expect(await read(id)).toMatchObject({ status: 'paid', balanceCents: 0, overpaidCents: 0 })
})

it('paying what was claimed for late payment is no overpayment', async () => {
  const { sandbox, id } = await claimedInvoice()
  const payment = { invoiceId: id, method: 'bank_transfer' }
  const above = await sandbox.call('POST', '/api/v1/payments', { ...payment, amountCents: 126_438 })
  expect([above.status, above.body.error.code]).toEqual([400, 'BIZ_001'])
  expect(above.body.error.message).toContain('6437 cents for late payment')
  await sandbox.done('POST', '/api/v1/payments', { ...payment, amountCents: 120_000 })
  await sandbox.done('POST', '/api/v1/payments', { ...payment, amountCents: 6_437 })
  const settled = await sandbox.call('POST', '/api/v1/payments', { ...payment, amountCents: 1 })
  expect([settled.status, settled.body.error.code]).toEqual([400, 'BIZ_001'])
})

it.each(['completed', 'pending'])(
  'a %s payment above what is owed is BIZ_001 unless the caller insists, also in a dry run',
  async status => {
    const id = await newInvoice(120_000)
    for (const dryRun of [true, false]) {
      const refused = await pay(id, 12_000_000, { status, dryRun })
      expect([refused.status, refused.body.error?.code]).toEqual([400, 'BIZ_001'])
      expect(refused.body.error.message).toContain('120000 cents')
      expect(refused.body.error.message).toContain('allowOverpayment')
    }
    expect(await read(id)).toMatchObject({ status: 'imported', paidCents: 0 })
    expect((await pay(id, 12_000_000, { status, allowOverpayment: true })).status).toBe(201)
  },
)

it('a payment that arrived is not failed by an update: the bank takes it back by an act of its own', async () => {
  const id = await newInvoice(120_000)
  const payment = (await pay(id, 120_000, { method: 'sepa_debit' })).body.data
  const path = `/api/v1/payments/${payment.id}`
  const refused = await installation.call('PUT', path, { body: { status: 'failed' } })
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'BIZ_004'])
  expect(refused.body.error.message).toContain('/reverse')
  expect(await read(id)).toMatchObject({ status: 'paid' })
  const reversed = await installation.call<Payment>('POST', `${path}/reverse`, {
    body: { failureReason: 'insufficient funds' },
  })
  expect(reversed.body.data).toMatchObject({ status: 'failed', failureReason: 'insufficient funds' })
  expect(await read(id)).toMatchObject({ status: 'imported', paidCents: 0, balanceCents: 120_000 })
  const again = await installation.call('POST', `${path}/reverse`, { body: {} })
  expect([again.status, again.body.error?.code]).toEqual([400, 'BIZ_004'])
  const pending = (await pay(id, 1_000, { status: 'pending' })).body.data
  const early = await installation.call('POST', `/api/v1/payments/${pending.id}/reverse`, { body: {} })
  expect([early.status, early.body.error?.code]).toEqual([400, 'BIZ_004'])
})
