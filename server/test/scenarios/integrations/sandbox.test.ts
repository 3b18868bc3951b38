import { expect, it } from 'vitest'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

it('a sandbox invoice becomes a stored message, and not one byte goes to a mail server', async () => {
  const input = invoiceInput()
  const key = installation.company.sandboxKey
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: input, key })
  expect(created.status).toBe(201)
  const workflow = await eventually(
    async () =>
      (
        await installation.call<{ actionsCompleted: number }>(
          'GET',
          `/api/v1/workflow/invoice/${created.body.data.id}`,
          { key },
        )
      ).body.data,
    seen => seen.actionsCompleted === 1,
  )
  expect(workflow).toMatchObject({ status: 'in_recovery', currentStep: 'relance_email_1' })
  const messages = await installation.sql(
    'select m.recipient, m.subject, t.environment from sandbox_messages m join tenants t on t.id = m.tenant_id',
  )
  expect(messages).toMatchObject([{ recipient: input.debtor.email, environment: 'sandbox' }])
  expect(installation.server.mailbox.connections()).toBe(0)
})

it('a sandbox address that bounces leaves a failed step in the history and frees the day', async () => {
  const input = invoiceInput({
    debtor: { name: 'Gone SARL', email: 'bounce+1@gone.example', postalCode: '69002' },
  })
  const key = installation.company.sandboxKey
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: input, key })
  const history = await eventually(
    async () =>
      (
        await installation.call<{ status: string; details: string }[]>(
          'GET',
          `/api/v1/workflow/invoice/${created.body.data.id}/history`,
          { key },
        )
      ).body.data,
    seen => seen.length === 1,
  )
  expect(history).toMatchObject([{ action: 'email_prise_en_charge', status: 'failed' }])
  const slots = await installation.sql(
    'select 1 from contact_slots s join communications c on c.id = s.communication_id where c.state = $1',
    ['failed'],
  )
  expect(slots).toHaveLength(0)
  const next = await installation.call('GET', `/api/v1/workflow/invoice/${created.body.data.id}`, { key })
  expect(next.body.data).toMatchObject({
    status: 'in_recovery',
    currentStep: 'relance_email_1',
    actionsCompleted: 0,
  })
})

it('a first notice whose outcome is unknown counts as a contact, is not repeated that day, and is given again after three days', async () => {
  const input = invoiceInput({
    debtor: { name: 'Fog SARL', email: 'unknown+1@fog.example', postalCode: '69002' },
  })
  const key = installation.company.sandboxKey
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body: input, key })
  const path = `/api/v1/workflow/invoice/${created.body.data.id}`
  await eventually(
    async () => (await installation.call<unknown[]>('GET', `${path}/history`, { key })).body.data,
    seen => seen.length === 1,
  )
  const next = await installation.call<{ scheduledAt: string }>('GET', `${path}/next-action`, { key })
  expect(next.body.data).toMatchObject({
    nextAction: 'email_prise_en_charge',
    reasonCode: 'channel_cooldown',
  })
  expect(next.body.data.scheduledAt >= '2026-11-19T08:15').toBe(true)
})
