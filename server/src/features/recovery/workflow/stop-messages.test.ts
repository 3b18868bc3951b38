import { beforeAll, expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

// As in an installation that has a provider for every channel.
beforeAll(() => installation.sql(`update installation set missing_channels = '{}'`))
const worker = useManualWorker(installation)

interface Triggered {
  status: string
  nextActionAt: string | null
  inFlight: { communicationId: string; channel: string; action: string }[]
}

const create = async (changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body
  return { ...data, number: input.invoiceNumber, email: input.debtor.email }
}
/** Two invoices of one debtor. */
const pair = async () => {
  const first = await create()
  const second = await create({ debtor: { id: first.debtor.id } })
  return [first, { ...second, email: first.email }] as const
}
const trigger = (id: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
  installation.call<Triggered>('POST', `/api/v1/workflow/invoice/${id}/trigger`, { body, headers })
const recoveryOf = async (id: string) =>
  (
    await installation.sql<{ status: string; step: number; communication_id: string | null }>(
      'select status, step, communication_id from recoveries where invoice_id = $1',
      [id],
    )
  )[0]!
const messageOf = async (id: string) =>
  (
    await installation.sql<{ state: string; lead_invoice_id: string; slots: number; pending: number }>(
      `select c.state, c.lead_invoice_id,
              (select count(*)::integer from contact_slots s where s.communication_id = c.id) as slots,
              (select count(*)::integer from pending_sends p where p.communication_id = c.id) as pending
         from communications c where c.id = $1`,
      [id],
    )
  )[0]!
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it.each(['pause', 'cancel'])(
  '%s calls back a message that is reserved: nothing leaves after the answer',
  async action => {
    const { id, email } = await create()
    const message = await worker.reserve(id)
    expect(await messageOf(message)).toMatchObject({ state: 'reserved', slots: 2, pending: 1 })
    const answer = await trigger(id, { action })
    expect(answer.body.data).toMatchObject({ inFlight: [] })
    expect(await messageOf(message)).toMatchObject({ state: 'cancelled', slots: 0, pending: 0 })
    expect(await recoveryOf(id)).toMatchObject({ communication_id: null, step: 0 })
    await worker.send(message)
    expect(mailsTo(email)).toEqual([])
  },
)

it('a message for two invoices loses the one that is paused, and goes on for the other', async () => {
  const both = await pair()
  const message = await worker.reserve(both[0].id, both[1].id)
  const { lead_invoice_id: leadId } = await messageOf(message)
  const lead = both.find(({ id }) => id === leadId)!
  const other = both.find(({ id }) => id !== leadId)!
  await trigger(other.id, { action: 'pause' })
  expect(await messageOf(message)).toMatchObject({ state: 'reserved', slots: 2, pending: 1 })
  await worker.send(message)
  const [mail, ...more] = mailsTo(lead.email)
  expect(more).toEqual([])
  expect(mail!.text).toContain(lead.number)
  expect(mail!.text).not.toContain(other.number)
  expect(await recoveryOf(lead.id)).toMatchObject({ step: 1, communication_id: null })
  expect(await recoveryOf(other.id)).toMatchObject({ step: 0, status: 'paused', communication_id: null })
  const history = (await installation.call<unknown[]>('GET', `/api/v1/workflow/invoice/${other.id}/history`))
    .body.data
  expect(history).toMatchObject([{ action: 'pause' }])
})

it('the invoice a message was made for takes it down; the others are looked at again at once', async () => {
  const both = await pair()
  const message = await worker.reserve(both[0].id, both[1].id)
  const { lead_invoice_id: leadId } = await messageOf(message)
  const other = both.find(({ id }) => id !== leadId)!
  await trigger(leadId, { action: 'pause' })
  expect(await messageOf(message)).toMatchObject({ state: 'cancelled', slots: 0, pending: 0 })
  // The day is free again, so the worker of the installation writes for the other invoice alone.
  const [mail] = await eventually(
    () => mailsTo(other.email),
    mails => mails.length > 0,
  )
  expect(mail!.text).toContain(other.number)
  expect(mail!.text).not.toContain(both.find(({ id }) => id === leadId)!.number)
  expect(await recoveryOf(leadId)).toMatchObject({ status: 'paused', step: 0 })
})

/** As if the message had passed its fence, and its provider had not answered yet. */
const handedOver = (message: string) =>
  installation.sql(
    `update communications set state = 'sending', token = gen_random_uuid(), lease_until = $2, committing_at = reserved_at where id = $1`,
    [message, new Date(Date.now() + 60_000).toISOString()],
  )
/** As if that sender had died before anything left: the next one may take the message. */
const letGo = (message: string) =>
  installation.sql(`update communications set lease_until = $2, committing_at = null where id = $1`, [
    message,
    new Date(Date.now() - 1_000).toISOString(),
  ])

it('what is with a provider already is named; if its fence turns out to be lost, nobody sends it any more', async () => {
  const { id, email } = await create()
  const message = await worker.reserve(id)
  await handedOver(message)
  const rehearsed = await trigger(id, { action: 'pause', dryRun: true })
  const answer = await trigger(id, { action: 'pause' })
  const inFlight = [{ communicationId: message, channel: 'email', action: 'email_prise_en_charge' }]
  expect(rehearsed.body.data.inFlight).toEqual(inFlight)
  expect(answer.body.data).toMatchObject({ status: 'paused', inFlight })
  await letGo(message)
  await worker.send(message)
  expect(mailsTo(email)).toHaveLength(0)
  expect(await recoveryOf(id)).toMatchObject({ status: 'paused', step: 0, communication_id: null })
})

it('an answer to the debtor that is reserved survives a stop, and is sent', async () => {
  const { id, email, debtor } = await create()
  const message = await worker.reserve(id)
  // As if the message that was reserved confirmed a promise.
  await installation.sql('update recoveries set communication_id = null where invoice_id = $1', [id])
  await installation.sql(`update communications set step = 'promise_confirmed' where id = $1`, [message])
  await installation.sql(
    `insert into extra_messages (tenant_id, id, invoice_id, debtor_id, step, channel, status, wish_at, due_at, communication_id, created_at)
     select tenant_id, id, $2, $3, 'promise_confirmed', 'email', 'planned', reserved_at, reserved_at, id, reserved_at
       from communications where id = $1`,
    [message, id, debtor.id],
  )
  await trigger(id, { action: 'pause' })
  expect(await messageOf(message)).toMatchObject({ state: 'reserved', pending: 1 })
  await worker.send(message)
  expect(mailsTo(email)).toHaveLength(1)
})

it('an escalation waits for the message that is being handed over, and the same request succeeds afterwards', async () => {
  const { id } = await create()
  const message = await worker.reserve(id)
  await handedOver(message)
  const key = { 'idempotency-key': 'escalate-once' }
  const refused = await trigger(id, { action: 'escalate' }, key)
  expect([refused.status, refused.body.error.code]).toEqual([423, 'RES_004'])
  expect(refused.headers.get('retry-after')).toBe('5')
  await letGo(message)
  await worker.send(message)
  const answer = await trigger(id, { action: 'escalate' }, key)
  expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([200, false])
})

it('an escalation cancels the reserved message of its step, frees its day, and keeps the extra messages', async () => {
  const { id } = await create({
    debtor: {
      name: 'Mercier SARL',
      email: 'compta@mercier.example',
      phone: '+33612345678',
      postalCode: '69002',
    },
  })
  const extra = await installation.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
    body: { channel: 'email', at: '2026-12-01T09:00:00Z' },
  })
  expect(extra.status, extra.text).toBe(202)
  await installation.sql(
    `update recoveries set step = 1, last_action = 'email_prise_en_charge' where invoice_id = $1`,
    [id],
  )
  await installation.sql(`update invoices set due_date = '2026-10-15' where id = $1`, [id])
  const message = await worker.reserve(id)
  const answer = await trigger(id, { action: 'escalate' })
  expect(answer.body.data).toMatchObject({ status: 'in_recovery', currentStep: 'sms_reminder' })
  // The day the email would have used is free for the text message.
  expect(answer.body.data.nextActionAt!.slice(0, 10)).toBe('2026-11-16')
  expect(await messageOf(message)).toMatchObject({ state: 'cancelled', slots: 0 })
  const [row] = await installation.sql<{ status: string }>(
    'select status from extra_messages where invoice_id = $1',
    [id],
  )
  expect(row).toEqual({ status: 'planned' })
})
