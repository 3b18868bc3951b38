import type { Channel } from '../../../domain/contact/channel.ts'
import { type Due, type Pausable, wishOf } from '../../../domain/recovery/hold.ts'
import type { Hold, RecoveryStatus } from '../../../domain/recovery/recovery-state.ts'
import type { TimeBarCause } from '../../../domain/recovery/time-bar.ts'
import { iso } from '../../../kit/clock.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import type { Value } from '../../../kit/db/transaction.ts'

/** The changes of a recovery without a message. A sent message changes more columns, in a separate statement. */
export type RecoveryChanges = Partial<
  Pick<
    Tables['recoveries'],
    | 'cascade'
    | 'cascade_version'
    | 'step'
    | 'attempt'
    | 'started_at'
    | 'anchor_at'
    | 'wish_at'
    | 'due_at'
    | 'due_because'
    | 'not_before'
    | 'paused_at'
    | 'limitation_ends_on'
    | 'limitation_from'
    | 'limitation_alert_on'
    | 'limitation_alerted_months'
    | 'last_executed_at'
    | 'ended_at'
    | 'filed_on'
    | 'filing_proof'
    | 'served_on'
    | 'service_proof'
  > & {
    status: RecoveryStatus
    holds: readonly Hold[]
    limitation_because: TimeBarCause
    due_channel: Channel | null
    outcome: 'paid' | 'written_off' | 'cancelled' | null
  }
>

/** A new moment of a step: the wished and the planned one. An obstacle changes only the planned one. */
export const dueColumns = (due: Due) => ({
  wish_at: due.at === null ? null : wishOf(due),
  due_at: due.at,
  due_because: due.because,
  due_channel: due.at === null ? null : (due.channel ?? null),
})

/** The same as parameters of a statement. */
export const dueTimestamps = (due: Due) => {
  const { wish_at, due_at, ...rest } = dueColumns(due)
  const timestamp = (at: number | null) => (at === null ? null : iso(at))
  return { wish_at: timestamp(wish_at), due_at: timestamp(due_at), ...rest }
}

/** The columns that a hold or its end changes. */
export const changesOf = ({
  status,
  holds,
  pausedAt,
  due,
  anchor,
}: Pausable & { readonly anchor?: number }): RecoveryChanges => ({
  status,
  holds,
  paused_at: pausedAt,
  not_before: null,
  ...dueColumns(due),
  ...(anchor !== undefined && { anchor_at: anchor }),
})

/** The one parameter of `saveRecoveries`. */
export const changedRecoveries = (
  changed: readonly { readonly invoiceId: string; readonly changes: RecoveryChanges }[],
): readonly Value[] => [
  JSON.stringify(
    changed.map(({ invoiceId, changes }) => ({ invoice_id: invoiceId, changes: withTimestamps(changes) })),
  ),
]

/** Converts moments from milliseconds to timestamps. */
const withTimestamps = (changes: RecoveryChanges): object =>
  Object.fromEntries(
    Object.entries(changes).map(([column, value]) => [
      column,
      (column.endsWith('_at') || column === 'not_before') && typeof value === 'number' ? iso(value) : value,
    ]),
  )
