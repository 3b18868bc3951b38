import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { simulator } from '../../../src/adapters/simulator.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import {
  type ApiResponse,
  eventually,
  invoiceInput,
  useInstallation,
} from '../../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

// As in an installation that has a provider for every channel.
beforeAll(() => installation.sql(`update installation set missing_channels = '{}'`))
const worker = useManualWorker(installation)
const refused = useManualWorker(installation, { email: simulator('email', async () => {}) })

interface Stopped {
  id: string
  inFlight: { communicationId: string; channel: string; action: string }[]
}
type Answer = ApiResponse<Stopped>
interface Invoice {
  id: string
  debtorId: string
  number: string
  email: string
}

async function create(changes: Record<string, unknown> = {}): Promise<Invoice> {
  const input = invoiceInput({ dueDate: '2027-02-01', ...changes })
  const { data } = (
    await installation.call<{ id: string; debtor: { id: string } }>('POST', '/api/v1/invoices', {
      body: input,
    })
  ).body
  return { id: data.id, debtorId: data.debtor.id, number: input.invoiceNumber, email: input.debtor.email }
}
const createFor = async ({ debtorId, email }: Invoice): Promise<Invoice> => ({
  ...(await create({ debtor: { id: debtorId } })),
  email,
})
const post = (path: string, body: Record<string, unknown> = {}, key?: string): Promise<Answer> =>
  installation.call<Stopped>('POST', `/api/v1${path}`, { body, ...(key && { key }) })
const payment = ({ id }: Invoice, amountCents: number): Promise<Answer> =>
  post('/payments', { invoiceId: id, amountCents, method: 'bank_transfer' })
const credit = ({ id, number }: Invoice, amountCents: number): Promise<Answer> =>
  post(`/invoices/${id}/credits`, { number: `A-${number}`, amountCents, issuedOn: '2026-11-01' })
async function settlePending({ id }: Invoice): Promise<Answer> {
  const pending = await post('/payments', {
    invoiceId: id,
    amountCents: 120_000,
    method: 'sepa_debit',
    status: 'pending',
  })
  return installation.call<Stopped>('PUT', `/api/v1/payments/${pending.body.data.id}`, {
    body: { status: 'completed' },
  })
}

/** After these nothing more is sent for the invoice today. */
const stops: [string, (invoice: Invoice) => Promise<Answer>][] = [
  ['a pause', ({ id }) => post(`/workflow/invoice/${id}/trigger`, { action: 'pause' })],
  ['the end of the recovery', ({ id }) => post(`/workflow/invoice/${id}/trigger`, { action: 'cancel' })],
  ['a cancellation', ({ id }) => post(`/invoices/${id}/cancel`, { reason: 'Invoiced twice' })],
  ['a dispute', ({ id }) => post(`/invoices/${id}/dispute`, { reason: 'Broken' })],
  ['a promise', ({ id }) => post(`/invoices/${id}/promise`, { date: '2026-11-30' })],
  ['a write-off', ({ id }) => post(`/invoices/${id}/write-off`, { basis: 'amicable_failed' })],
  ['a payment in full', invoice => payment(invoice, 120_000)],
  ['a payment in part', invoice => payment(invoice, 20_000)],
  ['a payment that was pending', settlePending],
  ['a credit in full', invoice => credit(invoice, 120_000)],
  ['an opt-out', ({ debtorId }) => post(`/debtors/${debtorId}/opt-out`, { channel: 'email' })],
  ['a pause of the debtor', ({ debtorId }) => post(`/debtors/${debtorId}/pause`)],
]

const messageOf = async (id: string) =>
  (
    await installation.sql(
      `select c.state, c.token is null as is_over, c.committing_at,
              (select count(*)::integer from contact_slots s where s.communication_id = c.id) as slots,
              (select count(*)::integer from pending_sends p where p.communication_id = c.id) as pending,
              (select count(*)::integer from message_codes m where m.communication_id = c.id) as codes
         from communications c where c.id = $1`,
      [id],
    )
  )[0]!
const sentToday = async () =>
  (
    await installation.sql<{ messages: number; contacts: number }>(
      `select (select coalesce(sum(sent), 0)::integer from daily_sends where tenant_id = $1) as messages,
              (select coalesce(sum(contacts), 0)::integer from daily_contacts) as contacts`,
      [installation.company.tenants.production],
    )
  )[0]!
