import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'stops or changes parts' })

/** The debtor of an invoice whose first message is not due yet. */
async function newDebtor(): Promise<string> {
  const { body } = await installation.call<{ debtor: { id: string } }>('POST', '/api/v1/invoices', {
    body: invoiceInput({ dueDate: '2026-12-01' }),
  })
  return body.data.debtor.id
}

const contactOf = async (debtorId: string) => {
  const { body } = await installation.call<{ account: { nextContact: { channel: string } | null } }>(
    'GET',
    `/api/v1/debtors/${debtorId}?include=account`,
  )
  return body.data.account.nextContact
}

const storedPlan = async (debtorId: string) => {
  const [agenda] = await installation.sql<{ contact_channel: string | null; is_planned: boolean }>(
    `select a.contact_channel, a.plan_generation = a.wake_generation and t.stale_plans_cursor is null as is_planned
       from agendas a join tenants t on t.id = a.tenant_id where a.debtor_id = $1`,
    [debtorId],
  )
  return agenda!
}
const storedAnew = (debtorId: string) =>
  eventually(
    () => storedPlan(debtorId),
    ({ is_planned }) => is_planned,
  )

it('a channel that has no provider any more is announced to nobody', async () => {
  const debtorId = await newDebtor()
  expect(await contactOf(debtorId)).toMatchObject({ channel: 'email' })
  await storedAnew(debtorId)
  await installation.sql(`update installation set missing_channels = array['email', 'sms', 'lrar', 'voice']`)
  expect(await contactOf(debtorId)).toBeNull()
  expect(await storedAnew(debtorId)).toMatchObject({ contact_channel: null })

  await installation.sql(`update installation set missing_channels = '{}'`)
  expect(await contactOf(debtorId)).toMatchObject({ channel: 'email' })
  expect(await storedAnew(debtorId)).toMatchObject({ contact_channel: 'email' })
})

it('a changed cap changes the announced moment at once, and the stored one soon after', async () => {
  const sandbox = await newSandbox(installation)
  const { id, debtor } = await sandbox.invoice({ debtor: lyonDebtor('Morel SARL') })
  await sandbox.advanceToDay('2026-11-17')
  const next = async () => (await sandbox.nextAction(id)).scheduledAt
  expect(await next()).toMatch(/^2026-11-21/)
  await sandbox.done('PUT', '/api/v1/company', { caps: { contactsPerWeek: 1, contactsPerMonth: 8 } })
  expect(await next()).toMatch(/^2026-11-2[3-5]/)
  await storedAnew(debtor.id)
  expect(await next()).toMatch(/^2026-11-2[3-5]/)
})
