import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { createClient } from 'redis'
import { simulatedPayment } from '../adapters/payment/simulator.ts'
import { twilioRelay } from '../adapters/voice/twilio.ts'
import { openingParameter } from '../adapters/voice/twiml.ts'
import { addAccountRoutes } from '../features/access/account/routes.ts'
import { keyAuthentication } from '../features/access/api-keys/authenticate.ts'
import { keepLastUse } from '../features/access/api-keys/last-use.ts'
import { watchMaintenance } from '../features/access/companies/maintenance.ts'
import { bearerAuthentication } from '../features/access/oauth/authenticate-bearer.ts'
import { credentials } from '../features/access/oauth/credentials.ts'
import { addOAuthRoutes } from '../features/access/oauth/routes.ts'
import { startKeyKeeping } from '../features/access/oauth/signing-keys.ts'
import { addPeopleRoutes } from '../features/access/people/routes.ts'
import { strangers } from '../features/access/tiers.ts'
import { contract, operations } from '../features/all.ts'
import { addProviderRoutes } from '../features/debtor-side/callbacks/routes.ts'
import { addCallRoutes } from '../features/debtor-side/calls/routes.ts'
import { addDebtorPages } from '../features/debtor-side/page/routes.ts'
import { addMcpRoutes } from '../features/integrations/mcp/routes.ts'
import { createMetrics, type Metrics } from '../features/platform/metrics.ts'
import { addPaymentCallback } from '../features/receivables/payments/payment-callback.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { egress } from '../kit/egress/egress.ts'
import { addDocsRoutes } from '../kit/http/docs.ts'
import { addHealthRoutes } from '../kit/http/health.ts'
import { type Limiter, memoryLimiter, redisLimiter } from '../kit/http/limits.ts'
import { openApi } from '../kit/http/openapi.ts'
import { createServer } from '../kit/http/server.ts'
import type { Site } from '../kit/http/site.ts'
import { createLog } from '../kit/log.ts'
import { serveMetrics, watchPool } from '../kit/metrics.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { version } from '../kit/version.ts'
import { type Config, modelOf, need, publicUrlOf } from './config.ts'
import { openReaders, paymentOf } from './providers.ts'

/** Something that runs until it is told to stop, and then stops in order. */
export interface Running {
  url: string
  stop(): Promise<void>
}

export interface Common {
  config: Config
  metrics: Metrics
  clock: Clock
}

export const newWorld = (config: Config): Common => ({ config, metrics: createMetrics(), clock: systemClock })

export const lostConnection =
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
  const publicUrl = publicUrlOf(config)
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
  const lastUse = keepLastUse(pool, log)
  const outside = egress({ profile: 'tenant', testAllow: config.EGRESS_TEST_ALLOW })
  const settings = modelOf(config)
  // Who has no model does without what talks to one.
  const model =
    settings && (await import('../adapters/model/language-model.ts')).languageModel(settings, metrics, log)
  const site: Site = { pool, clock, newId: uuidv7, keyring: ring, log, publicUrl }
  const payment = paymentOf(config)
  const simulator = simulatedPayment({
    // Told and read within one request of one process: nobody else has to know it.
    secret: randomBytes(32).toString('hex'),
    pageOf: ({ code, checkoutId, language }) =>
      `${publicUrl}/d/${code}/simulated-card/${checkoutId}?lang=${language}`,
  })
  const keys = startKeyKeeping(site)
  const app: FastifyInstance = await createServer({
    operations,
    pool,
    clock,
    newId: uuidv7,
    keyring: ring,
    outside,
    limiter,
    strangers,
    log,
    metrics,
    docsUrl: `${publicUrl}/docs/errors`,
    publicUrl,
    model,
    requireHttps: config.RELANCE_ENV === 'production',
    trustedProxies: config.TRUSTED_PROXIES,
    tls:
      config.TLS_CERT_FILE && config.TLS_KEY_FILE
        ? { certFile: config.TLS_CERT_FILE, keyFile: config.TLS_KEY_FILE }
        : undefined,
    maintenanceUntil: maintenance.until,
    ...credentials(keyAuthentication(pool, ring, lastUse), bearerAuthentication(site)),
  })
  addHealthRoutes(app, { version, clock, isReady: async () => void (await pool.query('select 1')) })
  addDocsRoutes(app, openApi(contract), contract.errorTexts)
  addPeopleRoutes(app, site)
  addAccountRoutes(app, site)
  addDebtorPages(app, site, { payment, simulator })
  if (payment) addPaymentCallback(app, site, payment)
  addOAuthRoutes(app, site)
  addMcpRoutes(app, site, operations, version)
  const news = openReaders(config)
  addProviderRoutes(app, site, news.readers)
  // The address conversations are brought to; without a model nobody could speak there.
  if (model && config.VOICE_PROVIDER === 'twilio') {
    const admits = twilioRelay({ authToken: need(config, 'TWILIO_AUTH_TOKEN'), publicUrl })
    addCallRoutes(app, site, { model, admits, opening: openingParameter })
  }
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  log.info({ url }, 'api ready')
  return {
    url,
    async stop() {
      await app.close()
      maintenance.stop()
      await lastUse.stop()
      await keys.stop()
      close()
      await outside.close()
      await model?.close()
      await news.close()
      await payment?.close()
      await pool.end()
    },
  }
}

/** Which installation this is. */
export const cellOf = async (pool: Pool): Promise<string> =>
  (await pool.query<{ cell: string }>('select cell from installation')).rows[0]!.cell

/** In production time is what the wall says. */
export async function refuseShiftedClock(config: Config, pool: Pool): Promise<void> {
  if (config.RELANCE_ENV !== 'production') return
  const { rows } = await pool.query<{ clock_offset_ms: number }>('select clock_offset_ms from installation')
  if (rows[0]?.clock_offset_ms !== 0)
    throw new Error('the installation’s clock is shifted: production refuses to start with it')
}

export async function startMetrics({ config, metrics }: Common): Promise<Running | null> {
  if (!config.METRICS_PORT) return null
  const server = await serveMetrics(metrics, config.METRICS_PORT, config.METRICS_HOST)
  return {
    url: `http://${config.METRICS_HOST}:${config.METRICS_PORT}/metrics`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
