import { beforeAll, expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import {
  eventually,
  invoiceInput,
  mondayMorning,
  useInstallation,
} from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock', redisUrl: undefined })
const worker = useManualWorker(installation)

// As in an installation that has a provider for every channel.
beforeAll(() => installation.sql(`update installation set missing_channels = '{}'`))

interface Cancelled {
  invoiceId: string
  reference: string
  previousStatus: string
  newStatus: string
  cancelledAt: string
  summary: { actionsCancelled: number; voiceCallsCancelled: number; debtorNotified: boolean }
  inFlight: unknown[]
}

const createInvoice = async (changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body
  return { ...data, number: input.invoiceNumber, email: (input.debtor as { email: string }).email }
}
const cancelInvoice = (id: string, body: Record<string, unknown> = { reason: 'Invoiced twice' }) =>
  installation.call<Cancelled>('POST', `/api/v1/invoices/${id}/cancel`, { body })
const extrasOf = (id: string) =>
  installation.sql<{ step: string; channel: string; status: string }>(
    'select step, channel, status from extra_messages where invoice_id = $1 order by id',
    [id],
  )
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it('a running recovery is cancelled for good: counted, recorded in the history, emitted as events, and nothing more is planned', async () => {
  const { id, number } = await createInvoice()
  const answer = await cancelInvoice(id)
  expect(answer.status).toBe(200)
  expect(answer.body.data).toEqual({
    invoiceId: id,
    reference: number,
    previousStatus: 'imported',
    newStatus: 'cancelled',
    cancelledAt: expect.stringMatching(/^2026-11-16T08:0\d:\d\d\.\d{3}Z$/),
    // Six of the nine steps: without a telephone number neither the text message nor the two calls were planned.
    summary: { actionsCancelled: 6, voiceCallsCancelled: 0, debtorNotified: false },
    inFlight: [],
  })
  const invoice = await installation.call('GET', `/api/v1/invoices/${id}`)
  expect(invoice.body.data).toMatchObject({ status: 'cancelled' })
  const workflow = await installation.call('GET', `/api/v1/workflow/invoice/${id}`)
  expect(workflow.body.data).toMatchObject({ status: 'cancelled', nextActionAt: null })
  const [recovery] = await installation.sql(
    'select outcome, due_at, holds from recoveries where invoice_id = $1',
    [id],
  )
  expect(recovery).toEqual({ outcome: 'cancelled', due_at: null, holds: [] })
  const history = await installation.call<unknown[]>('GET', `/api/v1/workflow/invoice/${id}/history`)
  expect(history.body.data).toMatchObject([
    { action: 'cancel', channel: null, status: 'done', details: 'Cancelled. Reason: Invoiced twice' },
  ])
  const events = await installation.sql(
    'select type, data from events where subject_id = $1 order by sequence offset 2',
    [id],
  )
  expect(events).toMatchObject([
    {
      type: 'invoice.status_changed',
      data: { previousStatus: 'imported', newStatus: 'cancelled', cause: 'cancel' },
    },
    { type: 'workflow.completed', data: { outcome: 'cancelled', actionsCompleted: 0 } },
  ])
})

it('what is left from the current step on is counted, with what was asked for beside the cascade', async () => {
  const { id } = await createInvoice({
    debtor: { name: 'Rey SARL', email: 'compta@rey.example', phone: '+33612345678', postalCode: '69002' },
  })
  await installation.sql('update recoveries set step = 5 where invoice_id = $1', [id])
  for (const channel of ['sms', 'voice']) {
    const asked = await installation.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
      body: { channel },
    })
    expect(asked.status, asked.text).toBe(202)
  }
  // relance_email_3, the letter, the second call, the last email; and two messages that were asked for.
  expect((await cancelInvoice(id)).body.data.summary).toEqual({
    actionsCancelled: 6,
    voiceCallsCancelled: 2,
    debtorNotified: false,
  })
  expect((await extrasOf(id)).map(extra => extra.status)).toEqual(['cancelled', 'cancelled'])
})

it.each([
  ['no telephone number', {}],
  ['a mobile number', { phone: '+33612345678' }],
  ['a landline and an address', { phone: '+33472000000', address: '12 rue Mercière' }],
])('a debtor with %s: exactly the messages of the plan are counted', async (_what, more) => {
  const name = `Plan ${Object.keys(more).length} SARL`
  const debtor = { name, email: 'compta@plan.example', postalCode: '69002', city: 'Lyon', ...more }
  const { id } = await createInvoice({ debtor })
  const { actions } = (
    await installation.call<{
      actions: { skipped: boolean; channel: string | null; scheduledAt: string | null }[]
    }>('GET', `/api/v1/workflow/invoice/${id}/plan`)
  ).body.data
  const sent = actions.filter(
    ({ skipped, channel, scheduledAt }) => !skipped && channel !== null && scheduledAt !== null,
  )
  expect((await cancelInvoice(id)).body.data.summary).toMatchObject({
    actionsCancelled: sent.length,
    voiceCallsCancelled: sent.filter(({ channel }) => channel === 'voice').length,
  })
})

