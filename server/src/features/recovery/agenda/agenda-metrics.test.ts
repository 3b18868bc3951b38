import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { useManualWorker } from '../../../../test/harness/manual-worker.ts'
import { operatorCalls } from '../../../../test/harness/operator.ts'
import { invoiceInput, useInstallation } from '../../../../test/harness/use-installation.ts'
import { systemClock } from '../../../kit/clock.ts'
import { databaseNow } from '../../../kit/database-clock.ts'
import { createPool, type Pool } from '../../../kit/db/pool.ts'
import { startHeartbeat } from '../../../kit/heartbeat.ts'
import { createLog } from '../../../kit/log.ts'
import { watchInstallation } from '../../../kit/metrics.ts'
import { lowestIdOf } from '../../../kit/uuid.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { registerAgendaMetrics } from './agenda-metrics.ts'

const installation = useInstallation({ hasWorker: false })
const worker = useManualWorker(installation)
const metrics = createMetrics()
let pool: Pool
beforeAll(() => {
  const url = installation.database.env.WORKER_DATABASE_URL
  pool = createPool({ url, role: 'relance-worker', max: 2, statementTimeoutMs: 5_000 })
  registerAgendaMetrics(metrics, pool, systemClock)
  watchInstallation(metrics, pool)
})
afterAll(() => pool.end())
// Each test begins with nothing to do.
beforeEach(() => installation.sql('update agendas set wake_at = null, parked_because = null'))
beforeEach(() => installation.sql('delete from pending_sends'))
beforeEach(() => installation.sql('delete from unknown_messages'))
beforeEach(() => installation.sql('delete from provider_outages'))

const figure = async (sample: string) => {
  const text = await metrics.registry.metrics()
  return Number(
    text
      .split('\n')
      .find(line => line.startsWith(`${sample} `))
      ?.split(' ')
      .at(-1),
  )
}

async function importInvoice({ email, isSandbox = false }: { email?: string; isSandbox?: boolean } = {}) {
  const input = invoiceInput()
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    {
      body: { ...input, debtor: { ...input.debtor, ...(email && { email }) } },
      ...(isSandbox && { key: installation.company.sandboxKey }),
    },
  )
  return { id: body.data.id, debtorId: body.data.debtor.id }
}
const setAgenda = (debtorId: string, change: string) =>
  installation.sql(`update agendas set ${change} where debtor_id = $1`, [debtorId])
const ago = (text: string) => `${databaseNow} - interval '${text}'`

it('the most overdue wake-up that nobody has taken is that of production, whatever sandboxes skip', async () => {
  const overdue = 'relance_oldest_overdue_agenda_seconds'
  const sandbox = await importInvoice({ isSandbox: true })
  await setAgenda(sandbox.debtorId, `wake_at = ${ago('60 days')}, taken_generation = wake_generation - 1`)
  expect(await figure(overdue)).toBe(0)
  const { debtorId } = await importInvoice()
  await setAgenda(debtorId, `wake_at = ${ago('400 seconds')}`)
  expect(await figure(overdue)).toBeCloseTo(400, -2)
  await setAgenda(debtorId, `taken_generation = wake_generation, taken_at = ${ago('200 seconds')}`)
  expect(await figure(overdue)).toBe(0)
})

it('what a worker has taken is counted until it is done, and its age is shown', async () => {
  const { debtorId } = await importInvoice()
  const sandbox = await importInvoice({ isSandbox: true })
  await setAgenda(
    debtorId,
    `wake_at = ${ago('1 hour')}, taken_generation = wake_generation, taken_at = ${ago('200 seconds')}`,
  )
  await setAgenda(
    sandbox.debtorId,
    `wake_at = ${ago('1 hour')}, taken_generation = wake_generation, taken_at = ${ago('1 day')}`,
  )
  expect(await figure('relance_agendas_taken')).toBe(1)
  expect(await figure('relance_oldest_taken_agenda_seconds')).toBeCloseTo(200, -2)
  await setAgenda(debtorId, 'wake_generation = wake_generation + 1, wake_at = null')
  expect(await figure('relance_agendas_taken')).toBe(0)
  expect(await figure('relance_oldest_taken_agenda_seconds')).toBe(0)
})

it('parked debtors of production are counted', async () => {
  const parkIt = `parked_because = 'calendar_missing', wake_at = null`
  await setAgenda((await importInvoice({ isSandbox: true })).debtorId, parkIt)
  expect(await figure('relance_agendas_parked')).toBe(0)
  await setAgenda((await importInvoice()).debtorId, parkIt)
  expect(await figure('relance_agendas_parked')).toBe(1)
})

