import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { historyLines, lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

const promise = (sandbox: Sandbox, id: string, body: Record<string, unknown>) =>
  sandbox.call<Record<string, unknown>>('POST', `/api/v1/invoices/${id}/promise`, body)
const promised = async (sandbox: Sandbox, id: string, body: Record<string, unknown>) => {
  const answer = await promise(sandbox, id, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const pay = (sandbox: Sandbox, invoiceId: string, amountCents: number) =>
  sandbox.done('POST', '/api/v1/payments', { invoiceId, amountCents, method: 'bank_transfer' })
const statusesOf = async (id: string) =>
  (
    await installation.sql<{ status: string }>(
      'select status from promises where invoice_id = $1 order by id',
      [id],
    )
  ).map(row => row.status)

it('a promise is a response of the debtor and a pause that ends two working days after it', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Blanc SARL') })
  await sandbox.advanceToDay('2026-11-18')
  // A Friday: two working days later is Tuesday 1 December.
  const reply = await promised(sandbox, id, { date: '2026-11-27', note: 'after the payroll' })
  expect(reply).toEqual({
    id: expect.any(String),
    invoiceId: id,
    date: '2026-11-27',
    amountCents: 120_000,
    status: 'open',
    waitsUntil: '2026-12-01T07:00:00.000Z',
    createdAt: expect.stringMatching(/^2026-11-18T11:0/),
    workflowStatus: 'paused',
    inFlight: [],
  })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'paused', nextActionAt: null })
  expect((await sandbox.history(id)).at(-1)).toMatchObject({
    action: 'promise',
    channel: null,
    status: 'done',
    details: '€1,200.00 promised for 27 November 2026: after the payroll',
  })
  const [row] = await installation.sql(
    `select a.quiet_until = p.created_at + interval '3 days' as is_quiet
       from promises p join agendas a on a.debtor_id = p.debtor_id where p.invoice_id = $1 and a.debtor_id = $2`,
    [id, debtor.id],
  )
  expect(row).toEqual({ is_quiet: true })
})

it('money that reaches the sum keeps it; without money it is broken on its day, and the reminders go on', async () => {
  const sandbox = await newSandbox(installation)
  const { id: kept } = await sandbox.invoice({ debtor: lyonDebtor('Blanc SARL') })
  const { id: broken } = await sandbox.invoice({ debtor: lyonDebtor('Noir SARL') })
  await sandbox.advanceToDay('2026-11-18')
  for (const id of [kept, broken]) await promised(sandbox, id, { date: '2026-11-27' })
  expect(await sandbox.advance({ to: '2026-11-30T12:00:00+01:00' })).toEqual([])
  await pay(sandbox, kept, 120_000)
  await sandbox.advanceToDay('2026-12-06')
  expect(historyLines(await sandbox.history(broken)).slice(-2)).toEqual([
    '2026-12-01 promise_broken done',
    '2026-12-04 relance_email_1 sent',
  ])
  expect(await sandbox.workflow(kept)).toMatchObject({ status: 'completed' })
  expect([await statusesOf(kept), await statusesOf(broken)]).toEqual([['kept'], ['broken']])
})

it('a promise of a part is kept by that part, and not by less', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Perrin SARL') })
  await pay(sandbox, id, 10_000)
  expect(await promised(sandbox, id, { date: '2026-11-27', amountCents: 50_000 })).toMatchObject({
    amountCents: 50_000,
  })
  await pay(sandbox, id, 49_999)
  expect(await statusesOf(id)).toEqual(['open'])
  await pay(sandbox, id, 1)
  expect(await statusesOf(id)).toEqual(['kept'])
})

it('a new promise takes the place of the open one, also when its day is nearer', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Morin SARL') })
  await promised(sandbox, id, { date: '2026-12-11' })
  expect(await promised(sandbox, id, { date: '2026-11-27' })).toMatchObject({
    waitsUntil: '2026-12-01T07:00:00.000Z',
  })
  expect(await statusesOf(id)).toEqual(['replaced', 'open'])
  await sandbox.advanceToDay('2026-12-02')
  expect(await statusesOf(id)).toEqual(['replaced', 'broken'])
})

