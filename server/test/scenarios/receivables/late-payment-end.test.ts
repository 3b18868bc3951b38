import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

interface Shown {
  status: string
  balanceCents: number
  overpaidCents: number
  latePayment: Record<string, unknown>
}
const invoiceOf = (sandbox: Sandbox, id: string) =>
  sandbox.done<Shown & Record<string, unknown>>('GET', `/api/v1/invoices/${id}`)

/** An invoice of 1,200.00 €, of which a firm reminder claimed 40 € and the interest of 61 days: 24.37 €. */
async function claimedInvoice() {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({
    issueDate: '2026-03-31',
    dueDate: '2026-04-30',
    debtor: lyonDebtor('Durand SARL'),
  })
  await sandbox.advanceToDay('2026-12-05')
  const pay = (amountCents: number, more = {}) =>
    sandbox.done('POST', '/api/v1/payments', { invoiceId: id, amountCents, method: 'bank_transfer', ...more })
  const waive = (reason: string) =>
    sandbox.call<Shown>('POST', `/api/v1/invoices/${id}/late-payment/waive`, { reason })
  return { sandbox, id, pay, waive }
}

it('paying the principal leaves the 40 € and the interest claimed, until they are paid themselves', async () => {
  const { sandbox, id, pay, waive } = await claimedInvoice()
  const open = { claimedCents: 6_437, paidCents: 0, owedCents: 6_437, waiver: null }
  expect((await invoiceOf(sandbox, id)).latePayment).toEqual({ ...open, status: 'claimed' })
  await pay(120_000)
  expect(await invoiceOf(sandbox, id)).toMatchObject({
    status: 'paid',
    balanceCents: 0,
    latePayment: { ...open, status: 'claimed' },
  })
  const paid = (await sandbox.events(id)).find(({ type }) => type === 'debt.paid')
  expect(paid!.data).toMatchObject({ paidCents: 120_000, latePaymentOwedCents: 6_437 })
  await pay(6_500, { allowOverpayment: true })
  expect(await invoiceOf(sandbox, id)).toMatchObject({
    overpaidCents: 63,
    latePayment: { status: 'paid', claimedCents: 6_437, paidCents: 6_437, owedCents: 0 },
  })
  expect((await waive('too late')).body.error).toMatchObject({ code: 'BIZ_004' })
})

it('a waiver says who, when and why, and nothing more is claimed', async () => {
  const { sandbox, id, pay, waive } = await claimedInvoice()
  await pay(50_000)
  const waived = await waive('A good customer who was late once')
  expect(waived.status).toBe(200)
  const latePayment = {
    status: 'waived',
    claimedCents: 6_437,
    paidCents: 0,
    owedCents: 0,
    waiver: {
      amountCents: 6_437,
      reason: 'A good customer who was late once',
      waivedAt: expect.stringMatching(/^2026-12-05T/),
      waivedBy: { kind: 'api_key', id: expect.any(String) },
    },
  }
  expect(waived.body.data).toMatchObject({ status: 'partial', balanceCents: 70_000, latePayment })
  expect((await waive('again')).body.error).toMatchObject({ code: 'BIZ_004' })
  const before = (await sandbox.messages()).length
  await sandbox.advanceToDay('2027-01-04')
  const messages = await sandbox.messages()
  expect(messages.length).toBeGreaterThan(before)
  const later = messages.filter(({ createdAt }) => createdAt > '2026-12-06')
  expect(later.length).toBeGreaterThan(0)
  for (const { body } of later)
    expect(body).not.toMatch(/pénalités de retard|indemnité forfaitaire|D441-5|L441-10/i)
  expect(await invoiceOf(sandbox, id)).toMatchObject({ latePayment })
  await pay(70_100, { allowOverpayment: true })
  expect(await invoiceOf(sandbox, id)).toMatchObject({ status: 'paid', overpaidCents: 100, latePayment })
})

it('what was paid of the claim stays paid when the rest is waived, and a waiver before any claim prevents one', async () => {
  const { sandbox, id, pay, waive } = await claimedInvoice()
  await pay(122_000)
  expect((await waive('rest')).body.data.latePayment).toMatchObject({
    status: 'waived',
    claimedCents: 6_437,
    paidCents: 2_000,
    owedCents: 0,
    waiver: { amountCents: 4_437 },
  })
  expect(await invoiceOf(sandbox, id)).toMatchObject({ status: 'paid', overpaidCents: 0 })
  const early = await sandbox.invoice({ dueDate: '2026-10-15', debtor: lyonDebtor('Leroy SARL') })
  expect((await invoiceOf(sandbox, early.id)).latePayment).toMatchObject({ status: 'none', claimedCents: 0 })
  await sandbox.done('POST', `/api/v1/invoices/${early.id}/late-payment/waive`, { reason: 'our mistake' })
  await sandbox.advanceToDay('2027-01-04')
  expect((await invoiceOf(sandbox, early.id)).latePayment).toMatchObject({
    status: 'waived',
    claimedCents: 0,
  })
})
