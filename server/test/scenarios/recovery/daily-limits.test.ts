import { expect, it } from 'vitest'
import type { CreatedCompany } from '../../../src/features/access/companies/create-company.ts'
import { changeDailyLimit } from '../../../src/features/access/companies/operate.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock' })
const operator = operatorCalls(installation)
const manual = useManualWorker(installation)
const sunday = Date.parse('2026-11-15T10:00:00+01:00')
const tuesdayMorning = mondayMorning + 86_400_000

let companies = 0
const newCompany = (): Promise<CreatedCompany> =>
  installation.server.createCompany({
    name: `Maison ${++companies}`,
    ownerEmail: `maison${companies}@maison.example`,
    tier: 'enterprise',
    sellsTo: 'business',
  })

const limit = (companyId: string, messages: number | undefined, cents?: number) =>
  operator.withContext(context => changeDailyLimit(context, { companyId, channel: 'email', messages, cents }))

const mailsTo = (addresses: readonly string[]) =>
  installation.server.mailbox.messages().filter(mail => addresses.includes(mail.to))

interface Imported {
  id: string
  address: string
}

/** Invoices of Sunday whose first message is due on Monday morning, all at once. */
async function dueInvoices(
  company: CreatedCompany,
  count: number,
  debtorOf: (i: number) => object = () => ({}),
): Promise<Imported[]> {
  await installation.setNow(sunday)
  const imported: Imported[] = []
  for (let i = 0; i < count; i++) {
    const input = invoiceInput()
    const debtor = { ...input.debtor, ...debtorOf(i) }
    const made = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: { ...input, debtor },
      key: company.productionKey,
    })
    expect(made.status, made.text).toBe(201)
    imported.push({ id: made.body.data.id, address: debtor.email })
  }
  return imported
}

async function becomeDue(company: CreatedCompany, now: number): Promise<void> {
  const tenant = company.tenants.production
  await installation.setNow(now)
  await installation.sql(
    `update recoveries set wish_at = $2, due_at = $2 where tenant_id = $1 and due_at is not null and communication_id is null and last_action is null`,
    [tenant, new Date(now - 60_000).toISOString()],
  )
  await installation.sql(
    `update agendas a set wake_at = clock_timestamp(), wake_generation = wake_generation + 1 where tenant_id = $1
        and exists (select from recoveries r where r.debtor_id = a.debtor_id and r.last_action is null)`,
    [tenant],
  )
}

/** Until nothing is due or pending for the company any more. */
const idle = (company: CreatedCompany) =>
  eventually(
    () =>
      installation.sql<{ n: number }>(
        `select (select count(*) from pending_sends where tenant_id = $1)::int
              + (select count(*) from agendas where tenant_id = $1 and wake_at <= clock_timestamp())::int as n`,
        [company.tenants.production],
      ),
    ([found]) => found!.n === 0,
  )

const nextOf = async (company: CreatedCompany, { id }: Imported) =>
  (
    await installation.call<{
      nextAction: string
      reasonCode: string
      scheduledAt: string
      blockedBy: string[]
    }>('GET', `/api/v1/workflow/invoice/${id}/next-action`, { key: company.productionKey })
  ).body.data

it('of twelve messages that are due at once exactly as many leave as the day allows; the others wait for the next day', async () => {
  const company = await newCompany()
  await limit(company.companyId, 5)
  const invoices = await dueInvoices(company, 12)
  const addresses = invoices.map(({ address }) => address)
  await becomeDue(company, mondayMorning)
  await idle(company)
  const sent = new Set(mailsTo(addresses).map(mail => mail.to))
  expect([mailsTo(addresses).length, sent.size]).toEqual([5, 5])
  const waiting = invoices.filter(({ address }) => !sent.has(address))
  for (const invoice of waiting) {
    const next = await nextOf(company, invoice)
    expect(next).toMatchObject({
      nextAction: 'email_prise_en_charge',
      reasonCode: 'daily_cap',
      blockedBy: ['daily_cap'],
    })
    expect(next.scheduledAt.slice(0, 10)).toBe('2026-11-17')
  }
  await limit(company.companyId, undefined)
  await becomeDue(company, tuesdayMorning)
  await idle(company)
  expect(mailsTo(addresses).length).toBe(12)
  expect(new Set(mailsTo(addresses).map(mail => mail.to)).size).toBe(12)
})

it('money limits like messages: without a budget for emails none leaves', async () => {
  const company = await newCompany()
  await limit(company.companyId, 1_000, 0)
  const invoices = await dueInvoices(company, 2)
  await becomeDue(company, mondayMorning)
  await idle(company)
  expect(mailsTo(invoices.map(({ address }) => address))).toEqual([])
  expect(await nextOf(company, invoices[0]!)).toMatchObject({ reasonCode: 'daily_cap' })
})

