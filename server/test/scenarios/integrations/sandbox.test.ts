import { expect, it } from 'vitest'
import { sdkOf } from '../../harness/sdk.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation({ own: 'reads the whole installation' })

it('a sandbox invoice becomes a stored message, and not one byte goes to a mail server', async () => {
  const input = invoiceInput()
  const relance = sdkOf(installation, installation.company.sandboxKey)
  const { id } = await relance.invoices.create(input)
  const workflow = await eventually(
    () => relance.workflow.get(id),
    seen => seen.actionsCompleted === 1,
  )
  expect(workflow).toMatchObject({ status: 'in_recovery', currentStep: 'relance_email_1' })
  const messages = await installation.sql(
    'select m.recipient, m.subject, t.environment from sandbox_messages m join tenants t on t.id = m.tenant_id',
  )
  expect(messages).toMatchObject([{ recipient: input.debtor.email, environment: 'sandbox' }])
  expect(installation.server.mailbox.connections()).toBe(0)
})

it('a sandbox address that bounces leaves a failed message in the history, frees the day, and the step waits', async () => {
  const input = invoiceInput({
    debtor: { name: 'Gone SARL', email: 'bounce+1@gone.example', postalCode: '69002' },
  })
  const relance = sdkOf(installation, installation.company.sandboxKey)
  const { id } = await relance.invoices.create(input)
  const history = await eventually(
    async () => (await relance.workflow.history(id)).data,
    seen => seen.length === 2,
  )
  expect(history).toMatchObject([
    { action: 'email_prise_en_charge', status: 'failed' },
    { action: 'address_refused', status: 'done' },
  ])
  const slots = await installation.sql(
    'select 1 from contact_slots s join communications c on c.id = s.communication_id where c.state = $1',
    ['failed'],
  )
  expect(slots).toHaveLength(0)
  expect(await relance.workflow.get(id)).toMatchObject({
    status: 'paused',
    currentStep: 'email_prise_en_charge',
    actionsCompleted: 0,
  })
})

it('a first notice whose outcome is unknown counts as a contact, is not repeated that day, and is given again after three days', async () => {
  const input = invoiceInput({
    debtor: { name: 'Fog SARL', email: 'unknown+1@fog.example', postalCode: '69002' },
  })
  const relance = sdkOf(installation, installation.company.sandboxKey)
  const { id } = await relance.invoices.create(input)
  await eventually(
    async () => (await relance.workflow.history(id)).data,
    seen => seen.length === 1,
  )
  const next = await relance.workflow.nextAction(id)
  expect(next).toMatchObject({
    nextAction: 'email_prise_en_charge',
    reasonCode: 'channel_cooldown',
  })
  expect(next.scheduledAt! >= '2026-11-19T08:15').toBe(true)
})
