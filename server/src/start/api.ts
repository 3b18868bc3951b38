import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'
import type { FastifyInstance } from 'fastify'
import { simulatedPayment } from '../adapters/payment/simulator.ts'
import { twilioAnswers, twilioRelayVerifier } from '../adapters/voice/twilio.ts'
import { openingParameter } from '../adapters/voice/twiml.ts'
import { addLegalPage } from '../features/access/account/legal-page.ts'
import { addAccountRoutes } from '../features/access/account/routes.ts'
import { keyAuthentication } from '../features/access/api-keys/authenticate.ts'
import { startLastUseRecorder } from '../features/access/api-keys/last-use.ts'
import { watchMaintenance } from '../features/access/companies/maintenance.ts'
import { addConsoleRoutes } from '../features/access/console/routes.ts'
import { bearerAuthentication } from '../features/access/oauth/authenticate-bearer.ts'
import { credentials } from '../features/access/oauth/credentials.ts'
import { addOAuthRoutes } from '../features/access/oauth/routes.ts'
import { startKeyMaintenance } from '../features/access/oauth/signing-keys.ts'
import { personAuthentication } from '../features/access/people/authenticate-person.ts'
import { addPeopleRoutes } from '../features/access/people/routes.ts'
import { anonymousAllowance } from '../features/access/tiers.ts'
import { contract, operations } from '../features/all.ts'
import { addProviderRoutes } from '../features/debtor-side/callbacks/routes.ts'
import { addCallRoutes } from '../features/debtor-side/calls/call-routes.ts'
import { addLetterCodePage } from '../features/debtor-side/page/letter-code-page.ts'
import { addDebtorPages } from '../features/debtor-side/page/routes.ts'
import { addAlertPages } from '../features/integrations/alerts/alert-page.ts'
import { addDocsRoutes } from '../features/integrations/docs/routes.ts'
import { addLiveRoute } from '../features/integrations/live/routes.ts'
import { addMcpRoutes } from '../features/integrations/mcp/routes.ts'
import { startStory } from '../features/integrations/sandbox/start-story.ts'
import { addTaskFiles } from '../features/integrations/tasks/download.ts'
import { kindOfId } from '../features/platform/id-kind.ts'
import { createMetrics, type Metrics } from '../features/platform/metrics.ts'
import { addPaymentCallback } from '../features/receivables/payments/payment-callback.ts'
import { type Clock, systemClock } from '../kit/clock.ts'
import { keyring } from '../kit/crypto.ts'
import { createPool, type Pool } from '../kit/db/pool.ts'
import { egress } from '../kit/egress/egress.ts'
import { addHealthRoutes } from '../kit/http/health.ts'
import { type Limiter, memoryLimiter, redisLimiter } from '../kit/http/limits.ts'
import { openApi } from '../kit/http/openapi.ts'
import type { Json } from '../kit/http/openapi-schemas.ts'
import type { PageContext } from '../kit/http/pages.ts'
import type { RouteEntry } from '../kit/http/route-table.ts'
import { createServer } from '../kit/http/server.ts'
import { serveInternals } from '../kit/internal-server.ts'
import { createLog, type Log } from '../kit/log.ts'
import { watchPool } from '../kit/metrics.ts'
import { type PasswordCost, passwordCost } from '../kit/password-hash.ts'
import { createProcessHealth, type ProcessHealth } from '../kit/process-health.ts'
import { uuidv7 } from '../kit/uuid.ts'
import { version } from '../kit/version.ts'
import { waitForDatabase } from '../kit/wait-for-database.ts'
import { type Config, ConfigError, hostsOf, modelSettingsOf, publicUrlOf, requireSetting } from './config.ts'
import { openCallbackReaders, paymentOf } from './providers.ts'
import { publisherOf } from './publisher.ts'

/** A running service with its address and an orderly stop. */
export interface RunningService {
  url: string
  stop(): Promise<void>
}

export interface RunningApi extends RunningService {
  readonly routes: readonly RouteEntry[]
}

export interface StartContext {
  config: Config
  metrics: Metrics
  health: ProcessHealth
  clock: Clock
  passwordCost: PasswordCost
}

export const createStartContext = (config: Config): StartContext => ({
  config,
  metrics: createMetrics(),
  health: createProcessHealth(),
  clock: systemClock,
  passwordCost,
})

export const logLostConnection =
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
    socket: { connectTimeout: 5_000, reconnectStrategy: tries => Math.min(2_000, 50 * 2 ** tries) },
  })
  redis.on('error', error => log.warn({ err: error }, 'Redis error'))
  // The start does not wait for Redis: limits are counted in memory until it answers.
  redis
    .connect()
    .catch(error => log.warn({ err: error }, 'Redis not reachable; limits are counted in memory'))
  const limiter = redisLimiter(
    {
      get isReady() {
        return redis.isReady
      },
      // The limiter has its own timeout; the client's timeout would create an abort signal per command.
      sendCommand: args => redis.sendCommand(args, { timeout: 0 }),
    },
    // Every process of an installation has this address, and no other installation has it.
    publicUrlOf(config),
    () => metrics.limiterFallback.inc(),
  )
  return { limiter, close: () => redis.destroy() }
}

/** Cached: it is the same for every API in a process and slow to build. */
let openApiDocument: Json | undefined

