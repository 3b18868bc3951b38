import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

interface Dispute {
  id: string
  status: string
  invoiceStatus: string
  workflowStatus: string
  inFlight: { communicationId: string; channel: string; action: string }[]
}

/** Due in the future: nothing is sent unless a test asks for it. */
const createInvoice = async (changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body
  return { ...data, email: input.debtor.email }
}
const createPendingInvoice = async () =>
  (
    await installation.call<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      body: { invoices: [invoiceInput()], autoStartWorkflow: false },
    })
  ).body.data.results[0]!.id
const dispute = (id: string, body: Record<string, unknown> = { reason: 'Two chairs are broken' }) =>
  installation.call<Dispute>('POST', `/api/v1/invoices/${id}/dispute`, { body })
const disputed = async (id: string, body?: Record<string, unknown>) => {
  const answer = await dispute(id, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}
const trigger = (id: string, body: Record<string, unknown>) =>
  installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body })
const pay = (invoiceId: string, amountCents: number) =>
  installation.call('POST', '/api/v1/payments', { body: { invoiceId, amountCents, method: 'bank_transfer' } })
const readData = async (path: string) => (await installation.call('GET', path)).body.data
const recoveryOf = async (id: string) =>
  (
    await installation.sql<{ holds: string[]; due_at: Date | null; due_because: string | null }>(
      'select holds, due_at, due_because from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!
const stateOf = async (id: string) =>
  (await installation.sql<{ state: string }>('select state from communications where id = $1', [id]))[0]!
    .state
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it('a dispute takes effect with its response: the invoice is disputed, the recovery is paused, the history records it', async () => {
  const { id } = await createInvoice()
  const opened = await disputed(id, { reason: 'Two chairs are broken', amountCents: 24_000 })
  expect(opened).toEqual({
    disputedCents: 24_000,
    answer: null,
    creditedCents: null,
    id: expect.any(String),
    invoiceId: id,
    status: 'open',
    reason: 'Two chairs are broken',
    category: null,
    amountCents: 24_000,
    // L612-2 C. conso.: the day of a complaint opens the way to the mediator.
    openedAt: expect.stringMatching(/^2026-11-16T/),
    resolvedAt: null,
    note: null,
    invoiceStatus: 'disputed',
    workflowStatus: 'paused',
    inFlight: [],
  })
  expect(await readData(`/api/v1/invoices/${id}?include=recovery`)).toMatchObject({
    status: 'disputed',
    recovery: { disputedCents: 24_000 },
  })
  expect(await readData(`/api/v1/workflow/invoice/${id}`)).toMatchObject({
    status: 'paused',
    nextActionAt: null,
  })
  expect(await readData(`/api/v1/workflow/invoice/${id}/next-action`)).toMatchObject({
    blockedBy: ['dispute'],
  })
  expect(await readData(`/api/v1/workflow/invoice/${id}/history`)).toMatchObject([
    {
      action: 'dispute',
      channel: null,
      status: 'done',
      details: expect.stringMatching(
        /^The debtor disputes €240\.00 of the invoice: Two chairs are broken\.?$/,
      ),
    },
  ])
  const events = await installation.sql<{ type: string; data: object }>(
    'select type, data from events where subject_id = $1 order by sequence',
    [id],
  )
  expect(events.find(({ type }) => type === 'invoice.status_changed')).toMatchObject({
    type: 'invoice.status_changed',
    data: { previousStatus: 'imported', newStatus: 'disputed', cause: 'dispute' },
  })
})

it('a reserved message is cancelled: nothing is sent after the response', async () => {
  const { id, email } = await createInvoice()
  const message = await worker.reserve(id)
  expect((await disputed(id)).inFlight).toEqual([])
  expect(await stateOf(message)).toBe('cancelled')
  await worker.send(message)
  expect(mailsTo(email)).toEqual([])
})

it('a message already handed to its provider is named, because it cannot be stopped any more', async () => {
  const { id } = await createInvoice()
  const message = await worker.reserve(id)
  await installation.sql(
    `update communications set state = 'sending', token = gen_random_uuid(), lease_until = '2100-01-01', committing_at = reserved_at
      where id = $1`,
    [message],
  )
  expect((await disputed(id)).inFlight).toEqual([
    { communicationId: message, channel: 'email', action: 'email_prise_en_charge' },
  ])
})

it('it counts as a response of the debtor: its other invoices wait three days too', async () => {
  const { id, debtor } = await createInvoice()
  await disputed(id)
  const [agenda] = await installation.sql<{ days: number }>(
    `select extract(epoch from a.quiet_until - d.opened_at)::integer / 86400 as days
       from agendas a join disputes d on d.debtor_id = a.debtor_id where a.debtor_id = $1`,
    [debtor.id],
  )
  expect(agenda!.days).toBe(3)
})

it('one dispute at a time', async () => {
  const { id } = await createInvoice()
  await disputed(id)
  const again = await dispute(id)
  expect([again.status, again.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(again.body.error.message).toContain('resolve it first')
  expect(await installation.sql('select 1 from disputes where invoice_id = $1', [id])).toHaveLength(1)
})

it('two disputes at the same moment are one', async () => {
  const { id } = await createInvoice()
  const answers = await Promise.all(Array.from({ length: 5 }, () => dispute(id)))
  expect(answers.map(answer => answer.status).sort()).toEqual([201, 400, 400, 400, 400])
  expect(await recoveryOf(id)).toMatchObject({ holds: ['dispute'] })
})

it('an invoice whose recovery was never started can be disputed, and stays pending', async () => {
  const id = await createPendingInvoice()
  expect(await disputed(id)).toMatchObject({ invoiceStatus: 'disputed', workflowStatus: 'pending' })
  expect(await readData(`/api/v1/workflow/invoice/${id}`)).toMatchObject({ status: 'pending' })
})

it('a part payment does not hide it, payment in full does', async () => {
  const { id } = await createInvoice()
  await disputed(id)
  await pay(id, 20_000)
  expect(await readData(`/api/v1/invoices/${id}`)).toMatchObject({
    status: 'disputed',
    balanceCents: 100_000,
  })
  await pay(id, 100_000)
  expect(await readData(`/api/v1/invoices/${id}`)).toMatchObject({ status: 'paid' })
})

it('nothing is left to dispute on a paid invoice, and what is final stays final', async () => {
  const { id: paid } = await createInvoice()
  await pay(paid, 120_000)
  expect((await dispute(paid)).body.error.code).toBe('BIZ_001')
  const { id: cancelled } = await createInvoice()
  await trigger(cancelled, { action: 'cancel' })
  expect((await dispute(cancelled)).body.error).toMatchObject({
    code: 'BIZ_004',
    message: 'The invoice is cancelled, which is final.',
  })
})

it('a dispute after the amicable stage has ended is recorded, and ends with its resolution', async () => {
  const { id } = await createInvoice()
  await installation.sql(`update invoices set status = 'judicial', judicial_at = created_at where id = $1`, [
    id,
  ])
  await installation.sql(
    `update recoveries set status = 'judicial', wish_at = null, due_at = null where invoice_id = $1`,
    [id],
  )
  expect(await disputed(id)).toMatchObject({ invoiceStatus: 'judicial', workflowStatus: 'judicial' })
  // It is in the queue of disputes, and counts as one of the recoveries in this status.
  const found = async (query: string) =>
    (await installation.call<{ id: string }[]>('GET', `/api/v1/invoices?${query}`)).body.data.map(
      one => one.id,
    )
  expect(await found('standing=held:dispute')).toContain(id)
  expect(await found('workflowStatus=judicial')).toContain(id)
  expect((await dispute(id)).body.error.code).toBe('BIZ_004')
  const resolved = await installation.call('POST', `/api/v1/invoices/${id}/dispute/resolve`, {
    body: { outcome: 'rejected' },
  })
  expect(resolved.body.data).toMatchObject({ invoiceStatus: 'judicial', workflowStatus: 'judicial' })
  expect(await found('standing=judicial')).toContain(id)
})

it('nobody disputes more than the invoice', async () => {
  const { id } = await createInvoice()
  const answer = await dispute(id, { reason: 'All of it and more', amountCents: 120_001 })
  expect(answer.body.error).toMatchObject({ code: 'VAL_001', details: [{ field: 'amountCents' }] })
  expect((await dispute(id, { reason: 'x'.repeat(501) })).body.error.code).toBe('VAL_001')
  expect(await readData(`/api/v1/invoices/${id}`)).toMatchObject({ status: 'imported' })
})

it('a promise made before keeps its day: the dispute is one more reason to wait', async () => {
  const { id } = await createInvoice()
  await installation.call('POST', `/api/v1/invoices/${id}/promise`, { body: { date: '2026-11-27' } })
  const before = await recoveryOf(id)
  await disputed(id)
  expect(await recoveryOf(id)).toEqual({ ...before, holds: ['promise', 'dispute'] })
})
