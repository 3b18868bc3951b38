import { randomBytes, randomUUID } from 'node:crypto'
import type { Message } from '../adapters/channel.ts'
import { simulator } from '../adapters/simulator.ts'
import { startPayoutLoop } from '../features/access/companies/apply-due-changes.ts'
import { setSendingAbilities } from '../features/access/companies/installation.ts'
import { startDatabaseWatch } from '../features/access/companies/quarantine.ts'
import { runLane, startLaneSweep } from '../features/integrations/tasks/run-lane.ts'
import type { Lane, TaskContext } from '../features/integrations/tasks/task-context.ts'
import { registerTaskMetrics } from '../features/integrations/tasks/task-metrics.ts'
import {
  clientPerEndpoint,
  type DeliveryContext,
} from '../features/integrations/webhooks/delivery-context.ts'
import { startDelivering, startFanOutLoop } from '../features/integrations/webhooks/delivery-loop.ts'
import { watchDeliveries } from '../features/integrations/webhooks/watch-deliveries.ts'
import { startFoldingCounts } from '../features/platform/counts/fold.ts'
import { registerNightMetrics } from '../features/platform/nights/nights.ts'
import { goToNextPerson } from '../features/receivables/debtors/people/next-person.ts'
import { startCheckoutExpiry } from '../features/receivables/payments/expire-checkouts.ts'
import { startScoringLoop } from '../features/receivables/scoring/score-loop.ts'
import { watchScores } from '../features/receivables/scoring/watch-scores.ts'
import { registerAgendaMetrics } from '../features/recovery/agenda/agenda-metrics.ts'
import { providerPlaces } from '../features/recovery/messages/provider-places.ts'
import { saveSandboxMessage } from '../features/recovery/messages/settle/sandbox-messages.ts'
import {
  type Channels,
  type ChannelsFor,
  missingChannelsOf,
  providersOf,
  type WorkerContext,
} from '../features/recovery/messages/worker-context.ts'
import { startEarlyReceiptLoop } from '../features/recovery/receipts/early-receipts.ts'
import { startPlanLoop } from '../features/recovery/wake/plan-loop.ts'
import { startPulling } from '../features/recovery/wake/pull.ts'
import { keyring } from '../kit/crypto.ts'
import { startClockCheck } from '../kit/database-clock.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { silentAfterMs, startHeartbeat } from '../kit/heartbeat.ts'
import { type JobWork, startJobs } from '../kit/jobs.ts'
import { createLog } from '../kit/log.ts'
import { watchInstallation, watchPool } from '../kit/metrics.ts'
import type { Check } from '../kit/process-health.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { waitForDatabase } from '../kit/wait-for-database.ts'
import {
  databaseFault,
  logLostConnection,
  type RunningService,
  readInstallation,
  type StartContext,
} from './api.ts'
import { collectorOf } from './collector.ts'
import { type Config, publicUrlOf, requireSetting } from './config.ts'
import { runHousekeeping } from './housekeeping.ts'
import { type AccountMailContext, startAlertLoop, startMailLoop } from './mail-loop.ts'
import { type NightContext, runDueNights } from './night.ts'
import { openChannels, paymentOf } from './providers.ts'
import { publisherOf } from './publisher.ts'

/** An attempt to write the heartbeat ends after half a minute at the latest, whatever the database does. */
const stuckMs = 60_000

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

/** The tasks of a tenant, one lane of them. */
const laneWork = (context: TaskContext, lane: Lane, places: number): JobWork => ({
  places,
  run: ({ tenantId }, isStopping) => runLane(context, tenantId!, lane, isStopping),
})

/** Replies by mail are recorded if our mail server or Brevo forwards them to us. */
const receivesRepliesOf = ({ MAIL_INBOUND_DOMAIN }: Config): boolean => MAIL_INBOUND_DOMAIN !== undefined

/** The settings for sending. */
export const sendingContextOf = (config: Config, cell: string) => ({
  goToNextPerson,
  newSalt: () => randomBytes(16),
  cell,
  prices: {
    email: config.EMAIL_PRICE_CENTS,
    sms: config.SMS_PRICE_CENTS,
    lrar: config.LETTER_PRICE_CENTS,
    voice: config.CALL_PRICE_CENTS,
  },
  publicUrl: publicUrlOf(config),
  mailFrom: requireSetting(config, 'MAIL_FROM'),
  receivesReplies: receivesRepliesOf(config),
  fenceCommit: config.FENCE_SYNCHRONOUS_COMMIT ?? null,
  leaseMs: config.LEASE_MS,
  neverSeenAfterMs: config.NEVER_SEEN_AFTER_MS,
  places: providerPlaces(config.PROVIDER_CONCURRENCY),
  providerRetrySeconds: config.PROVIDER_RETRY_SECONDS,
  reclaimAfterMs: config.RECLAIM_AFTER_MS,
})

