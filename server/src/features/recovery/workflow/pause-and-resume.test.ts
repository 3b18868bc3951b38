import { randomUUIDv7 } from 'node:crypto'
import { expect, it } from 'vitest'
import { eventually, mondayMorning, useInstallation } from '../../../../test/harness/use-installation.ts'
import { workflowCalls } from '../../../../test/harness/workflow-calls.ts'

const installation = useInstallation({ own: 'moves the clock', redisUrl: undefined })
const { create, trigger, triggerOk, pay, workflow, history, recoveryOf } = workflowCalls(installation)

it('a pause with an end ends by itself, says so, and the reminders go on', async () => {
  const { id } = await create({ dueDate: '2026-10-15' })
  await eventually(
    () => workflow(id),
    seen => seen.currentStep === 'relance_email_1',
  )
  const until = mondayMorning + 4 * 3_600_000
  await triggerOk(id, { action: 'pause', until: new Date(until).toISOString() })
  expect(await recoveryOf(id)).toMatchObject({ status: 'paused', due_because: 'resume', holds: ['asked'] })
  expect((await history(id)).at(-1)!.details).toBe('Paused until 16 November 2026 at 12:00 (universal time).')
  await installation.setNow(until + 60_000)
  await installation.sql(
    `update agendas set wake_at = $2 where debtor_id = (select debtor_id from recoveries where invoice_id = $1)`,
    [id, new Date().toISOString()],
  )
  const resumed = await eventually(
    () => workflow(id),
    seen => seen.status === 'in_recovery',
  ).finally(() => installation.setNow(mondayMorning))
  expect(resumed.nextActionAt!.slice(0, 10)).toBe('2026-11-21')
  expect((await history(id)).at(-1)).toMatchObject({ action: 'resume', status: 'done' })
})

it('resume ends what a person may end, and leaves an open promise to be kept', async () => {
  const { id, debtor } = await create()
  await installation.sql(
    `update recoveries set status = 'paused', holds = '{asked,promise,upheld,reopened}', paused_at = created_at, wish_at = null, due_at = null where invoice_id = $1`,
    [id],
  )
  await installation.sql(
    `insert into promises (tenant_id, id, invoice_id, debtor_id, pay_on, amount_cents, paid_before_cents, status, created_at)
     values ($1, $2, $3, $4, '2026-12-01', 120000, 0, 'open', '2026-11-16T08:00:00Z')`,
    [installation.company.tenants.production, randomUUIDv7(), id, debtor.id],
  )
  expect(await triggerOk(id, { action: 'resume' })).toMatchObject({ status: 'in_recovery' })
  expect(await recoveryOf(id)).toMatchObject({ holds: [], paused_at: null })
  expect(await installation.sql('select status from promises where invoice_id = $1', [id])).toEqual([
    { status: 'open' },
  ])
  await pay(id)
  expect(await installation.sql('select status from promises where invoice_id = $1', [id])).toEqual([
    { status: 'kept' },
  ])
})

it.each([
  ['dispute', 'a dispute is open'],
  ['insolvency', 'insolvency or over-indebtedness proceedings are open'],
  ['situation', 'a reported situation is not decided'],
  ['wrong_person', 'the contact address belongs to somebody else'],
])('resume under %s is refused and names it, in words and in details', async (hold, words) => {
  const { id } = await create()
  await installation.sql(
    `update recoveries set status = 'paused', holds = array['asked', $2], paused_at = created_at, wish_at = null, due_at = null where invoice_id = $1`,
    [id, hold],
  )
  const answer = await trigger(id, { action: 'resume' })
  expect([answer.status, answer.body.error.code]).toEqual([400, 'BIZ_004'])
  expect(answer.body.error.message).toContain(words)
  expect(answer.body.error.details).toEqual([{ field: 'action', code: hold, message: words }])
  expect(await recoveryOf(id)).toMatchObject({ status: 'paused', holds: ['asked', hold] })
})
