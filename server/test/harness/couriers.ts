import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { type Courier, clientPerEndpoint } from '../../src/features/integrations/webhooks/courier.ts'
import { couriersInProcess, startCouriers } from '../../src/features/integrations/webhooks/couriers.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import type { Clock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import { startMailLoop } from '../../src/start/mail-loop.ts'
import type { House } from './house.ts'

/** A clock that runs so many times faster than the wall from now on. */
export function fastClock(speed: number): Clock {
  const from = Date.now()
  return { wall: () => Math.round(from + (Date.now() - from) * speed) }
}

/** The world of deliveries around a house without a worker of its own. */
export function courierOf(house: House, clock: Clock): Courier & { stop(): Promise<void> } {
  const { config } = house.installation
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
    // On a fast clock a hiccup of ours must not look like a death.
    leaseMs: 3_600_000,
    log: createLog(process.env.LOG_LEVEL ?? 'silent', 'courier'),
    metrics: createMetrics(),
    async stop() {
      await clients.close()
      await pool.end()
    },
  }
}

/** Couriers who live by a clock of the test's, with a mailbox for what owners are told. */
export function employCouriers(house: House, clock: Clock, pollMs = 2): { stop(): Promise<void> } {
  const courier = courierOf(house, clock)
  const dispatcher = couriersInProcess(courier)
  const smtp = new URL(house.installation.mailbox.smtpUrl)
  const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
  const { pool, log, keyring: ring } = courier
  const { config, baseUrl: publicUrl } = house.installation
  const notifier = { pool, clock, keyring: ring, publicUrl, email, mailFrom: config.MAIL_FROM!, log }
  const loops = [startCouriers(courier, dispatcher, pollMs), startMailLoop(notifier, pollMs)]
  return {
    async stop() {
      for (const loop of loops) await loop.stop()
      await dispatcher.close()
      await email.close()
      await courier.stop()
    },
  }
}
