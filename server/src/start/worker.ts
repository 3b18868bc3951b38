import { randomBytes } from 'node:crypto'
import type { Message } from '../adapters/channel.ts'
import { simulator } from '../adapters/simulator.ts'
import { startPayoutLoop } from '../features/access/companies/apply-due-changes.ts'
import { setMissingChannels } from '../features/access/companies/installation.ts'
import { type DeliveryTask, deliverEndpoints } from '../features/integrations/webhooks/deliver-endpoint.ts'
import {
  clientPerEndpoint,
  type DeliveryContext,
} from '../features/integrations/webhooks/delivery-context.ts'
import { inProcessDelivery, startDeliveryLoop } from '../features/integrations/webhooks/delivery-loop.ts'
import { watchDeliveries } from '../features/integrations/webhooks/watch-deliveries.ts'
import { startFoldingCounts } from '../features/platform/counts/fold.ts'
import { startCheckoutExpiry } from '../features/receivables/payments/expire-checkouts.ts'
import { startScoringLoop } from '../features/receivables/scoring/score-loop.ts'
import { watchScores } from '../features/receivables/scoring/watch-scores.ts'
import { registerAgendaMetrics } from '../features/recovery/agenda/agenda-metrics.ts'
import { createSemaphore, processBatch, type Task } from '../features/recovery/loop/process-task.ts'
import { startScheduler } from '../features/recovery/loop/scheduler-loop.ts'
import { saveSandboxMessage } from '../features/recovery/messages/sandbox-messages.ts'
import type { WorkerContext } from '../features/recovery/messages/worker-context.ts'
import {
  type Channels,
  type ChannelsFor,
  missingChannelsOf,
} from '../features/recovery/messages/worker-context.ts'
import { startEarlyReceiptLoop } from '../features/recovery/receipts/early-receipts.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { batchService, type Dispatcher, engineDispatcher } from '../kit/engine/dispatcher.ts'
import { startEndpoint } from '../kit/engine/endpoint.ts'
import { registerDeployment } from '../kit/engine/registration.ts'
import type { Log } from '../kit/log.ts'
import { createLog } from '../kit/log.ts'
import { watchPool } from '../kit/metrics.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { logLostConnection, type RunningService, readInstallation, type StartContext } from './api.ts'
import { type Config, publicUrlOf, requireSetting } from './config.ts'
import { startHousekeeping } from './housekeeping.ts'
import { type AccountMailContext, startMailLoop } from './mail-loop.ts'
import { openChannels, paymentOf } from './providers.ts'

function channelsByTenant(production: Channels, pool: Pool): ChannelsFor {
  const sandbox = (tenantId: string): Channels => {
    const save = (message: Message) => saveSandboxMessage(pool, tenantId, message, message.at)
    return {
      email: simulator('email', save),
      sms: simulator('sms', save),
      lrar: simulator('lrar', save),
      voice: simulator('voice', save),
    }
  }
  return tenant => (tenant.environment === 'production' ? production : sandbox(tenant.id))
}

/** How tasks are dispatched: by the engine to any running worker, or within this process. */
interface Dispatchers {
  name: string
  agenda: Dispatcher<Task>
  webhooks: Dispatcher<DeliveryTask>
  url: string
  stop(): Promise<void>
}

interface TaskHandlers {
  agenda(tasks: readonly Task[]): Promise<void>
  webhooks(tasks: readonly DeliveryTask[]): Promise<void>
}

