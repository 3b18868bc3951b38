import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { providerPlaces } from '../../../src/features/recovery/messages/provider-places.ts'
import { sendClaimed } from '../../../src/features/recovery/messages/send/send-message.ts'
import type { WorkerContext } from '../../../src/features/recovery/messages/worker-context.ts'
import { roundRobin } from '../../../src/features/recovery/wake/due-order.ts'
import { startPulling } from '../../../src/features/recovery/wake/pull.ts'
import { wakeDebtor } from '../../../src/features/recovery/wake/wake-debtor.ts'
import { type Heartbeat, startHeartbeat } from '../../../src/kit/heartbeat.ts'
import { eventually, invoiceInput, mondayMorning, useInstallation } from '../../harness/use-installation.ts'
import { workerWithoutLoop } from '../../harness/worker-without-loop.ts'

const installation = useInstallation({ own: 'moves the clock', hasWorker: false })
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
beforeAll(() => installation.setNow(mondayMorning))

/** A worker of its own, with a heartbeat; it pulls what is due if asked to. */
async function newWorker(options: { pulls: boolean; places?: number }) {
  const base = workerWithoutLoop(installation.database, { connections: 4, reclaimAfterMs: 3_600_000 })
  stops.push(() => base.stop())
  const heartbeat: Heartbeat = await startHeartbeat(base.pool, base.log, randomUUID())
  stops.push(() => heartbeat.stop())
  const sent: string[] = []
  const { email } = base.channelsFor({ id: '', environment: 'production' })
  const worker: WorkerContext = {
    ...base,
    workerId: heartbeat.workerId,
    channelsFor: tenant => ({
      ...base.channelsFor(tenant),
      email: {
        ...email,
        reentry: 'none',
        async send(message, { beforeCommit }) {
          await beforeCommit()
          sent.push(message.to.address)
          return { outcome: 'accepted', providerId: randomUUID() }
        },
      },
    }),
  }
  if (options.pulls) {
    const places = options.places ?? 4
    const pulling = startPulling(worker, {
      pollMs: 20,
      wakeTimeoutMs: 120_000,
      places: { production: places, sandbox: places },
    })
    stops.push(() => pulling.stop())
  }
  return { worker, heartbeat, sent }
}

const silence = (workerId: string) =>
  installation.sql(
    `update workers set heartbeat_at = clock_timestamp() - interval '16 seconds' where id = $1`,
    [workerId],
  )

async function create(): Promise<{ id: string; debtorId: string; email: string }> {
  const input = invoiceInput()
  const { body } = await installation.call<{ id: string; debtor: { id: string } }>(
    'POST',
    '/api/v1/invoices',
    {
      body: input,
    },
  )
  return { id: body.data.id, debtorId: body.data.debtor.id, email: input.debtor.email }
}

