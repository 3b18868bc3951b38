import { expect, it } from 'vitest'
import { asAdmin } from '../../../dev/database.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

interface Contact {
  at: string
  channel: string
  invoiceIds: string[]
}
interface Listed {
  id: string
  debtor: { id: string }
  recovery: { nextActionAt: string | null; nextChannel: string | null; withInvoiceId: string | null }
}

const get = async <T>(sandbox: Sandbox, path: string): Promise<T> =>
  (await sandbox.call<T>('GET', `/api/v1${path}`)).body.data
const listed = (sandbox: Sandbox, query = '') =>
  get<Listed[]>(sandbox, `/invoices?include=recovery&limit=100${query}`)
const contactOf = async (sandbox: Sandbox, debtorId: string) =>
  (await get<{ account: { nextContact: Contact | null } }>(sandbox, `/debtors/${debtorId}?include=account`))
    .account.nextContact
const plannedOf = async (sandbox: Sandbox, debtorId: string) =>
  (await get<{ planned: Contact[] }>(sandbox, `/debtors/${debtorId}/calendar`)).planned

it('the header, the lists and the calendar name one moment, and the message leaves then', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Vasseur SARL')
  await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-11-17')
  await sandbox.invoice({ debtor, dueDate: '2026-11-23', amountCents: 34_500 })
  const [{ debtor: whose }] = (await listed(sandbox)) as [Listed]
  for (let day = 18; day <= 30; day++) {
    const contact = await contactOf(sandbox, whose.id)
    const [planned] = await plannedOf(sandbox, whose.id)
    expect(contact).toMatchObject({
      at: planned!.at,
      channel: planned!.channel,
      invoiceIds: planned!.invoiceIds,
    })
    const rows = await listed(sandbox)
    for (const { id, recovery } of rows)
      if (contact!.invoiceIds.includes(id))
        expect(recovery).toMatchObject({ nextActionAt: contact!.at, nextChannel: contact!.channel })
    const before = (await sandbox.messages()).length
    await sandbox.advanceToDay(`2026-11-${day}`)
    const isToday = contact!.at < `2026-11-${day}T11:00:00.000Z`
    if (isToday)
      expect((await sandbox.messages())[0]).toMatchObject({
        createdAt: contact!.at,
        channel: contact!.channel,
      })
    else expect(await sandbox.messages()).toHaveLength(before)
  }
})

it('a call that cannot be made is not announced: the email after it is', async () => {
  const sandbox = await newSandbox(installation)
  const { phone, ...debtor } = lyonDebtor('Dumas SARL') as Record<string, unknown>
  expect(phone).toBeDefined()
  const { id } = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-12-01')
  const [row] = await listed(sandbox)
  expect(await sandbox.nextAction(id)).toMatchObject({
    nextAction: 'relance_email_3',
    skipped: [{ action: 'ai_call', reasonCode: 'no_phone' }],
  })
  const contact = await contactOf(sandbox, row!.debtor.id)
  expect(contact).toMatchObject({ channel: 'email', at: row!.recovery.nextActionAt })
  await sandbox.advanceToDay('2026-12-12')
  expect((await sandbox.messages())[0]).toMatchObject({ channel: 'email', createdAt: contact!.at })
})

it('a filter by the next contact finds the invoices of that message and no other', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Chabert SARL')
  const { id: first } = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-11-17')
  await sandbox.invoice({ debtor, dueDate: '2027-01-15' })
  const [{ debtor: whose }] = (await listed(sandbox)) as [Listed]
  const { at } = (await contactOf(sandbox, whose.id))!
  expect((await listed(sandbox, `&nextFrom=${at}&nextTo=${at}`)).map(({ id }) => id)).toEqual([first])
  const ordered = await listed(sandbox, `&nextFrom=${at}&nextTo=${at}&sortBy=next_action_at`)
  expect(ordered.map(({ id }) => id)).toEqual([first])
})

it('an act changes every list at once, and brings no message of another invoice forward', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Le Goff SARL')
  const { id: first } = await sandbox.invoice({ debtor })
  const { id: second } = await sandbox.invoice({ debtor, dueDate: '2026-11-18', amountCents: 90_000 })
  await sandbox.advanceToDay('2026-11-18')
  const announced = (await listed(sandbox)).find(({ id }) => id === second)!
  await sandbox.simulate('payment', { invoiceId: first })
  const after = (await listed(sandbox)).find(({ id }) => id === second)!
  expect(after.recovery.nextActionAt! >= announced.recovery.nextActionAt!).toBe(true)
  expect(await contactOf(sandbox, after.debtor.id)).toMatchObject({ at: after.recovery.nextActionAt })
  expect((await listed(sandbox)).find(({ id }) => id === first)!.recovery.nextActionAt).toBeNull()
})

