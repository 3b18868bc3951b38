import { expect, it } from 'vitest'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'
import { workflowCalls } from '../../../../test/harness/workflow-calls.ts'

const installation = useInstallation({ redisUrl: undefined })
const { importWithoutStart, trigger, triggerOk, pay, workflow, recoveryOf } = workflowCalls(installation)

const eventsOf = (id: string) =>
  installation.sql<{ type: string; data: Record<string, unknown> }>(
    'select type, data from events where subject_id = $1 order by sequence',
    [id],
  )

it('start selects the cascade of today, plans its first step and records an event', async () => {
  const id = await importWithoutStart({ dueDate: '2026-10-15' })
  const data = await triggerOk(id, { action: 'start' })
  expect(data).toMatchObject({ status: 'in_recovery', currentStep: 'email_prise_en_charge' })
  // The debt is overdue and the window open: it goes at once.
  expect(data.nextActionAt).toBe(data.startedAt)
  const [, started] = await eventsOf(id)
  expect(started).toMatchObject({
    type: 'workflow.started',
    data: {
      invoiceId: id,
      cascade: 'fr_b2b_standard',
      cascadeVersion: 1,
      startedAt: data.startedAt,
      nextAction: 'email_prise_en_charge',
      nextActionAt: data.nextActionAt,
    },
  })
  await eventually(
    () => workflow(id),
    seen => seen.currentStep === 'relance_email_1',
  )
})

it('start takes a cascade of one’s own where one fits', async () => {
  const steps = [
    { name: 'email_prise_en_charge', channel: 'email', day: 0 },
    { name: 'revue_judiciaire', channel: null, day: 3 },
  ]
  await installation.sql(
    `insert into cascades (tenant_id, name, version, steps, applies, enabled, is_current, created_at)
     values ($1, 'ours', 4, $2, '{"minAmountCents": 900000}', true, true, '2026-11-16T08:00:00Z')`,
    [installation.company.tenants.production, JSON.stringify(steps)],
  )
  const id = await importWithoutStart({ amountCents: 1_000_000 })
  expect(await triggerOk(id, { action: 'start' })).toMatchObject({ currentStep: 'email_prise_en_charge' })
  expect(await recoveryOf(id)).toMatchObject({ cascade: 'ours', cascade_version: 4 })
})

it('start of what is paid already is refused as paid; what is disputed or insolvent it holds at once', async () => {
  const paid = await importWithoutStart()
  await pay(paid)
  const refused = await trigger(paid, { action: 'start' })
  expect([refused.status, refused.body.error.code]).toEqual([400, 'BIZ_001'])
  const disputed = await importWithoutStart({ dueDate: '2026-10-15' })
  await installation.sql(`update invoices set disputed_at = created_at, status = 'disputed' where id = $1`, [
    disputed,
  ])
  expect(await triggerOk(disputed, { action: 'start' })).toMatchObject({
    status: 'paused',
    nextActionAt: null,
  })
  expect(await recoveryOf(disputed)).toMatchObject({ holds: ['dispute'], due_at: null })
  const insolvent = await importWithoutStart({ dueDate: '2026-10-15' })
  await installation.sql(
    `update debtors d set insolvency_kind = 'liquidation', insolvency_opened_on = '2026-11-01'
       from invoices i where i.id = $1 and d.id = i.debtor_id`,
    [insolvent],
  )
  expect(await triggerOk(insolvent, { action: 'start' })).toMatchObject({ status: 'paused' })
  expect(await recoveryOf(insolvent)).toMatchObject({ holds: ['insolvency'], due_at: null })
})