const mailsTo = (address: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === address)
const firstMailTo = async (address: string) =>
  (
    await eventually(
      () => mailsTo(address),
      mails => mails.length > 0,
    )
  )[0]!
const named = (communicationId: string) => [
  { communicationId, channel: 'email', action: 'email_prise_en_charge' },
]
const cancelled = { state: 'cancelled', committing_at: null, slots: 0, pending: 0, codes: 0 }

describe('a message that is claimed and has not left', () => {
  it.each(stops)('does not leave after %s was answered', async (_, stop) => {
    const invoice = await create()
    const before = await sentToday()
    const message = await worker.claim(invoice.id)
    expect(await messageOf(message)).toMatchObject({ state: 'sending', slots: 2, pending: 1, codes: 1 })
    const answer = await stop(invoice)
    expect(answer.status, answer.text).toBeLessThan(300)
    expect(answer.body.data.inFlight).toEqual([])
    expect(await messageOf(message)).toMatchObject(cancelled)
    await worker.send(message)
    expect(await messageOf(message)).toMatchObject({ ...cancelled, is_over: true })
    expect(mailsTo(invoice.email)).toEqual([])
    expect(await sentToday()).toEqual(before)
  })

  it('does not leave if the payment comes when the mail server waits for its body', async () => {
    const invoice = await create()
    const before = await sentToday()
    const message = await worker.claim(invoice.id)
    await worker.send(message, async () => {
      expect((await payment(invoice, 120_000)).body.data.inFlight).toEqual([])
    })
    expect(await messageOf(message)).toMatchObject({ ...cancelled, is_over: true })
    expect(mailsTo(invoice.email)).toEqual([])
    expect(await sentToday()).toEqual(before)
  })

  it('is no failure when the provider refuses it after the stop', async () => {
    const { debtor } = invoiceInput()
    const invoice = await create({ debtor: { ...debtor, email: `bounce+${debtor.email}` } })
    const before = await sentToday()
    const message = await refused.claim(invoice.id)
    await payment(invoice, 120_000)
    await refused.send(message)
    expect(await messageOf(message)).toMatchObject({ ...cancelled, is_over: true })
    expect(await sentToday()).toEqual(before)
  })

  it('is written again after a credit in part, with the new sum', async () => {
    const invoice = await create()
    const before = await sentToday()
    const message = await worker.claim(invoice.id)
    expect((await credit(invoice, 20_000)).body.data.inFlight).toEqual([])
    await worker.send(message)
    const mail = await firstMailTo(invoice.email)
    expect(mail.communicationId).not.toBe(message)
    expect(mail.text.replaceAll(/\s/g, ' ')).toContain('1 000,00')
    expect(mailsTo(invoice.email)).toHaveLength(1)
    expect(await sentToday()).toEqual({ messages: before.messages + 1, contacts: before.contacts + 1 })
  })

  it('stays in a sandbox, where no message has a fence', async () => {
    const key = installation.company.sandboxKey
    const made = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      key,
      body: invoiceInput({ dueDate: '2027-02-01' }),
    })
    const message = await worker.claim(made.body.data.id)
    const path = `/workflow/invoice/${made.body.data.id}/trigger`
    expect((await post(path, { action: 'pause' }, key)).body.data.inFlight).toEqual(named(message))
    expect(await messageOf(message)).toMatchObject({ state: 'sending' })
  })
})

