import { expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation' })

type Created = { id: string; debtor: { id: string } }
type Payment = {
  id: string
  status: string
  amountCents: number
  paidAt: string | null
  failureReason: string | null
}

const newInvoice = async (changes: Record<string, unknown> = {}) =>
  (await installation.call<Created>('POST', '/api/v1/invoices', { body: invoiceInput(changes) })).body.data
const pay = (invoiceId: string, amountCents: number, more: Record<string, unknown> = {}) =>
  installation.call<Payment>('POST', '/api/v1/payments', {
    body: { invoiceId, amountCents, method: 'bank_transfer', ...more },
  })
const invoiceOf = async (id: string) =>
  (
    await installation.call<{
      status: string
      balanceCents: number
      paidCents: number
      overpaidCents: number
    }>('GET', `/api/v1/invoices/${id}`)
  ).body.data
const workflowOf = async (id: string) =>
  (
    await installation.call<{ status: string; nextActionAt: string | null }>(
      'GET',
      `/api/v1/workflow/invoice/${id}`,
    )
  ).body.data
const eventsOf = async (id: string) =>
  (
    await installation.sql<{ type: string }>(
      'select type from events where subject_id = $1 order by sequence',
      [id],
    )
  ).map(row => row.type)

it('a payment in full ends the recovery in the same transaction and emits the events', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  const paid = await pay(id, 120_000)
  expect(paid.status).toBe(201)
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid', balanceCents: 0, paidCents: 120_000 })
  expect(await workflowOf(id)).toMatchObject({ status: 'completed', nextActionAt: null })
  expect(await eventsOf(id)).toEqual([
    'invoice.created',
    'workflow.started',
    'payment.received',
    'invoice.status_changed',
    'debt.paid',
    'workflow.completed',
  ])
})

it('a partial payment leaves a balance and the reminders running', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  await pay(id, 20_000)
  expect(await invoiceOf(id)).toMatchObject({ status: 'partial', balanceCents: 100_000 })
  expect(await workflowOf(id)).toMatchObject({ status: 'in_recovery' })
})

it('a payment that stops a recovery frees its reserved message: nothing leaves afterwards', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  await pay(id, 120_000)
  const [row] = await installation.sql<{ n: string }>(
    'select count(*) as n from recoveries where invoice_id = $1 and due_at is null and communication_id is null',
    [id],
  )
  expect(Number(row!.n)).toBe(1)
})

it('a refund of a paid invoice reopens it, paused', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  const payment = (await pay(id, 120_000)).body.data
  const refunded = await installation.call<Payment>('POST', `/api/v1/payments/${payment.id}/refund`, {
    body: { reason: 'paid twice' },
  })
  expect(refunded.status).toBe(200)
  expect(refunded.body.data.status).toBe('refunded')
  expect(await invoiceOf(id)).toMatchObject({ status: 'imported', balanceCents: 120_000, paidCents: 0 })
  expect(await workflowOf(id)).toMatchObject({ status: 'paused' })
})

it('a payment taken back by the bank fails with its reason', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  const payment = (await pay(id, 50_000, { method: 'sepa_debit' })).body.data
  const failed = await installation.call<Payment>('POST', `/api/v1/payments/${payment.id}/reverse`, {
    body: { failureReason: 'insufficient funds' },
  })
  expect(failed.body.data).toMatchObject({ status: 'failed', failureReason: 'insufficient funds' })
  expect(await invoiceOf(id)).toMatchObject({ status: 'imported', paidCents: 0 })
  expect(await eventsOf(id)).toContain('payment.failed')
})

it('a pending payment counts for nothing until it arrives; a failed one never moves again', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  const payment = (await pay(id, 120_000, { status: 'pending' })).body.data
  expect(payment).toMatchObject({ status: 'pending', paidAt: null })
  expect(await invoiceOf(id)).toMatchObject({ status: 'imported' })
  const settled = await installation.call('PUT', `/api/v1/payments/${payment.id}`, {
    body: { status: 'completed' },
  })
  expect(settled.status).toBe(200)
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid' })
  const again = await installation.call('PUT', `/api/v1/payments/${payment.id}`, {
    body: { status: 'completed' },
  })
  expect([again.status, again.body.error.code]).toEqual([400, 'BIZ_004'])
})

it('money on a paid invoice is refused unless the caller insists; then it is overpaid', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  await pay(id, 120_000)
  const refused = await pay(id, 100)
  expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_001'])
  expect((await pay(id, 100, { allowOverpayment: true })).status).toBe(201)
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid', overpaidCents: 100 })
})

it('the same external reference is never recorded twice', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  expect((await pay(id, 100, { externalReference: 'BANK-1' })).status).toBe(201)
  const again = await pay(id, 100, { externalReference: 'BANK-1' })
  expect([again.status, again.body.error.code]).toEqual([409, 'RES_002'])
})

it.each([
  [{ currency: 'USD' }, 'VAL_001'],
  [{ paidAt: '2030-01-01T00:00:00Z' }, 'VAL_001'],
  [{ amountCents: 0 }, 'VAL_001'],
  [{ method: 'cash' }, 'VAL_001'],
  [{ paidAt: '2026-11-16 09:00' }, 'VAL_001'],
  [{ invoiceId: '00000000-0000-7000-8000-000000000000' }, 'RES_001'],
])('refuses %o with %s', async (changes, code) => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  expect((await pay(id, 100, changes)).body.error.code).toBe(code)
})

it('two payments in parallel are both counted', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  await Promise.all(Array.from({ length: 10 }, () => pay(id, 1_000)))
  expect(await invoiceOf(id)).toMatchObject({ paidCents: 10_000, status: 'partial' })
})

