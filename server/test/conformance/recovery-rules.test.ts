import { expect, it } from 'vitest'
import { useManualWorker } from '../harness/manual-worker.ts'
import { lyonDebtor, newSandbox, type Sandbox } from '../harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })
const worker = useManualWorker(installation)

const overdue = (sandbox: Sandbox, name: string) =>
  sandbox.invoice({ issueDate: '2026-09-01', dueDate: '2026-10-15', debtor: lyonDebtor(name) })

it('currentStep is the last executed step when none remains, and null while nothing was executed', async () => {
  const sandbox = await newSandbox(installation)
  const reminded = await overdue(sandbox, 'Durand SARL')
  await sandbox.advance('PT2H')
  const awaiting = await sandbox.workflow(reminded.id)
  expect(awaiting).toMatchObject({ status: 'in_recovery', actionsCompleted: 1 })
  expect(awaiting.currentStep).not.toBe('email_prise_en_charge')
  const cancelled = await sandbox.trigger(reminded.id, { action: 'cancel' })
  const ended = { status: 'cancelled', currentStep: 'email_prise_en_charge' }
  expect(cancelled.body.data).toMatchObject(ended)
  expect(await sandbox.workflow(reminded.id)).toMatchObject({ ...ended, actionsCompleted: 1 })
  const shown = await sandbox.done('GET', `/api/v1/invoices/${reminded.id}?include=recovery`)
  expect(shown).toMatchObject({ recovery: { step: 'email_prise_en_charge' } })
  const untouched = await sandbox.invoice({ dueDate: '2027-02-01', debtor: lyonDebtor('Leroy SARL') })
  await sandbox.trigger(untouched.id, { action: 'cancel' })
  expect(await sandbox.workflow(untouched.id)).toMatchObject({ status: 'cancelled', currentStep: null })
})

it('a dispute from before the start is on the lists: somebody has to decide about it', async () => {
  const sandbox = await newSandbox(installation)
  const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [invoiceInput({ dueDate: '2027-02-01' }), invoiceInput({ dueDate: '2027-02-01' })],
    autoStartWorkflow: false,
  })
  const [id, other] = results.map(result => result.id) as [string, string]
  const ids = async (query: string) =>
    (await sandbox.done<{ id: string }[]>('GET', `/api/v1/invoices?${query}`)).map(invoice => invoice.id)
  const queues = async () =>
    (
      await sandbox.done<{ queues: { kind: string; invoices: number }[] }>('GET', '/api/v1/reports/today')
    ).queues.map(({ kind, invoices }) => [kind, invoices])
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute`, { reason: 'Not delivered' })
  expect(await sandbox.workflow(id)).toMatchObject({ status: 'pending', standing: 'held:dispute' })
  expect(await ids('standing=held:dispute')).toEqual([id])
  expect(await queues()).toEqual([['disputes', 1]])
  // It is still a recovery that was not started.
  expect((await ids('workflowStatus=pending')).sort()).toEqual([id, other].sort())
  expect(await ids('workflowStatus=paused')).toEqual([])
  const pay = { invoiceId: id, amountCents: 120_000, method: 'card' }
  const { id: paymentId } = await sandbox.done<{ id: string }>('POST', '/api/v1/payments', pay)
  expect(await queues()).toEqual([])
  await sandbox.done('POST', `/api/v1/payments/${paymentId}/refund`, {})
  expect(await queues()).toEqual([['disputes', 1]])
  await sandbox.done('POST', `/api/v1/invoices/${id}/dispute/resolve`, { outcome: 'rejected' })
  expect(await queues()).toEqual([])
  expect(await ids('standing=pending')).toHaveLength(2)
})

it('a plan that is read while the first message is claimed never counts that message against itself', async () => {
  const rounds = 40
  for (let round = 0; round < rounds; round++) {
    const { body } = await installation.call<{ id: string }>('POST', '/api/v1/invoices', {
      body: invoiceInput({ dueDate: '2027-02-01' }),
    })
    const { id } = body.data
    const read = () =>
      installation.call<{ actions: { action: string; reasonCode: string; shifts: { because: string }[] }[] }>(
        'GET',
        `/api/v1/workflow/invoice/${id}/plan`,
      )
    const [, ...plans] = await Promise.all([worker.claim(id), ...Array.from({ length: 8 }, read)])
    for (const { body: plan } of plans) {
      const first = plan.data.actions[0]!
      expect(first.action).toBe('email_prise_en_charge')
      expect(first.reasonCode).not.toBe('channel_cooldown')
      expect(first.shifts.map(({ because }) => because)).not.toContain('one_contact_a_day')
    }
  }
}, 60_000)