it('of a pause with an end and a promise the later day counts, and then neither is left', async () => {
  const sandbox = await newSandbox(installation)
  const { id: short } = await sandbox.invoice({ debtor: lyonDebtor('Court SARL') })
  const { id: long } = await sandbox.invoice({ debtor: lyonDebtor('Long SARL') })
  await sandbox.advanceToDay('2026-11-17')
  await sandbox.trigger(short, { action: 'pause', until: '2026-11-20T12:00:00+01:00' })
  await sandbox.trigger(long, { action: 'pause', until: '2026-12-10T12:00:00+01:00' })
  await promised(sandbox, short, { date: '2026-11-27' })
  expect(await promised(sandbox, long, { date: '2026-11-27' })).toMatchObject({
    waitsUntil: '2026-12-10T11:00:00.000Z',
  })
  await sandbox.advanceToDay('2026-11-30')
  expect(await sandbox.workflow(short)).toMatchObject({ status: 'paused' })
  await sandbox.advanceToDay('2026-12-02')
  expect(await sandbox.workflow(short)).toMatchObject({ status: 'in_recovery' })
  expect(await sandbox.workflow(long)).toMatchObject({ status: 'paused' })
  await sandbox.advanceToDay('2026-12-11')
  expect(await sandbox.workflow(long)).toMatchObject({ status: 'in_recovery' })
})

it('a pause without an end outlasts a promise', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Toujours SARL') })
  await sandbox.advanceToDay('2026-11-17')
  await sandbox.trigger(id, { action: 'pause' })
  await promised(sandbox, id, { date: '2026-11-27' })
  await sandbox.advanceToDay('2026-12-20')
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['asked'] })
  expect(await statusesOf(id)).toEqual(['broken'])
})

it('a reserved message is cancelled', async () => {
  const { data } = (
    await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01' }),
    })
  ).body
  const message = await worker.reserve(data.id)
  await installation.call('POST', `/api/v1/invoices/${data.id}/promise`, { body: { date: '2026-11-27' } })
  const [row] = await installation.sql('select state from communications where id = $1', [message])
  expect(row).toEqual({ state: 'cancelled' })
})

it.each([
  ['yesterday', { date: '2026-11-15' }, 'date'],
  ['more than sixty days ahead', { date: '2027-01-16' }, 'date'],
  ['more than the balance', { date: '2026-11-27', amountCents: 120_001 }, 'amountCents'],
])('%s is refused, and says so', async (_what, body, field) => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Refus SARL') })
  const answer = await promise(sandbox, id, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details?.map(fault => fault.field)).toEqual([field])
  expect(await statusesOf(id)).toEqual([])
})

it('today and the sixtieth day are fine, as the debtor’s calendar has them', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Bord SARL') })
  for (const date of ['2026-11-16', '2027-01-15']) await promised(sandbox, id, { date })
  // Half past midnight in Réunion is still the evening before in Paris.
  await sandbox.advance({ to: '2026-11-16T21:30:00+01:00' })
  const { id: island } = await sandbox.invoice({
    debtor: { ...lyonDebtor('Piton SARL'), postalCode: '97400', city: 'Saint-Denis' },
  })
  expect((await promise(sandbox, island, { date: '2026-11-16' })).body.error.code).toBe('VAL_001')
  await promised(sandbox, island, { date: '2026-11-17' })
})

it('there is nothing to wait for before the start, after the end, or once it is paid', async () => {
  const sandbox = await newSandbox(installation)
  const imported = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [invoiceInput()],
    autoStartWorkflow: false,
  })
  const pending = imported.results[0]!.id
  const { id: cancelled } = await sandbox.invoice({ debtor: lyonDebtor('Fini SARL') })
  await sandbox.trigger(cancelled, { action: 'cancel' })
  const { id: paid } = await sandbox.invoice({ debtor: lyonDebtor('Payé SARL') })
  await pay(sandbox, paid, 120_000)
  const codeOf = async (id: string) => (await promise(sandbox, id, { date: '2026-11-27' })).body.error.code
  expect([await codeOf(pending), await codeOf(cancelled), await codeOf(paid)]).toEqual([
    'BIZ_004',
    'BIZ_004',
    'BIZ_001',
  ])
})

it('what is disputed can be promised too, and waits for both', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Double SARL') })
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Two of ten are missing' })
  await promised(sandbox, id, { date: '2026-11-27' })
  expect((await sandbox.nextAction(id)).blockedBy.sort()).toEqual(['dispute', 'promise'])
  await sandbox.advanceToDay('2026-12-05')
  expect(await sandbox.nextAction(id)).toMatchObject({ blockedBy: ['dispute'] })
  expect(await statusesOf(id)).toEqual(['broken'])
})

it('a debtor in a country without a calendar can promise too: the days are the creditor’s', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({
    debtor: { name: 'Tokyo KK', email: 'ap@tokyo.example', country: 'JP' },
  })
  expect(await promised(sandbox, id, { date: '2026-11-27' })).toMatchObject({
    waitsUntil: '2026-12-01T07:00:00.000Z',
  })
})