it('a credit note is not dated after today', async () => {
  const { id } = await newInvoice()
  const tomorrow = new Date(Date.now() + 26 * 3_600_000).toISOString().slice(0, 10)
  for (const issuedOn of [tomorrow, '2099-01-01']) {
    const credit = await installation.call('POST', `/api/v1/invoices/${id}/credits`, {
      body: { number: `A-${id}`, amountCents: 100, issuedOn },
    })
    expect([credit.status, credit.body.error.code]).toEqual([400, 'VAL_001'])
    expect(credit.body.error.details).toMatchObject([{ field: 'issuedOn', message: 'is in the future' }])
  }
})

it('a credit lowers what is owed, never counts as collected, and can settle the rest', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  const credit = await installation.call('POST', `/api/v1/invoices/${id}/credits`, {
    body: { number: `A-${id}`, amountCents: 20_000, issuedOn: '2026-11-01' },
  })
  expect(credit.status).toBe(201)
  expect(credit.body.data).toMatchObject({ balanceCents: 100_000 })
  await pay(id, 100_000)
  expect(await invoiceOf(id)).toMatchObject({ status: 'paid', paidCents: 100_000, balanceCents: 0 })
})

it('the ledger sums to zero and agrees with every balance', async () => {
  const [zero] = await installation.sql<{ sum: string }>(
    'select coalesce(sum(amount_cents), 0) as sum from postings',
  )
  expect(Number(zero!.sum)).toBe(0)
  const wrong = await installation.sql(
    `select i.id from invoices i left join (
       select invoice_id, -sum(amount_cents) filter (where account = 'receivable') as settled from postings group by invoice_id) p
         on p.invoice_id = i.id
      where i.paid_cents + i.credited_cents <> coalesce(p.settled, 0)`,
  )
  expect(wrong).toEqual([])
})

it('an entry that does not sum to zero cannot be stored', async () => {
  await expect(
    installation.sql(
      `insert into postings (tenant_id, entry_id, account, invoice_id, source_id, kind, amount_cents, posted_at)
       select tenant_id, id, 'receivable', id, id, 'payment', -5, created_at from invoices limit 1`,
    ),
  ).rejects.toThrow(/sum to zero/)
})

it('the summary of the month says what was collected, by method, exactly and at once', async () => {
  const before = (
    await installation.call<{ totalCollected: number; byMethod: Record<string, number> }>(
      'GET',
      '/api/v1/payments/stats/summary',
    )
  ).body.data
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  await pay(id, 777, { method: 'card' })
  const after = (
    await installation.call<typeof before & { period: string; conversionRate: number }>(
      'GET',
      '/api/v1/payments/stats/summary?period=day',
    )
  ).body.data
  expect(after.totalCollected - before.totalCollected).toBe(777)
  expect(after.byMethod.card! - before.byMethod.card!).toBe(777)
  expect(Object.keys(after.byMethod).sort()).toEqual(['bank_transfer', 'card', 'payment_link', 'sepa_debit'])
  expect(after.period).toBe('day')
})

it('lists follow filters and totals, before and after the counts are folded', async () => {
  const { id } = await newInvoice({ dueDate: '2026-12-01' })
  for (let i = 0; i < 3; i++) await pay(id, 100 + i)
  const list = await installation.call<Payment[]>('GET', `/api/v1/payments?invoiceId=${id}&limit=2`)
  expect(list.body.data.map(payment => payment.amountCents)).toEqual([102, 101])
  expect(list.body.pagination).toMatchObject({ total: 3, totalPages: 2, hasNext: true })
  const next = /<([^>]+)>/.exec(list.headers.get('link') ?? '')![1]!
  expect(
    (await installation.call<Payment[]>('GET', next)).body.data.map(payment => payment.amountCents),
  ).toEqual([100])
  const oldest = await installation.call<Payment[]>('GET', `/api/v1/payments/invoice/${id}`)
  expect(oldest.body.data.map(payment => payment.amountCents)).toEqual([100, 101, 102])
  const totals = async () =>
    (await installation.call('GET', '/api/v1/payments?status=completed')).body.pagination.total
  const before = await totals()
  await eventually(
    () => installation.sql<{ n: string }>('select count(*) as n from count_deltas'),
    rows => Number(rows[0]!.n) === 0,
  )
  expect(await totals()).toBe(before)
  const [real] = await installation.sql<{ n: string }>(
    `select count(*) as n from payments where status = 'completed'`,
  )
  expect(before).toBe(Number(real!.n))
})

it('a cursor of payments goes on with its own filters only, and a made-up one is refused', async () => {
  const { id } = await newInvoice({ amountCents: 10_000 })
  for (let i = 0; i < 3; i++) await pay(id, 100)
  const list = (query: string) => installation.call<Payment[]>('GET', `/api/v1/payments?limit=1${query}`)
  const { body } = await list(`&invoiceId=${id}`)
  const { nextCursor } = body.pagination as unknown as { nextCursor: string }
  expect((await list(`&invoiceId=${id}&cursor=${nextCursor}`)).status).toBe(200)
  const other = await list(`&cursor=${nextCursor}`)
  expect([other.status, other.body.error?.code]).toEqual([400, 'VAL_002'])
  const parts = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[]
  for (const value of [{ toString: 1 }, [parts.at(-1)], null]) {
    const madeUp = Buffer.from(JSON.stringify(parts.with(-1, value))).toString('base64url')
    const refused = await list(`&invoiceId=${id}&cursor=${madeUp}`)
    expect([refused.status, refused.body.error?.code]).toEqual([400, 'VAL_002'])
  }
})
