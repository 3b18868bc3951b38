import type { Due } from '../../../domain/recovery/hold.ts'
import type { Instant } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { addActions } from '../case/history.ts'
import type { ExtraMessage } from '../case/recovery-store.ts'

const cancelExtras = sql(
  'wake.cancel-extra-messages',
  `update extra_messages set status = 'cancelled', wish_at = null, due_at = null, due_because = null, written_sealed = null where id = any ($1::uuid[])`,
)

export async function cancelUndeliverable(
  tx: Tx,
  extras: readonly ExtraMessage[],
  debtorId: string,
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
      code: 'message_undeliverable',
      params: { channel: extra.channel },
      debtorId,
      actor: { kind: 'worker', id: debtorId },
      communicationId: null,
      at: now,
    })),
  )
}

const postponeSteps = sql(
  'wake.postpone-steps',
  `with later as (select * from jsonb_to_recordset($1::jsonb) as x(id uuid, due_at timestamptz, because text))
   update recoveries r
      set due_at = later.due_at, due_because = later.because, wish_at = case when later.due_at is not null then r.wish_at end,
          due_channel = case when later.due_at is not null then r.due_channel end
     from later where r.invoice_id = later.id and r.invoice_id = any (array(select id from later))`,
)
const postponeExtras = sql(
  'wake.postpone-extra-messages',
  `with later as (select * from jsonb_to_recordset($1::jsonb) as x(id uuid, due_at timestamptz, because text))
   update extra_messages e
      set due_at = later.due_at, due_because = later.because, wish_at = case when later.due_at is not null then e.wish_at end
     from later where e.id = later.id and e.id = any (array(select id from later))`,
)

/** A due step or extra message, and its next moment. */
interface Postponed extends Due {
  readonly recovery: { readonly invoiceId: string } | null
  readonly extra: { readonly id: string } | null
}

export async function postponeCandidates(tx: Tx, postponed: readonly Postponed[]): Promise<void> {
  const row = (id: string, { at, because }: Due) => ({ id, due_at: at === null ? null : iso(at), because })
  const steps = postponed.flatMap(candidate =>
    candidate.recovery ? [row(candidate.recovery.invoiceId, candidate)] : [],
  )
  const extras = postponed.flatMap(candidate => (candidate.extra ? [row(candidate.extra.id, candidate)] : []))
  await Promise.all([
    steps.length > 0 ? tx.rows(postponeSteps, [JSON.stringify(steps)]) : null,
    extras.length > 0 ? tx.rows(postponeExtras, [JSON.stringify(extras)]) : null,
  ])
}
