import pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { useManualTasks } from '../../../../../test/harness/manual-tasks.ts'
import { newSandbox, type Sandbox } from '../../../../../test/harness/sandbox.ts'
import { invoiceInput, useInstallation } from '../../../../../test/harness/use-installation.ts'

const installation = useInstallation({ hasWorker: false })
const tasks = useManualTasks(installation)

interface TaskReply {
  id: string
  kind: string
  status: string
  isDryRun: boolean
  progress: { done: number; total: number | null }
  succeeded: number
  refused: number
  refusals: { code: string; message: string; count: number }[]
  review: { succeeded: number; refused: number } | null
  endedAt: string | null
}

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await newSandbox(installation)
})

const notYetDue = { dueDate: '2027-02-01' }
async function importMany(count: number, changes: Record<string, unknown> = {}): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < count; from += 100) {
    const invoices = Array.from({ length: Math.min(100, count - from) }, () =>
      invoiceInput({ ...notYetDue, ...changes }),
    )
    const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      invoices,
    })
    ids.push(...results.map(({ id }) => id))
  }
  return ids
}
const bulk = (body: Record<string, unknown>) => sandbox.done<TaskReply>('POST', '/api/v1/tasks/bulk', body)
const read = (id: string) => sandbox.done<TaskReply>('GET', `/api/v1/tasks/${id}`)
const statusOf = async (id: string) =>
  (await sandbox.done<{ status: string }>('GET', `/api/v1/workflow/invoice/${id}`)).status
const statuses = async () =>
  installation.sql<{ status: string; n: number }>(
    'select status, count(*)::integer as n from recoveries where tenant_id = $1 group by 1 order by 1',
    [sandbox.tenantId],
  )
const endingsOf = async (id: string) =>
  (await installation.sql<{ type: string }>('select type from events where subject_id = $1', [id])).map(
    ({ type }) => type,
  )
const runAll = () => tasks.runAll(sandbox.tenantId)
const pausedNow = async () => (await statuses()).find(({ status }) => status === 'paused')?.n ?? 0
/** Holds the lock of a debtor until it is released. */
async function holdDebtorOf(invoiceId: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: installation.database.adminUrl })
  await client.connect()
  await client.query('begin')
  await client.query(
    'select from agendas where debtor_id = (select debtor_id from invoices where id = $1) for update',
    [invoiceId],
  )
  return () => client.end()
}

it('a list of invoices is paused, each once; what cannot be is named with its cause', async () => {
  const [first, second, paused] = await importMany(3)
  await sandbox.done('POST', `/api/v1/workflow/invoice/${paused}/trigger`, { action: 'pause' })
  const unknown = '01a1d3c4-5e00-7b21-9f64-0c8d7a3e1b52'
  const made = await bulk({ action: 'pause', ids: [first, second, first, paused, unknown], reason: 'Closed' })
  expect(made).toMatchObject({ kind: 'bulk', status: 'waiting', progress: { done: 0, total: 4 } })
  tasks.said()
  await runAll()
  expect(tasks.said()).toEqual([])
  const task = await read(made.id)
  expect(task).toMatchObject({
    status: 'finished',
    succeeded: 2,
    refused: 2,
    progress: { done: 4, total: 4 },
  })
  expect(task.refusals.map(({ code, count }) => [code, count]).sort()).toEqual([
    ['BIZ_004', 1],
    ['RES_001', 1],
  ])
  expect(await statusOf(first!)).toBe('paused')
  const items = await sandbox.done<{ invoiceId: string; code: string | null }[]>(
    'GET',
    `/api/v1/tasks/${made.id}/items?only=refused`,
  )
  expect(items.map(({ invoiceId }) => invoiceId).sort()).toEqual([paused, unknown].sort())
  const history = await sandbox.done<{ action: string; details: string }[]>(
    'GET',
    `/api/v1/workflow/invoice/${first}/history`,
  )
  expect(history.filter(({ action }) => action === 'pause').map(({ details }) => details)).toEqual([
    'Paused. Reason: Closed',
  ])
})

