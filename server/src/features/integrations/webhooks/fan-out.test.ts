import pg from 'pg'
import { beforeEach, expect, it } from 'vitest'
import { useManualDelivery } from '../../../../test/harness/manual-delivery.ts'
import { eventually, useInstallation } from '../../../../test/harness/use-installation.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { fanOut } from './fan-out.ts'

const installation = useInstallation({ hasWorker: false })
const delivery = useManualDelivery(installation)
const minute = 60_000

let production: string
let sandbox: string
beforeEach(async () => {
  ;({ production, sandbox } = installation.company.tenants)
  await installation.sql('delete from webhook_endpoints')
  await installation.sql('delete from outbox')
})

async function insertEndpoint(
  tenantId: string,
  events: string[],
  { enabled = true, wakeAt = null as number | null } = {},
) {
  const id = uuidv7(Date.now())
  await installation.sql(
    `insert into webhook_endpoints (tenant_id, webhook_id, events, enabled, wake_at) values ($1, $2, $3, $4, $5)`,
    [tenantId, id, events, enabled, wakeAt === null ? null : new Date(wakeAt).toISOString()],
  )
  return id
}
async function insertIntoOutbox(tenantId: string, type: string, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(Date.now()))
  await installation.sql(
    'insert into outbox (tenant_id, event_id, type, recorded_at) select $1, id, $3, $4 from unnest($2::uuid[]) id',
    [tenantId, ids, type, new Date().toISOString()],
  )
  return ids
}
const queued = async () =>
  (
    await installation.sql<{ webhook_id: string; event_id: string }>(
      'select webhook_id, event_id from webhook_queue order by webhook_id, event_id',
    )
  ).map(row => [row.webhook_id, row.event_id])
const woken = async () =>
  (
    await installation.sql<{ webhook_id: string }>(
      'select webhook_id from webhook_endpoints where wake_at is not null order by webhook_id',
    )
  ).map(row => row.webhook_id)

it('an event goes to the enabled endpoints of its tenant that subscribe to it, wakes those, and is removed from the outbox', async () => {
  const both = await insertEndpoint(production, ['debt.paid', 'anr.created'])
  const one = await insertEndpoint(production, ['debt.paid'])
  await insertEndpoint(production, ['payment.failed'])
  await insertEndpoint(production, ['debt.paid'], { enabled: false })
  const other = await insertEndpoint(sandbox, ['debt.paid'])
  const [paid] = await insertIntoOutbox(production, 'debt.paid')
  const [given] = await insertIntoOutbox(production, 'anr.created')
  const [elsewhere] = await insertIntoOutbox(sandbox, 'debt.paid')
  await insertIntoOutbox(production, 'judicial.started')
  expect(await fanOut(delivery.context)).toBe(false)
  expect(await queued()).toEqual([
    [both, paid],
    [both, given],
    [one, paid],
    [other, elsewhere],
  ])
  expect(await woken()).toEqual([both, one, other])
  expect(await installation.sql('select 1 from outbox')).toEqual([])
})

it('an endpoint that is due earlier stays so, and one that waits for a retry is woken now', async () => {
  const now = Date.now()
  const early = await insertEndpoint(production, ['debt.paid'], { wakeAt: now - minute })
  const waiting = await insertEndpoint(production, ['debt.paid'], { wakeAt: now + minute })
  await insertIntoOutbox(production, 'debt.paid')
  await fanOut(delivery.context)
  const at = async (id: string) =>
    (
      await installation.sql<{ wake_at: Date }>(
        'select wake_at from webhook_endpoints where webhook_id = $1',
        [id],
      )
    )[0]!.wake_at.getTime()
  expect(await at(early)).toBe(now - minute)
  expect(await at(waiting)).toBeGreaterThanOrEqual(now)
  expect(await at(waiting)).toBeLessThanOrEqual(Date.now())
})

it('five hundred events are fanned out at a time, and the result says whether there are more', async () => {
  const id = await insertEndpoint(production, ['debt.paid'])
  const ids = await insertIntoOutbox(production, 'debt.paid', 500)
  const last = await insertIntoOutbox(production, 'debt.paid')
  expect(await fanOut(delivery.context)).toBe(true)
  expect(await queued()).toHaveLength(500)
  expect(await fanOut(delivery.context)).toBe(false)
  expect(await queued()).toEqual([...ids, ...last].map(event => [id, event]))
})

it('an event that is in the queue already is there once', async () => {
  const id = await insertEndpoint(production, ['debt.paid'])
  const [event] = await insertIntoOutbox(production, 'debt.paid')
  await installation.sql(
    `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at) select tenant_id, $1, event_id, $2, 3, $2
       from outbox`,
    [id, new Date().toISOString()],
  )
  await fanOut(delivery.context)
  expect(await queued()).toEqual([[id, event]])
  expect(await installation.sql('select attempts from webhook_queue')).toEqual([{ attempts: 3 }])
})

it('an endpoint that is switched off or deleted at this very moment gets no line', async () => {
  const off = await insertEndpoint(production, ['debt.paid'])
  const gone = await insertEndpoint(production, ['debt.paid'])
  const stays = await insertEndpoint(production, ['debt.paid'])
  const [event] = await insertIntoOutbox(production, 'debt.paid')
  const owner = new pg.Client({ connectionString: installation.database.adminUrl })
  // A pool without a lock timeout, for slow machines.
  const pool = new pg.Pool({ connectionString: installation.database.env.WORKER_DATABASE_URL, max: 1 })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('update webhook_endpoints set enabled = false where webhook_id = $1', [off])
    await owner.query('delete from webhook_endpoints where webhook_id = $1', [gone])
    const spreading = fanOut({ pool, clock: delivery.context.clock })
    await eventually(
      () =>
        installation.sql(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      waiting => waiting.length > 0,
    )
    await owner.query('commit')
    await spreading
  } finally {
    await owner.end()
    await pool.end()
  }
  expect(await queued()).toEqual([[stays, event]])
})
