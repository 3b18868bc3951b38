import { expect, it } from 'vitest'
import { lyonDebtor, newSandbox, type Sandbox } from '../../../../test/harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'

const installation = useInstallation({ own: 'moves the clock', redisUrl: undefined })

interface Planned {
  action: string
  channel: string | null
  scheduledAt: string | null
  day: number | null
  skipped: boolean
  reason: string
  reasonCode: string
  isNext: boolean
  ownAt: string | null
  shifts: { because: string; detail: string; from: string; until: string }[]
}
interface Plan {
  invoiceId: string
  status: string
  cascade: string
  cascadeVersion: number
  actions: Planned[]
  reason: string
  reasonCode: string
  now: string
  pauses: { from: string; until: string | null; because: string }[]
}

const planOf = (sandbox: Sandbox, id: string) =>
  sandbox.done<Plan>('GET', `/api/v1/workflow/invoice/${id}/plan`)
/** The planned actions and the executed ones, in the same format. */
const planned = (plan: Plan) =>
  plan.actions.map(({ action, channel, scheduledAt, skipped }) => [
    action,
    channel,
    scheduledAt,
    skipped ? 'skipped' : channel === null ? 'done' : 'sent',
  ])
const happened = async (sandbox: Sandbox, id: string) =>
  (await sandbox.history(id)).map(line => [line.action, line.channel, line.executedAt, line.status])

/** On its way at 09:00 sharp: the plan is asked for once the first message is settled. */
const settledOnce = (sandbox: Sandbox, id: string) =>
  eventually(
    () => sandbox.history(id),
    lines => lines.length > 0,
  )

it('the plan is what then happens, to the second: every message, every step left out, the decision at the end', async () => {
  const sandbox = await newSandbox(installation)
  const { phone: _, ...silent } = lyonDebtor('Muet SARL')
  const reachable = await sandbox.invoice({ debtor: lyonDebtor('Vidal SARL') })
  const unreachable = await sandbox.invoice({ debtor: silent, amountCents: 9_900 })
  for (const { id } of [reachable, unreachable]) await settledOnce(sandbox, id)
  const plans = [await planOf(sandbox, reachable.id), await planOf(sandbox, unreachable.id)]
  expect(plans[0]).toMatchObject({ status: 'in_recovery', cascade: 'fr_b2b_standard', reasonCode: 'planned' })
  expect(plans[1]).toMatchObject({ cascade: 'fr_b2b_small' })
  const before = [await happened(sandbox, reachable.id), await happened(sandbox, unreachable.id)]
  await sandbox.advance('P75D')
  expect(await happened(sandbox, reachable.id)).toEqual([...before[0]!, ...planned(plans[0]!)])
  expect(await happened(sandbox, unreachable.id)).toEqual([...before[1]!, ...planned(plans[1]!)])
  expect(plans[0]!.actions).toHaveLength(9)
  expect(plans[1]!.actions.filter(action => action.skipped)).toMatchObject([
    {
      action: 'sms_reminder',
      reasonCode: 'no_mobile',
      reason: 'Will be left out: no mobile number is known.',
    },
  ])
})

it('the plan includes the debtor’s other invoices and the extra messages', async () => {
  const sandbox = await newSandbox(installation)
  const debtor = lyonDebtor('Perrin SARL')
  const { id: first, debtor: known } = await sandbox.invoice({ debtor })
  await settledOnce(sandbox, first)
  await sandbox.advanceToDay('2026-11-20')
  const { id: second } = await sandbox.invoice({ debtor: { id: known.id }, amountCents: 34_500 })
  await sandbox.done('POST', `/api/v1/workflow/invoice/${first}/communications`, {
    channel: 'sms',
    at: '2026-11-27T10:00:00+01:00',
  })
  await eventually(
    () => sandbox.history(second),
    lines => lines.length > 0,
  )
  const plans = [await planOf(sandbox, first), await planOf(sandbox, second)]
  const before = [await happened(sandbox, first), await happened(sandbox, second)]
  expect(plans[0]!.actions.map(action => action.action)).toContain('extra_message')
  await sandbox.advance('P20D')
  for (const [at, id] of [first, second].entries()) {
    const lines = await happened(sandbox, id)
    expect(lines.length).toBeGreaterThan(before[at]!.length + 2)
    expect(lines).toEqual([...before[at]!, ...planned(plans[at]!)].slice(0, lines.length))
  }
})

