import { beforeAll, describe, expect, it } from 'vitest'
import { type Digest, digestOf } from '../../../../test/guards/digest.ts'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { useInstallation } from '../../../../test/harness/use-installation.ts'
import { type WorkflowReply, workflowCalls } from '../../../../test/harness/workflow-calls.ts'

const installation = useInstallation({ redisUrl: undefined })
const { create, importWithoutStart, trigger, triggerOk, pay, workflow, history, recoveryOf } =
  workflowCalls(installation)
const worker = useManualWorker(installation)

/** As if the formal notice had been given that long ago. */
const notified = (id: string, ago: string) =>
  installation.sql(
    `update recoveries set last_action = 'lrar_mise_en_demeure', step = 7, notice_at = started_at - $2::interval, notice_channel = 'lrar',
       notice_receipt = 'signed', notice_receipt_at = started_at - $2::interval where invoice_id = $1`,
    [id, ago],
  )

const made = {
  pending: importWithoutStart,
  in_recovery: async () => {
    const { id } = await create()
    // As if the first contact had been sent: before it there is nothing to escalate from.
    await installation.sql(
      `update recoveries set step = 1, last_action = 'email_prise_en_charge' where invoice_id = $1`,
      [id],
    )
    return id
  },
  paused: async () => {
    const { id } = await create()
    await triggerOk(id, { action: 'pause' })
    return id
  },
  completed: async () => {
    const { id } = await create()
    await pay(id)
    return id
  },
  cancelled: async () => {
    const { id } = await create()
    await triggerOk(id, { action: 'cancel' })
    return id
  },
  judicial: async () => {
    const { id } = await create()
    await notified(id, '21 days')
    await triggerOk(id, { action: 'escalate' })
    return id
  },
}
type Status = keyof typeof made
const statuses = Object.keys(made) as Status[]

/** Every action in every status: what it becomes, or the code it is refused with. */
const expected: Record<string, Record<Status, string>> = {
  start: {
    pending: 'in_recovery',
    in_recovery: 'BIZ_002',
    paused: 'BIZ_002',
    completed: 'BIZ_002',
    cancelled: 'BIZ_002',
    judicial: 'BIZ_002',
  },
  pause: {
    pending: 'BIZ_004',
    in_recovery: 'paused',
    paused: 'BIZ_004',
    completed: 'BIZ_004',
    cancelled: 'BIZ_004',
    judicial: 'BIZ_004',
  },
  resume: {
    pending: 'BIZ_004',
    in_recovery: 'BIZ_004',
    paused: 'in_recovery',
    completed: 'BIZ_004',
    cancelled: 'BIZ_004',
    judicial: 'BIZ_004',
  },
  cancel: {
    pending: 'BIZ_004',
    in_recovery: 'cancelled',
    paused: 'cancelled',
    completed: 'BIZ_004',
    cancelled: 'BIZ_004',
    judicial: 'BIZ_004',
  },
  escalate: {
    pending: 'BIZ_004',
    in_recovery: 'in_recovery',
    paused: 'BIZ_004',
    completed: 'BIZ_004',
    cancelled: 'BIZ_004',
    judicial: 'BIZ_004',
  },
}

describe.each(Object.entries(expected))('%s', (action, becomes) => {
  it.each(statuses)(
    'on a recovery that is %s does what the table says, first only in words',
    async status => {
      const id = await made[status]()
      const outcome = becomes[status]
      const before = await recoveryOf(id)
      const rehearsed = await trigger(id, { action, dryRun: true })
      expect(await recoveryOf(id)).toEqual(before)
      const answer = await trigger(id, { action })
      if (outcome.startsWith('BIZ_')) {
        for (const refused of [rehearsed, answer]) {
          expect([refused.status, refused.body.error.code], refused.text).toEqual([400, outcome])
          expect(refused.body.error.message).toContain(status === 'pending' ? 'not been started' : status)
        }
        expect(await recoveryOf(id)).toEqual(before)
        return
      }
      expect(answer.status, answer.text).toBe(200)
      const { data } = answer.body
      expect(data).toMatchObject({ invoiceId: id, status: outcome, previousStatus: status, inFlight: [] })
      expect([rehearsed.body.data.dryRun, data.dryRun]).toEqual([true, undefined])
      const steady = ({ startedAt, nextActionAt, plan: _plan, dryRun: _dryRun, ...rest }: WorkflowReply) => ({
        ...rest,
        hasStarted: startedAt !== null,
        day: nextActionAt?.slice(0, 10),
      })
      expect(steady(rehearsed.body.data)).toEqual(steady(data))
      const { previousStatus: _, inFlight: __, ...fields } = data
      expect(fields).toEqual(await workflow(id))
      expect((await history(id)).filter(line => line.action === action)).toMatchObject([
        { channel: null, status: 'done' },
      ])
    },
  )
})

it('the reason is kept in the history, and may be left out', async () => {
  const { id } = await create()
  await triggerOk(id, { action: 'pause', reason: 'The customer asked for the delivery note' })
  await triggerOk(id, { action: 'resume' })
  expect((await history(id)).map(line => line.details)).toEqual([
    'Paused. Reason: The customer asked for the delivery note',
    'Resumed.',
  ])
})

describe('a rehearsal', () => {
  const ids: Record<string, string> = {}
  const asked: [string, Record<string, unknown>][] = [
    ['pending', { action: 'start' }],
    ['in_recovery', { action: 'pause', until: '2027-03-01T09:00:00Z', reason: 'x' }],
    ['in_recovery', { action: 'cancel' }],
    ['in_recovery', { action: 'escalate' }],
    ['ripe', { action: 'escalate' }],
    ['paused', { action: 'resume' }],
    ['paused', { action: 'cancel' }],
    ['reserved', { action: 'pause' }],
    ['reserved', { action: 'escalate' }],
  ]
  beforeAll(async () => {
    ids.pending = await made.pending()
    ids.in_recovery = await made.in_recovery()
    ids.paused = await made.paused()
    ids.ripe = await made.in_recovery()
    await notified(ids.ripe, '21 days')
    ids.reserved = await made.in_recovery()
    await worker.reserve(ids.reserved)
  })
  it('of any trigger changes no row of anybody: no event, no line, no message called back', async () => {
    const tenants = Object.values(installation.company.tenants)
    const before: Digest = await digestOf(installation, tenants)
    for (const [name, body] of asked) {
      const answer = await trigger(ids[name]!, { ...body, dryRun: true })
      expect(answer.status, `${name} ${answer.text}`).toBe(200)
    }
    expect(await digestOf(installation, tenants)).toEqual(before)
  })
})

it.each([
  [{ action: 'resume', until: '2027-03-01T09:00:00Z' }, 'until'],
  [{ action: 'pause', until: '2026-11-16T07:00:00Z' }, 'until'],
  [{ action: 'pause', reason: 'x'.repeat(501) }, 'reason'],
  [{ action: 'stop' }, 'action'],
])('%j is refused and names the field', async (body, field) => {
  const { id } = await create()
  const answer = await trigger(id, body)
  expect([answer.status, answer.body.error.code]).toEqual([400, 'VAL_001'])
  expect(answer.body.error.details!.map(detail => detail.field)).toEqual([field])
})