it('a recovery in which nothing is planned any more cancels nothing', async () => {
  const { id } = await createInvoice()
  await installation.sql(
    `update recoveries set step = 9, last_action = 'dernier_avis', wish_at = null, due_at = null, due_because = 'awaiting_decision'
      where invoice_id = $1`,
    [id],
  )
  expect((await cancelInvoice(id)).body.data.summary).toMatchObject({ actionsCancelled: 0 })
})

it('what is being handed to a provider is named and not counted as cancelled', async () => {
  const { id } = await createInvoice()
  const message = await worker.reserve(id)
  await installation.sql(
    `update communications set state = 'sending', token = gen_random_uuid(), lease_until = $2, committing_at = reserved_at where id = $1`,
    [message, new Date(Date.now() + 60_000).toISOString()],
  )
  const { data } = (await cancelInvoice(id)).body
  expect(data.inFlight).toEqual([
    { communicationId: message, channel: 'email', action: 'email_prise_en_charge' },
  ])
  expect(data.summary.actionsCancelled).toBe(5)
})

it('an invoice in recovery becomes cancelled: its planned reminders and its reserved message are cancelled', async () => {
  const { id, email } = await createInvoice({ dueDate: '2026-10-15' })
  await eventually(
    () => mailsTo(email),
    mails => mails.length === 1,
  )
  await eventually(
    async () =>
      (await installation.call<{ status: string }>('GET', `/api/v1/invoices/${id}`)).body.data.status,
    status => status === 'in_recovery',
  )
  await installation.setNow(mondayMorning + 5 * 86_400_000)
  const message = await worker.reserve(id)
  const answer = await cancelInvoice(id)
  await worker.send(message)
  await installation.setNow(mondayMorning)
  expect(answer.body.data).toMatchObject({
    previousStatus: 'in_recovery',
    newStatus: 'cancelled',
    summary: { actionsCancelled: 5 },
    inFlight: [],
  })
  expect(mailsTo(email)).toHaveLength(1)
  const [planned] = await installation.sql(
    'select due_at, communication_id from recoveries where invoice_id = $1',
    [id],
  )
  expect(planned).toEqual({ due_at: null, communication_id: null })
})

