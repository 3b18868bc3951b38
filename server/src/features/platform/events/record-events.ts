import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { insertTogether, type Tx } from '../../../kit/db/transaction.ts'
import type { ActorRef, NewEvent, Origin } from '../../../kit/events.ts'
import { insertAlerts } from './alerts.ts'

/**
 * The shape in which events enter a statement, as one jsonb array. `sequence` counts within one subject of this batch;
 * the statement adds the subject's own count.
 */
export interface EventRow {
  id: string
  type: string
  schema_version: number
  subject_id: string
  sequence: number
  data: unknown
  actor: ActorRef
  request_id: string | null
  occurred_at: string
  recorded_at: string
}

export interface EventContext {
  actor: ActorRef & { readonly origin?: Origin | undefined }
  requestId: string | null
  now: number
  wall: number
  newId: () => string
}

/** The actor as stored with an event or a line of a history: kind, id and onBehalfOf only. */
export const actorRef = ({ kind, id, onBehalfOf }: ActorRef): ActorRef => ({
  kind,
  id,
  ...(onBehalfOf !== undefined && { onBehalfOf }),
})

/** Counts the events of each subject, in their order. */
function numbered<Row extends { subject_id: string }>(rows: readonly Row[]): (Row & { sequence: number })[] {
  const counts = new Map<string, number>()
  return rows.map(row => {
    const sequence = (counts.get(row.subject_id) ?? 0) + 1
    counts.set(row.subject_id, sequence)
    return { ...row, sequence }
  })
}

export const eventRows = (events: readonly NewEvent[], context: EventContext): EventRow[] =>
  numbered(
    events.map(event => ({
      id: context.newId(),
      type: event.type,
      schema_version: event.schemaVersion,
      subject_id: event.subjectId,
      data: event.data,
      actor: actorRef(context.actor),
      request_id: context.requestId,
      occurred_at: iso(context.now),
      recorded_at: iso(context.wall),
    })),
  )

/** The columns of an EventRow, for `jsonb_to_recordset`. */
export const eventRecord = `(id uuid, type text, schema_version integer, subject_id uuid, sequence integer, data jsonb, actor jsonb,
  request_id text, occurred_at timestamptz, recorded_at timestamptz)`

/**
 * Three CTEs over `happened` (EventRow columns, sequence already absolute): one inserts the events, one adds a row to the
 * outbox where an enabled webhook subscribes, one an alert where the creditor has to hear of it.
 */
export const insertEvents = `
  stored as (
    insert into events (tenant_id, id, type, schema_version, subject_id, sequence, data, actor, request_id, occurred_at, recorded_at)
    select current_setting('relance.tenant')::uuid, id, type, schema_version, subject_id, sequence, data, actor, request_id,
           occurred_at, recorded_at
      from happened),
  queued as (
    insert into outbox (tenant_id, event_id, type, recorded_at)
    select t.id, happened.id, happened.type, happened.recorded_at
      from happened join tenants t on t.id = current_setting('relance.tenant')::uuid and happened.type = any (t.subscribed_events)),
  ${insertAlerts}`

const insertInvoiceEvents = sql(
  'events.insert',
  `with given as (select * from jsonb_to_recordset($1::jsonb) as x${eventRecord}),
   counted as (
     update invoices set event_seq = event_seq + n.more
       from (select subject_id, count(*)::integer as more from given group by subject_id) n
      where invoices.id = n.subject_id and invoices.id = any (array(select subject_id from given))
     returning invoices.id, invoices.event_seq - n.more as before),
   happened as (
     select given.id, type, schema_version, subject_id, counted.before + given.sequence as sequence, data, actor, request_id,
            occurred_at, recorded_at
       from given join counted on counted.id = given.subject_id),
   ${insertEvents}
   select 1`,
)

/** The sequence counts within a batch, so several batches together are numbered again. */
insertTogether(insertInvoiceEvents, calls => {
  const events = calls.flatMap(([rows]) => JSON.parse(rows as string) as EventRow[])
  return [JSON.stringify(numbered(events))]
})

/** Records events about existing invoices in the transaction that changed them; counting the sequence locks their rows. */
export function recordEvents(tx: Tx, events: readonly NewEvent[], context: EventContext): void {
  if (events.length > 0) tx.atCommit(insertInvoiceEvents, [JSON.stringify(eventRows(events, context))])
}

/** An audit event as it enters a statement, as one element of a jsonb array. */
export function auditRows(auditEvents: readonly NewEvent[], context: EventContext) {
  return auditEvents.map(event => ({
    id: context.newId(),
    type: event.type,
    schema_version: event.schemaVersion,
    subject_id: event.subjectId,
    data: event.data,
    actor: actorRef(context.actor),
    request_id: context.requestId,
    ip: context.actor.origin?.ip ?? null,
    user_agent: context.actor.origin?.userAgent ?? null,
    occurred_at: iso(context.now),
    recorded_at: iso(context.wall),
  }))
}

const insertAuditEvents = sql(
  'events.insert-audit',
  `insert into audit_log (tenant_id, id, type, schema_version, subject_id, data, actor, request_id, ip, user_agent, occurred_at,
     recorded_at)
   select current_setting('relance.tenant')::uuid, x.*
     from jsonb_to_recordset($1::jsonb) as x(id uuid, type text, schema_version integer, subject_id text, data jsonb, actor jsonb,
       request_id text, ip text, user_agent text, occurred_at timestamptz, recorded_at timestamptz)`,
)

insertTogether(insertAuditEvents)

/** Records audit events in the transaction of the change, with the commit; the actor contains the origin of the request. */
export function recordAudit(tx: Tx, auditEvents: readonly NewEvent[], context: EventContext): void {
  if (auditEvents.length > 0)
    tx.atCommit(insertAuditEvents, [JSON.stringify(auditRows(auditEvents, context))])
}