it('by a filter: a dry run changes nothing and finds what the run then does, in chunks of 500', async () => {
  await importMany(1_050)
  const [other] = await importMany(1, { issueDate: '2026-01-15' })
  await sandbox.done('POST', `/api/v1/workflow/invoice/${other}/trigger`, { action: 'cancel' })
  const made = await bulk({ action: 'pause', filter: { fromDate: '2026-01-01' }, dryRun: true })
  // What comes later is none of its items.
  const [later] = await importMany(1)
  await runAll()
  const reviewed = await read(made.id)
  expect(reviewed).toMatchObject({
    status: 'review',
    isDryRun: true,
    succeeded: 1_050,
    refused: 1,
    endedAt: null,
  })
  expect(await statuses()).toEqual([
    { status: 'cancelled', n: 1 },
    { status: 'in_recovery', n: 1_051 },
  ])
  await sandbox.done('POST', `/api/v1/tasks/${made.id}/start`)
  await runAll()
  const finished = await read(made.id)
  expect(finished).toMatchObject({ status: 'finished', isDryRun: false, succeeded: 1_050, refused: 1 })
  expect(finished.review).toMatchObject({ succeeded: 1_050, refused: 1, refusals: finished.refusals })
  expect(await statuses()).toEqual([
    { status: 'cancelled', n: 1 },
    { status: 'in_recovery', n: 1 },
    { status: 'paused', n: 1_050 },
  ])
  expect(await statusOf(later!)).toBe('in_recovery')
  expect(await endingsOf(made.id)).toEqual(['task.finished'])
  const [event] = await installation.sql<{ data: unknown }>('select data from events where subject_id = $1', [
    made.id,
  ])
  expect(event!.data).toEqual({ taskId: made.id, kind: 'bulk', counts: { succeeded: 1_050, refused: 1 } })
})

describe('under faults', () => {
  it('a chunk that is run twice at once does each item once', async () => {
    const ids = await importMany(60)
    const { id } = await bulk({ action: 'pause', ids })
    const chunk = (await tasks.take(sandbox.tenantId))!
    const ends = await Promise.all([tasks.run(chunk), tasks.run(chunk)])
    expect(ends.map(({ kind }) => kind)).toContain('ended')
    expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 60, refused: 0 })
    const [{ n }] = (await installation.sql<{ n: number }>(
      `select count(*)::integer as n from actions where tenant_id = $1 and action = 'pause'`,
      [sandbox.tenantId],
    )) as [{ n: number }]
    expect(n).toBe(60)
  })

  it('a task whose worker was killed is taken again where it stopped; a chunk of the attempt before does nothing', async () => {
    const ids = await importMany(40)
    const { id } = await bulk({ action: 'pause', ids })
    const lost = (await tasks.take(sandbox.tenantId))!
    const again = (await tasks.take(sandbox.tenantId))!
    expect(again).toMatchObject({ taskId: id, attempt: lost.attempt + 1, chunk: 0 })
    expect(await tasks.run(lost)).toEqual({ kind: 'stale' })
    expect(await statusOf(ids[0]!)).toBe('in_recovery')
    expect(await tasks.run(again)).toEqual({ kind: 'ended' })
    expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 40 })
  })

  it('a task that stops again and again fails, says so, and the next one is taken', async () => {
    const ids = await importMany(1)
    const { id } = await bulk({ action: 'pause', ids })
    const next = await bulk({ action: 'cancel', ids })
    for (let i = 0; i < 5; i++) {
      expect(await tasks.take(sandbox.tenantId)).toMatchObject({ taskId: id })
    }
    expect(await tasks.take(sandbox.tenantId)).toMatchObject({ taskId: next.id })
    expect(await read(id)).toMatchObject({ status: 'failed', failure: expect.stringContaining('stays done') })
    expect(await endingsOf(id)).toEqual(['task.failed'])
  })
})

