import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Call, Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { momentOf } from '../../../kit/uuid.ts'
import { recordActs } from '../../platform/events/record-events.ts'
import { type NoticeKind, planNotice } from '../../platform/notices/notice.ts'
import { webhookDisabled } from './acts.ts'
import type { Courier } from './courier.ts'
import { afterFailure, afterOurFault } from './delivery-schedule.ts'
import type { Attempt } from './post-delivery.ts'

/** What is to be written of one delivery. */
export interface Judged {
  eventId: string
  type: string
  queuedAt: string
  /** When it is tried again; null when it is over, one way or the other. */
  dueAt: string | null
  attempts: number
  putOff: number
  /** Null when nothing was tried that counts: a fault of ours, or an event that is gone. */
  tried: { isDelivered: boolean; at: string; status: number | null; error: string | null; ms: number } | null
  isWarned: boolean
  isGivenUp: boolean
}

/** A name that does not resolve for so long is not our resolver's fault any more. */
const putOffMost = 10

/** What follows from one attempt. */
export function judge(
  row: { event_id: string; type: string | null; attempts: number; put_off: number; queued_at: number },
  attempt: Attempt | null,
  at: number,
): Judged {
  const base = {
    eventId: row.event_id,
    type: row.type ?? '',
    queuedAt: iso(row.queued_at),
    attempts: row.attempts,
    putOff: row.put_off,
    dueAt: null,
    tried: null,
    isWarned: false,
    isGivenUp: false,
  }
  if (attempt === null) return base
  if (attempt.verdict === 'ours' && row.put_off < putOffMost)
    return { ...base, putOff: row.put_off + 1, dueAt: iso(afterOurFault(row.put_off, at)) }
  const attempts = row.attempts + 1
  const isDelivered = attempt.verdict === 'delivered'
  const tried = {
    isDelivered,
    at: iso(at),
    status: attempt.responseStatus,
    error: attempt.error,
    ms: attempt.durationMs,
  }
  if (isDelivered) return { ...base, attempts, tried }
  const next = afterFailure(attempts, at)
  if (next.kind === 'give_up') return { ...base, attempts, tried, isGivenUp: true }
  return { ...base, attempts, tried, dueAt: iso(next.at), isWarned: next.isWarned }
}

const outcome = `(event_id uuid, type text, queued_at timestamptz, due_at timestamptz, attempts integer, put_off integer,
  is_delivered boolean, at timestamptz, status integer, error text, ms integer)`

const unqueue = sql(
  'webhooks.delete-queued',
  `delete from webhook_queue
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and event_id = any ($2)`,
)
const putLater = sql(
  'webhooks.defer-queued',
  `update webhook_queue q set due_at = x.due_at, attempts = x.attempts, put_off = x.put_off
     from jsonb_to_recordset($2::jsonb) as x${outcome}
    where q.tenant_id = current_setting('relance.tenant')::uuid and q.webhook_id = $1 and q.event_id = x.event_id
      and q.event_id = any (array(select event_id from jsonb_to_recordset($2::jsonb) as y(event_id uuid)))`,
)
// The log counts every attempt there was, also those of an earlier series.
const log = sql(
  'webhooks.insert-deliveries',
  `insert into webhook_deliveries as d (tenant_id, webhook_id, event_id, event_type, status, attempts, response_status, error,
     duration_ms, last_attempt_at, created_at)
   select current_setting('relance.tenant')::uuid, $1, event_id, type, case when is_delivered then 'delivered' else 'failed' end, 1,
          status, error, ms, at, queued_at
     from jsonb_to_recordset($2::jsonb) as x${outcome}
   on conflict (tenant_id, webhook_id, event_id) do update
     set status = excluded.status, attempts = d.attempts + 1, response_status = excluded.response_status, error = excluded.error,
         duration_ms = excluded.duration_ms, last_attempt_at = excluded.last_attempt_at`,
)
const noteWarning = sql(
  'webhooks.record-warning',
  `update webhook_pumps set warned_at = $2 where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
const switchOff = sql(
  'webhooks.disable-failing',
  `update webhook_pumps set enabled = false, disabled_because = 'failing', busy_until = null, wake_at = null
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
/** Everything an endpoint still had to come, retries included. */
export const stopQueue = sql(
  'webhooks.clear-queue',
  `delete from webhook_queue where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)

const warnedAgainAfterMs = 24 * 3_600_000
/** As housekeeping keeps them. What was tried later than that has no week left to be written in, and is over all the same. */
const listedForMs = 30 * 24 * 3_600_000

/** The writing of one round: most of it travels with the opening of the transaction, the rest follows from what that finds. */
export function settle(outcomes: readonly Judged[]) {
  const rows = outcomes.map(({ eventId, type, queuedAt, dueAt, attempts, putOff, tried }) => ({
    event_id: eventId,
    type,
    queued_at: queuedAt,
    due_at: dueAt,
    attempts,
    put_off: putOff,
    is_delivered: tried?.isDelivered ?? null,
    at: tried?.at ?? null,
    status: tried?.status ?? null,
    error: tried?.error ?? null,
    ms: tried?.ms ?? null,
  }))
  const over = rows.filter(row => row.due_at === null).map(row => row.event_id)
  const later = rows.filter(row => row.due_at !== null)
  const tried = rows.filter(row => row.at !== null)
  const listed = tried.filter(row => momentOf(row.event_id) >= Date.parse(row.at!) - listedForMs)
  const isGivenUp = outcomes.some(one => one.isGivenUp)
  const isToWarn = !isGivenUp && outcomes.some(one => one.isWarned)
  return {
    triedAt: tried.at(-1)?.at ?? null,
    isAlive: tried.some(row => row.is_delivered),
    failed: tried.filter(row => !row.is_delivered).length,

    calls: (webhookId: string): Call[] => [
      ...(over.length > 0 ? [[unqueue, [webhookId, over]] as const] : []),
      ...(later.length > 0 ? [[putLater, [webhookId, JSON.stringify(later)]] as const] : []),
      ...(listed.length > 0 ? [[log, [webhookId, JSON.stringify(listed)]] as const] : []),
    ],

    /** What the endpoint has come to, and what its owner is told. False when it was switched off. */
    conclude(
      { tx, courier, now }: { tx: Tx; courier: Courier; now: number },
      { webhookId, warnedAt }: { webhookId: string; warnedAt: number | null },
    ): boolean {
      const wall = courier.clock.wall()
      const tell = (kind: NoticeKind, about: (one: Judged) => boolean) =>
        planNotice(tx, {
          id: courier.newId(),
          kind,
          subjectId: webhookId,
          causeId: outcomes.find(about)!.eventId,
          wall,
        })
      if (isToWarn && (warnedAt === null || warnedAt <= wall - warnedAgainAfterMs)) {
        tx.atCommit(noteWarning, [webhookId, iso(wall)])
        tell('webhook_failing', one => one.isWarned)
      }
      if (!isGivenUp) return true
      tx.atCommit(switchOff, [webhookId])
      tx.atCommit(stopQueue, [webhookId])
      tell('webhook_disabled', one => one.isGivenUp)
      recordActs(tx, [newEvent(webhookDisabled, webhookId, { webhookId, because: 'failing' })], {
        actor: { kind: 'worker', id: 'courier' },
        requestId: null,
        now,
        wall,
        newId: courier.newId,
      })
      return false
    },
  }
}
