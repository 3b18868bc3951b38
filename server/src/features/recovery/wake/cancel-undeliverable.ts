import type { Instant } from '../../../domain/time.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { ExtraMessage } from '../case/debtor-file.ts'
import { addActions } from '../case/history.ts'

const cancelExtras = sql(
  'wake.cancel-extra-messages',
  `update extra_messages set status = 'cancelled', due_at = null, due_because = null where id = any ($1::uuid[])`,
)

export async function cancelUndeliverable(
  tx: Tx,
  extras: readonly ExtraMessage[],
  now: Instant,
  newId: () => string,
): Promise<void> {
  await tx.rows(cancelExtras, [extras.map(extra => extra.id)])
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