export async function startApi(context: StartContext): Promise<RunningApi> {
  const { config, metrics, health, clock, passwordCost } = context
  const log = createLog(config.LOG_LEVEL, 'api')
  const ring = keyring(requireSetting(config, 'KEYRING'))
  const publicUrl = publicUrlOf(config)
  const publisher = publisherOf(config)
  const pool = createPool({
    url: requireSetting(config, 'API_DATABASE_URL'),
    role: 'relance-api',
    max: config.API_POOL,
    statementTimeoutMs: 2_000,
    onConnectionLost: logLostConnection(log),
  })
  let isListening = false
  health.add({ ready: () => (isListening ? databaseFault(pool) : 'the api is starting') })
  await readInstallation(config, pool, log)
  watchPool(metrics, 'api', pool)
  const { limiter, close } = await limiterFor(config, metrics, log)
  const maintenance = watchMaintenance(pool, log)
  const lastUse = startLastUseRecorder(pool, log)
  const external = egress({ profile: 'tenant', testAllow: config.EGRESS_TEST_ALLOW })
  const settings = modelSettingsOf(config)
  // The model libraries are loaded only when a model is configured.
  const model =
    settings && (await import('../adapters/model/language-model.ts')).languageModel(settings, metrics, log)
  const pageContext: PageContext = { pool, clock, newId: uuidv7, keyring: ring, log, publicUrl, passwordCost }
  const payment = paymentOf(config)
  const simulator = simulatedPayment({
    // Signed and verified within one request of one process, so a random secret is enough.
    secret: randomBytes(32).toString('hex'),
    pageOf: ({ code, checkoutId, language }) =>
      `${publicUrl}/d/${code}/simulated-card/${checkoutId}?lang=${language}`,
  })
  const keys = startKeyMaintenance(pageContext)
  const app: FastifyInstance = await createServer({
    operations,
    retirements: contract.retirements,
    pool,
    clock,
    newId: uuidv7,
    keyring: ring,
    external,
    limiter,
    anonymousAllowance,
    log,
    metrics,
    docsUrl: `${publicUrl}/docs/errors`,
    publicUrl,
    model,
    requireHttps: config.RELANCE_ENV === 'production',
    trustedProxies: config.TRUSTED_PROXIES,
    hosts: hostsOf(config),
    tls:
      config.TLS_CERT_FILE && config.TLS_KEY_FILE
        ? { certFile: config.TLS_CERT_FILE, keyFile: config.TLS_KEY_FILE }
        : undefined,
    maintenanceUntil: maintenance.until,
    kindOfId,
    ...credentials(keyAuthentication(pool, ring, lastUse), bearerAuthentication(pageContext)),
    authenticatePerson: personAuthentication(pageContext),
  })
  addHealthRoutes(app, { version, clock, isReady: async () => void (await pool.query('select 1')) })
  openApiDocument ??= openApi(contract)
  addDocsRoutes(app, { contract, openApi: openApiDocument, publicUrl })
  addPeopleRoutes(app, pageContext, {
    isSignUpOpen: config.SIGN_UP === 'open',
    onFirstSignIn: startStory,
  })
  addAccountRoutes(app, pageContext, payment?.accounts ?? null)
  addLegalPage(app, pageContext, publisher)
  addConsoleRoutes(app, pageContext, operations)
  addAlertPages(app, pageContext)
  addTaskFiles(app, pageContext)
  addLiveRoute(app, pageContext, metrics)
  // With a base URL other than the provider's own, another service may answer.
  const modelProvider = settings && (settings.baseUrl ? 'openai-compatible' : settings.provider)
  addDebtorPages(app, pageContext, { payment, simulator, modelProvider, publisher })
  addLetterCodePage(app, pageContext, limiter)
  if (payment) addPaymentCallback(app, pageContext, payment)
  addOAuthRoutes(app, pageContext)
  addMcpRoutes(app, pageContext, operations, version)
  const callbacks = openCallbackReaders(config)
  addProviderRoutes(app, pageContext, callbacks.readers)
  // The address to which Twilio connects calls; they need a model.
  if (model && config.VOICE_PROVIDER === 'twilio') {
    const twilio = { authToken: requireSetting(config, 'TWILIO_AUTH_TOKEN'), publicUrl }
    addCallRoutes(app, pageContext, {
      model,
      answers: twilioAnswers(twilio),
      isSigned: twilioRelayVerifier(twilio),
      openingParameter,
    })
  }
  const url = await app.listen({ host: config.HOST, port: config.PORT })
  isListening = true
  log.info({ url }, 'api ready')
  return {
    url,
    routes: app.routeTable.routes,
    async stop() {
      await app.close()
      maintenance.stop()
      await lastUse.stop()
      await keys.stop()
      close()
      await external.close()
      await model?.close()
      await callbacks.close()
      await payment?.close()
      await pool.end()
    },
  }
}

interface Installation {
  readonly cell: string
  readonly clock_offset_ms: number
}

/** The row of this installation. If the database is away, as after a restart of the machine, it waits and logs this once. */
export const readInstallation = (config: Config, pool: Pool, log: Log): Promise<Installation> =>
  waitForDatabase(log, async () => {
    const { rows } = await pool.query<Installation>('select cell, clock_offset_ms from installation')
    const installation = rows[0]!
    if (config.RELANCE_ENV === 'production' && installation.clock_offset_ms !== 0)
      throw new ConfigError('the installation’s clock is shifted: production refuses to start with it')
    return installation
  })

/** Null: the database answers. */
export const databaseFault = (pool: Pool): Promise<string | null> =>
  pool.query('select 1').then(
    () => null,
    () => 'the database does not answer',
  )

/** Serves the metrics and the health of this process; before its parts start, so that they can be asked while they start. */
export async function startInternals({
  config,
  metrics,
  health,
  clock,
}: StartContext): Promise<RunningService | null> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config
  if (!port) return null
  const server = await serveInternals({ registry: metrics.registry, health, clock, host, port })
  return {
    url: `http://${host}:${port}`,
    stop: () => new Promise(resolve => server.close(() => resolve())),
  }
}
