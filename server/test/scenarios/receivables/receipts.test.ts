import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { command } from '../../harness/operator.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({
  redisUrl: undefined,
  env: {
    COLLECTOR_NAME: 'Cabinet Rivoire',
    COLLECTOR_ADDRESS: '8 quai Perrache, 69002 Lyon',
    COLLECTOR_SIREN: '732829320',
    COLLECTOR_DECLARED_ON: '2024-01-15',
    COLLECTOR_INSURER: 'Assurances du Rhône, police 4411',
    COLLECTOR_ACCOUNT: 'FR1420041010050500013M02606',
  },
})

interface Receipt {
  receiptId: string | null
  leftOverCents: number
  excessCents: number
  split: {
    invoiceNumber: string
    paymentId: string | null
    amountCents: number
    owedBeforeCents: number
    owedAfterCents: number
    excessCents: number
  }[]
  otherInvoices?: { invoiceNumber: string; owedCents: number }[]
  plan?: { before: object[]; after: object[] }
}
interface Payment {
  id: string
  invoiceId: string
  amountCents: number
  method: string
  instrument: string | null
  receiptId: string | null
  externalReference: string | null
}

/** A debtor that owes 700 €, 600 € and 500 €, due one after the other, all overdue. */
async function owing() {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor(`Fonderie ${randomUUID().slice(0, 4)}`)
  const invoices: { id: string; debtor: { id: string } }[] = []
  for (const [i, amountCents] of [70_000, 60_000, 50_000].entries())
    invoices.push(
      await sandbox.invoice({
        debtor,
        amountCents,
        invoiceNumber: `F-${i + 1}`,
        issueDate: '2026-09-01',
        dueDate: `2026-10-0${i + 1}`,
      }),
    )
  const debtorId = invoices[0]!.debtor.id
  const receive = (body: object) =>
    sandbox.call<Receipt>('POST', '/api/v1/receipts', { debtorId, method: 'bank_transfer', ...body })
  const state = async (i: number) => {
    const { status, balanceCents, overpaidCents } = await sandbox.done<{
      status: string
      balanceCents: number
      overpaidCents: number
    }>('GET', `/api/v1/invoices/${invoices[i]!.id}`)
    return { status, balanceCents, overpaidCents }
  }
  return { sandbox, debtor, debtorId, ids: invoices.map(({ id }) => id), receive, state }
}

const parts = ({ split }: Receipt) =>
  split.map(part => [part.invoiceNumber, part.amountCents, part.owedBeforeCents, part.owedAfterCents])
const eventsOf = (sandbox: Sandbox, type: string) =>
  installation.sql<{ data: Record<string, unknown> }>(
    `select data from events where tenant_id = $1 and type = $2 order by recorded_at, id`,
    [sandbox.tenantId, type],
  )

