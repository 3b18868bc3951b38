import { afterEach, expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ env: { PROVIDER_RETRY_SECONDS: '1' } })
let serial = 0

afterEach(() => installation.server.mailbox.setMood(null))

interface Created {
  id: string
  email: string
}

const newInvoice = async (): Promise<Created> => {
  const email = `service-${++serial}@client-${serial}.example`
  const { status, body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
    body: invoiceInput({ debtor: { name: `Client ${serial}`, email, postalCode: '69002', city: 'Lyon' } }),
  })
  expect(status).toBe(201)
  return { id: body.data.id, email }
}
const newInvoices = (count: number) => Promise.all(Array.from({ length: count }, newInvoice))
const mailsTo = (address: string) => installation.server.mailbox.messages().filter(({ to }) => to === address)
const outages = () =>
  installation.sql<{ channel: string; provider: string; failures: number; is_away: boolean }>(
    'select channel, provider, failures, until is not null as is_away from provider_outages',
  )
const nextAction = async (id: string) =>
  (await installation.call<{ reasonCode: string }>('GET', `/api/v1/workflow/invoice/${id}/next-action`)).body
    .data
const attemptsOf = async (invoices: readonly Created[]) =>
  (
    await installation.sql<{ attempt: number }>(
      'select attempt from recoveries where invoice_id = any ($1)',
      [invoices.map(({ id }) => id)],
    )
  ).map(({ attempt }) => attempt)

const untilAway = () =>
  eventually(outages, rows => rows.some(({ channel, is_away }) => channel === 'email' && is_away))
const untilWritten = (invoices: readonly Created[]) =>
  eventually(
    () => invoices.map(({ email }) => mailsTo(email).length),
    counts => counts.every(count => count > 0),
  )

it('a mail server that refuses our account costs nobody an attempt, and everybody is written to once', async () => {
  installation.server.mailbox.setMood('refusing')
  const invoices = await newInvoices(6)
  await untilAway()
  const waiting = await eventually(
    () => nextAction(invoices[0]!.id),
    ({ reasonCode }) => reasonCode === 'provider_away',
  )
  expect(waiting).toMatchObject({ reasonCode: 'provider_away', blockedBy: ['provider_away'] })
  const plan = await installation.call<{ actions: { reasonCode: string }[] }>(
    'GET',
    `/api/v1/workflow/invoice/${invoices[0]!.id}/plan`,
  )
  expect(plan.body.data.actions[0]).toMatchObject({ reasonCode: 'provider_away', skipped: false })
  // Longer than the three attempts of a message last here.
  await eventually(outages, ([outage]) => outage!.failures > 5)
  expect(await attemptsOf(invoices)).toEqual(invoices.map(() => 0))
  installation.server.mailbox.setMood(null)
  await untilWritten(invoices)
  expect(invoices.map(({ email }) => mailsTo(email).length)).toEqual(invoices.map(() => 1))
  expect(await eventually(outages, rows => rows.length === 0)).toEqual([])
  const slots = await installation.sql('select from contact_slots where counts')
  expect(slots.length).toBeGreaterThanOrEqual(invoices.length)
})

it('while the provider is away one message at a time tries it', async () => {
  installation.server.mailbox.setMood('throttled')
  const invoices = await newInvoices(12)
  await untilAway()
  const lapsed = async () =>
    (
      await installation.sql<{ n: number }>(
        `select count(*)::int as n from communications where state = 'lapsed' and reason like 'mail 451%'`,
      )
    )[0]!.n
  // By then those that were on their way when it went away have come back.
  const [before] = await eventually(outages, ([outage]) => outage!.failures >= 5)
  const lapsedBefore = await lapsed()
  await eventually(outages, ([outage]) => outage!.failures >= before!.failures + 3)
  const [after] = await outages()
  // Each failure that counts is one message that was tried.
  expect((await lapsed()) - lapsedBefore).toBeLessThanOrEqual(after!.failures - before!.failures + 1)
  installation.server.mailbox.setMood(null)
  await untilWritten(invoices)
})

it('a provider that the operator stopped is left alone until it is resumed', async () => {
  const [{ providers }] = (await installation.sql<{ providers: Record<string, string> }>(
    'select providers from installation',
  )) as [{ providers: Record<string, string> }]
  expect(providers.email).toBe('smtp')
  await installation.sql(
    `insert into stops (id, scope, target, reason, since, stopped_by) values (gen_random_uuid(), 'provider', 'smtp', 'moving', clock_timestamp(), 'test')`,
  )
  const invoice = await newInvoice()
  const waiting = await eventually(
    () => nextAction(invoice.id),
    ({ reasonCode }) => reasonCode === 'sending_stopped',
  )
  expect(waiting.reasonCode).toBe('sending_stopped')
  expect(mailsTo(invoice.email)).toEqual([])
})
