import { afterAll, beforeAll } from 'vitest'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import { send } from '../../src/features/recovery/messages/send.ts'
import type { Worker } from '../../src/features/recovery/messages/worker.ts'
import { wake } from '../../src/features/recovery/wake/wake.ts'
import type { House } from './house.ts'
import { loneWorker } from './lone-worker.ts'

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
    const lone = loneWorker(house.database, { connections: 2, redriveMs: 75_000 })
    const smtp = new URL(house.installation.mailbox.smtpUrl)
    const email = smtpEmail({ host: smtp.hostname, port: Number(smtp.port), secure: false })
    worker = {
      ...lone,
      channelsFor: tenant => ({ ...lone.channelsFor(tenant), email }),
      mailFrom: house.installation.config.MAIL_FROM!,
    }
    close = async () => {
      await email.close()
      await lone.stop()
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