it('one cheque pays two invoices and a part of the third: one payment each, the oldest first, under one receipt', async () => {
  const { sandbox, receive, state, ids } = await owing()
  // The first message has left: what is planned does not depend on the moment.
  await sandbox.advance('PT1H')
  const cheque = { amountCents: 150_000, instrument: 'cheque', externalReference: 'CHQ 7741203' }
  const tried = await receive({ ...cheque, amountCents: 100_000, dryRun: true })
  expect(tried.status, tried.text).toBe(201)
  expect(tried.body.data).toMatchObject({ receiptId: null, leftOverCents: 0, excessCents: 0, dryRun: true })
  expect(parts(tried.body.data)).toEqual([
    ['F-1', 70_000, 70_000, 0],
    ['F-2', 30_000, 60_000, 30_000],
  ])
  expect(tried.body.data.otherInvoices).toMatchObject([{ invoiceNumber: 'F-3', owedCents: 50_000 }])
  expect(tried.body.data.plan!.before).not.toEqual(tried.body.data.plan!.after)
  expect(await state(0)).toMatchObject({ balanceCents: 70_000 })

  const done = await receive(cheque)
  expect(done.status, done.text).toBe(201)
  expect(parts(done.body.data)).toEqual([
    ['F-1', 70_000, 70_000, 0],
    ['F-2', 60_000, 60_000, 0],
    ['F-3', 20_000, 50_000, 30_000],
  ])
  expect([await state(0), await state(1), await state(2)]).toMatchObject([
    { status: 'paid', balanceCents: 0 },
    { status: 'paid', balanceCents: 0 },
    { balanceCents: 30_000 },
  ])
  const { receiptId } = done.body.data
  const listed = await sandbox.call<Payment[]>('GET', `/api/v1/payments?receiptId=${receiptId}`)
  expect(listed.body.pagination.total).toBe(3)
  expect(listed.body.data.map(({ invoiceId }) => invoiceId).toSorted()).toEqual(ids.toSorted())
  for (const payment of listed.body.data)
    expect(payment).toMatchObject({
      method: 'bank_transfer',
      instrument: 'cheque',
      receiptId,
      externalReference: 'CHQ 7741203',
    })
  const received = await eventsOf(sandbox, 'payment.received')
  expect(received.map(({ data }) => [data.receiptId, data.instrument])).toEqual(
    Array(3).fill([receiptId, 'cheque']),
  )
  const [line] = (
    await sandbox.call<{ sentence: string }[]>('GET', `/api/v1/invoices/${ids[0]}/timeline?lang=fr`)
  ).body.data.filter(({ sentence }) => sentence.includes('reçus'))
  expect(line!.sentence.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe('700,00 € reçus par chèque.')
  // The same cheque is not recorded again for one of its invoices, and a refund is of one payment.
  const again = await receive({ ...cheque, amountCents: 100 })
  expect([again.status, again.body.error.code]).toEqual([409, 'RES_002'])
  const second = listed.body.data.find(({ invoiceId }) => invoiceId === ids[1])!
  await sandbox.done('POST', `/api/v1/payments/${second.id}/refund`, {})
  expect([await state(0), await state(1)]).toMatchObject([{ status: 'paid' }, { balanceCents: 60_000 }])
})

it('a given split is followed; one that is more than the sum, names an invoice twice or a foreign one is refused', async () => {
  const { receive, ids, state } = await owing()
  const [first, second, third] = ids
  const part = (invoiceId: string | undefined, amountCents: number) => ({ invoiceId, amountCents })
  for (const [split, code] of [
    [[part(first, 60_000), part(second, 50_000)], 'VAL_001'],
    [[part(first, 10_000), part(first, 10_000)], 'VAL_001'],
    [[part(first, 50_000), part(randomUUID(), 50_000)], 'RES_001'],
    [[part((await owing()).ids[0], 100_000)], 'RES_001'],
    [[], 'VAL_001'],
  ] as const) {
    const refused = await receive({ amountCents: 100_000, split })
    expect(refused.body.error?.code, refused.text).toBe(code)
  }
  expect(await state(0)).toMatchObject({ balanceCents: 70_000 })
  const done = await receive({ amountCents: 100_000, split: [part(third, 50_000), part(first, 50_000)] })
  expect(parts(done.body.data)).toEqual([
    ['F-3', 50_000, 50_000, 0],
    ['F-1', 50_000, 70_000, 20_000],
  ])
  expect(await state(1)).toMatchObject({ balanceCents: 60_000 })
})

it('more than is owed is refused with the sum, and told before it is allowed', async () => {
  const { receive, sandbox, state, ids } = await owing()
  const refused = await receive({ amountCents: 200_000 })
  expect(refused.body.error).toMatchObject({
    code: 'BIZ_001',
    details: [{ field: 'amountCents', code: 'above_owed' }],
  })
  expect(refused.body.error.message).toContain(
    '20000 cents more than what the open invoices of the debtor owe',
  )
  const tried = await receive({ amountCents: 200_000, allowOverpayment: true, dryRun: true })
  expect(tried.body.data).toMatchObject({ leftOverCents: 20_000, excessCents: 20_000 })
  expect(tried.body.data.split.at(-1)).toMatchObject({ amountCents: 70_000, excessCents: 20_000 })
  // What a split leaves over is told, and it goes to its last invoice.
  const left = { amountCents: 60_000, split: [{ invoiceId: ids[0], amountCents: 50_000 }] }
  expect((await receive(left)).body.error.message).toContain(
    'leaves 10000 cents that the split gives to no invoice',
  )
  const given = await receive({ ...left, allowOverpayment: true, dryRun: true })
  expect(given.body.data).toMatchObject({ leftOverCents: 10_000, excessCents: 0 })
  expect((await receive({ amountCents: 200_000, allowOverpayment: true })).status).toBe(201)
  expect([await state(0), await state(2)]).toMatchObject([{ overpaidCents: 0 }, { overpaidCents: 20_000 }])
  const nothing = await receive({ amountCents: 100, allowOverpayment: true })
  expect([nothing.status, nothing.body.error.code]).toEqual([400, 'BIZ_001'])
  // A single payment tells the same.
  const single = { invoiceId: ids[0], amountCents: 500, method: 'card', allowOverpayment: true, dryRun: true }
  expect(await sandbox.done('POST', '/api/v1/payments', single)).toMatchObject({
    owedBeforeCents: 0,
    owedAfterCents: 0,
    excessCents: 500,
  })
})

it('what is closed or before a court is not proposed, and what is disputed comes last', async () => {
  const { receive, sandbox, ids } = await owing()
  await sandbox.done('POST', `/api/v1/invoices/${ids[0]}/dispute`, {
    reason: 'Ten pieces are missing',
    category: 'wrong_quantity',
  })
  await sandbox.done('POST', `/api/v1/invoices/${ids[1]}/write-off`, { basis: 'untraceable' })
  const tried = await receive({ amountCents: 60_000, dryRun: true })
  expect(parts(tried.body.data)).toEqual([
    ['F-1', 10_000, 70_000, 60_000],
    ['F-3', 50_000, 50_000, 0],
  ])
})

it('a cheque is a bank transfer for the methods, and its reference comes once for an invoice', async () => {
  const { sandbox, ids } = await owing()
  const pay = (i: number, more: object) =>
    sandbox.call<Payment>('POST', '/api/v1/payments', {
      invoiceId: ids[i],
      amountCents: 100,
      method: 'bank_transfer',
      instrument: 'cheque',
      externalReference: 'CHQ 12',
      ...more,
    })
  expect((await pay(0, { method: 'card' })).body.error).toMatchObject({
    code: 'VAL_001',
    details: [{ field: 'instrument' }],
  })
  expect((await pay(0, { instrument: 'cash' })).body.error.code).toBe('VAL_001')
  expect((await pay(0, {})).body.data).toMatchObject({ instrument: 'cheque', receiptId: null })
  expect((await pay(1, {})).status).toBe(201)
  expect((await pay(0, {})).body.error.code).toBe('RES_002')
  const { byMethod } = await sandbox.done<{ byMethod: object }>('GET', '/api/v1/payments/stats/summary')
  expect(byMethod).toMatchObject({ bank_transfer: 200, card: 0 })
})

it('of two sums received at once the second pays what the first has left', async () => {
  const { receive, sandbox, ids } = await owing()
  const answers = await Promise.all([
    receive({ amountCents: 90_000 }),
    receive({ amountCents: 90_000 }),
    receive({ amountCents: 90_000 }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400])
  for (const id of ids)
    expect(await sandbox.done('GET', `/api/v1/invoices/${id}`)).toMatchObject({
      balanceCents: 0,
      overpaidCents: 0,
    })
})

it('a collector gives one receipt for one sum, with every invoice in it', async () => {
  const { sandbox, receive, ids, debtor } = await owing()
  const args = ['--company', sandbox.companyId, '--signed-on', '2026-01-12', '--reference', 'Coffre 12']
  expect((await command(installation)('company', 'mandate', ...args)).code).toBe(0)
  await sandbox.done('POST', '/api/v1/claim-lists', {
    acceptedBy: 'Claire Lambert, gérante',
    claims: ids.map(invoiceId => ({ invoiceId })),
  })
  await sandbox.advance('P2D')
  const done = await receive({ amountCents: 100_000, instrument: 'cheque' })
  expect(done.status, done.text).toBe(201)
  await sandbox.advance('P1D')
  const receipts = (await sandbox.messages()).filter(({ subject }) => subject?.includes('quittance'))
  expect(receipts).toHaveLength(1)
  const body = receipts[0]!.body.replaceAll(/[\u00a0\u202f]/g, ' ')
  expect(receipts[0]!.recipient).toContain(debtor.email)
  expect(body).toContain('1 000,00 €, par chèque')
  expect(body).toMatch(/F-1\s+700,00 €, facture soldée/)
  expect(body).toMatch(/F-2\s+300,00 €, reste dû : 300,00 €/)
})

it('one promise is recorded for all open invoices of a debtor, or for those that are named', async () => {
  const { sandbox, debtorId, ids } = await owing()
  const promise = (body: object) =>
    sandbox.call<{
      promises: { invoiceNumber: string; amountCents: number; promiseId: string | null }[]
      withoutPromise: { invoiceNumber: string; because: string }[]
      waitsUntil: string
    }>('POST', `/api/v1/debtors/${debtorId}/promise`, body)
  const date = new Date((await sandbox.now()) + 7 * 86_400_000).toISOString().slice(0, 10)
  await sandbox.done('POST', `/api/v1/workflow/invoice/${ids[1]}/trigger`, {
    action: 'cancel',
    reason: 'Credited',
  })
  const tried = await promise({ date, dryRun: true })
  expect(tried.status, tried.text).toBe(201)
  expect(tried.body.data.promises).toMatchObject([
    { invoiceNumber: 'F-1', amountCents: 70_000, promiseId: null },
    { invoiceNumber: 'F-3', amountCents: 50_000, promiseId: null },
  ])
  expect(await eventsOf(sandbox, 'promise.recorded')).toEqual([])
  const one = await promise({ date, invoiceIds: [ids[2]] })
  expect(one.body.data.promises).toMatchObject([{ invoiceNumber: 'F-3', promiseId: expect.any(String) }])
  const all = await promise({ date, note: 'After the payroll' })
  expect(all.body.data.promises).toHaveLength(2)
  const told = await eventsOf(sandbox, 'promise.recorded')
  expect(told.map(({ data }) => data.date)).toEqual([date, date, date])
  expect(await sandbox.workflow(ids[0]!)).toMatchObject({ status: 'paused' })
  const refused = [
    await promise({ date, invoiceIds: [ids[1]] }),
    await promise({ date, invoiceIds: [(await owing()).ids[0]] }),
    await promise({ date: '2020-01-01' }),
  ]
  expect(refused.map(({ body }) => body.error.code)).toEqual(['BIZ_004', 'RES_001', 'VAL_001'])
})

it('a dispute says what it is about, in its record, its event and its line of the history', async () => {
  const { sandbox, ids } = await owing()
  const reason = 'Ten pieces are missing'
  const opened = await sandbox.done('POST', `/api/v1/invoices/${ids[0]}/dispute`, {
    reason,
    category: 'wrong_quantity',
  })
  expect(opened).toMatchObject({ category: 'wrong_quantity' })
  const lines = (lang: string) =>
    sandbox.done<{ sentence: string }[]>('GET', `/api/v1/invoices/${ids[0]}/timeline?lang=${lang}`)
  expect((await lines('en')).map(({ sentence }) => sentence).join('\n')).toContain(
    'of the invoice (quantity)',
  )
  expect((await lines('fr')).map(({ sentence }) => sentence).join('\n')).toContain('de la facture (quantité)')
  const plain = await sandbox.done('POST', `/api/v1/invoices/${ids[1]}/dispute`, { reason })
  expect(plain).toMatchObject({ category: null })
  const unknown = await sandbox.call('POST', `/api/v1/invoices/${ids[2]}/dispute`, {
    reason,
    category: 'colour',
  })
  expect(unknown.body.error.code).toBe('VAL_001')
  expect((await eventsOf(sandbox, 'dispute.opened')).map(({ data }) => data.category)).toEqual([
    'wrong_quantity',
    null,
  ])
})