it('messages without an outcome are counted, and the oldest shows its age', async () => {
  const sandbox = await importInvoice({ isSandbox: true })
  await worker.claim(sandbox.id)
  expect(await figure('relance_sends_pending')).toBe(0)
  const { id } = await importInvoice()
  const communicationId = await worker.claim(id)
  expect(await figure('relance_sends_pending')).toBe(1)
  expect(await figure('relance_oldest_pending_send_seconds')).toBeLessThan(60)
  await installation.sql('update pending_sends set communication_id = $2 where communication_id = $1', [
    communicationId,
    lowestIdOf(Date.now() - 900_000),
  ])
  expect(await figure('relance_oldest_pending_send_seconds')).toBeCloseTo(900, -2)
  await installation.sql('delete from pending_sends')
  expect(await figure('relance_oldest_pending_send_seconds')).toBe(0)
})

it('messages whose outcome nobody knows are counted by age, until it is known', async () => {
  const counts = async () => [
    await figure('relance_unknown_messages{age="under_1h"}'),
    await figure('relance_unknown_messages{age="1h_to_48h"}'),
    await figure('relance_unknown_messages{age="over_48h"}'),
  ]
  const sendUnknown = async (isSandbox: boolean) => {
    const { id } = await importInvoice({ email: `unknown+${randomUUID()}@durand.example`, isSandbox })
    const communicationId = await worker.claim(id)
    await worker.send(communicationId)
    return communicationId
  }
  await sendUnknown(true)
  expect(await counts()).toEqual([0, 0, 0])
  const communicationId = await sendUnknown(false)
  const setAge = (age: string) => installation.sql(`update unknown_messages set since = ${ago(age)}`)
  await setAge('1 minute')
  expect(await counts()).toEqual([1, 0, 0])
  await setAge('2 hours')
  expect(await counts()).toEqual([0, 1, 0])
  await setAge('3 days')
  expect(await counts()).toEqual([0, 0, 1])
  await installation.sql(`update communications set state = 'delivered' where id = $1`, [communicationId])
  expect(await counts()).toEqual([0, 0, 0])
})

it('workers are counted while they show that they live', async () => {
  expect(await figure('relance_workers_alive')).toBe(0)
  const heartbeat = await startHeartbeat(pool, createLog('silent', 'worker'), randomUUID())
  expect(await figure('relance_workers_alive')).toBe(1)
  await heartbeat.stop()
  expect(await figure('relance_workers_alive')).toBe(0)
  await installation.sql(`insert into workers values ($1, ${ago('20 seconds')})`, [randomUUID()])
  expect(await figure('relance_workers_alive')).toBe(0)
})

it('a loop that runs in one worker at a time is led while that worker lives', async () => {
  const led = () => figure('relance_loop_leader{loop="deliveries"}')
  const heartbeat = await startHeartbeat(pool, createLog('silent', 'worker'), randomUUID())
  expect(await heartbeat.mayLead('deliveries')).toBe(true)
  expect(await led()).toBe(1)
  await heartbeat.stop()
  expect(await led()).toBe(0)
})

it('a provider that is away is shown until it is back', async () => {
  const away = () => figure('relance_provider_away{channel="email",provider="smtp"}')
  await installation.sql(
    `insert into provider_outages (channel, provider, since, failures, reason) values ('email', 'smtp', ${databaseNow}, 1, 'ECONNREFUSED')`,
  )
  expect(await away()).toBeNaN()
  await installation.sql(
    `update provider_outages set failures = 3, until = ${databaseNow} + interval '1 hour'`,
  )
  expect(await away()).toBe(1)
  await installation.sql('delete from provider_outages')
  expect(await away()).toBeNaN()
})

it('that the sending of everybody is stopped is shown', async () => {
  const operator = operatorCalls(installation)
  expect(await figure('relance_sending_stopped')).toBe(0)
  await operator.stop()
  expect(await figure('relance_sending_stopped')).toBe(1)
  await operator.resume()
  expect(await figure('relance_sending_stopped')).toBe(0)
})

it('a transaction that stays open shows how many others began since', async () => {
  const reader = new pg.Client({ connectionString: installation.database.adminUrl })
  await reader.connect()
  await reader.query('begin isolation level repeatable read')
  await reader.query('select 1')
  for (let i = 0; i < 50; i++) await installation.sql('select pg_current_xact_id()')
  expect(await figure('relance_oldest_snapshot_transactions')).toBeGreaterThanOrEqual(50)
  await reader.query('commit')
  await reader.end()
})

it('without its database a scrape still answers', async () => {
  const url = new URL(installation.database.env.WORKER_DATABASE_URL)
  url.port = '9'
  const away = createPool({ url: url.href, role: 'relance-worker', max: 1, statementTimeoutMs: 500 })
  const alone = createMetrics()
  registerAgendaMetrics(alone, away, systemClock)
  const text = await alone.registry.metrics()
  expect(text).toContain('relance_agendas_parked Nan')
  expect(text).not.toContain('relance_unknown_messages{')
  await away.end()
})
