import { expect, it } from 'vitest'
import type { DebtorType } from '../../../../sdk/src/index.ts'
import { newSandbox } from '../../harness/sandbox.ts'
import { sdkOf } from '../../harness/sdk.ts'
import { invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

const belgian = (name: string, type: DebtorType, country = 'BE') => ({
  name,
  email: `${name.toLowerCase().replaceAll(' ', '.')}@example.org`,
  postalCode: country === 'BE' ? '1000' : '97400',
  city: 'Bruxelles',
  country,
  type,
})

it('a consumer abroad is sent nothing, and the company can read why at once and later', async () => {
  const sandbox = await newSandbox(installation)
  const relance = sdkOf(installation, sandbox.key)
  const made = await relance.invoices
    .create({ ...invoiceInput(), debtor: belgian('Jan Peeters', 'consumer') })
    .withResponse()
  expect(made.warnings).toMatchObject([{ code: 'foreign_consumer' }, { code: 'mediator_missing' }])
  const { id, debtor } = made.data
  await sandbox.invoice({ debtor: belgian('Peeters SRL', 'business') })
  await sandbox.invoice({ debtor: belgian('Anne Payet', 'consumer', 'RE') })
  await sandbox.advance('P10D')
  const to = (await sandbox.messages()).map(message => message.recipient)
  expect(to).not.toContain('jan.peeters@example.org')
  expect(to).toEqual(expect.arrayContaining(['peeters.srl@example.org', 'anne.payet@example.org']))
  expect(await relance.workflow.nextAction(id)).toMatchObject({
    nextAction: null,
    scheduledAt: null,
    reasonCode: 'foreign_consumer',
    reason: expect.stringContaining('Consumers outside France'),
  })
  expect(await relance.debtors.get(debtor.id)).toMatchObject({ contactable: false })
  await expect(relance.workflow.communicate(id, { channel: 'email' })).rejects.toMatchObject({
    status: 400,
    code: 'VAL_001',
    message: expect.stringContaining('the rules that protect consumers in the debtor’s country'),
  })
})
