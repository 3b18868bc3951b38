import { expect, it } from 'vitest'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { workflowCalls } from '../../../../test/harness/workflow-calls.ts'

const installation = useInstallation({ redisUrl: undefined })
const { create, pay, recoveryOf } = workflowCalls(installation)

const promise = (id: string) =>
  installation.call('POST', `/api/v1/invoices/${id}/promise`, {
    body: { date: '2026-11-27', amountCents: 50_000 },
  })
const dispute = (id: string) =>
  installation.call('POST', `/api/v1/invoices/${id}/dispute`, {
    body: { reason: 'Two chairs arrived broken' },
  })
const resolve = (id: string) =>
  installation.call('POST', `/api/v1/invoices/${id}/dispute/resolve`, { body: { outcome: 'rejected' } })

it('however much a request changes of a recovery, it is saved once, with all of it', async () => {
  const { id } = await create()
  const saves: number[] = []
  const saved = async () => {
    const { generation, ...row } = await recoveryOf(id)
    saves.push(generation as number)
    return row
  }
  const before = await saved()
  // A sign of life and a hold.
  await promise(id)
  const promised = await saved()
  expect(promised).toMatchObject({
    status: 'paused',
    holds: ['promise'],
    due_because: 'promise',
    paused_at: expect.any(Date),
    limitation_because: 'issue_date',
  })
  // A sign of life and a second hold.
  await dispute(id)
  expect(await saved()).toEqual({
    ...promised,
    holds: ['promise', 'dispute'],
    standing: 'held:dispute',
  })
  await resolve(id)
  expect(await saved()).toEqual(promised)
  // The promise is kept: the hold ends, the step is planned anew, a sign of life moves it, the debt is acknowledged.
  await pay(id, 50_000)
  expect(await saved()).toMatchObject({
    status: 'in_recovery',
    holds: [],
    paused_at: null,
    limitation_because: 'acknowledgement',
  })
  expect(saves).toEqual([0, 1, 2, 3, 4])
  expect(before).toMatchObject({ status: 'in_recovery', limitation_because: 'issue_date' })
})

it('a column that nothing changed keeps what the row holds', async () => {
  const { id } = await create()
  const own = { last_action: 'relance_email_1', notice_receipt: 'signed', actions_completed: 4 }
  await installation.sql(
    `update recoveries set last_action = $2, notice_receipt = $3, actions_completed = $4, last_executed_at = '2026-11-02T09:00:00Z',
       notice_receipt_at = '2026-11-03T09:00:00Z' where invoice_id = $1`,
    [id, own.last_action, own.notice_receipt, own.actions_completed],
  )
  const before = await recoveryOf(id)
  await dispute(id)
  const {
    status,
    standing,
    holds,
    paused_at,
    wish_at,
    due_at,
    due_because,
    due_channel,
    generation,
    ...kept
  } = await recoveryOf(id)
  expect({ status, standing, holds, wish_at, due_at, due_because, due_channel, generation }).toEqual({
    standing: 'held:dispute',
    status: 'paused',
    holds: ['dispute'],
    wish_at: null,
    due_at: null,
    due_because: null,
    due_channel: null,
    generation: 1,
  })
  expect(paused_at).not.toBeNull()
  expect(before).toMatchObject(kept)
})