export async function startWorker({ config, metrics, health, clock }: StartContext): Promise<RunningService> {
  const log = createLog(config.LOG_LEVEL, 'worker')
  const publicUrl = publicUrlOf(config)
  // Its messages lead to pages that name the publisher.
  publisherOf(config)
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
  const deliveryPool = poolOf(config.DELIVERY_POOL)
  let checks: { live: Check; ready: Check } = { live: () => null, ready: () => 'the worker is starting' }
  health.add({ live: () => checks.live(), ready: () => checks.ready() })
  const { cell } = await readInstallation(config, pool, log)
  watchPool(metrics, 'worker', pool)
  watchPool(metrics, 'delivery', deliveryPool)
  registerAgendaMetrics(metrics, pool, clock)
  watchInstallation(metrics, pool)
  watchDeliveries(metrics, pool, clock)
  watchScores(metrics, pool)
  registerNightMetrics(metrics, pool, clock)
  registerTaskMetrics(metrics, pool, clock)
  const opened = openChannels(config)
  const payment = paymentOf(config)
  const channelsFor = channelsByTenant(opened.channels, pool)
  // Processes without adapters, such as the api, plan with the channels of the workers.
  const missing = missingChannelsOf(opened.channels)
  const providers = providersOf(opened.channels)
  const abilities = { missing, providers, collector: collectorOf(config) }
  await setSendingAbilities(pool, abilities).catch(error =>
    log.warn({ err: error }, 'what this worker can send could not be saved'),
  )
  const newId = () => uuidv7(clock.wall())
  const databaseWatch = await waitForDatabase(log, () =>
    startDatabaseWatch({ pool, newId, log, clock }, 3_000),
  )
  const heartbeat = await waitForDatabase(log, () => startHeartbeat(pool, log, randomUUID()))
  let isClockRight = false
  const workerContext: WorkerContext = {
    ...sendingContextOf(config, cell),
    workerId: heartbeat.workerId,
    pool,
    clock,
    isClockRight: () => isClockRight,
    newId,
    channelsFor,
    keyring: ring,
    log,
    metrics,
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
  const tasks: TaskContext = { pool, clock, newId, keyring: ring, publicUrl, log, metrics }
  const night: NightContext = { pool, clock, log, metrics, newId }
  const startLoops = () => [
    startFoldingCounts(pool, log),
    startEarlyReceiptLoop(workerContext, 1_000),
    startScoringLoop(night, heartbeat, 250),
    startPlanLoop({ pool, clock, log }, heartbeat, 250),
    startPulling(workerContext, {
      pollMs: 250,
      wakeTimeoutMs: config.WAKE_TIMEOUT_MS,
      places: { production: config.CONCURRENCY, sandbox: config.SANDBOX_CONCURRENCY },
    }),
    // A webhook event waits for half of each interval on average.
    startFanOutLoop(delivery, heartbeat, 100),
    startDelivering(delivery, 100),
    startMailLoop(accountMail, 250),
    startAlertLoop(accountMail, 1_000),
    startPayoutLoop({ pool, clock, newId, log }, 1_000),
    startCheckoutExpiry({ pool, clock, log, payment }, 1_000),
    startLaneSweep(tasks, heartbeat, 1_000),
    startJobs(
      { url: requireSetting(config, 'WORKER_DATABASE_URL'), log, mayRun: databaseWatch.isOwn },
      {
        acts: laneWork(tasks, 'act', 4),
        reads: laneWork(tasks, 'read', 2),
        nights: { places: 1, run: (_, isStopping) => runDueNights(night, isStopping) },
        housekeeping: { places: 1, run: () => runHousekeeping(workerContext) },
      },
    ),
  ]
  // All loops depend on the clock: with a wrong one messages would be sent at night, and records deleted too early.
  let loops: { stop(): Promise<void> }[] = []
  const stopLoops = async () => {
    for (const loop of loops.splice(0)) await loop.stop()
  }
  let switched = Promise.resolve()
  const clockCheck = await startClockCheck({
    pool,
    clock,
    log,
    pollMs: 1_000,
    gauge: metrics.clockDifference,
    onChange(isRight) {
      isClockRight = isRight
      switched = switched.then(stopLoops).then(() => {
        if (isRight) loops = startLoops()
      })
    },
  })
  await switched
  checks = {
    live: () => (heartbeat.silentMs().tried < stuckMs ? null : 'its heartbeat is stuck'),
    async ready() {
      const fault = await databaseFault(pool)
      if (fault) return fault
      if (!isClockRight) return 'its clock differs from the database’s by over 2 s'
      if (loops.length === 0) return 'its loops do not run'
      return heartbeat.silentMs().written < silentAfterMs
        ? null
        : 'its heartbeat is too old: others replace it'
    },
  }
  log.info({}, 'worker ready')
  return {
    url: '',
    async stop() {
      checks = { live: () => null, ready: () => 'the worker is stopping' }
      await clockCheck.stop()
      await switched
      await stopLoops()
      await heartbeat.stop()
      await databaseWatch.stop()
      await delivery.clients.close()
      await opened.close()
      await payment?.close()
      await deliveryPool.end()
      await pool.end()
    },
  }
}
