import { randomBytes } from 'node:crypto'
import type { Message } from '../adapters/channel.ts'
import { simulator } from '../adapters/simulator.ts'
import { type Courier, clientPerEndpoint } from '../features/integrations/webhooks/courier.ts'
import { couriersInProcess, startCouriers } from '../features/integrations/webhooks/couriers.ts'
import { type PumpTask, pumpAll } from '../features/integrations/webhooks/pump.ts'
import { watchDeliveries } from '../features/integrations/webhooks/watch.ts'
import { startFolding } from '../features/platform/counts/fold.ts'
import { startScoring } from '../features/receivables/scoring/score-loop.ts'
import { watchScores } from '../features/receivables/scoring/watch.ts'
import { watchAgendas } from '../features/recovery/agenda/watch.ts'
import { startArmer } from '../features/recovery/loop/armer-loop.ts'
import { driveBatch, type Task, turnstile } from '../features/recovery/loop/drive.ts'
import { announceChannels, type Channels, type ChannelsFor } from '../features/recovery/messages/channels.ts'
import { keepSandboxMessage } from '../features/recovery/messages/sandbox-messages.ts'
import type { Worker } from '../features/recovery/messages/worker.ts'
import { startTellingEarlyReceipts } from '../features/recovery/receipts/early-receipts.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { startEndpoint } from '../kit/engine/endpoint.ts'
import { batchService, type Dispatcher, viaEngine } from '../kit/engine/hand-over.ts'
import { registerDeployment } from '../kit/engine/registration.ts'
import type { Log } from '../kit/log.ts'
import { createLog } from '../kit/log.ts'
import { watchPool } from '../kit/metrics.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { type Common, cellOf, lostConnection, type Running, refuseShiftedClock } from './api.ts'
import { type Config, need, publicUrlOf } from './config.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type Notifier, startMailLoop } from './mail-loop.ts'
import { openChannels } from './providers.ts'

function channelsOf(production: Channels, pool: Pool): ChannelsFor {
  const sandbox = (tenantId: string): Channels => {
    const keep = (message: Message) => keepSandboxMessage(pool, tenantId, message, message.at)
    return {
      email: simulator('email', keep),
      sms: simulator('sms', keep),
      lrar: simulator('lrar', keep),
      voice: simulator('voice', keep),
    }
  }
  return tenant => (tenant.environment === 'production' ? production : sandbox(tenant.id))
}

/** Who carries due work to where it is done: the engine to whichever worker is alive, or this process to itself. */
interface Carriers {
  name: string
  agenda: Dispatcher<Task>
  webhooks: Dispatcher<PumpTask>
  url: string
  stop(): Promise<void>
}

interface Deeds {
  agenda(tasks: readonly Task[]): Promise<void>
  webhooks(tasks: readonly PumpTask[]): Promise<void>
}

async function viaTheEngine(config: Config, log: Log, deeds: Deeds): Promise<Carriers> {
  const endpoint = await startEndpoint({
    services: [
      batchService<Task>('agenda', deeds.agenda),
      batchService<PumpTask>('webhooks', deeds.webhooks),
    ],
    engineIdentity: need(config, 'ENGINE_IDENTITY'),
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    log,
  })
  const url = config.WORKER_URL ?? endpoint.uri
  const onUnknownService = () =>
    registerDeployment({
      adminUrl: config.ENGINE_ADMIN_URL,
      uri: url,
      force: config.RELANCE_ENV === 'development',
    })
  // An engine that is away now is told later, by the loops, when it answers that it knows no such service.
  await onUnknownService().catch(error => log.warn({ err: error }, 'engine is away'))
  const ingressUrl = config.ENGINE_INGRESS_URL
  const agenda = viaEngine<Task>({ ingressUrl, service: 'agenda', perInvocation: 25, onUnknownService })
  const webhooks = viaEngine<PumpTask>({
    ingressUrl,
    service: 'webhooks',
    perInvocation: 8,
    onUnknownService,
  })
  return {
    name: 'engine',
    agenda,
    webhooks,
    url,
    async stop() {
      await agenda.close()
      await webhooks.close()
      await endpoint.stop()
    },
  }
}

