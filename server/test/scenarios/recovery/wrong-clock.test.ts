import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { WrongClock } from '../../../src/features/recovery/messages/worker-context.ts'
import { processTask } from '../../../src/features/recovery/wake/pull.ts'
import { startClockCheck } from '../../../src/kit/database-clock.ts'
import { createStartContext, type RunningService } from '../../../src/start/api.ts'
import { startWorker } from '../../../src/start/worker.ts'
import { useManualWorker } from '../../harness/manual-worker.ts'
import { eventually, invoiceInput, useInstallation } from '../../harness/use-installation.ts'
import { workerWithoutLoop } from '../../harness/worker-without-loop.ts'

const installation = useInstallation({ hasWorker: false })
const clock = { behindMs: 0, wall: () => Date.now() - clock.behindMs }
const manualWorker = useManualWorker(installation, { clock })

const running: RunningService[] = []
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.stop()
})

/** A worker whose clock can be set wrong. */
async function startWorkerAhead(aheadMs: number) {
  const clock = { aheadMs, wall: () => Date.now() + clock.aheadMs }
  const context = { ...createStartContext(installation.server.config), clock }
  const worker = await startWorker(context)
  running.push(worker)
  const differenceInMetrics = async () =>
    Number(/^relance_clock_difference_seconds (\S+)$/m.exec(await context.metrics.registry.metrics())?.[1])
  return { clock, differenceInMetrics, ready: context.health.ready }
}

async function importInvoice(): Promise<{ id: string; addressee: string }> {
  const body = invoiceInput()
  const created = await installation.call<{ id: string }>('POST', '/api/v1/invoices', { body })
  expect(created.status).toBe(201)
  return { id: created.body.data.id, addressee: body.debtor.email }
}
const mailsTo = (addressee: string) =>
  installation.server.mailbox.messages().filter(mail => mail.to === addressee).length
const untilSent = (addressee: string) =>
  eventually(
    () => mailsTo(addressee),
    count => count === 1,
  )
/** Several times as long as a message takes. */
const longEnough = () => pause(4_000)

it.each([
  ['ahead of', 3 * 3_600_000],
  ['behind', -3_000],
])('a worker whose clock is %s that of the database sends nothing until it is mended', async (_, aheadMs) => {
  const { clock, differenceInMetrics, ready } = await startWorkerAhead(aheadMs)
  const { addressee } = await importInvoice()
  await longEnough()
  expect(mailsTo(addressee)).toBe(0)
  expect(await differenceInMetrics()).toBeCloseTo(aheadMs / 1_000, 0)
  expect(await ready()).toMatch(/its clock differs/)
  clock.aheadMs = 0
  await untilSent(addressee)
  expect(await ready()).toBeNull()
})

it('a worker whose clock goes wrong while it runs sends nothing more until it is mended', async () => {
  const { clock } = await startWorkerAhead(0)
  const first = await importInvoice()
  await untilSent(first.addressee)
  clock.aheadMs = 10_000
  await pause(2_500)
  const second = await importInvoice()
  await longEnough()
  expect(mailsTo(second.addressee)).toBe(0)
  clock.aheadMs = 0
  await untilSent(second.addressee)
})

it('a worker whose clock is wrong lets another one lead', async () => {
  const { clock } = await startWorkerAhead(0)
  const first = await importInvoice()
  await untilSent(first.addressee)
  clock.aheadMs = -3_600_000
  await startWorkerAhead(500)
  const second = await importInvoice()
  await untilSent(second.addressee)
})

it('a task that a worker with a wrong clock has taken is refused, so that it is given back', async () => {
  const { id, addressee } = await importInvoice()
  const [recovery] = await installation.sql<{
    tenant_id: string
    debtor_id: string
    wake_generation: string
  }>(
    `select a.tenant_id, a.debtor_id, a.wake_generation from agendas a join recoveries r using (tenant_id, debtor_id)
      where r.invoice_id = $1`,
    [id],
  )
  const { tenant_id: tenantId, debtor_id: debtorId, wake_generation: generation } = recovery!
  const worker = workerWithoutLoop(installation.database, { connections: 2, reclaimAfterMs: 75_000 })
  const task = { kind: 'wake', tenantId, debtorId, generation: Number(generation), isSandbox: false } as const
  await expect(processTask({ ...worker, isClockRight: () => false }, task)).rejects.toBeInstanceOf(WrongClock)
  await worker.stop()
  expect(await installation.sql('select from communications where debtor_id = $1', [debtorId])).toEqual([])
  await startWorkerAhead(0)
  await untilSent(addressee)
})

it('a clock that stays wrong is reported once, and once more when it is right again', async () => {
  const lines: string[] = []
  const changes: boolean[] = []
  const note = (_: unknown, message: string) => lines.push(message)
  const ours = { aheadMs: 60_000, wall: () => Date.now() + ours.aheadMs }
  const worker = workerWithoutLoop(installation.database, { connections: 1, reclaimAfterMs: 75_000 })
  const check = await startClockCheck({
    pool: worker.pool,
    clock: ours,
    log: { debug: note, info: note, warn: note, error: note },
    pollMs: 50,
    gauge: worker.metrics.clockDifference,
    onChange: isRight => changes.push(isRight),
  })
  await pause(500)
  ours.aheadMs = 0
  await eventually(
    () => changes,
    seen => seen.length === 2,
  )
  await check.stop()
  await worker.stop()
  expect(changes).toEqual([false, true])
  expect(lines).toEqual([
    'the clock differs from the database’s by over 2 s; nothing is sent until they agree',
    'the clock agrees with the database’s again',
  ])
})

it('the lease of a message is judged by the clock of the database', async () => {
  const { id, addressee } = await importInvoice()
  const communicationId = await manualWorker.reserve(id)
  clock.behindMs = 30_000
  await manualWorker.send(communicationId, () =>
    installation.sql(
      `update communications set lease_until = clock_timestamp() - interval '10 seconds' where id = $1`,
      [communicationId],
    ),
  )
  expect(mailsTo(addressee)).toBe(0)
})
