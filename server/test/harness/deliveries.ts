import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import {
  clientPerEndpoint,
  type DeliveryContext,
} from '../../src/features/integrations/webhooks/delivery-context.ts'
import { startDelivering, startFanOutLoop } from '../../src/features/integrations/webhooks/delivery-loop.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import type { Clock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { startMailLoop } from '../../src/start/mail-loop.ts'
import type { TestInstallation } from './use-installation.ts'

/** A clock that runs `speed` times as fast as the wall clock, from now on. */
export function fastClock(speed: number): Clock {
  const from = Date.now()
  return { wall: () => Math.round(from + (Date.now() - from) * speed) }
}

/** The delivery context of an installation without a worker. */
export function deliveryContextOf(
  installation: TestInstallation,
  clock: Clock,
): DeliveryContext & { stop(): Promise<void> } {
  const { config } = installation.server
  const pool = createPool({
    url: config.WORKER_DATABASE_URL!,
    role: 'relance-worker',
    max: 8,
    statementTimeoutMs: 30_000,
  })
  const clients = clientPerEndpoint(config.EGRESS_TEST_ALLOW)
  return {
    pool,
    clock,
    newId: () => uuidv7(Date.now()),
    keyring: keyring(config.KEYRING!),
    clients,
    // Long, because on a fast clock a short delay would already end the lease.
    leaseMs: 3_600_000,
    log: createLog(process.env.LOG_LEVEL ?? 'silent', 'delivery'),
    metrics: createMetrics(),
    async stop() {
      await clients.close()
      await pool.end()
    },
  }
}

/** The only worker of its database: nobody else can lead. */
export const onlyWorker = { mayLead: async () => true, leave: async () => {} }

/** Runs the delivery loops with the test's clock, and sends account mails to the mailbox. */
export function startDeliveries(
  installation: TestInstallation,
  clock: Clock,
  pollMs = 2,
): { stop(): Promise<void> } {
  const context = deliveryContextOf(installation, clock)
  const smtp = new URL(installation.server.mailbox.smtpUrl)
  const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
  const { pool, log, keyring: keys } = context
  const { config, baseUrl: publicUrl } = installation.server
  const notifier = { pool, clock, keyring: keys, publicUrl, email, mailFrom: config.MAIL_FROM!, log }
  const loops = [
    startFanOutLoop(context, onlyWorker, pollMs),
    startDelivering(context, pollMs),
    startMailLoop(notifier, pollMs),
  ]
  return {
    async stop() {
      for (const loop of loops) await loop.stop()
      await email.close()
      await context.stop()
    },
  }
}
