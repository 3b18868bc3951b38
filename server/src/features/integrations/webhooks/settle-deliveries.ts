import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { BoundStatement, Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { momentOf } from '../../../kit/uuid.ts'
import { enqueueNotice, type OwnerNoticeKind } from '../../platform/account-mail/enqueue-notice.ts'
import { recordAudit } from '../../platform/events/record-events.ts'
import { webhookDisabled } from './audit-events.ts'
import type { DeliveryContext } from './delivery-context.ts'
import { afterFailure, afterOurFault } from './delivery-schedule.ts'
import type { Attempt } from './post-delivery.ts'
import { clearQueue } from './store.ts'

/** The outcome of one delivery, as it is written. */
export interface DeliveryOutcome {
  eventId: string
  type: string
  queuedAt: string
  /** When it is tried again; null if it is finished, delivered or not. */
  dueAt: string | null
  attempts: number
  deferrals: number
  /** Null if no attempt counts: a fault on our side, or an event that no longer exists. */
  tried: { isDelivered: boolean; at: string; status: number | null; error: string | null; ms: number } | null
  isWarned: boolean
  isGivenUp: boolean
}

/** After this many deferrals a fault (such as a name that does not resolve) counts as the receiver's. */
const deferralsMax = 10

/** The outcome of one attempt. */
export function outcomeOf(
  row: { event_id: string; type: string | null; attempts: number; deferrals: number; queued_at: number },
  attempt: Attempt | null,
  at: number,
): DeliveryOutcome {
  const base = {
    eventId: row.event_id,
    type: row.type ?? '',
    queuedAt: iso(row.queued_at),
    attempts: row.attempts,
    deferrals: row.deferrals,
    dueAt: null,
    tried: null,
    isWarned: false,
    isGivenUp: false,
  }
  if (attempt === null) return base
  if (attempt.verdict === 'ours' && row.deferrals < deferralsMax)
    return { ...base, deferrals: row.deferrals + 1, dueAt: iso(afterOurFault(row.deferrals, at)) }
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

const outcomeColumns = `(event_id uuid, type text, queued_at timestamptz, due_at timestamptz, attempts integer, deferrals integer,
  is_delivered boolean, at timestamptz, status integer, error text, ms integer)`

const deleteQueued = sql(
  'webhooks.delete-queued',
  `delete from webhook_queue
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1 and event_id = any ($2)`,
)
const rescheduleQueued = sql(
  'webhooks.defer-queued',
  `update webhook_queue q set due_at = x.due_at, attempts = x.attempts, deferrals = x.deferrals
     from jsonb_to_recordset($2::jsonb) as x${outcomeColumns}
    where q.tenant_id = current_setting('relance.tenant')::uuid and q.webhook_id = $1 and q.event_id = x.event_id
      and q.event_id = any (array(select event_id from jsonb_to_recordset($2::jsonb) as y(event_id uuid)))`,
)
// `attempts` counts all attempts, also those of an earlier series.
const upsertDeliveries = sql(
  'webhooks.insert-deliveries',
  `insert into webhook_deliveries as d (tenant_id, webhook_id, event_id, event_type, status, attempts, response_status, error,
     duration_ms, last_attempt_at, created_at)
   select current_setting('relance.tenant')::uuid, $1, event_id, type, case when is_delivered then 'delivered' else 'failed' end, 1,
          status, error, ms, at, queued_at
     from jsonb_to_recordset($2::jsonb) as x${outcomeColumns}
   on conflict (tenant_id, webhook_id, event_id) do update
     set status = excluded.status, attempts = d.attempts + 1, response_status = excluded.response_status, error = excluded.error,
         duration_ms = excluded.duration_ms, last_attempt_at = excluded.last_attempt_at`,
)
const saveWarnedAt = sql(
  'webhooks.record-warning',
  `update webhook_endpoints set warned_at = $2 where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
const disableFailingEndpoint = sql(
  'webhooks.disable-failing',
  `update webhook_endpoints set enabled = false, disabled_because = 'failing', busy_until = null, wake_at = null
    where tenant_id = current_setting('relance.tenant')::uuid and webhook_id = $1`,
)
const isRedirected = ({ tried }: DeliveryOutcome) => tried?.error === 'redirect'
const warnedAgainAfterMs = 24 * 3_600_000
/** How long housekeeping keeps deliveries. For an older event the partition is gone: it is delivered but not listed. */
const listedMs = 30 * 24 * 3_600_000

/** Writes the outcomes of one round: most statements are pipelined with the opening, the rest depends on its rows. */
export function settleDeliveries(outcomes: readonly DeliveryOutcome[]) {
  const rows = outcomes.map(({ eventId, type, queuedAt, dueAt, attempts, deferrals, tried }) => ({
    event_id: eventId,
    type,
    queued_at: queuedAt,
    due_at: dueAt,
    attempts,
    deferrals,
    is_delivered: tried?.isDelivered ?? null,
    at: tried?.at ?? null,
    status: tried?.status ?? null,
    error: tried?.error ?? null,
    ms: tried?.ms ?? null,
  }))
  const finished = rows.filter(row => row.due_at === null).map(row => row.event_id)
  const later = rows.filter(row => row.due_at !== null)
  const tried = rows.filter(row => row.at !== null)
  const listed = tried.filter(row => momentOf(row.event_id) >= Date.parse(row.at!) - listedMs)
  const givenUp = outcomes.find(one => one.isGivenUp)
  // One mail a day: that the endpoint fails is more than that it redirects.
  const toWarn = outcomes.find(one => one.isWarned) ?? outcomes.find(isRedirected)
  return {
    triedAt: tried.at(-1)?.at ?? null,
    hasDelivered: tried.some(row => row.is_delivered),
    failed: tried.filter(row => !row.is_delivered).length,

    statements: (webhookId: string): BoundStatement[] => [
      ...(finished.length > 0 ? [[deleteQueued, [webhookId, finished]] as const] : []),
      ...(later.length > 0 ? [[rescheduleQueued, [webhookId, JSON.stringify(later)]] as const] : []),
      ...(listed.length > 0 ? [[upsertDeliveries, [webhookId, JSON.stringify(listed)]] as const] : []),
    ],

    /** Warns the owner or switches the endpoint off where needed. False if it was switched off. */
    conclude(
      { tx, context, now }: { tx: Tx; context: DeliveryContext; now: number },
      { webhookId, warnedAt }: { webhookId: string; warnedAt: number | null },
    ): boolean {
      const wall = context.clock.wall()
      const notifyOwner = (kind: OwnerNoticeKind, { eventId: causeId }: DeliveryOutcome) =>
        enqueueNotice(tx, { id: context.newId(), kind, subjectId: webhookId, causeId, wall })
      if (!givenUp && toWarn && (warnedAt === null || warnedAt <= wall - warnedAgainAfterMs)) {
        tx.atCommit(saveWarnedAt, [webhookId, iso(wall)])
        notifyOwner(toWarn.isWarned ? 'webhook_failing' : 'webhook_redirecting', toWarn)
      }
      if (!givenUp) return true
      tx.atCommit(disableFailingEndpoint, [webhookId])
      tx.atCommit(clearQueue, [webhookId])
      notifyOwner('webhook_disabled', givenUp)
      recordAudit(tx, [newEvent(webhookDisabled, webhookId, { webhookId, because: 'failing' })], {
        actor: { kind: 'worker', id: 'delivery' },
        requestId: null,
        now,
        wall,
        newId: context.newId,
      })
      return false
    },
  }
}
