import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

interface Act {
  act: string
  operation: string
  allowed: boolean
  because: string | null
  heldBy: string[]
}

const read = (sandbox: Sandbox, id: string) =>
  sandbox.done<{ acts: Act[]; recovery: { daysOverdue: number } }>(
    'GET',
    `/api/v1/invoices/${id}?include=recovery`,
  )
const actsOf = async (sandbox: Sandbox, id: string) => (await read(sandbox, id)).acts
const causesOf = (acts: Act[]) => Object.fromEntries(acts.map(({ act, because }) => [act, because]))

/** The request that rehearses an act, for those that can be. */
const rehearsals = (id: string): Record<string, [path: string, body: object]> => ({
  start: [`/api/v1/workflow/invoice/${id}/trigger`, { action: 'start' }],
  pause: [`/api/v1/workflow/invoice/${id}/trigger`, { action: 'pause' }],
  resume: [`/api/v1/workflow/invoice/${id}/trigger`, { action: 'resume' }],
  escalate: [`/api/v1/workflow/invoice/${id}/trigger`, { action: 'escalate' }],
  message: [`/api/v1/workflow/invoice/${id}/communications`, { channel: 'email' }],
  promise: [`/api/v1/invoices/${id}/promise`, { date: '2026-12-01' }],
  dispute: [`/api/v1/invoices/${id}/dispute`, { reason: 'Not delivered' }],
  resolve_dispute: [`/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' }],
  payment: ['/api/v1/payments', { invoiceId: id, amountCents: 100, method: 'bank_transfer' }],
  credit: [
    `/api/v1/invoices/${id}/credits`,
    { number: `AV-${id.slice(-6)}`, amountCents: 100, issuedOn: '2026-11-16' },
  ],
})

/** What is said to be possible is, and what is not is refused. */
async function expectSame(sandbox: Sandbox, id: string, state: string) {
  const acts = await actsOf(sandbox, id)
  for (const [act, [path, body]] of Object.entries(rehearsals(id))) {
    const { status } = await sandbox.call('POST', path, { ...body, dryRun: true })
    expect([state, act, status < 300], `${state}, ${act}: ${status}`).toEqual([
      state,
      act,
      acts.find(one => one.act === act)!.allowed,
    ])
  }
}

it('an act is said to be possible exactly where its dry run is', async () => {
  const sandbox = await newSandbox(installation)
  const newInvoice = async (name: string) =>
    (await sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`) })).id
  const names = ['Cours', 'Pause', 'Litige', 'Promesse', 'Payee', 'Perdue', 'Annulee'] as const
  const ids: Record<string, string> = {}
  for (const name of names) ids[name] = await newInvoice(name)
  // The first message may leave at any moment, so the verdict before it has a test beside the rule.
  await sandbox.advance('P1D')
  await sandbox.trigger(ids.Pause!, { action: 'pause' })
  await sandbox.done('POST', `/api/v1/invoices/${ids.Litige}/dispute`, { reason: 'Not delivered' })
  await sandbox.done('POST', `/api/v1/invoices/${ids.Promesse}/promise`, { date: '2026-12-01' })
  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: ids.Payee,
    amountCents: 120_000,
    method: 'bank_transfer',
  })
  await sandbox.done('POST', `/api/v1/invoices/${ids.Perdue}/write-off`, { basis: 'amicable_failed' })
  await sandbox.done('POST', `/api/v1/invoices/${ids.Annulee}/cancel`, { reason: 'Invoiced twice' })
  for (const name of names) await expectSame(sandbox, ids[name]!, name)
  expect(causesOf(await actsOf(sandbox, ids.Cours!))).toMatchObject({
    start: 'already_started',
    pause: null,
    resume: 'wrong_status',
    escalate: null,
    resolve_dispute: 'no_dispute',
    refund: 'no_payment',
    take_back: 'no_message',
    cancel: null,
    write_off: null,
    waive_late_payment: null,
  })
  const disputed = await actsOf(sandbox, ids.Litige!)
  expect(disputed.find(({ act }) => act === 'resume')).toEqual({
    act: 'resume',
    operation: 'workflow.trigger',
    allowed: false,
    because: 'held',
    heldBy: ['dispute'],
  })
  expect(causesOf(await actsOf(sandbox, ids.Payee!))).toMatchObject({
    cancel: 'paid',
    write_off: 'paid',
    refund: null,
  })
  expect(causesOf(await actsOf(sandbox, ids.Annulee!))).toMatchObject({
    cancel: 'wrong_status',
    write_off: 'cancelled',
  })
})

it('a waiver is said to be over, and the days past due are counted where the company is', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Renonce SARL'), dueDate: '2026-11-10' })
  await sandbox.done('POST', `/api/v1/invoices/${id}/late-payment/waive`, { reason: 'A good customer' })
  const invoice = await read(sandbox, id)
  expect(causesOf(invoice.acts).waive_late_payment).toBe('late_payment_waived')
  expect(invoice.recovery.daysOverdue).toBe(6)
  const plain = await sandbox.done<{ acts?: Act[] }>('GET', `/api/v1/invoices/${id}`)
  expect(plain.acts).toBeUndefined()
})

it('a payment can be refunded once, and a message taken back until it has left', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Retour SARL') })
  const { id: message } = await sandbox.done<{ id: string }>(
    'POST',
    `/api/v1/workflow/invoice/${id}/communications`,
    { channel: 'email', at: '2026-11-24T10:00:00+01:00' },
  )
  const payment = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
    invoiceId: id,
    amountCents: 100,
    method: 'bank_transfer',
  })
  expect(causesOf(await actsOf(sandbox, id))).toMatchObject({ refund: null, take_back: null })
  await sandbox.done('POST', `/api/v1/payments/${payment.id}/refund`, {})
  await sandbox.done('DELETE', `/api/v1/workflow/invoice/${id}/communications/${message}`)
  expect(causesOf(await actsOf(sandbox, id))).toMatchObject({
    refund: 'no_payment',
    take_back: 'no_message',
  })
})
