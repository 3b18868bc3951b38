import { expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { historyLines, lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

interface OptOut {
  channel: string
  closedChannels: { channel: string; because: string }[]
  inFlight: { communicationId: string }[]
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
const optOut = (id: string, channel: string, reason?: string) =>
  installation.call<OptOut>('POST', `/api/v1/debtors/${id}/opt-out`, { body: { channel, reason } })
const messageOf = async (id: string) =>
  (
    await installation.sql<{ state: string; reason: string | null; slots: number; pending: number }>(
      `select c.state, c.reason, (select count(*)::integer from contact_slots s where s.communication_id = c.id) as slots,
              (select count(*)::integer from pending_sends p where p.communication_id = c.id) as pending
         from communications c where c.id = $1`,
      [id],
    )
  )[0]!
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)

it('closes the channel with the answer: what is reserved on it is cancelled and nothing leaves', async () => {
  const { id, debtor, email } = await createInvoice()
  const message = await worker.reserve(id)
  const answer = await optOut(debtor.id, 'email', 'Answered STOP')
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data).toEqual({
    debtorId: debtor.id,
    channel: 'email',
    closedChannels: [{ channel: 'email', because: 'opt_out' }],
    inFlight: [],
  })
  expect(await messageOf(message)).toEqual({ state: 'cancelled', reason: 'opt_out', slots: 0, pending: 0 })
  await worker.send(message)
  expect(mailsTo(email)).toEqual([])
  // The worker may have woken the debtor since, and skipped the step.
  const [optOutLine] = (await installation.call<object[]>('GET', `/api/v1/workflow/invoice/${id}/history`))
    .body.data
  expect(optOutLine).toMatchObject({
    action: 'opt_out',
    channel: 'email',
    status: 'done',
    details: 'The debtor does not want to be written to by email any more: Answered STOP',
  })
})

it('names what is already with a provider, on that channel only', async () => {
  const { id, debtor } = await createInvoice()
  const message = await worker.reserve(id)
  await installation.sql(
    `update communications set state = 'sending', token = gen_random_uuid(), lease_until = '2100-01-01', committing_at = reserved_at
      where id = $1`,
    [message],
  )
  expect((await optOut(debtor.id, 'sms')).body.data.inFlight).toEqual([])
  expect((await optOut(debtor.id, 'email')).body.data.inFlight).toEqual([
    { communicationId: message, channel: 'email', action: 'email_prise_en_charge' },
  ])
})

it('leaves a message on another channel alone', async () => {
  const { id, debtor } = await createInvoice()
  const message = await worker.reserve(id)
  await optOut(debtor.id, 'voice')
  expect(await messageOf(message)).toMatchObject({ state: 'reserved', slots: 2, pending: 1 })
})

it('holds for every record with that address, whoever of them said so', async () => {
  const { debtor } = await createInvoice()
  const [record] = await installation.sql<{ email: string }>('select email from debtors where id = $1', [
    debtor.id,
  ])
  const twin = await createInvoice({
    debtor: { name: 'Another name', email: record!.email.toUpperCase(), postalCode: '75001' },
  })
  expect(twin.debtor.id).not.toBe(debtor.id)
  const message = await worker.reserve(twin.id)
  await optOut(debtor.id, 'email')
  expect(await messageOf(message)).toMatchObject({ state: 'cancelled' })
  const contacts = await installation.call('GET', `/api/v1/debtors/${twin.debtor.id}/contacts`)
  expect(contacts.body.data).toMatchObject({ closedChannels: [{ channel: 'email', because: 'opt_out' }] })
})

it('stays closed for the record when its address changes', async () => {
  const { debtor } = await createInvoice()
  await optOut(debtor.id, 'email')
  await installation.call('PUT', `/api/v1/debtors/${debtor.id}`, { body: { email: 'new@address.example' } })
  const contacts = await installation.call('GET', `/api/v1/debtors/${debtor.id}/contacts`)
  expect(contacts.body.data).toMatchObject({ closedChannels: [{ channel: 'email', because: 'opt_out' }] })
})

it('steps that need the channel are left out and the others go on, after a quiet period of three days', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Silence SARL') })
  await sandbox.advanceToDay('2026-11-24')
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { channel: 'email' })
  await sandbox.advanceToDay('2026-12-03')
  // The text message was due on the 25th.
  expect(historyLines(await sandbox.history(id)).slice(1)).toEqual([
    '2026-11-21 relance_email_1 sent',
    '2026-11-24 opt_out done',
    '2026-11-27 sms_reminder sent',
    expect.stringMatching(/^2026-\d\d-\d\d relance_email_2 skipped$/),
  ])
  expect((await sandbox.messages()).map(message => message.channel)).toEqual(['sms', 'email', 'email'])
})

it('a message asked for beside the cascade on that channel is not sent either, and is cancelled', async () => {
  const { id, debtor, email } = await createInvoice()
  const asked = await installation.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
    body: { channel: 'email', at: '2026-11-18T10:00:00+01:00' },
  })
  expect(asked.status, asked.text).toBe(202)
  await optOut(debtor.id, 'email')
  expect(
    await installation.sql('select status, due_at from extra_messages where debtor_id = $1', [debtor.id]),
  ).toEqual([{ status: 'cancelled', due_at: null }])
  expect(mailsTo(email)).toEqual([])
})

it.each(['email', 'sms', 'voice'])(
  'refused, %s carries nothing more to the end of the cascade, also for an invoice that comes later',
  async channel => {
    const sandbox = await newSandbox(installation)
    const { debtor } = await sandbox.invoice({ debtor: lyonDebtor(`Plus De ${channel} SARL`) })
    await sandbox.advanceToDay('2026-11-18')
    await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { channel })
    await sandbox.invoice({ debtor: { id: debtor.id } })
    const before = (await sandbox.messages()).length
    await sandbox.advance('P90D')
    const after = (await sandbox.messages()).slice(0, -before).map(message => message.channel)
    expect(after.length).toBeGreaterThan(0)
    expect(after).not.toContain(channel)
  },
)

it('opting out twice closes the channel once', async () => {
  const { debtor } = await createInvoice({ debtor: { ...lyonDebtor('Deux Fois SARL') } })
  await optOut(debtor.id, 'sms')
  expect((await optOut(debtor.id, 'voice')).body.data.closedChannels).toEqual([
    { channel: 'sms', because: 'opt_out' },
    { channel: 'voice', because: 'opt_out' },
  ])
  expect((await optOut(debtor.id, 'sms')).status).toBe(200)
  const lrar = await optOut(debtor.id, 'lrar')
  expect(lrar.body.data.closedChannels.map(({ channel }) => channel)).toEqual(['lrar', 'sms', 'voice'])
})

it('refuses a channel nobody has', async () => {
  const { debtor } = await createInvoice()
  expect((await optOut(debtor.id, 'fax')).body.error).toMatchObject({ code: 'VAL_001' })
})
