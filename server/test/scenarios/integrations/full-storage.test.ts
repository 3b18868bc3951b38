import { expect, it } from 'vitest'
import { changeStorageQuota } from '../../../src/features/access/companies/operate.ts'
import { operatorCalls } from '../../harness/operator.ts'
import { newSandbox } from '../../harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()
const operator = operatorCalls(installation)

it('a company that has used up its space is sent for, paid, read, exported and erased for as before', async () => {
  const sandbox = await newSandbox(installation)
  const paid = await sandbox.invoice({})
  const open = await sandbox.invoice({})
  await operator.withContext(context =>
    changeStorageQuota(context, { companyId: sandbox.companyId, megabytes: 0 }),
  )
  const ended = async (what: string, body: object) => {
    const { id } = await sandbox.done<{ id: string }>('POST', `/api/v1/tasks/${what}`, body)
    const task = await eventually(
      () => sandbox.done<{ status: string; endedAt: string | null }>('GET', `/api/v1/tasks/${id}`),
      ({ endedAt }) => endedAt !== null,
    )
    expect(task).toMatchObject({ status: 'finished' })
    return task
  }

  const refused = await installation.call('POST', '/api/v1/tasks/import', {
    key: sandbox.key,
    raw: 'a;b\n1;2\n',
    headers: { 'content-type': 'text/csv' },
  })
  expect([refused.status, refused.body.error.code]).toEqual([413, 'VAL_005'])

  expect((await sandbox.done<unknown[]>('GET', '/api/v1/invoices')).length).toBe(2)
  const created = await sandbox.call('POST', '/api/v1/invoices', invoiceInput())
  expect(created.status, created.text).toBe(201)

  await sandbox.advance('P1D')
  const toOpen = async () =>
    (await sandbox.messages()).filter(({ invoiceIds }) => invoiceIds.includes(open.id))
  expect((await toOpen()).length).toBe(1)
  await sandbox.simulate('delivered', { invoiceId: open.id })

  await sandbox.done('POST', '/api/v1/payments', {
    invoiceId: paid.id,
    amountCents: 20_000,
    method: 'bank_transfer',
  })
  await sandbox.simulate('payment', { invoiceId: paid.id })
  expect(await sandbox.status(paid.id)).toBe('paid')

  await ended('export', { what: 'invoices', format: 'csv' })
  await ended('access', { debtorId: paid.debtor.id })
  await ended('erase', { debtorId: paid.debtor.id, reason: 'Asked by letter' })
})
