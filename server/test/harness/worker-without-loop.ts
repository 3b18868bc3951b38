import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../../dev/database.ts'
import { newKeyring } from '../../dev/installation.ts'
import { simulator } from '../../src/adapters/simulator.ts'
import { createMetrics } from '../../src/features/platform/metrics.ts'
import { goToNextPerson } from '../../src/features/receivables/debtors/people/next-person.ts'
import { providerPlaces } from '../../src/features/recovery/messages/provider-places.ts'
import type { WorkerContext } from '../../src/features/recovery/messages/worker-context.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { keyring } from '../../src/kit/crypto.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'

const refuseToSend = async () => {
  throw new Error('this worker claims messages and sends none')
}

/** A worker context without a loop: it wakes debtors and claims messages when the test calls it. */
export function workerWithoutLoop(
  database: Database,
  options: { connections: number; reclaimAfterMs: number; statementTimeoutMs?: number },
): WorkerContext & { stop(): Promise<void> } {
  const pool = createPool({
    url: database.env.WORKER_DATABASE_URL,
    role: 'relance-worker',
    max: options.connections,
    statementTimeoutMs: options.statementTimeoutMs ?? 30_000,
  })
  return {
    workerId: randomUUID(),
    pool,
    clock: systemClock,
    isClockRight: () => true,
    newId: () => uuidv7(systemClock.wall()),
    newSalt: () => randomBytes(16),
    channelsFor: () => ({
      email: simulator('email', refuseToSend),
      sms: simulator('sms', refuseToSend),
      lrar: simulator('lrar', refuseToSend),
      voice: simulator('voice', refuseToSend),
    }),
    goToNextPerson,
    places: providerPlaces(1_000),
    providerRetrySeconds: [30],
    cell: 'e1',
    keyring: keyring(newKeyring()),
    prices: { email: 0, sms: 0, lrar: 0, voice: 0 },
    publicUrl: 'https://relance.example',
    receivesReplies: false,
    mailFrom: 'relance@relance.example',
    log: createLog('silent', 'worker'),
    metrics: createMetrics(),
    fenceCommit: null,
    leaseMs: 60_000,
    neverSeenAfterMs: 3_600_000,
    reclaimAfterMs: options.reclaimAfterMs,
    stop: () => pool.end(),
  }
}