describe('items that share a transaction', () => {
  /** What a tenant holds of its recoveries, without ids and moments, in the order of the invoices. */
  const historyOf = (tenantId: string) =>
    installation.sql(
      `select r.status, r.holds, r.step, r.due_because, r.due_channel, r.due_at is null as is_idle, i.status as invoice, i.event_seq,
              a.wake_at is null as is_asleep, a.wake_because, a.wake_generation,
              array(select concat_ws(' ', x.action, x.code, x.params) from actions x where x.invoice_id = i.id order by x.id) as actions,
              array(select concat_ws(' ', e.type, e.sequence, e.data ->> 'cause') from events e where e.subject_id = i.id order by e.sequence) as events,
              array(select concat_ws(' ', l.type, l.data ->> 'action') from audit_log l where l.subject_id = i.id::text order by l.id) as audit
         from invoices i join recoveries r on r.tenant_id = i.tenant_id and r.invoice_id = i.id
         join agendas a on a.tenant_id = i.tenant_id and a.debtor_id = i.debtor_id
        where i.tenant_id = $1 order by i.number`,
      [tenantId],
    )

  it('end as if each had been done by itself, also where they have a debtor in common', async () => {
    const twin = await newSandbox(installation)
    const invoices = Array.from({ length: 40 }, () => {
      const { debtor } = invoiceInput()
      return ['2026-10-15', '2026-10-20', '2027-02-01'].map(dueDate => invoiceInput({ debtor, dueDate }))
    }).flat()
    const idsIn = async (one: Sandbox) => {
      const ids: string[] = []
      for (const part of [invoices.slice(0, 60), invoices.slice(60)]) {
        const body = { invoices: part }
        const { results } = await one.done<{ results: { id: string }[] }>(
          'POST',
          '/api/v1/invoices/bulk',
          body,
        )
        ids.push(...results.map(({ id }) => id))
      }
      return ids
    }
    const [ids, twinIds] = [await idsIn(sandbox), await idsIn(twin)]
    for (const act of [
      { action: 'pause', reason: 'Closed', until: '2027-03-01T09:00:00Z' },
      { action: 'resume' },
      { action: 'pause' },
      { action: 'cancel' },
    ]) {
      const { id } = await bulk({ ...act, ids })
      await runAll()
      expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 120, refused: 0 })
      for (const twinId of twinIds) await twin.done('POST', `/api/v1/workflow/invoice/${twinId}/trigger`, act)
    }
    expect(await historyOf(sandbox.tenantId)).toEqual(await historyOf(twin.tenantId))
    expect(tasks.said()).toEqual([])
  })

  it('are all done but for one that fails by a fault of ours, which is refused and named', async () => {
    const ids = await importMany(150)
    const poison = ids[70]!
    await installation.sql(`update recoveries set cascade = 'nobody_knows' where invoice_id = $1`, [poison])
    const { id } = await bulk({ action: 'resume', ids: [...ids] })
    await installation.sql(
      `update recoveries set status = 'paused', holds = '{asked}', wish_at = null, due_at = null, due_because = null, due_channel = null
        where tenant_id = $1`,
      [sandbox.tenantId],
    )
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'finished',
      succeeded: 149,
      refused: 1,
      refusals: [{ code: 'SYS_001', count: 1 }],
    })
    const items = await sandbox.done<{ invoiceId: string }[]>('GET', `/api/v1/tasks/${id}/items?only=refused`)
    expect(items.map(({ invoiceId }) => invoiceId)).toEqual([poison])
    expect(await statusOf(ids[71]!)).toBe('in_recovery')
  })

  it('a task of which more than twenty items fail by a fault of ours ends, and says so', async () => {
    const ids = await importMany(60)
    await installation.sql(
      `update recoveries set cascade = 'nobody_knows', status = 'paused', holds = '{asked}', wish_at = null, due_at = null,
              due_because = null, due_channel = null where tenant_id = $1`,
      [sandbox.tenantId],
    )
    const { id } = await bulk({ action: 'resume', ids })
    await runAll()
    expect(await read(id)).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('More than 20'),
    })
  })

  it('whose debtor is busy are done by themselves, once it is free', async () => {
    const ids = await importMany(30)
    const { id } = await bulk({ action: 'pause', ids })
    const release = await holdDebtorOf(ids[3]!)
    const running = runAll()
    await expect.poll(pausedNow).toBe(29)
    await release()
    await running
    expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 30, refused: 0 })
  })
})

