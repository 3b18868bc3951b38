import type { Channel } from '../../../domain/contact/channel.ts'
import { formalNotice } from '../../../domain/recovery/cascade.ts'
import { channelToSend, isToday } from '../../../domain/recovery/look.ts'
import { mayTravelWith } from '../../../domain/recovery/wake.ts'
import { sql } from '../../../kit/db/statement.ts'
import { asWorker, transact } from '../../../kit/db/transaction.ts'
import {
  contactFile,
  lookContextOf,
  openFile,
  readWaiting,
  stepOf,
  waitingRecoveryOf,
  wakeBatch,
} from '../case/debtor-file.ts'
import { type Communication, readCommunication } from '../messages/communication.ts'
import type { Worker } from '../messages/worker.ts'

const attach = sql(
  'wake.attach-remaining',
  `with boarded as (
     update recoveries set communication_id = $2 where invoice_id = any ($3::uuid[]) returning invoice_id)
   insert into communication_invoices (tenant_id, communication_id, invoice_id, as_notice)
   select $1, $2, invoice_id, invoice_id = any ($4::uuid[]) from boarded`,
)

/** The channel whose rank a step has, by its name: what was asked for beside the cascade never takes anybody along. */
const leaderStep = (communication: Communication, channel: Channel) => ({
  name: communication.step,
  channel: communication.step === formalNotice ? ('lrar' as const) : channel,
})

/**
 * A debtor with more due invoices than one transaction looks at: those that may travel with the message board it batch by
 * batch while it is still reserved. If the process dies in between, the message leaves with those on board.
 */
export async function board(
  worker: Worker,
  tenantId: string,
  debtorId: string,
  communicationId: string,
): Promise<void> {
  for (let boarded = wakeBatch; boarded > 0; )
    boarded = await transact(
      worker.pool,
      asWorker(tenantId),
      [...openFile(tenantId, debtorId), [readCommunication, [communicationId]], [readWaiting, [debtorId]]],
      async ({ tx, first }) => {
        const [, [file], [communication], waiting] = first
        if (!file || communication?.state !== 'reserved' || communication.is_extra) return 0
        const now = communication.reserved_at
        const rules = contactFile(file, null)
        const context = lookContextOf(file, rules, now)
        const leader = {
          step: leaderStep(communication, communication.channel),
          channel: communication.channel,
          isExtra: false,
        }
        const along = waiting.filter(open => {
          if (!isToday(rules, open.due_at!, now)) return false
          const channel = channelToSend(waitingRecoveryOf(open, file), context)
          const { step } = stepOf(open)
          return channel !== null && mayTravelWith(leader, { step, channel, isExtra: false })
        })
        if (along.length > 0)
          tx.atCommit(attach, [
            tenantId,
            communicationId,
            along.map(open => open.invoice_id),
            along.filter(open => stepOf(open).step.name === formalNotice).map(open => open.invoice_id),
          ])
        return waiting.length === wakeBatch ? along.length : 0
      },
    )
}