it('a paused one is cancelled too; whatever open status the invoice has is returned as previousStatus', async () => {
  const { id } = await createInvoice()
  await installation.call('POST', '/api/v1/payments', {
    body: { invoiceId: id, amountCents: 20_000, method: 'bank_transfer' },
  })
  await installation.call('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body: { action: 'pause' } })
  expect((await cancelInvoice(id)).body.data).toMatchObject({
    previousStatus: 'partial',
    newStatus: 'cancelled',
  })
})

it.each([
  ['was never started', 'BIZ_004'],
  ['is cancelled already', 'BIZ_004'],
  ['has ended its amicable stage', 'BIZ_004'],
  ['is written off', 'BIZ_004'],
  ['is paid', 'BIZ_001'],
])('an invoice whose recovery %s is refused with %s, and stays as it is', async (which, code) => {
  const { id } = await createInvoice()
  if (which === 'was never started')
    await installation.sql(
      `update recoveries set status = 'pending', started_at = null, anchor_at = null, wish_at = null, due_at = null where invoice_id = $1`,
      [id],
    )
  if (which === 'is cancelled already') await cancelInvoice(id)
  if (which === 'has ended its amicable stage')
    await installation.sql(
      `update recoveries set status = 'judicial', wish_at = null, due_at = null where invoice_id = $1`,
      [id],
    )
  if (which === 'is written off') {
    await installation.sql(
      `update invoices set written_off_at = created_at, status = 'written_off' where id = $1`,
      [id],
    )
    await installation.sql(
      `update recoveries set status = 'completed', outcome = 'written_off', ended_at = created_at, wish_at = null, due_at = null where invoice_id = $1`,
      [id],
    )
  }
  if (which === 'is paid')
    await installation.call('POST', '/api/v1/payments', {
      body: { invoiceId: id, amountCents: 120_000, method: 'bank_transfer' },
    })
  const before = await installation.sql('select * from recoveries where invoice_id = $1', [id])
  const answer = await cancelInvoice(id)
  expect([answer.status, answer.body.error.code], answer.text).toEqual([400, code])
  expect(await installation.sql('select * from recoveries where invoice_id = $1', [id])).toEqual(before)
})

it('reason is required and has at most 500 characters; notifyDebtor is false unless given', async () => {
  const { id } = await createInvoice()
  const missing = await cancelInvoice(id, {})
  expect([missing.status, missing.body.error.code]).toEqual([400, 'VAL_003'])
  const long = await cancelInvoice(id, { reason: 'x'.repeat(501) })
  expect([long.status, long.body.error.code]).toEqual([400, 'VAL_001'])
  expect((await cancelInvoice(id, { reason: 'x'.repeat(500) })).body.data.summary.debtorNotified).toBe(false)
  expect(await extrasOf(id)).toEqual([])
})

/** As after a first message. */
const noteContact = (id: string) =>
  installation.sql('update invoices set contacted_at = created_at where id = $1', [id])

it('who was never told of the invoice gets no closing notice, and the answer says so', async () => {
  const { id } = await createInvoice()
  for (const dryRun of [true, false]) {
    const answer = await cancelInvoice(id, { reason: 'Invoiced twice', notifyDebtor: true, dryRun })
    expect(answer.status).toBe(200)
    expect(answer.body.data.summary.debtorNotified).toBe(false)
    expect(answer.body).toMatchObject({ warnings: [{ code: 'debtor_never_contacted' }] })
  }
  expect(await extrasOf(id)).toEqual([])
})

it('notifyDebtor sends one closing notice at the next allowed moment, and nothing else', async () => {
  const { id, email, number } = await createInvoice()
  await noteContact(id)
  const answer = await cancelInvoice(id, { reason: 'Invoiced twice', notifyDebtor: true })
  expect(answer.body.data.summary.debtorNotified).toBe(true)
  const [mail] = await eventually(
    () => mailsTo(email),
    mails => mails.length > 0,
  )
  expect(mail!.text).toContain(number)
  await eventually(
    () => extrasOf(id),
    extras => extras[0]!.status === 'sent',
  )
  expect(await extrasOf(id)).toEqual([{ step: 'closing_notice', channel: 'email', status: 'sent' }])
})

it.each([
  [true, 'Nous arrêtons nos rappels ; la facture reste due.'],
  [false, 'Cette facture n’est plus due.'],
  [undefined, 'Il ne dit pas si la facture reste due.'],
])(
  'a closing notice says of the invoice what the company said (still owed: %s)',
  async (stillOwed, sentence) => {
    const { id, email } = await createInvoice()
    await noteContact(id)
    await cancelInvoice(id, { reason: 'Invoiced twice', notifyDebtor: true, stillOwed })
    const [mail] = await eventually(
      () => mailsTo(email),
      mails => mails.length > 0,
    )
    expect(mail!.text.replaceAll(/\s+/g, ' ')).toContain(sentence)
  },
)

it('a closing notice obeys the rules: after the second email of Saturday it waits out three days', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Simon SARL') })
  await sandbox.advanceToDay('2026-11-22')
  await sandbox.done('POST', `/api/v1/invoices/${id}/cancel`, {
    reason: 'Wrong customer',
    notifyDebtor: true,
  })
  await sandbox.advance('P30D')
  const [message, ...others] = await sandbox.messages()
  expect(others).toHaveLength(2)
  expect(message!.createdAt.slice(0, 10)).toBe('2026-11-24')
})

it('a closing notice uses the day of the message it takes the place of', async () => {
  const { id, email } = await createInvoice()
  await worker.reserve(id)
  await noteContact(id)
  await cancelInvoice(id, { reason: 'Invoiced twice', notifyDebtor: true })
  await eventually(
    () => mailsTo(email),
    mails => mails.length === 1,
  )
})

it('nobody is notified where nobody may be written to, and the answer says so', async () => {
  const tokyo = await createInvoice({
    debtor: { name: 'Tokyo KK', email: 'ap@tokyo.example', country: 'JP' },
  })
  const away = await createInvoice()
  await installation.sql(
    `insert into closed_points (tenant_id, point, channel, because, created_at)
     select tenant_id, unnest(contact_points(tenant_id, id, email_key, phone)), 'email', 'opt_out', created_at
       from debtors where id = $1`,
    [away.debtor.id],
  )
  for (const { id } of [tokyo, away]) {
    await noteContact(id)
    const answer = await cancelInvoice(id, { reason: 'Invoiced twice', notifyDebtor: true })
    expect(answer.body.data.summary.debtorNotified).toBe(false)
    expect(await extrasOf(id)).toEqual([])
  }
})
