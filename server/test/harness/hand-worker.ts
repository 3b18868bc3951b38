import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { simulator } from '../../src/adapters/simulator.ts'
import { wake } from '../../src/features/agenda/wake.ts'
import type { Worker } from '../../src/features/agenda/worker.ts'
import { send } from '../../src/features/communications/send.ts'
import { systemClock } from '../../src/kit/clock.ts'
import { createPool } from '../../src/kit/db/pool.ts'
import { createLog } from '../../src/kit/log.ts'
import { createMetrics } from '../../src/kit/metrics.ts'
import { uuidv7 } from '../../src/kit/uuid.ts'
import type { House } from './house.ts'

export interface HandWorker {
  /**
   * Makes the waiting steps of these invoices of one debtor due and looks at the debtor as a worker would, up to the
   * reservation. The house's own worker is not told, so nothing is sent until `send` is called.
   */
  reserve(...invoiceIds: string[]): Promise<string>
  /** The rest of the way of a reserved message: claim, provider, settle. */
  send(communicationId: string): Promise<void>
}

/** A second worker of the house, moved by hand: it stops where a test wants to step in. */
export function useHandWorker(house: House): HandWorker {
  let worker: Worker
  let close: () => Promise<void>
  beforeAll(() => {
    const pool = createPool({
      url: house.database.env.WORKER_DATABASE_URL,
      role: 'relance-worker',
      max: 2,
      statementTimeoutMs: 10_000,
    })
    const smtp = new URL(house.installation.mailbox.smtpUrl)
    const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
    const nowhere = async () => {}
    const others = {
      sms: simulator('sms' as const, nowhere),
      lrar: simulator('lrar' as const, nowhere),
      voice: simulator('voice' as const, nowhere),
    }
    worker = {
      pool,
      clock: systemClock,
      newId: () => uuidv7(Date.now()),
      newSalt: () => randomBytes(16),
      channelsFor: () => ({ email, ...others }),
      mailFrom: house.installation.config.MAIL_FROM,
      log: createLog('silent', 'worker'),
      metrics: createMetrics(),
      leaseMs: 60_000,
      redriveMs: 75_000,
    }
    close = async () => {
      await email.close()
      await pool.end()
    }
  })
  afterAll(() => close())

  const debtorOf = async (column: string, table: string, id: string) =>
    (
      await house.sql<{ tenant_id: string; debtor_id: string }>(
        `select tenant_id, debtor_id from ${table} where ${column} = $1`,
        [id],
      )
    )[0]!
  return {
    async reserve(...invoiceIds) {
      const { tenant_id: tenantId, debtor_id: debtorId } = await debtorOf(
        'invoice_id',
        'recoveries',
        invoiceIds[0]!,
      )
      await house.sql(
        `update recoveries r set due_at = clock_timestamp() + (n.clock_offset_ms - 1000) * interval '1 millisecond'
           from installation n where r.invoice_id = any ($1)`,
        [invoiceIds],
      )
      const [agenda] = await house.sql<{ wake_gen: string }>(
        'select wake_gen from agendas where tenant_id = $1 and debtor_id = $2',
        [tenantId, debtorId],
      )
      const woken = await wake(worker, { tenantId, debtorId, gen: Number(agenda!.wake_gen) })
      if (woken?.kind !== 'send') throw new Error(`nothing was reserved: ${JSON.stringify(woken)}`)
      return woken.communicationId
    },
    async send(communicationId) {
      const { tenant_id: tenantId, debtor_id: debtorId } = await debtorOf(
        'id',
        'communications',
        communicationId,
      )
      await send(worker, tenantId, debtorId, communicationId)
    },
  }
}
