import type { Due } from '../../../domain/recovery/hold.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

const postponeSteps = sql(
  'wake.postpone-steps',
  `with later as (select * from jsonb_to_recordset($1::jsonb) as x(id uuid, due_at timestamptz, because text))
   update recoveries r set due_at = later.due_at, due_because = later.because
     from later where r.invoice_id = later.id and r.invoice_id = any (array(select id from later))`,
)
const postponeExtras = sql(
  'wake.postpone-extra-messages',
  `with later as (select * from jsonb_to_recordset($1::jsonb) as x(id uuid, due_at timestamptz, because text))
   update extra_messages e set due_at = later.due_at, due_because = later.because
     from later where e.id = later.id and e.id = any (array(select id from later))`,
)

/** A due step, or a message beside the cascade, and its next moment. */
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
