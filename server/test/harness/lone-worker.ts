import { randomBytes } from 'node:crypto'
import type { Database } from '../../dev/database.ts'
import { newKeyring } from '../../dev/installation.ts'
import { simulator } from '../../src/adapters/simulator.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import type { Worker } from '../../src/features/recovery/messages/worker.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'

const mute = async () => {
  throw new Error('this worker reserves messages and sends none')
}

/** Somebody who looks at debtors and reserves messages, without a loop of its own: the caller says when, and how often at once. */
export function loneWorker(
  database: Database,
  options: { connections: number; redriveMs: number },
): Worker & { stop(): Promise<void> } {
  const pool = createPool({
    url: database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: options.connections,
    statementTimeoutMs: 30_000,
  })
  return {
    pool,
    clock: systemClock,
    newId: () => uuidv7(systemClock.wall()),
    newSalt: () => randomBytes(16),
    channelsFor: () => ({
      email: simulator('email', mute),
      sms: simulator('sms', mute),
      lrar: simulator('lrar', mute),
      voice: simulator('voice', mute),
    }),
    cell: 'e1',
    keyring: keyring(newKeyring()),
    publicUrl: 'https://relance.example',
    collector: null,
    mailFrom: 'relance@relance.example',
    log: createLog('silent', 'worker'),
    metrics: createMetrics(),
    leaseMs: 60_000,
    redriveMs: options.redriveMs,
    stop: () => pool.end(),
  }
}