it('a paused debtor has no next contact, and one paused until a day has the one after it', async () => {
  const sandbox = await newSandbox(installation)
  await sandbox.invoice({ debtor: lyonDebtor('Vidal SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const [{ debtor }] = (await listed(sandbox)) as [Listed]
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, { reason: 'Asked' })
  expect(await contactOf(sandbox, debtor.id)).toBeNull()
  await sandbox.done('POST', `/api/v1/debtors/${debtor.id}/pause`, {
    reason: 'Asked',
    until: '2026-11-20T09:00:00+01:00',
  })
  const contact = await contactOf(sandbox, debtor.id)
  const [planned] = await plannedOf(sandbox, debtor.id)
  expect(contact).toMatchObject({ at: planned!.at })
  await sandbox.advance({ to: contact!.at })
  expect((await sandbox.messages())[0]).toMatchObject({ createdAt: contact!.at })
})

it('a dry run shows the other invoices whose plan would change', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Propréa SARL')
  const { id: first } = await sandbox.invoice({ debtor })
  await sandbox.advanceToDay('2026-11-17')
  const { id: second } = await sandbox.invoice({ debtor, dueDate: '2026-11-20' })
  const { plan } = await sandbox.done<{
    plan: Record<'before' | 'after', { invoiceId: string; actions: { scheduledAt: string }[] }[]>
  }>('POST', `/api/v1/workflow/invoice/${first}/communications`, {
    channel: 'email',
    at: '2026-11-20T10:00:00+01:00',
    dryRun: true,
  })
  expect(plan.before.map(({ invoiceId }) => invoiceId)).toEqual([first, second])
  expect(plan.after[1]!.actions[0]!.scheduledAt > plan.before[1]!.actions[0]!.scheduledAt).toBe(true)
})

it('an event announces the first message only where no other invoice of the debtor has a plan', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Dupré SARL')
  const startedOf = async (id: string) =>
    (await sandbox.events(id)).find(({ type }) => type === 'workflow.started')!.data
  const { id: first } = await sandbox.invoice({ debtor, dueDate: '2026-11-20' })
  const contact = await sandbox.nextAction(first)
  expect(await startedOf(first)).toMatchObject({ nextActionAt: contact.scheduledAt })
  const { id: second } = await sandbox.invoice({ debtor, dueDate: '2026-11-21' })
  expect(await startedOf(second)).toMatchObject({ nextAction: 'email_prise_en_charge', nextActionAt: null })
})

it('the plan of an invoice that waits for a decision has the message that was asked for', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Aubert SARL') })
  await sandbox.advanceToDay('2027-01-15')
  expect(await sandbox.nextAction(id)).toMatchObject({ scheduledAt: null, reasonCode: 'awaiting_decision' })
  const planOf = () =>
    get<{ reasonCode: string; actions: { scheduledAt: string; communicationId: string | null }[] }>(
      sandbox,
      `/workflow/invoice/${id}/plan`,
    )
  expect(await planOf()).toMatchObject({ reasonCode: 'awaiting_decision', actions: [] })
  const asked = await sandbox.done<{ id: string; scheduledAt: string }>(
    'POST',
    `/api/v1/workflow/invoice/${id}/communications`,
    { channel: 'email', at: '2027-01-20T10:00:00+01:00' },
  )
  const [planned] = await plannedOf(sandbox, debtor.id)
  expect(planned).toMatchObject({ at: asked.scheduledAt, invoiceIds: [id] })
  expect(await contactOf(sandbox, debtor.id)).toMatchObject({ at: planned!.at, step: 'extra_message' })
  expect((await planOf()).actions).toMatchObject([
    { scheduledAt: planned!.at, communicationId: expect.any(String) },
  ])
})

it('a contact of another record of the person moves a plan that was locked at that moment', async () => {
  const phone = `+336${String(Math.random()).slice(2, 10)}`
  const create = async (name: string, dueDate: string) => {
    const body = invoiceInput({ dueDate, debtor: { ...lyonDebtor(name), phone } })
    return (await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', { body })).body
      .data.debtor.id
  }
  const nextAt = async (debtorId: string) => {
    const path = `/api/v1/debtors/${debtorId}?include=account`
    const { body } = await installation.call<{ account: { nextContact: Contact } }>('GET', path)
    return body.data.account.nextContact.at
  }
  const waiting = await create('Moulin SARL', '2026-11-16')
  await eventually(
    () =>
      installation.sql('select from agendas where debtor_id = $1 and plan_generation = wake_generation', [
        waiting,
      ]),
    ({ length }) => length === 1,
  )
  expect(await nextAt(waiting)).toContain('2026-11-17')
  await asAdmin(installation.database.adminUrl, async other => {
    await other.query('begin')
    await other.query('select from agendas where debtor_id = $1 for no key update', [waiting])
    const contacted = await create('Moulin et fils', '2026-10-15')
    await eventually(
      () =>
        installation.sql(`select from communications where debtor_id = $1 and state = 'sent'`, [contacted]),
      ({ length }) => length === 1,
    )
    await other.query('commit')
  })
  await eventually(
    () => nextAt(waiting),
    at => at >= '2026-11-19T08:15',
  )
})
