import type { Channel } from '../../../domain/contact/channel.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import type { Shift } from '../../../domain/contact/next-legal-slot.ts'
import type { Answer, closingNotice, RequestedMessage, Step } from '../../../domain/recovery/cascade.ts'
import { anchorOf, planFirstStep } from '../../../domain/recovery/plan-step.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { refreshAgenda } from './agenda-store.ts'
import { keepPlanOfOthers, type OpenRecovery, type OperationContext } from './open-recovery.ts'

const insertExtraMessage = sql(
  'case.insert-extra-message',
  `insert into extra_messages (tenant_id, id, invoice_id, debtor_id, step, channel, status, wish_at, due_at, due_because,
     created_at, about, written_sealed)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, 'planned', $10, $6, $7, $8, $9, $11)`,
)

export interface Moment {
  at: number | null
  wish: number | null
  because: string | null
  shifts: readonly (Omit<Shift, 'because'> & { because: string })[]
}

/** The next allowed moment at or after `from`, but not before the invoice is overdue. */
export function planWhenOverdue(
  rules: ContactFile,
  row: Pick<OpenRecovery['row'], 'due_date' | 'debtor_id'>,
  step: Pick<Step, 'name' | 'channel'>,
  from: number,
): Moment {
  const singleStepCascade = { name: '', version: 0, steps: [{ ...step, day: 0 }] }
  const planned = planFirstStep(rules, singleStepCascade, row.due_date, from, row.debtor_id)
  const overdueAt = anchorOf(rules.calendar, from, row.due_date)
  if (overdueAt === from) return planned
  const notDueShift = { because: 'not_due', detail: `due on ${row.due_date}`, from, until: overdueAt }
  return { ...planned, because: planned.because ?? 'not_due', shifts: [notDueShift, ...planned.shifts] }
}

export interface PlannedExtra {
  step: RequestedMessage | typeof closingNotice | Answer
  channel: Channel
  at: number
  /** When it wants to go; left out, it is `at`. */
  wish?: number | null
  because: string | null
  /** The facts that an answer to the debtor mentions. */
  about?: Readonly<Record<string, string | number | readonly Readonly<Record<string, string | number>>[]>>
  /** Seals what a person wrote in it, for the id it gets. */
  seal?: (id: string) => string
}

/** Plans a message outside the cascade and refreshes the debtor's agenda. */
export function planExtraMessage(
  { tx, actor, now, wall, newId }: OperationContext,
  recovery: OpenRecovery,
  extra: PlannedExtra,
): string {
  const { row } = recovery
  const id = newId()
  keepPlanOfOthers(tx, actor.tenantId, recovery)
  tx.atCommit(insertExtraMessage, [
    id,
    row.invoice_id,
    row.debtor_id,
    extra.step,
    extra.channel,
    iso(extra.at),
    extra.because,
    iso(now),
    extra.about ? JSON.stringify(extra.about) : null,
    iso(extra.wish ?? extra.at),
    extra.seal?.(id) ?? null,
  ])
  tx.atCommit(refreshAgenda, [actor.tenantId, row.debtor_id, now - wall, null, false])
  return id
}
