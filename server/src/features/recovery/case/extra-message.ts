import type { Channel } from '../../../domain/contact/channel.ts'
import type { ContactFile, Shift } from '../../../domain/contact/contact-rules.ts'
import type { Answer, closingNotice, Step } from '../../../domain/recovery/cascade.ts'
import { anchorOf, planFirst } from '../../../domain/recovery/plan.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Case, World } from './case.ts'
import { refreshAgenda } from './debtor-file.ts'

const insert = sql(
  'case.insert-extra-message',
  `insert into extra_messages (tenant_id, id, invoice_id, debtor_id, step, channel, status, due_at, due_because, created_at,
     about)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, 'planned', $6, $7, $8, $9)`,
)

export interface Moment {
  at: number | null
  because: string | null
  shifts: readonly (Omit<Shift, 'because'> & { because: string })[]
}

/** The next legal moment from then on; but nobody is reminded of what is not overdue yet. */
export function planOverdue(
  rules: ContactFile,
  { row }: Case,
  step: Pick<Step, 'name' | 'channel'>,
  from: number,
): Moment {
  const alone = { name: '', version: 0, steps: [{ ...step, day: 0 }] }
  const planned = planFirst(rules, alone, row.due_date, from, row.debtor_id)
  const overdueAt = anchorOf(rules.calendar, from, row.due_date)
  if (overdueAt === from) return planned
  const waits = { because: 'not_due', detail: `due on ${row.due_date}`, from, until: overdueAt }
  return { at: planned.at, because: planned.because ?? 'not_due', shifts: [waits, ...planned.shifts] }
}

export interface PlannedExtra {
  step: 'extra_message' | typeof closingNotice | Answer
  channel: Channel
  at: number
  because: string | null
  /** What an answer speaks of. */
  about?: Readonly<Record<string, string | number>>
}

/** A message beside the cascade, and the debtor looked at when it is due. */
export function planExtra(
  { tx, actor, now, wall, newId }: World,
  { row }: Case,
  extra: PlannedExtra,
): string {
  const id = newId()
  tx.atCommit(insert, [
    id,
    row.invoice_id,
    row.debtor_id,
    extra.step,
    extra.channel,
    iso(extra.at),
    extra.because,
    iso(now),
    extra.about ? JSON.stringify(extra.about) : null,
  ])
  tx.atCommit(refreshAgenda, [actor.tenantId, row.debtor_id, now - wall])
  return id
}
