import { expect, it } from 'vitest'
import { taskEngine } from '../../src/kit/engine/task-services.ts'
import { newSandbox } from '../harness/sandbox.ts'
import { eventually, invoiceInput, useInstallation } from '../harness/use-installation.ts'

const installation = useInstallation({ hasEngine: true })

it('the engine runs tasks chunk by chunk, one task after the other, and each end is told once', async () => {
  const sandbox = await newSandbox(installation)
  const ids: string[] = []
  for (let i = 0; i < 6; i++) {
    const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2027-02-01' })),
    })
    ids.push(...results.map(({ id }) => id))
  }
  await eventually(
    () => installation.sql<{ at: Date | null }>('select engine_seen_at as at from installation'),
    ([row]) => row!.at !== null,
  )
  const answer = await sandbox.call<{ id: string }>('POST', '/api/v1/tasks/bulk', { action: 'pause', ids })
  expect(answer.body.warnings ?? []).toEqual([])
  const second = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/bulk', {
    action: 'resume',
    filter: { status: 'imported' },
  })
  const read = (id: string) =>
    sandbox.done<{ status: string; succeeded: number; refused: number }>('GET', `/api/v1/tasks/${id}`)
  const finished = await eventually(
    () => read(second.id),
    ({ status }) => status === 'finished',
  )
  expect(finished).toMatchObject({ succeeded: 600, refused: 0 })
  expect(await read(answer.body.data.id)).toMatchObject({ status: 'finished', succeeded: 600, refused: 0 })
  const ends = await installation.sql<{ subject_id: string }>(
    `select subject_id from events where tenant_id = $1 and type = 'task.finished' order by id`,
    [sandbox.tenantId],
  )
  expect(ends.map(({ subject_id }) => subject_id)).toEqual([answer.body.data.id, second.id])
}, 120_000)

it('the engine runs the night of a tenant, step by step', async () => {
  const { production: tenantId } = installation.company.tenants
  for (let i = 0; i < 6; i++)
    await installation.call('POST', '/api/v1/invoices/bulk', {
      body: { invoices: Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2027-02-01' })) },
    })
  const night = async () =>
    (
      await installation.sql<{ scored: string; done_at: Date | null }>(
        'select scored, done_at from tenant_nights where tenant_id = $1',
        [tenantId],
      )
    )[0]!
  // The worker's own loop leaves it alone meanwhile.
  await installation.sql(
    `update tenant_nights set due_at = 'epoch', done_at = null, after_debtor_id = null, taken_until = '2999-01-01' where tenant_id = $1`,
    [tenantId],
  )
  const { ENGINE_INGRESS_URL: ingressUrl } = installation.server.config
  const engine = taskEngine({ ingressUrl, onUnknownService: () => Promise.reject(new Error('unknown')) })
  try {
    await engine.startNight(tenantId)
  } finally {
    await engine.close()
  }
  expect(await eventually(night, ({ done_at }) => done_at !== null)).toMatchObject({ scored: '600' })
}, 120_000)
