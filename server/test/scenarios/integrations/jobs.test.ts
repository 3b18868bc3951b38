import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { expect, it } from 'vitest'
import { newSandbox, type Sandbox } from '../../harness/sandbox.ts'
import { sendJob } from '../../harness/send-job.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'

const installation = useInstallation()

async function importMany(sandbox: Sandbox, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < count; from += 100) {
    const { results } = await sandbox.done<{ results: { id: string }[] }>('POST', '/api/v1/invoices/bulk', {
      invoices: Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2027-02-01' })),
    })
    ids.push(...results.map(({ id }) => id))
  }
  return ids
}
const readIn = (sandbox: Sandbox) => (id: string) =>
  sandbox.done<{ status: string; succeeded: number; refused: number }>('GET', `/api/v1/tasks/${id}`)

it('tasks are run chunk by chunk, one after the other, and each end is told once', async () => {
  const sandbox = await newSandbox(installation)
  const ids = await importMany(sandbox, 600)
  const first = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/bulk', { action: 'pause', ids })
  const second = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/bulk', {
    action: 'resume',
    filter: { status: 'imported' },
  })
  const read = readIn(sandbox)
  const finished = await eventually(
    () => read(second.id),
    ({ status }) => status === 'finished',
  )
  expect(finished).toMatchObject({ succeeded: 600, refused: 0 })
  expect(await read(first.id)).toMatchObject({ status: 'finished', succeeded: 600, refused: 0 })
  const ends = await installation.sql<{ subject_id: string }>(
    `select subject_id from events where tenant_id = $1 and type = 'task.finished' order by id`,
    [sandbox.tenantId],
  )
  expect(ends.map(({ subject_id }) => subject_id)).toEqual([first.id, second.id])
})

it('a task whose job is lost is done all the same', async () => {
  const sandbox = await newSandbox(installation)
  const ids = await importMany(sandbox, 100)
  // As the worker would find it after the job was lost: a row, and no job.
  await installation.sql(
    `create function lose_jobs() returns trigger language plpgsql as 'begin return null; end'`,
  )
  await installation.sql(
    'create trigger lose_jobs before insert on jobs.job_common for each row execute function lose_jobs()',
  )
  const { id } = await sandbox.done<{ id: string }>('POST', '/api/v1/tasks/bulk', { action: 'pause', ids })
  await installation.sql('drop function lose_jobs cascade')
  await eventually(
    () => readIn(sandbox)(id),
    ({ status }) => status === 'finished',
  )
})

it('a request that fails leaves no job', async () => {
  const sandbox = await newSandbox(installation)
  const jobs = () => installation.sql('select from jobs.job where singleton_key = $1', [sandbox.tenantId])
  const api = new pg.Client({ connectionString: installation.database.env.API_DATABASE_URL })
  await api.connect()
  await api.query('begin')
  await api.query(`select set_config('relance.tenant', $1, true)`, [sandbox.tenantId])
  await api.query(`select queue_own_lane('act')`)
  await api.query('rollback')
  expect(await jobs()).toEqual([])
  // The api can queue for the tenant of its transaction, and do nothing else with jobs.
  await expect(api.query('select queue_lane($1, $2)', [sandbox.tenantId, 'act'])).rejects.toThrow(
    'permission denied',
  )
  await expect(api.query('select from jobs.job')).rejects.toThrow('permission denied')
  await api.end()
})

it('a job that is queued with a request is as pg-boss makes it', async () => {
  const tenantId = '01a1c4b4-1a60-7bf9-a8c2-71d3e5094fb6'
  const made = async (): Promise<Record<string, unknown>> => {
    const [row] = await installation.sql<{ job: Record<string, unknown> }>(
      `with gone as (delete from jobs.job where singleton_key = $1 returning *)
       select to_jsonb(gone) || jsonb_build_object('keep_until', keep_until - created_on) as job from gone`,
      [tenantId],
    )
    const { id, created_on, start_after, started_on, heartbeat_on, completed_on, state, ...rest } = row!.job
    return rest
  }
  const boss = new PgBoss({
    connectionString: installation.database.adminUrl,
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
  })
  await boss.start()
  try {
    // Far ahead, so that no worker takes it meanwhile.
    await boss.send('acts', { tenantId }, { singletonKey: tenantId, startAfter: 3_600 })
    const { keep_until: _, ...byBoss } = await made()
    await installation.sql(`select queue_lane($1, 'act')`, [tenantId])
    const { keep_until, ...byUs } = await made()
    expect(byUs).toEqual(byBoss)
    expect(keep_until).toBe('14 days')
  } finally {
    await boss.stop({ graceful: false })
  }
})

it('the night of a tenant is done by a job, step by step', async () => {
  const company = await installation.server.createCompany({
    name: 'Atelier Petit',
    ownerEmail: 'petit@atelier.example',
    tier: 'enterprise',
    requestsPerMinute: 1_000_000,
  })
  for (let i = 0; i < 6; i++)
    await installation.call('POST', '/api/v1/invoices/bulk', {
      body: { invoices: Array.from({ length: 100 }, () => invoiceInput({ dueDate: '2027-02-01' })) },
      key: company.productionKey,
    })
  const tenantId = company.tenants.production
  await installation.sql(
    `update tenant_nights set due_at = 'epoch', done_at = null, after_debtor_id = null, scored = 0 where tenant_id = $1`,
    [tenantId],
  )
  await sendJob(installation, 'nights')
  const night = async () =>
    (
      await installation.sql<{ scored: string; done_at: Date | null }>(
        'select scored, done_at from tenant_nights where tenant_id = $1',
        [tenantId],
      )
    )[0]!
  expect(await eventually(night, ({ done_at }) => done_at !== null)).toMatchObject({ scored: '600' })
})
