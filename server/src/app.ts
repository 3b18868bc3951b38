import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createClient } from 'redis'
import type { Message } from './adapters/channel.ts'
import { smtpEmail } from './adapters/email/smtp.ts'
import { simulator } from './adapters/simulator.ts'
import { type Config, need } from './config.ts'
import { startArmer } from './features/agenda/armer-loop.ts'
import { agendaService, viaEngine } from './features/agenda/dispatch-engine.ts'
import { inProcess } from './features/agenda/dispatch-in-process.ts'
import { turnstile } from './features/agenda/drive.ts'
import { startHousekeeping } from './features/agenda/housekeeping.ts'
import { watchAgendas } from './features/agenda/watch.ts'
import type { Worker } from './features/agenda/worker.ts'
import { nouns, operations } from './features/all.ts'
import { keyAuthentication } from './features/api-keys/authenticate.ts'
import { announceChannels, type Channels, type ChannelsFor } from './features/communications/channels.ts'
import { keepSandboxMessage } from './features/communications/sandbox-messages.ts'
import { watchMaintenance } from './features/companies/maintenance.ts'
import { strangers } from './features/companies/tiers.ts'
import { startFolding } from './features/counting/fold.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { keyring } from './kit/crypto.ts'
import { createPool, type Pool } from './kit/db/pool.ts'
import { startEndpoint } from './kit/engine/endpoint.ts'
import { registerDeployment } from './kit/engine/registration.ts'
import { addDocsRoutes } from './kit/http/docs.ts'
import { addHealthRoutes } from './kit/http/health.ts'
import { type Limiter, memoryLimiter, redisLimiter } from './kit/http/limits.ts'
import { openApi } from './kit/http/openapi.ts'
import { createServer } from './kit/http/server.ts'
import { createLog } from './kit/log.ts'
import { createMetrics, type Metrics, serveMetrics, watchPool } from './kit/metrics.ts'
import { uuidv7 } from './kit/uuid.ts'
import { version } from './version.ts'

/** Something that runs until it is told to stop, and then stops in order. */
export interface Running {
  url: string
  stop(): Promise<void>
}

interface Common {
  config: Config
  metrics: Metrics
  clock: Clock
}

export const newWorld = (config: Config): Common => ({ config, metrics: createMetrics(), clock: systemClock })

const lostConnection =
  (log: { warn(facts: Record<string, unknown>, message: string): void }) => (error: Error) =>
    log.warn({ err: error }, 'database connection lost')

async function limiterFor(
  config: Config,
  metrics: Metrics,
  log: ReturnType<typeof createLog>,
): Promise<{ limiter: Limiter; close(): void }> {
  if (!config.REDIS_URL) return { limiter: memoryLimiter(), close: () => {} }
  const redis = createClient({
    url: config.REDIS_URL,
    disableOfflineQueue: true,
    socket: { connectTimeout: 1_000, reconnectStrategy: tries => Math.min(2_000, 50 * 2 ** tries) },
  })
  redis.on('error', error => log.warn({ err: error }, 'redis'))
  // Redis being away delays no start: the limits are counted here until it answers.
  redis.connect().catch(error => log.warn({ err: error }, 'redis is away'))
  const limiter = redisLimiter(
    {
      get isReady() {
        return redis.isReady
      },
      // The limiter keeps the time itself: the client's own way is an abort signal per command.
      sendCommand: args => redis.sendCommand(args, { timeout: 0 }),
    },
    () => metrics.limiterSoft.inc(),
  )
  return { limiter, close: () => redis.destroy() }
}