describe('pulling', () => {
  it('two workers share what is due: everything is sent, nothing twice', async () => {
    const invoices = []
    for (let i = 0; i < 30; i++) invoices.push(await create())
    const workers = [await newWorker({ pulls: true }), await newWorker({ pulls: true })]
    const all = await eventually(
      () => workers.flatMap(({ sent }) => sent),
      sent => sent.length >= invoices.length,
    )
    expect(all.toSorted()).toEqual(invoices.map(({ email }) => email).toSorted())
  })

  it('what a worker took and did not finish is due again when it is silent', async () => {
    const deadId = randomUUID()
    await installation.sql('insert into workers (id, heartbeat_at) values ($1, clock_timestamp())', [deadId])
    const { debtorId, email } = await create()
    await installation.sql(
      'update agendas set taken_generation = wake_generation, taken_at = clock_timestamp(), taken_by = $2 where debtor_id = $1',
      [debtorId, deadId],
    )
    const living = await newWorker({ pulls: true })
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(living.sent).toEqual([])
    await silence(deadId)
    await eventually(
      () => living.sent,
      sent => sent.length === 1,
    )
    expect(living.sent).toEqual([email])
  })

  it('a message that a worker claimed and did not begin to send is sent by another when it is silent', async () => {
    const dead = await newWorker({ pulls: false })
    const { debtorId, email } = await create()
    const tenantId = installation.company.tenants.production
    const [agenda] = await installation.sql<{ wake_generation: string }>(
      'select wake_generation from agendas where debtor_id = $1',
      [debtorId],
    )
    const woken = await wakeDebtor(dead.worker, {
      tenantId,
      debtorId,
      generation: Number(agenda!.wake_generation),
    })
    if (woken?.kind !== 'send') throw new Error('nothing was reserved')
    expect(woken.claim).toHaveProperty('token')
    await dead.heartbeat.stop()
    await installation.sql(
      `insert into workers (id, heartbeat_at) values ($1, clock_timestamp() - interval '16 seconds')`,
      [dead.heartbeat.workerId],
    )
    const living = await newWorker({ pulls: true })
    await eventually(
      () => living.sent,
      sent => sent.length === 1,
    )
    expect(living.sent).toEqual([email])
    // The dead one comes back: another holds the message now.
    await expect(sendClaimed(dead.worker, woken.claim!)).resolves.toBeNull()
    expect(dead.sent).toEqual([])
  })

  it('a task that keeps failing is parked for a person after eight failures', async () => {
    const { debtorId } = await create()
    await installation.sql(
      `update agendas set taken_generation = wake_generation, taken_at = clock_timestamp() - interval '10 hours', taken_by = $2, attempts = 7
        where debtor_id = $1`,
      [debtorId, (await newWorker({ pulls: false })).heartbeat.workerId],
    )
    await newWorker({ pulls: true })
    const [agenda] = await eventually(
      () =>
        installation.sql<{ parked_because: string | null; wake_at: Date | null }>(
          'select parked_because, wake_at from agendas where debtor_id = $1',
          [debtorId],
        ),
      ([row]) => row!.parked_because !== null,
    )
    expect(agenda).toEqual({ parked_because: 'task_failed', wake_at: null })
  })
})

describe('a loop that one worker runs', () => {
  it('stays with a living worker, goes to another when it is silent, and at once when it leaves', async () => {
    const [first, second] = [await newWorker({ pulls: false }), await newWorker({ pulls: false })]
    const leaders = async () => [
      await first.heartbeat.mayLead('scores'),
      await second.heartbeat.mayLead('scores'),
    ]
    expect(await leaders()).toEqual([true, false])
    await silence(first.heartbeat.workerId)
    expect(await second.heartbeat.mayLead('scores')).toBe(true)
    expect(await first.heartbeat.mayLead('scores')).toBe(false)
    await second.heartbeat.leave('scores')
    expect(await first.heartbeat.mayLead('scores')).toBe(true)
  })
})

describe('turns', () => {
  it('each tenant gets one before any gets a second', () => {
    const rows = ['a', 'a', 'a', 'a', 'b', 'c', 'c'].map((tenant_id, i) => ({ tenant_id, i }))
    expect(roundRobin(rows, 5).map(({ tenant_id, i }) => `${tenant_id}${i}`)).toEqual([
      'a0',
      'b4',
      'c5',
      'a1',
      'c6',
    ])
    expect(roundRobin([], 5)).toEqual([])
  })
})

it('a provider with as many messages as it may have takes no more for now, and the wish stays', async () => {
  const { worker } = await newWorker({ pulls: false })
  const { id, debtorId } = await create()
  const tenantId = installation.company.tenants.production
  const wake = async (places: number) => {
    const [agenda] = await installation.sql<{ wake_generation: string }>(
      'select wake_generation from agendas where debtor_id = $1',
      [debtorId],
    )
    const wakeUp = { tenantId, debtorId, generation: Number(agenda!.wake_generation) }
    return wakeDebtor({ ...worker, places: providerPlaces(places) }, wakeUp)
  }
  const dueOf = async () =>
    (
      await installation.sql<{ due_because: string; wish_at: Date; is_late: boolean }>(
        'select due_because, wish_at, due_at > wish_at as is_late from recoveries where invoice_id = $1',
        [id],
      )
    )[0]!
  const { wish_at } = await dueOf()
  expect(await wake(0)).toBeNull()
  expect(await dueOf()).toEqual({ due_because: 'provider_busy', wish_at, is_late: true })
  await installation.sql('update recoveries set due_at = wish_at where invoice_id = $1', [id])
  expect(await wake(1)).toMatchObject({ kind: 'send' })
})
