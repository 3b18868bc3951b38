import pg from 'pg'
import { beforeEach, expect, it } from 'vitest'
import { useHandCourier } from '../../../../test/harness/hand-courier.ts'
import { eventually, useHouse } from '../../../../test/harness/house.ts'
import { uuidv7 } from '../../../kit/uuid.ts'
import { fanOut } from './fan-out.ts'

const house = useHouse({ hasWorker: false })
const hand = useHandCourier(house)
const minute = 60_000

let production: string
let sandbox: string
beforeEach(async () => {
  ;({ production, sandbox } = house.company.tenants)
  await house.sql('delete from webhook_pumps')
  await house.sql('delete from outbox')
})

async function endpoint(
  tenantId: string,
  events: string[],
  { enabled = true, wakeAt = null as number | null } = {},
) {
  const id = uuidv7(Date.now())
  await house.sql(
    `insert into webhook_pumps (tenant_id, webhook_id, events, enabled, wake_at) values ($1, $2, $3, $4, $5)`,
    [tenantId, id, events, enabled, wakeAt === null ? null : new Date(wakeAt).toISOString()],
  )
  return id
}
async function happen(tenantId: string, type: string, count = 1): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7(Date.now()))
  await house.sql(
    'insert into outbox (tenant_id, event_id, type, recorded_at) select $1, id, $3, $4 from unnest($2::uuid[]) id',
    [tenantId, ids, type, new Date().toISOString()],
  )
  return ids
}
const queued = async () =>
  (
    await house.sql<{ webhook_id: string; event_id: string }>(
      'select webhook_id, event_id from webhook_queue order by webhook_id, event_id',
    )
  ).map(row => [row.webhook_id, row.event_id])
const woken = async () =>
  (
    await house.sql<{ webhook_id: string }>(
      'select webhook_id from webhook_pumps where wake_at is not null order by webhook_id',
    )
  ).map(row => row.webhook_id)

it('an event goes to the enabled endpoints of its tenant that ask for it, wakes those, and leaves the outbox', async () => {
  const both = await endpoint(production, ['debt.paid', 'anr.created'])
  const one = await endpoint(production, ['debt.paid'])
  await endpoint(production, ['payment.failed'])
  await endpoint(production, ['debt.paid'], { enabled: false })
  const other = await endpoint(sandbox, ['debt.paid'])
  const [paid] = await happen(production, 'debt.paid')
  const [given] = await happen(production, 'anr.created')
  const [elsewhere] = await happen(sandbox, 'debt.paid')
  await happen(production, 'judicial.started')
  expect(await fanOut(hand.world)).toBe(false)
  expect(await queued()).toEqual([
    [both, paid],
    [both, given],
    [one, paid],
    [other, elsewhere],
  ])
  expect(await woken()).toEqual([both, one, other])
  expect(await house.sql('select 1 from outbox')).toEqual([])
})

it('an endpoint that is due earlier stays so, and one that waits for a retry is woken now', async () => {
  const now = Date.now()
  const early = await endpoint(production, ['debt.paid'], { wakeAt: now - minute })
  const waiting = await endpoint(production, ['debt.paid'], { wakeAt: now + minute })
  await happen(production, 'debt.paid')
  await fanOut(hand.world)
  const at = async (id: string) =>
    (
      await house.sql<{ wake_at: Date }>('select wake_at from webhook_pumps where webhook_id = $1', [id])
    )[0]!.wake_at.getTime()
  expect(await at(early)).toBe(now - minute)
  expect(await at(waiting)).toBeGreaterThanOrEqual(now)
  expect(await at(waiting)).toBeLessThanOrEqual(Date.now())
})

it('five hundred are spread at a time, and it is said when there are more', async () => {
  const id = await endpoint(production, ['debt.paid'])
  const ids = await happen(production, 'debt.paid', 500)
  const last = await happen(production, 'debt.paid')
  expect(await fanOut(hand.world)).toBe(true)
  expect(await queued()).toHaveLength(500)
  expect(await fanOut(hand.world)).toBe(false)
  expect(await queued()).toEqual([...ids, ...last].map(event => [id, event]))
})

it('an event that is in the queue already is there once', async () => {
  const id = await endpoint(production, ['debt.paid'])
  const [event] = await happen(production, 'debt.paid')
  await house.sql(
    `insert into webhook_queue (tenant_id, webhook_id, event_id, due_at, attempts, created_at) select tenant_id, $1, event_id, $2, 3, $2
       from outbox`,
    [id, new Date().toISOString()],
  )
  await fanOut(hand.world)
  expect(await queued()).toEqual([[id, event]])
  expect(await house.sql('select attempts from webhook_queue')).toEqual([{ attempts: 3 }])
})

it('an endpoint that is switched off or deleted at this very moment gets no line', async () => {
  const off = await endpoint(production, ['debt.paid'])
  const gone = await endpoint(production, ['debt.paid'])
  const stays = await endpoint(production, ['debt.paid'])
  const [event] = await happen(production, 'debt.paid')
  const owner = new pg.Client({ connectionString: house.database.adminUrl })
  // One that waits for as long as it takes a busy machine.
  const pool = new pg.Pool({ connectionString: house.database.env.WORKER_DATABASE_URL, max: 1 })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('update webhook_pumps set enabled = false where webhook_id = $1', [off])
    await owner.query('delete from webhook_pumps where webhook_id = $1', [gone])
    const spreading = fanOut({ pool, clock: hand.world.clock })
    await eventually(
      () =>
        house.sql(
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