async function dispatchByEngine(config: Config, log: Log, handlers: TaskHandlers): Promise<Dispatchers> {
  const endpoint = await startEndpoint({
    services: [
      batchService<Task>('agenda', handlers.agenda),
      batchService<DeliveryTask>('webhooks', handlers.webhooks),
    ],
    engineIdentity: requireSetting(config, 'ENGINE_IDENTITY'),
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
  // If the engine is down now, the loops register later, when it answers that the service is unknown.
  await onUnknownService().catch(error =>
    log.warn({ err: error }, 'engine not reachable; registration is retried'),
  )
  const ingressUrl = config.ENGINE_INGRESS_URL
  const agenda = engineDispatcher<Task>({
    ingressUrl,
    service: 'agenda',
    perInvocation: 25,
    onUnknownService,
  })
  const webhooks = engineDispatcher<DeliveryTask>({
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

function dispatchInProcess(delivery: DeliveryContext, handlers: TaskHandlers): Dispatchers {
  const webhooks = inProcessDelivery(delivery)
  return {
    name: 'in-process',
    agenda: { name: 'in-process', dispatch: handlers.agenda },
    webhooks,
    url: '',
    stop: () => webhooks.close(),
  }
}

const collectorOf = ({ COLLECTOR_NAME: name, COLLECTOR_ADDRESS: address }: Config) =>
  name && address ? { name, address } : null

export async function startWorker({ config, metrics, clock }: StartContext): Promise<RunningService> {
  const log = createLog(config.LOG_LEVEL, 'worker')
  const publicUrl = publicUrlOf(config)
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const poolOf = (max: number) =>
    createPool({
      url: requireSetting(config, 'WORKER_DATABASE_URL'),
      role: 'relance-worker',
      max,
      statementTimeoutMs: 30_000,
      onConnectionLost: logLostConnection(log),
    })
  const pool = poolOf(config.WORKER_POOL)
  const deliveryPool = poolOf(config.COURIER_POOL)
  const { cell } = await readInstallation(config, pool, log)
  watchPool(metrics, 'worker', pool)
  watchPool(metrics, 'delivery', deliveryPool)
  registerAgendaMetrics(metrics, pool, clock)
  watchDeliveries(metrics, pool, clock)
  watchScores(metrics, pool)
  const opened = openChannels(config)
  const payment = paymentOf(config)
  const channelsFor = channelsByTenant(opened.channels, pool)
  // Processes without adapters, the api for one, plan with the channels that the workers have.
  const missing = missingChannelsOf(channelsFor({ id: '', environment: 'production' }))
  await setMissingChannels(pool, missing).catch(error =>
    log.warn({ err: error }, 'available channels could not be saved'),
  )
  const newId = () => uuidv7(clock.wall())
  const workerContext: WorkerContext = {
    pool,
    clock,
    newId,
    newSalt: () => randomBytes(16),
    channelsFor,
    cell,
    keyring: ring,
    prices: {
      email: config.EMAIL_PRICE_CENTS,
      sms: config.SMS_PRICE_CENTS,
      lrar: config.LETTER_PRICE_CENTS,
      voice: config.CALL_PRICE_CENTS,
    },
    publicUrl,
    collector: collectorOf(config),
    mailFrom: requireSetting(config, 'MAIL_FROM'),
    log,
    metrics,
    leaseMs: config.LEASE_MS,
    redriveMs: config.REDRIVE_MS,
  }
  const delivery: DeliveryContext = {
    pool: deliveryPool,
    clock,
    newId,
    keyring: ring,
    clients: clientPerEndpoint(config.EGRESS_TEST_ALLOW),
    leaseMs: config.DELIVERY_LEASE_MS,
    log,
    metrics,
  }
  const accountMail: AccountMailContext = {
    pool: deliveryPool,
    clock,
    keyring: delivery.keyring,
    publicUrl,
    email: opened.channels.email,
    mailFrom: requireSetting(config, 'MAIL_FROM'),
    log,
  }
  const semaphores = {
    production: createSemaphore(config.CONCURRENCY),
    sandbox: createSemaphore(config.CONCURRENCY),
  }
  const handlers: TaskHandlers = {
    agenda: tasks => processBatch(workerContext, semaphores, tasks),
    webhooks: tasks => deliverEndpoints(delivery, tasks),
  }
  const dispatchers =
    config.DISPATCHER === 'in-process'
      ? dispatchInProcess(delivery, handlers)
      : await dispatchByEngine(config, log, handlers)
  const loops = [
    startHousekeeping(workerContext),
    startFoldingCounts(pool, log),
    startEarlyReceiptLoop(workerContext, 1_000),
    startScoringLoop({ pool, clock, log, metrics }, 250),
    startScheduler(workerContext, dispatchers.agenda, { pollMs: 250, lateMs: config.LATE_MS }),
    // The average delay of a webhook event is half of this interval.
    startDeliveryLoop(delivery, dispatchers.webhooks, 100),
    startMailLoop(accountMail, 250),
    startPayoutLoop({ pool, clock, newId, log }, 1_000),
    startCheckoutExpiry({ pool, clock, log, payment }, 1_000),
  ]
  log.info({ dispatcher: dispatchers.name, uri: dispatchers.url }, 'worker ready')
  return {
    url: dispatchers.url,
    async stop() {
      for (const loop of loops) await loop.stop()
      await dispatchers.stop()
      await delivery.clients.close()
      await opened.close()
      await payment?.close()
      await deliveryPool.end()
      await pool.end()
    },
  }
}