export async function startApi({ config, metrics, clock }: Common): Promise<Running> {
  const log = createLog(config.LOG_LEVEL, 'api')
  const ring = keyring(need(config, 'KEYRING'))
  const pool = createPool({
    url: need(config, 'API_DATABASE_URL'),
    role: 'relance-api',
    max: config.API_POOL,
    statementTimeoutMs: 2_000,
    onConnectionLost: lostConnection(log),
  })
  await refuseShiftedClock(config, pool)
  watchPool(metrics, 'api', pool)
  const { limiter, close } = await limiterFor(config, metrics, log)
  const maintenance = watchMaintenance(pool, log)
  const app: FastifyInstance = await createServer({
    operations,
    pool,
    clock,
    newId: uuidv7,
    limiter,
    strangers,
    log,
    metrics,
    docsUrl: `${config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`}/docs/errors`,
    requireHttps: config.RELANCE_ENV === 'production',
    trustedProxies: config.TRUSTED_PROXIES,
    tls:
      config.TLS_CERT_FILE && config.TLS_KEY_FILE
        ? { certFile: config.TLS_CERT_FILE, keyFile: config.TLS_KEY_FILE }
        : undefined,
    maintenanceUntil: maintenance.until,
    ...keyAuthentication(pool, ring),
  })
  addHealthRoutes(app, { version, clock, isReady: async () => void (await pool.query('select 1')) })
  addDocsRoutes(app, openApi(operations, nouns, version))
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'api ready')
  return {
    url,
    async stop() {
      await app.close()
      maintenance.stop()
      close()
      await pool.end()
    },
  }
}

/** In production time is what the wall says. */
async function refuseShiftedClock(config: Config, pool: Pool): Promise<void> {
  if (config.RELANCE_ENV !== 'production') return
  const { rows } = await pool.query<{ clock_offset_ms: number }>('select clock_offset_ms from installation')
  if (rows[0]?.clock_offset_ms !== 0)
    throw new Error('the installation’s clock is shifted: production refuses to start with it')
}

function channelsOf(config: Config, pool: Pool): { channelsFor: ChannelsFor; close(): Promise<void> } {
  const smtpUrl = new URL(need(config, 'SMTP_URL'))
  const smtp = smtpEmail({
    host: smtpUrl.hostname,
    port: Number(smtpUrl.port || (smtpUrl.protocol === 'smtps:' ? 465 : 587)),
    secure: smtpUrl.protocol === 'smtps:',
    ...(smtpUrl.username && {
      auth: { user: decodeURIComponent(smtpUrl.username), pass: decodeURIComponent(smtpUrl.password) },
    }),
  })
  const production: Channels = { email: smtp, sms: null, lrar: null, voice: null }
  const sandbox = (tenantId: string): Channels => {
    const keep = (message: Message) => keepSandboxMessage(pool, tenantId, message, message.at)
    return {
      email: simulator('email', keep),
      sms: simulator('sms', keep),
      lrar: simulator('lrar', keep),
      voice: simulator('voice', keep),
    }
  }
  return {
    channelsFor: tenant => (tenant.environment === 'production' ? production : sandbox(tenant.id)),
    close: () => smtp.close(),
  }
}

export async function startWorker({ config, metrics, clock }: Common): Promise<Running> {
  const log = createLog(config.LOG_LEVEL, 'worker')
  const pool = createPool({
    url: need(config, 'WORKER_DATABASE_URL'),
    role: 'relance-worker',
    max: config.WORKER_POOL,
    statementTimeoutMs: 30_000,
    onConnectionLost: lostConnection(log),
  })
  await refuseShiftedClock(config, pool)
  watchPool(metrics, 'worker', pool)
  watchAgendas(metrics, pool, clock)
  const channels = channelsOf(config, pool)
  await announceChannels(pool, channels.channelsFor).catch(error =>
    log.warn({ err: error }, 'channels not announced'),
  )
  const worker: Worker = {
    pool,
    clock,
    newId: () => uuidv7(clock.wall()),
    newSalt: () => randomBytes(16),
    channelsFor: channels.channelsFor,
    mailFrom: config.MAIL_FROM,
    log,
    metrics,
    leaseMs: config.LEASE_MS,
    redriveMs: config.REDRIVE_MS,
  }
  const gates = { production: turnstile(config.CONCURRENCY), sandbox: turnstile(config.CONCURRENCY) }
  const options = { pollMs: 250, lateMs: config.LATE_MS }
  const loops = [startHousekeeping(worker), startFolding(pool, log)]
  const stopLoops = async () => {
    for (const loop of loops) await loop.stop()
  }
  if (config.DISPATCHER === 'in-process') {
    const armer = startArmer(worker, inProcess(worker, gates), options)
    log.info({ dispatcher: 'in-process' }, 'worker ready')
    return {
      url: '',
      async stop() {
        await stopLoops()
        await armer.stop()
        await channels.close()
        await pool.end()
      },
    }
  }
  const endpoint = await startEndpoint({
    services: [agendaService(worker, gates)],
    engineIdentity: need(config, 'ENGINE_IDENTITY'),
    host: config.WORKER_HOST,
    port: config.WORKER_PORT,
    log,
  })
  const uri = config.WORKER_URL ?? endpoint.uri
  const register = () =>
    registerDeployment({
      adminUrl: config.ENGINE_ADMIN_URL,
      uri,
      force: config.RELANCE_ENV === 'development',
    })
  // An engine that is away now is told later, by the armer, when it answers that it knows no such service.
  await register().catch(error => log.warn({ err: error }, 'engine is away'))
  const dispatcher = viaEngine(config.ENGINE_INGRESS_URL, register)
  const armer = startArmer(worker, dispatcher, options)
  log.info({ dispatcher: 'engine', uri }, 'worker ready')
  return {
    url: uri,
    async stop() {
      await stopLoops()
      await armer.stop()
      await dispatcher.close()
      await endpoint.stop()
      await channels.close()
      await pool.end()
    },
  }
}

export async function startMetrics({ config, metrics }: Common): Promise<Running | null> {
  if (!config.METRICS_PORT) return null
  const server = await serveMetrics(metrics, config.METRICS_PORT, config.METRICS_HOST)
  return {
    url: `http://${config.METRICS_HOST}:${config.METRICS_PORT}/metrics`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
