import { expect, it } from 'vitest'
import { useHandWorker } from '../../../../test/harness/hand-worker.ts'
import { invoiceInput, useHouse } from '../../../../test/harness/house.ts'
import { lyon, newSandbox, told } from '../../../../test/harness/sandbox.ts'

const house = useHouse({ redisUrl: undefined })
const worker = useHandWorker(house)

interface OptOut {
  channel: string
  closedChannels: { channel: string; because: string }[]
  inFlight: { communicationId: string }[]
}

/** Due in the future: nothing is sent unless a test asks for it. */
const create = async (changes: Record<string, unknown> = {}) => {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await house.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', { body: input })
  ).body
  return { ...data, email: input.debtor.email }
}
const optOut = (id: string, channel: string, reason?: string) =>
  house.call<OptOut>('POST', `/api/v1/debtors/${id}/opt-out`, { body: { channel, reason } })
const messageOf = async (id: string) =>
  (
    await house.sql<{ state: string; reason: string | null; slots: number; pending: number }>(
      `select c.state, c.reason, (select count(*)::integer from contact_slots s where s.communication_id = c.id) as slots,
              (select count(*)::integer from pending_sends p where p.communication_id = c.id) as pending
         from communications c where c.id = $1`,
      [id],
    )
  )[0]!
const mailsTo = (address: string) => house.installation.mailbox.messages().filter(mail => mail.to === address)

it('closes the channel with the answer: what is reserved on it is cancelled and nothing leaves', async () => {
  const { id, debtor, email } = await create()
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
  // The house's worker may have looked since, and left the step out.
  const [told] = (await house.call<object[]>('GET', `/api/v1/workflow/invoice/${id}/history`)).body.data
  expect(told).toMatchObject({
    action: 'opt_out',
    channel: 'email',
    status: 'done',
    details: 'The debtor does not want to be written to by email any more: Answered STOP',
  })
})

it('names what is already with a provider, on that channel only', async () => {
  const { id, debtor } = await create()
  const message = await worker.reserve(id)
  await house.sql(
    `update communications set state = 'sending', token = gen_random_uuid(), lease_until = '2100-01-01' where id = $1`,
    [message],
  )
  expect((await optOut(debtor.id, 'sms')).body.data.inFlight).toEqual([])
  expect((await optOut(debtor.id, 'email')).body.data.inFlight).toEqual([
    { communicationId: message, channel: 'email', action: 'email_prise_en_charge' },
  ])
})

it('leaves a message on another channel alone', async () => {
  const { id, debtor } = await create()
  const message = await worker.reserve(id)
  await optOut(debtor.id, 'voice')
  expect(await messageOf(message)).toMatchObject({ state: 'reserved', slots: 2, pending: 1 })
})

it('holds for every record with that address, whoever of them said so', async () => {
  const { debtor } = await create()
  const [record] = await house.sql<{ email: string }>('select email from debtors where id = $1', [debtor.id])
  const twin = await create({
    debtor: { name: 'Another name', email: record!.email.toUpperCase(), postalCode: '75001' },
  })
  expect(twin.debtor.id).not.toBe(debtor.id)
  const message = await worker.reserve(twin.id)
  await optOut(debtor.id, 'email')
  expect(await messageOf(message)).toMatchObject({ state: 'cancelled' })
  const contacts = await house.call('GET', `/api/v1/debtors/${twin.debtor.id}/contacts`)
  expect(contacts.body.data).toMatchObject({ closedChannels: [{ channel: 'email', because: 'opt_out' }] })
})

it('stays closed for the record when its address changes', async () => {
  const { debtor } = await create()
  await optOut(debtor.id, 'email')
  await house.call('PUT', `/api/v1/debtors/${debtor.id}`, { body: { email: 'new@address.example' } })
  const contacts = await house.call('GET', `/api/v1/debtors/${debtor.id}/contacts`)
  expect(contacts.body.data).toMatchObject({ closedChannels: [{ channel: 'email', because: 'opt_out' }] })
})

it('steps that need the channel are left out and the others go on, after three days of peace', async () => {
  const sandbox = await newSandbox(house)
  const { id, debtor } = await sandbox.invoice({ debtor: lyon('Silence SARL') })
  await sandbox.goTo('2026-11-24')
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/opt-out`, { channel: 'email' })
  await sandbox.goTo('2026-12-03')
  // The text message was due on the 25th.
  expect(told(await sandbox.history(id)).slice(1)).toEqual([
    '2026-11-21 relance_email_1 sent',
    '2026-11-24 opt_out done',
    '2026-11-27 sms_reminder sent',
    expect.stringMatching(/^2026-\d\d-\d\d relance_email_2 skipped$/),
  ])
  expect((await sandbox.messages()).map(message => message.channel)).toEqual(['sms', 'email', 'email'])
})

it('a message asked for beside the cascade on that channel is not sent either, nor looked at for ever', async () => {
  const { id, debtor, email } = await create()
  const asked = await house.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
    body: { channel: 'email', at: '2026-11-18T10:00:00+01:00' },
  })
  expect(asked.status, asked.text).toBe(202)
  await optOut(debtor.id, 'email')
  expect(
    await house.sql('select status, due_at from extra_messages where debtor_id = $1', [debtor.id]),
  ).toEqual([{ status: 'cancelled', due_at: null }])
  expect(mailsTo(email)).toEqual([])
})

it('said twice it is closed once', async () => {
  const { debtor } = await create({ debtor: { ...lyon('Deux Fois SARL') } })
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
  const { debtor } = await create()
  expect((await optOut(debtor.id, 'fax')).body.error).toMatchObject({ code: 'VAL_001' })
})