it('after the answer of a cancellation nothing more is done', async () => {
  const ids = await importMany(40)
  const { id } = await bulk({ action: 'pause', ids })
  const chunk = (await tasks.take(sandbox.tenantId))!
  const release = await holdDebtorOf(ids[3]!)
  const running = tasks.run(chunk)
  await expect.poll(pausedNow).toBe(39)
  const cancelling = sandbox.done<TaskReply>('POST', `/api/v1/tasks/${id}/cancel`)
  expect((await cancelling).status).toBe('cancelled')
  await release()
  expect(await running).toEqual({ kind: 'stale' })
  expect(await pausedNow()).toBe(39)
  expect((await sandbox.call('POST', `/api/v1/tasks/${id}/cancel`)).status).toBe(409)
})

it('every action is done as its own operation does it', async () => {
  const [toWriteOff, toMessage, toCancel] = await importMany(3, { dueDate: '2026-10-15' })
  const acts = [
    { action: 'write_off', basis: 'untraceable', note: 'Moved away', ids: [toWriteOff] },
    { action: 'message', channel: 'email', ids: [toMessage] },
    { action: 'cancel', ids: [toCancel] },
  ]
  const made = []
  for (const act of acts) made.push(await bulk(act))
  await runAll()
  for (const { id } of made)
    expect(await read(id)).toMatchObject({ status: 'finished', succeeded: 1, refused: 0 })
})

it('tasks are listed, the newest first, and only to whoever may have made them', async () => {
  const ids = await importMany(1)
  const pausing = await bulk({ action: 'pause', ids })
  const messaging = await bulk({ action: 'message', channel: 'email', ids })
  const listed = await sandbox.done<TaskReply[]>('GET', '/api/v1/tasks')
  expect(listed.map(({ id }) => id)).toEqual([messaging.id, pausing.id])
  const { apiKey: key } = await sandbox.done<{ apiKey: string }>('POST', '/api/v1/api-keys', {
    name: 'Mail only',
    scopes: ['notifications:send'],
  })
  const asMailer = (path: string) => installation.call<TaskReply[]>('GET', path, { key })
  expect((await asMailer('/api/v1/tasks')).body.data.map(({ id }) => id)).toEqual([messaging.id])
  expect((await asMailer(`/api/v1/tasks/${pausing.id}`)).status).toBe(404)
  const refused = await installation.call('POST', '/api/v1/tasks/bulk', {
    key,
    body: { action: 'pause', ids },
  })
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AUTH_004'])
})

it('of what acts one task of a tenant runs at a time, what stops messages first, then the oldest; what reads does not wait for it', async () => {
  const ids = await importMany(1)
  const first = await bulk({ action: 'resume', ids })
  const second = await bulk({ action: 'escalate', ids })
  const stop = await bulk({ action: 'pause', ids })
  const judging = await bulk({ action: 'cancel', ids, dryRun: true })
  const order: string[] = []
  for (let chunk = await tasks.take(sandbox.tenantId); chunk; chunk = await tasks.take(sandbox.tenantId)) {
    order.push(chunk.taskId)
    await tasks.run(chunk)
  }
  expect(order).toEqual([stop.id, first.id, second.id])
  expect((await tasks.take(sandbox.tenantId, 'read'))!.taskId).toBe(judging.id)
})

it.each([
  [{ action: 'pause' }, 'ids'],
  [{ action: 'pause', ids: [], filter: {} }, 'ids'],
  [{ action: 'pause', filter: {} }, 'filter'],
  [{ action: 'write_off', filter: { status: 'imported' } }, 'basis'],
  [{ action: 'message', filter: { status: 'imported' } }, 'channel'],
  [{ action: 'cancel', filter: { status: 'imported' }, until: '2027-03-01T09:00:00Z' }, 'until'],
  [{ action: 'stop', filter: { status: 'imported' } }, 'action'],
])('%j is refused and names the field', async (body, field) => {
  const answer = await sandbox.call('POST', '/api/v1/tasks/bulk', body)
  expect(answer.status, answer.text).toBe(400)
  expect(answer.body.error.details!.map(detail => detail.field)).toContain(field)
})
