import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

const secondReminder = async (sandbox: Sandbox, subjectText: string) =>
  (await sandbox.messages()).find(({ subject }) => subject?.includes(subjectText))

const claimedOf = async (id: string) => {
  const rows = await installation.sql<{ claimed: number }>(
    'select claimed_cents::integer as claimed from invoices where id = $1',
    [id],
  )
  return rows[0]!.claimed
}

it('the firm reminder claims the 40 € and interest on what was open each day, and money beyond goes there first', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({
    invoiceNumber: 'F-2026-0042',
    issueDate: '2026-03-31',
    dueDate: '2026-04-30',
    debtor: lyonDebtor('Durand SARL'),
  })
  const pay = (amountCents: number, more: { paidAt?: string; allowOverpayment?: boolean } = {}) =>
    sandbox.done('POST', '/api/v1/payments', {
      invoiceId: id,
      amountCents,
      method: 'bank_transfer',
      ...more,
    })
  await pay(20_000, { paidAt: '2026-05-31T10:00:00+02:00' })
  await sandbox.advanceToDay('2026-11-25')
  expect(await claimedOf(id)).toBe(0)
  await sandbox.advanceToDay('2026-12-05')
  const reminder = await secondReminder(sandbox, 'paiement attendu')
  // 120,000 × 0.1215 × 30 / 365 = 1198.4; 100,000 × 0.1215 × 31 / 365 = 1031.9
  expect(plain(reminder!.body)).toContain(`
  Principal                                                                1 000,00 €
  Indemnité forfaitaire pour frais de recouvrement (art. D441-5 C. com.)      40,00 €
  Pénalités de retard (art. L441-10, II C. com.)                              22,30 €
  Total                                                                    1 062,30 €

  Intérêts au taux de 12,15 % l’an, 30 jours du 01/05/2026 au 30/05/2026, sur 1 200,00 €.
  Intérêts au taux de 12,15 % l’an, 31 jours du 31/05/2026 au 30/06/2026, sur 1 000,00 €.
  Les intérêts sont comptés jusqu’au 30/06/2026.
  Aucun intérêt n’est réclamé ici pour les autres jours.
`)
  expect(await claimedOf(id)).toBe(6_230)
  await pay(106_300, { allowOverpayment: true })
  expect(await sandbox.done('GET', `/api/v1/invoices/${id}`)).toMatchObject({
    status: 'paid',
    balanceCents: 0,
    overpaidCents: 70,
  })
})

it('a consumer, and the debtor of a company that does not want it, are claimed the invoice alone', async () => {
  const sandbox = await newSandbox(installation)
  const late = { issueDate: '2026-03-31', dueDate: '2026-04-30' }
  const consumer = await sandbox.invoice({
    ...late,
    debtor: { ...lyonDebtor('Jeanne Petit'), type: 'consumer' },
  })
  await sandbox.done('PUT', '/api/v1/company', { claimsLatePayment: false })
  const business = await sandbox.invoice({ ...late, debtor: lyonDebtor('Martin SARL') })
  await sandbox.advanceToDay('2026-12-20')
  const messages = await sandbox.messages()
  expect(messages.length).toBeGreaterThan(4)
  for (const { body } of messages)
    expect(body).not.toMatch(/intérêts|indemnité|D441-5|L441-10|frais de recouvrement/i)
  expect([await claimedOf(consumer.id), await claimedOf(business.id)]).toEqual([0, 0])
})