it('every shift is explained: what it was, from when and until when', async () => {
  await installation.setNow(Date.parse('2026-11-21T19:00:00+01:00'))
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Aubert SARL'), dueDate: '2026-11-21' })
  const { actions } = await planOf(sandbox, id)
  await installation.setNow(Date.parse('2026-11-16T09:00:00+01:00'))
  // Overdue from Sunday the 22nd on, so it goes on Monday the 23rd.
  expect(actions[0]).toMatchObject({
    action: 'email_prise_en_charge',
    day: 0,
    skipped: false,
    reasonCode: 'sunday',
    shifts: [{ because: 'sunday', detail: 'Sunday 2026-11-22', from: '2026-11-21T23:00:00.000Z' }],
  })
  expect(actions[0]!.scheduledAt!.slice(0, 10)).toBe('2026-11-23')
  expect(actions[0]).toMatchObject({ isNext: true, ownAt: '2026-11-21T23:00:00.000Z' })
  expect(actions.filter(action => action.isNext)).toHaveLength(1)
  for (const action of actions.filter(({ shifts }) => shifts.length === 0))
    expect(action.ownAt).toBe(action.scheduledAt)
  expect(actions[0]!.shifts[0]!.until).toBe('2026-11-23T07:00:00.000Z')
  for (const action of actions) expect(action.reason).toMatch(/\S/)
})

it('without a receipt of the letter the call after it waits, and the plan says for what', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Brun SARL') })
  await settledOnce(sandbox, id)
  const call = (await planOf(sandbox, id)).actions.find(action => action.action === 'ai_call_2')!
  expect(call.scheduledAt!.slice(0, 10)).toBe('2027-01-06')
  expect(call.reasonCode).toBe('notice_running')
})

it('a recovery that does not run has an empty plan, and says why', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Clerc SARL') })
  await sandbox.trigger(id, { action: 'pause' })
  expect(await planOf(sandbox, id)).toMatchObject({
    status: 'paused',
    actions: [],
    reasonCode: 'paused',
    reason: 'The recovery is paused: paused on request.',
  })
  await sandbox.trigger(id, { action: 'cancel' })
  expect(await planOf(sandbox, id)).toMatchObject({
    status: 'cancelled',
    actions: [],
    reasonCode: 'cancelled',
  })
  const asleep = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
    invoices: [invoiceInput()],
    autoStartWorkflow: false,
  })
  expect(await planOf(sandbox, asleep.results[0]!.id)).toMatchObject({ actions: [], reasonCode: 'pending' })
  const tokyo = await sandbox.invoice({
    debtor: { name: 'Tokyo KK', email: 'ap@tokyo.example', country: 'JP' },
  })
  expect(await planOf(sandbox, tokyo.id)).toMatchObject({ actions: [], reasonCode: 'calendar_missing' })
})

it('the plan has its moment, and when the recovery was held, by what', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Halte SARL') })
  const { now: first, pauses: none } = await planOf(sandbox, id)
  expect(none).toEqual([])
  await sandbox.trigger(id, { action: 'pause' })
  await sandbox.advance('P2D')
  await sandbox.trigger(id, { action: 'resume' })
  await sandbox.done('POST', `/api/v1/invoices/${id}/promise`, { date: '2026-12-01' })
  const { now, pauses } = await planOf(sandbox, id)
  expect(Date.parse(now) - Date.parse(first)).toBeGreaterThanOrEqual(2 * 86_400_000)
  expect(pauses).toEqual([
    { from: expect.any(String), until: expect.any(String), because: 'asked' },
    { from: expect.any(String), until: expect.stringMatching(/^2026-12-0/), because: 'promise' },
  ])
  expect(Date.parse(pauses[0]!.until!) - Date.parse(pauses[0]!.from)).toBeGreaterThan(1.9 * 86_400_000)
})

it('after the review nothing is planned until a person decides', async () => {
  const sandbox = await newSandbox(installation)
  const { id } = await sandbox.invoice({ debtor: lyonDebtor('Denis SARL') })
  await settledOnce(sandbox, id)
  await sandbox.advance('P75D')
  expect(await planOf(sandbox, id)).toMatchObject({
    status: 'in_recovery',
    actions: [],
    reasonCode: 'awaiting_decision',
  })
})
