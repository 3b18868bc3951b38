import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ redisUrl: undefined })

it('counts every recovery where it stands, exactly, folded or not', async () => {
  const sandbox = await newSandbox(installation)
  const stats = () => sandbox.done('GET', '/api/v1/workflow/stats')
  const nothing = {
    active: 0,
    paused: 0,
    completed: 0,
    cancelled: 0,
    pending: 0,
    judicial: 0,
    averageDaysToPayment: 0,
    recoveryRate: 0,
  }
  expect(await stats()).toEqual(nothing)
  const later = { dueDate: '2027-06-01' }
  const ids: string[] = []
  for (const name of ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six', 'Sept'])
    ids.push((await sandbox.invoice({ debtor: lyonDebtor(`${name} SARL`), ...later })).id)
  const bulk = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [invoiceInput(later), invoiceInput(later)],
    autoStartWorkflow: false,
  })
  expect(await stats()).toEqual({ ...nothing, active: 7, pending: 2 })
  const [paused, cancelled, judicial, paid, alsoPaid] = ids
  await sandbox.trigger(paused!, { action: 'pause' })
  await sandbox.trigger(cancelled!, { action: 'cancel' })
  await installation.sql(
    `update recoveries set last_action = 'lrar_mise_en_demeure', notice_at = started_at - interval '30 days', notice_channel = 'lrar', notice_receipt = 'signed', notice_receipt_at = started_at - interval '29 days' where invoice_id = $1`,
    [judicial],
  )
  await sandbox.trigger(judicial!, { action: 'escalate' })
  await sandbox.call('DELETE', `/api/v1/invoices/${bulk.results[0]!.id}`)
  expect(await stats()).toEqual({ ...nothing, active: 4, paused: 1, cancelled: 1, judicial: 1, pending: 1 })

  await sandbox.advance('P3DT12H')
  const pay = (invoiceId: string) =>
    sandbox.done<{ id: string }>('POST', '/api/v1/payments', {
      invoiceId,
      amountCents: 120_000,
      method: 'bank_transfer',
    })
  await pay(paid!)
  await sandbox.advance('P1DT12H')
  const second = await pay(alsoPaid!)
  // 3.5 and 5 days; two of the seven that were ever started.
  const all = {
    active: 2,
    paused: 1,
    completed: 2,
    cancelled: 1,
    pending: 1,
    judicial: 1,
    averageDaysToPayment: 4.3,
    recoveryRate: 28.57,
  }
  expect(await stats()).toEqual(all)
  await eventually(
    () => installation.sql('select 1 from count_deltas where tenant_id = $1', [sandbox.tenantId]),
    rows => rows.length === 0,
  )
  expect(await stats()).toEqual(all)

  // What a refund takes back is not recovered: the second one is open again, paused.
  await sandbox.done('POST', `/api/v1/payments/${second.id}/refund`, { reason: 'Paid twice' })
  expect(await stats()).toEqual({
    ...all,
    paused: 2,
    completed: 1,
    averageDaysToPayment: 3.5,
    recoveryRate: 14.29,
  })
  await sandbox.trigger(bulk.results[1]!.id, { action: 'start' })
  await sandbox.trigger(paused!, { action: 'resume' })
  expect(await stats()).toMatchObject({ active: 4, paused: 1, pending: 0, recoveryRate: 12.5 })
})

it('counts the recoveries of one environment alone', async () => {
  const sandbox = await newSandbox(installation)
  const stats = async (key: string) =>
    (await installation.call('GET', '/api/v1/workflow/stats', { key })).body.data
  await installation.call('POST', '/api/v1/invoices', { body: invoiceInput({ dueDate: '2027-06-01' }) })
  expect(await stats(installation.company.productionKey)).toMatchObject({ active: 1 })
  expect(await stats(installation.company.sandboxKey)).toMatchObject({ active: 0 })
  expect(await sandbox.done('GET', '/api/v1/workflow/stats')).toMatchObject({ active: 0 })
})
