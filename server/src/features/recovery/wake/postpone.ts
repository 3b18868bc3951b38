import type { Channel } from '../../../domain/contact/channel.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import { planAt } from '../../../domain/recovery/plan.ts'
import { type Instant, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'

/** A due step, or a message beside the cascade. */
interface Waiting {
  invoiceId: string
  channel: Channel
  open: object | null
  extra: { id: string } | null
}

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

/**
 * Nothing may be sent now. What waits for a moment of today waits together, to travel together; beyond today each waits for
 * the next moment of its own channel.
 */
export async function postpone(
  tx: Tx,
  candidates: readonly Waiting[],
  wait: { until: Instant; because: string },
  rules: ContactFile,
  now: Instant,
  seed: string,
): Promise<void> {
  const together = { at: wait.until, because: wait.because }
  const slots = new Map<Channel, { at: Instant | null; because: string | null }>()
  const slotOf = (channel: Channel) => {
    if (isToday(rules, wait.until, now)) return together
    if (!slots.has(channel)) slots.set(channel, planAt(rules, channel, now, seed))
    return slots.get(channel)!
  }
  const row = (id: string, channel: Channel) => {
    const { at, because } = slotOf(channel)
    return { id, due_at: at === null ? null : iso(at), because }
  }
  const steps = candidates.flatMap(one => (one.open ? [row(one.invoiceId, one.channel)] : []))
  const extras = candidates.flatMap(one => (one.extra ? [row(one.extra.id, one.channel)] : []))
  await Promise.all([
    steps.length > 0 ? tx.rows(postponeSteps, [JSON.stringify(steps)]) : null,
    extras.length > 0 ? tx.rows(postponeExtras, [JSON.stringify(extras)]) : null,
  ])
}

export function isToday(rules: ContactFile, dueAt: Instant, now: Instant): boolean {
  if (dueAt <= now) return true
  const zone = rules.calendar?.zones[0]
  return zone !== undefined && localTime(zone, dueAt).date === localTime(zone, now).date
}
