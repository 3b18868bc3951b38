import { expect, it } from 'vitest'
import { newSandbox } from '../../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

const belgian = (name: string, type: string, country = 'BE') => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@example.org`,
  postalCode: country === 'BE' ? '1000' : '97400',
  city: 'Bruxelles',
  country,
  type,
})

it('a consumer abroad is sent nothing, and the company can read why at once and later', async () => {
  const sandbox = await newSandbox(installation)
  const made = await sandbox.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    invoiceInput({ debtor: belgian('Jan Peeters', 'consumer') }),
  )
  expect(made.body.warnings).toMatchObject([{ code: 'foreign_consumer' }, { code: 'mediator_missing' }])
  const { id, debtor } = made.body.data
  await sandbox.invoice({ debtor: belgian('Peeters SRL', 'business') })
  await sandbox.invoice({ debtor: belgian('Anne Payet', 'consumer', 'RE') })
  await sandbox.advance('P10D')
  const to = (await sandbox.messages()).map(message => message.recipient)
  expect(to).not.toContain('jan.peeters@example.org')
  expect(to).toEqual(expect.arrayContaining(['peeters.srl@example.org', 'anne.payet@example.org']))
  expect(await sandbox.done('GET', `/api/v1/workflow/invoice/${id}/next-action`)).toMatchObject({
    nextAction: null,
    scheduledAt: null,
    reasonCode: 'foreign_consumer',
    reason: expect.stringContaining('Consumers outside France'),
  })
  expect(await sandbox.done('GET', `/api/v1/debtors/${debtor.id}`)).toMatchObject({ contactable: false })
  const extra = await sandbox.call('POST', `/api/v1/workflow/invoice/${id}/communications`, {
    channel: 'email',
  })
  expect(extra.status).toBe(400)
  expect(JSON.stringify(extra.body)).toContain('the rules that protect consumers in the debtor’s country')
})