describe('a message for several invoices', () => {
  it.each(['lead', 'other'])('goes without the paid one, at once, if that is its %s', async which => {
    const first = await create()
    const both = [first, await createFor(first)]
    const message = await worker.claim(...both.map(({ id }) => id))
    const [row] = await installation.sql<{ lead_invoice_id: string }>(
      'select lead_invoice_id from communications where id = $1',
      [message],
    )
    const paid = both.find(({ id }) => (id === row!.lead_invoice_id) === (which === 'lead'))!
    const other = both.find(({ id }) => id !== paid.id)!
    expect((await payment(paid, 120_000)).body.data.inFlight).toEqual([])
    await worker.send(message)
    const mail = await firstMailTo(first.email)
    expect(mail.text).toContain(other.number)
    expect(mail.text).not.toContain(paid.number)
    expect(mailsTo(first.email)).toHaveLength(1)
  })

  it('brings no other invoice of the debtor forward', async () => {
    const first = await create()
    const later = await createFor(first)
    await installation.sql(
      `update recoveries set wish_at = wish, due_at = wish
         from (select clock_timestamp() + clock_offset_ms * interval '1 millisecond' + interval '26 hours' as wish from installation) n
        where invoice_id = $1`,
      [later.id],
    )
    // As it was announced while the message for the first was planned for now.
    const announced = Date.parse('2026-11-20T09:00:00+01:00')
    await installation.sql(
      `update agendas set plan = jsonb_build_object('invoices', '[]'::jsonb, 'next', jsonb_build_object($2::text,
         jsonb_build_object('kind', 'send', 'at', $3::bigint))), plan_generation = wake_generation where debtor_id = $1`,
      [first.debtorId, later.id, announced],
    )
    const message = await worker.claim(first.id)
    await payment(first, 120_000)
    expect(await messageOf(message)).toMatchObject(cancelled)
    const [kept] = await installation.sql<{ not_before: Date }>(
      'select not_before from recoveries where invoice_id = $1',
      [later.id],
    )
    expect(kept!.not_before.getTime()).toBe(announced)
  })
})

/** A transaction that holds the row of a message, as its fence does. */
async function hold(communicationId: string, isWriting: boolean) {
  const client = new pg.Client({ connectionString: installation.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(
    isWriting
      ? 'update communications set committing_at = clock_timestamp() where id = $1'
      : 'select from communications where id = $1 for no key update',
    [communicationId],
  )
  return async (end: 'commit' | 'rollback') => {
    await client.query(end)
    await client.end()
  }
}
const fenced = (communicationId: string) =>
  installation.sql('update communications set committing_at = clock_timestamp() where id = $1', [
    communicationId,
  ])

describe('a message at its fence', () => {
  it.each(stops)('is named after %s, because it cannot be stopped any more', async (_, stop) => {
    const invoice = await create()
    const message = await worker.claim(invoice.id)
    await fenced(message)
    expect((await stop(invoice)).body.data.inFlight).toEqual(named(message))
    expect(await messageOf(message)).toMatchObject({ state: 'sending', slots: 2, pending: 1, codes: 1 })
  })

  it.each([
    ['commit', 'named', true],
    ['rollback', 'cancelled', false],
  ] as const)('that ends with a %s while the act waits is %s', async (end, _, isNamed) => {
    const invoice = await create()
    const message = await worker.claim(invoice.id)
    const release = await hold(message, true)
    const answer = payment(invoice, 120_000)
    await new Promise(resolve => setTimeout(resolve, 100))
    await release(end)
    expect((await answer).body.data.inFlight).toEqual(isNamed ? named(message) : [])
    expect(await messageOf(message)).toMatchObject({ state: isNamed ? 'sending' : 'cancelled' })
  })

  it('that takes longer than the act waits is named', async () => {
    const invoice = await create()
    const message = await worker.claim(invoice.id)
    const release = await hold(message, true)
    const answer = await post(`/debtors/${invoice.debtorId}/opt-out`, { channel: 'email' })
    expect(answer.body.data.inFlight).toEqual(named(message))
    await release('commit')
  })

  it('waits for an act that is rehearsed at this moment, and leaves', async () => {
    const invoice = await create()
    const message = await worker.claim(invoice.id)
    const release = await hold(message, false)
    const sending = worker.send(message)
    await new Promise(resolve => setTimeout(resolve, 200))
    await release('rollback')
    await sending
    expect(mailsTo(invoice.email)).toHaveLength(1)
  })
})

it('a rehearsed stop says what it would stop, and stops nothing', async () => {
  const invoice = await create()
  const message = await worker.claim(invoice.id)
  const path = `/workflow/invoice/${invoice.id}/trigger`
  expect((await post(path, { action: 'pause', dryRun: true })).body.data.inFlight).toEqual([])
  await worker.send(message)
  expect(mailsTo(invoice.email)).toHaveLength(1)
})
