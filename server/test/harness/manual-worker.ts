import { afterAll, beforeAll } from 'vitest'
import type { ChannelAdapter, EmailMessage } from '../../src/adapters/channel.ts'
import { smtpEmail } from '../../src/adapters/email/smtp.ts'
import type { Claim } from '../../src/features/recovery/messages/send/claim.ts'
import { sendClaimed, sendReserved } from '../../src/features/recovery/messages/send/send-message.ts'
import type { WorkerContext } from '../../src/features/recovery/messages/worker-context.ts'
import { wakeDebtor } from '../../src/features/recovery/wake/wake-debtor.ts'
import { reserveOnly } from './reserve-only.ts'
import type { TestInstallation } from './use-installation.ts'
import { workerWithoutLoop } from './worker-without-loop.ts'

export interface ManualWorker {
  /**
   * Makes the waiting steps of these invoices of one debtor due and wakes the debtor, which claims a message. The installation's
   * own worker is not notified, so nothing is sent until `send` is called.
   */
  claim(...invoiceIds: string[]): Promise<string>
  /** The same, up to the reservation: the person has reached a limit, which is gone afterwards. */
  reserve(...invoiceIds: string[]): Promise<string>
  /** Sends and settles a message. `beforeFence` runs when it is claimed and the mail server awaits the body. */
  send(communicationId: string, beforeFence?: () => Promise<unknown>): Promise<void>
}

/** A second worker under the test's control: it stops before it sends. */
export function useManualWorker(
  installation: TestInstallation,
  {
    statementTimeoutMs = 30_000,
    smtpPort,
    email: given,
    ...changes
  }: Partial<Pick<WorkerContext, 'clock' | 'fenceCommit' | 'log' | 'metrics'>> & {
    statementTimeoutMs?: number
    /** Of another mail server than the installation's. */
    smtpPort?: number
    /** Instead of the mail server. */
    email?: ChannelAdapter<EmailMessage>
  } = {},
): ManualWorker {
  let worker: WorkerContext
  let close: () => Promise<void>
  beforeAll(() => {
    const baseWorker = workerWithoutLoop(installation.database, {
      connections: 2,
      reclaimAfterMs: 75_000,
      statementTimeoutMs,
    })
    const smtp = new URL(installation.server.mailbox.smtpUrl)
    const email =
      given ?? smtpEmail({ host: smtp.hostname, port: smtpPort ?? Number(smtp.port), secure: false })
    worker = {
      ...baseWorker,
      ...changes,
      channelsFor: tenant => ({ ...baseWorker.channelsFor(tenant), email }),
      mailFrom: installation.server.config.MAIL_FROM!,
    }
    close = async () => {
      await email.close()
      await baseWorker.stop()
    }
  })
  afterAll(() => close())

  const debtorOf = async (column: string, table: string, id: string) =>
    (
      await installation.sql<{ tenant_id: string; debtor_id: string }>(
        `select tenant_id, debtor_id from ${table} where ${column} = $1`,
        [id],
      )
    )[0]!
  const claims = new Map<string, Claim>()
  async function makeDue(invoiceIds: readonly string[]) {
    const { tenant_id: tenantId, debtor_id: debtorId } = await debtorOf(
      'invoice_id',
      'recoveries',
      invoiceIds[0]!,
    )
    await installation.sql(
      `update recoveries r set due_at = clock_timestamp() + (n.clock_offset_ms - 1000) * interval '1 millisecond'
         from installation n where r.invoice_id = any ($1)`,
      [invoiceIds],
    )
    return { tenantId, debtorId }
  }
  return {
    async claim(...invoiceIds) {
      const debtor = await makeDue(invoiceIds)
      const [agenda] = await installation.sql<{ wake_generation: string }>(
        'select wake_generation from agendas where tenant_id = $1 and debtor_id = $2',
        [debtor.tenantId, debtor.debtorId],
      )
      const woken = await wakeDebtor(worker, { ...debtor, generation: Number(agenda!.wake_generation) })
      if (woken?.kind !== 'send' || !woken.claim)
        throw new Error(`nothing was claimed: ${JSON.stringify(woken)}`)
      woken.place?.leave()
      claims.set(woken.communicationId, woken.claim)
      return woken.communicationId
    },
    async reserve(...invoiceIds) {
      const { tenantId, debtorId } = await makeDue(invoiceIds)
      const reserved = await reserveOnly(installation.sql, worker, { tenantId, debtorId })
      if (reserved === null) throw new Error('nothing was reserved')
      return reserved
    },
    async send(communicationId, beforeFence) {
      const { tenant_id: tenantId, debtor_id: debtorId } = await debtorOf(
        'id',
        'communications',
        communicationId,
      )
      const channelsFor: WorkerContext['channelsFor'] = tenant => {
        const { email, ...others } = worker.channelsFor(tenant)
        const send: typeof email.send = (message, { beforeCommit }) =>
          email.send(message, {
            beforeCommit: async () => beforeFence?.().then(beforeCommit) ?? beforeCommit(),
          })
        return { ...others, email: { ...email, send } }
      }
      const claim = claims.get(communicationId)
      const environment = claim?.isProduction === false ? 'sandbox' : 'production'
      if (claim) await sendClaimed(worker, { ...claim, channels: channelsFor({ id: tenantId, environment }) })
      else await sendReserved({ ...worker, channelsFor }, tenantId, debtorId, communicationId)
    },
  }
}
