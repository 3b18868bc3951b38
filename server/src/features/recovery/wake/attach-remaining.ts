import type { Channel } from '../../../domain/contact/channel.ts'
import { formalNotice } from '../../../domain/recovery/cascade.ts'
import { mayBeGrouped } from '../../../domain/recovery/decide-wake.ts'
import { channelToSend, isToday } from '../../../domain/recovery/waiting.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import { contactFile, lookContextOf } from '../case/debtor-file.ts'
import { lockAndLoadDebtor } from '../case/debtor-file-store.ts'
import {
  messageInvoicesMax,
  selectWaitingRecoveries,
  stepOf,
  waitingRecoveryOf,
  wakeBatchSize,
} from '../case/recovery-store.ts'
import { type Communication, readCommunication } from '../messages/communication-store.ts'
import type { WorkerContext } from '../messages/worker-context.ts'

const attachRecoveries = sql(
  'wake.attach-remaining',
  `with attached as (
     update recoveries set communication_id = $2 where invoice_id = any ($3::uuid[]) returning invoice_id)
   insert into communication_invoices (tenant_id, communication_id, invoice_id, as_notice)
   select $1, $2, invoice_id, invoice_id = any ($4::uuid[]) from attached`,
)

const countAttached = sql(
  'wake.count-attached',
  'select count(*) as n from communication_invoices where communication_id = $1',
).as<{ n: number }>()

/** The step of the lead message. A formal notice has the rank of a letter, also if it is sent by email. */
const leadStep = (communication: Communication, channel: Channel) => ({
  name: communication.step,
  channel: communication.step === formalNotice ? ('lrar' as const) : channel,
})

/**
 * For a debtor with more due invoices than one transaction handles: attaches more of them to the reserved message, batch by
 * batch, up to the number that a message names. The others wait for their own message. If the process dies in between, the
 * message is sent with the invoices attached so far.
 */
export async function attachRemaining(
  worker: WorkerContext,
  tenantId: string,
  debtorId: string,
  communicationId: string,
): Promise<void> {
  for (let attached = wakeBatchSize; attached > 0; )
    attached = await transact(
      worker.pool,
      asWorker(tenantId),
      [
        ...lockAndLoadDebtor(tenantId, debtorId),
        [readCommunication, [communicationId]],
        [selectWaitingRecoveries, [debtorId]],
        [countAttached, [communicationId]],
      ],
      async ({ tx, openingRows }) => {
        const [, [file], [communication], waiting, [attachedSoFar]] = openingRows
        if (!file || communication?.state !== 'reserved' || communication.is_extra) return 0
        const room = messageInvoicesMax - attachedSoFar!.n
        if (room <= 0) return 0
        const now = communication.reserved_at
        const rules = contactFile(file, null)
        const context = lookContextOf(file, rules, now)
        const lead = {
          step: leadStep(communication, communication.channel),
          channel: communication.channel,
          isExtra: false,
        }
        const due = waiting.filter(recovery => {
          if (!isToday(rules, recovery.due_at!, now)) return false
          const waitingRecovery = waitingRecoveryOf(recovery, file)
          const channel = channelToSend(waitingRecovery, context)
          const { step } = stepOf(recovery)
          const letterId = waitingRecovery.reach.collected?.letterId ?? null
          return channel !== null && mayBeGrouped(lead, { step, channel, isExtra: false, letterId })
        })
        const grouped = due.slice(0, room)
        if (grouped.length > 0)
          tx.atCommit(attachRecoveries, [
            tenantId,
            communicationId,
            grouped.map(recovery => recovery.invoice_id),
            grouped
              .filter(recovery => stepOf(recovery).step.name === formalNotice)
              .map(recovery => recovery.invoice_id),
          ])
        return waiting.length === wakeBatchSize && grouped.length < room ? grouped.length : 0
      },
    )
}
