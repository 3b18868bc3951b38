import { expect, inject, it, vi } from 'vitest'
import { apiOf } from '../../dev/demo-api.ts'
import { startDev } from '../../dev/dev.ts'
import { eventually, mondayMorning } from '../harness/use-installation.ts'

it('the first email of a development installation, in either environment, says where to pay', async () => {
  vi.stubEnv('DATABASE_URL', inject('adminUrl'))
  const dev = await startDev({ now: mondayMorning, logLevel: 'silent' })
  try {
    const { installation, company } = dev
    const input = {
      invoiceNumber: 'F-2026-0042',
      amountCents: 120_000,
      issueDate: '2026-09-15',
      dueDate: '2026-10-15',
      debtor: { name: 'Durand SARL', email: 'compta@durand.example', postalCode: '69002', city: 'Lyon' },
    }
    const account = 'FR1420041010050500013M02606'
    await apiOf(installation.baseUrl, company.productionKey).call('POST', '/invoices', input)
    const mail = await eventually(
      () => installation.mailbox.messages().find(({ to }) => to === input.debtor.email),
      sent => sent !== undefined,
    )
    expect(mail!.text.replaceAll(/\s/g, '')).toContain(account)
    const sandbox = apiOf(installation.baseUrl, company.sandboxKey)
    const { id } = await sandbox.call<{ id: string }>('POST', '/invoices', input)
    await sandbox.history(id)
    expect((await sandbox.lastMessage(id, 'email'))!.body.replaceAll(/\s/g, '')).toContain(account)
  } finally {
    await dev.stop()
    vi.unstubAllEnvs()
  }
})