it('a message that was claimed and not handed over is not counted', async () => {
  const company = await newCompany()
  const [invoice] = await dueInvoices(company, 1)
  await installation.setNow(mondayMorning)
  const countedSends = () =>
    installation.sql<{ sent: number; contacts: number }>(
      `select (select coalesce(sum(sent), 0) from daily_sends where tenant_id = $1)::int as sent,
              (select coalesce(sum(contacts), 0) from daily_contacts)::int as contacts`,
      [company.tenants.production],
    )
  const [before] = await countedSends()
  const communicationId = await manual.reserve(invoice!.id)
  let during: unknown
  await manual.send(communicationId, async () => {
    during = (await countedSends())[0]
    await operator.close(company.companyId)
  })
  expect(during).toEqual({ sent: 1, contacts: before!.contacts + 1 })
  expect((await countedSends())[0]).toEqual({ sent: 0, contacts: before!.contacts })
})

it('a person is written to by three companies a day at most, whatever the spelling; a fourth waits and is not told why', async () => {
  const email = `personne${Date.now()}@durand.example`
  const spellings = [email, email.toUpperCase(), email.replace('@', '+autre@'), email]
  const made: { company: CreatedCompany; invoice: Imported }[] = []
  for (const spelling of spellings) {
    const company = await newCompany()
    const [invoice] = await dueInvoices(company, 1, () => ({ email: spelling }))
    made.push({ company, invoice: invoice! })
  }
  for (const { company } of made) {
    await becomeDue(company, mondayMorning)
    await idle(company)
  }
  const received = installation.server.mailbox
    .messages()
    .filter(mail => spellings.some(spelling => mail.to.toLowerCase() === spelling.toLowerCase()))
  expect(received).toHaveLength(3)
  const { company, invoice } = made[3]!
  const next = await nextOf(company, invoice)
  expect(next).toMatchObject({ nextAction: 'email_prise_en_charge', reasonCode: 'cascade', blockedBy: [] })
  expect(next.scheduledAt.slice(0, 10)).toBe('2026-11-17')
  const read = (path: string) =>
    installation.call<{ actions: object[] }>('GET', `/api/v1${path}`, { key: company.productionKey })
  const [debtor] = await installation.sql<{ id: string }>(
    'select debtor_id as id from invoices where id = $1',
    [invoice.id],
  )
  for (const path of [
    `/invoices/${invoice.id}`,
    `/debtors/${debtor!.id}/contacts`,
    ...['', '/history', '/plan', '/next-action'].map(end => `/workflow/invoice/${invoice.id}${end}`),
  ]) {
    const seen = await read(path)
    expect(seen.status, path).toBe(200)
    expect(seen.text.replaceAll(email, ''), path).not.toMatch(/person_?cap|other compan/i)
  }
  const plan = await read(`/workflow/invoice/${invoice.id}/plan`)
  expect(plan.body.data.actions[0]).toMatchObject({
    action: 'email_prise_en_charge',
    reasonCode: 'cascade',
    scheduledAt: next.scheduledAt,
  })
  await becomeDue(company, tuesdayMorning)
  await idle(company)
  expect(mailsTo([email]).length).toBeGreaterThan(1)
})

it('twelve contacts in thirty days are the most, and the sandbox counts nothing', async () => {
  const company = await newCompany()
  const [invoice] = await dueInvoices(company, 1)
  await becomeDue(company, mondayMorning)
  await idle(company)
  const people = await installation.sql<{ person: Buffer }>(
    `select person from daily_contacts order by person`,
  )
  // Eleven earlier contacts of everybody, on eleven days of the month.
  await installation.sql(
    `insert into daily_contacts select person, '2026-11-16'::date - n, 1 from daily_contacts, generate_series(1, 12) n where day = '2026-11-16'`,
  )
  const other = await newCompany()
  const [again] = await dueInvoices(other, 1, () => ({ email: invoice!.address }))
  await becomeDue(other, mondayMorning)
  await idle(other)
  expect(mailsTo([again!.address])).toHaveLength(1)
  const before = await installation.sql<{ n: number }>('select count(*)::int as n from daily_contacts')
  await installation.call('POST', '/api/v1/invoices', {
    body: invoiceInput(),
    key: other.sandboxKey,
  })
  await new Promise(resolve => setTimeout(resolve, 1_500))
  expect(await installation.sql('select count(*)::int as n from daily_contacts')).toEqual(before)
  expect(people.every(({ person }) => person.length === 32)).toBe(true)
})

it('counts end after thirty-one days', async () => {
  await installation.sql(
    `insert into daily_contacts values ('\\x01', '2026-01-01', 1), ('\\x01', '2026-02-01', 1)`,
  )
  await installation.sql(`select purge_send_counts('2026-02-01T12:00:00Z', 1000)`)
  const left = await installation.sql<{ day: string }>(
    `select day::text from daily_contacts where person = '\\x01'`,
  )
  expect(left).toEqual([{ day: '2026-02-01' }])
})
