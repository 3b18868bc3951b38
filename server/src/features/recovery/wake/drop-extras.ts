import type { Channel } from '../../../domain/contact/channel.ts'
import { isOvertaken, outliving } from '../../../domain/recovery/cascade.ts'
import type { Instant } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { DebtorFile, ExtraMessage } from '../case/debtor-file.ts'
import { addActions } from '../case/history.ts'
import { holdOn } from '../case/move-on.ts'

const drop = sql(
  'wake.cancel-extra-messages',
  `update extra_messages set status = 'cancelled', due_at = null, due_because = null where id = any ($1::uuid[])`,
)

/** Asked for while it was possible, and not possible any more: stopped, held, overtaken, closed to it, or without a provider. */
export const isUndeliverable = (
  extra: ExtraMessage,
  file: DebtorFile,
  missing: readonly Channel[],
): boolean =>
  missing.includes(extra.channel) ||
  file.closed.some(shut => shut.channel === extra.channel) ||
  isOvertaken(extra.step, extra.recovery_status) ||
  (!outliving.includes(extra.step) && (extra.recovery_status !== 'in_recovery' || holdOn(file) !== null))

export async function dropExtras(
  tx: Tx,
  extras: readonly ExtraMessage[],
  now: Instant,
  newId: () => string,
): Promise<void> {
  await tx.rows(drop, [extras.map(extra => extra.id)])
  addActions(
    tx,
    extras.map(extra => ({
      id: newId(),
      invoiceId: extra.invoice_id,
      action: extra.step,
      channel: extra.channel,
      status: 'cancelled',
      details: 'Not sent: by its day it could not go this way any more.',
      communicationId: null,
      at: now,
    })),
  )
}