function byThisProcess(courier: Courier, deeds: Deeds): Carriers {
  const webhooks = couriersInProcess(courier)
  return {
    name: 'in-process',
    agenda: { name: 'in-process', hand: deeds.agenda },
    webhooks,
    url: '',
    stop: () => webhooks.close(),
  }
}

const collectorOf = ({ COLLECTOR_NAME: name, COLLECTOR_ADDRESS: address }: Config) =>
  name && address ? { name, address } : null

export async function startWorker({ config, metrics, clock }: Common): Promise<Running> {
  const log = createLog(config.LOG_LEVEL, 'worker')
  const publicUrl = publicUrlOf(config)
  const ring = keyring(need(config, 'KEYRING'))
  const poolOf = (max: number) =>
    createPool({
      url: need(config, 'WORKER_DATABASE_URL'),
      role: 'relance-worker',
      max,
      statementTimeoutMs: 30_000,
      onConnectionLost: lostConnection(log),
    })
  const pool = poolOf(config.WORKER_POOL)
  const courierPool = poolOf(config.COURIER_POOL)
  await refuseShiftedClock(config, pool)
  watchPool(metrics, 'worker', pool)
  watchPool(metrics, 'courier', courierPool)
  watchAgendas(metrics, pool, clock)
  watchDeliveries(metrics, pool, clock)
  watchScores(metrics, pool)
  const outside = openChannels(config)
  const channelsFor = channelsOf(outside.channels, pool)
  await announceChannels(pool, channelsFor).catch(error => log.warn({ err: error }, 'channels not announced'))
  const newId = () => uuidv7(clock.wall())
  const worker: Worker = {
    pool,
    clock,
    newId,
    newSalt: () => randomBytes(16),
    channelsFor,
    cell: await cellOf(pool),
    keyring: ring,
    publicUrl,
    collector: collectorOf(config),
    mailFrom: need(config, 'MAIL_FROM'),
    log,
    metrics,
    leaseMs: config.LEASE_MS,
    redriveMs: config.REDRIVE_MS,
  }
  const courier: Courier = {
    pool: courierPool,
    clock,
    newId,
    keyring: ring,
    clients: clientPerEndpoint(config.EGRESS_TEST_ALLOW),
    leaseMs: config.DELIVERY_LEASE_MS,
    log,
    metrics,
  }
  const notifier: Notifier = {
    pool: courierPool,
    clock,
    keyring: courier.keyring,
    publicUrl,
    email: outside.channels.email,
    mailFrom: need(config, 'MAIL_FROM'),
    log,
  }
  const gates = { production: turnstile(config.CONCURRENCY), sandbox: turnstile(config.CONCURRENCY) }
  const deeds: Deeds = {
    agenda: tasks => driveBatch(worker, gates, tasks),
    webhooks: tasks => pumpAll(courier, tasks),
  }
  const carriers =
    config.DISPATCHER === 'in-process'
      ? byThisProcess(courier, deeds)
      : await viaTheEngine(config, log, deeds)
  const loops = [
    startHousekeeping(worker),
    startFolding(pool, log),
    startTellingEarlyReceipts(worker, 1_000),
    startScoring({ pool, clock, log, metrics }, 250),
    startArmer(worker, carriers.agenda, { pollMs: 250, lateMs: config.LATE_MS }),
    // Somebody watches the first event arrive: half of this is what it waits on average.
    startCouriers(courier, carriers.webhooks, 100),
    startMailLoop(notifier, 250),
  ]
  log.info({ dispatcher: carriers.name, uri: carriers.url }, 'worker ready')
  return {
    url: carriers.url,
    async stop() {
      for (const loop of loops) await loop.stop()
      await carriers.stop()
      await courier.clients.close()
      await outside.close()
      await courierPool.end()
      await pool.end()
    },
  }
}
