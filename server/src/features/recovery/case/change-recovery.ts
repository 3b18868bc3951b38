import { z } from 'zod'
import { type Channel, channels } from '../../../domain/contact/channel.ts'
import { messageNames, stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import { endHolds, nothingDue, type PauseEnd, startHold } from '../../../domain/recovery/hold.ts'
import { channelOf } from '../../../domain/recovery/next-step.ts'
import { planAt } from '../../../domain/recovery/plan-step.ts'
import { quietPeriodAfterResponse } from '../../../domain/recovery/promise.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { readTogether } from '../../../kit/db/group.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { outputUuid } from '../../../kit/fields.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { refreshAgenda } from './agenda-store.ts'
import { workflowPaused } from './debtor-events.ts'
import { workflowCompleted } from './events.ts'
import {
  changeRecovery,
  invoiceEventData,
  keepPlanOfOthers,
  type OpenRecovery,
  type OperationContext,
  planningContextOf,
} from './open-recovery.ts'
import { pausedRecoveryOf, stepOf } from './recovery-store.ts'
import { changesOf, dueColumns, type RecoveryChanges } from './save-recoveries.ts'

/** The messages that were too late to stop, in the form used by every reply. */
export const inFlightMessages = z
  .array(z.object({ communicationId: outputUuid, channel: z.enum(channels), action: z.enum(messageNames) }))
  .meta({ description: 'Messages already handed to a provider, which no stop can call back' })

/** A message that is already with its provider when a recovery is stopped. */
export interface InFlight {
  communicationId: string
  channel: Channel
  action: string
}

// A reserved message is sent without this invoice. If this invoice is its lead or its only invoice, the message is cancelled,
// its slot is freed, and the other invoices grouped into it are planned again. Answers to the debtor are still sent.
const cancelReserved = sql(
  'case.detach-from-messages',
  `with mine as (
     select c.id, c.lead_invoice_id = $1
              or not exists (select from communication_invoices o
                              where o.communication_id = c.id and o.invoice_id <> $1) as is_over
       from communication_invoices l
       join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'reserved'
      where l.invoice_id = $1 and c.step <> all ('{${stepsSentAfterStop}}')
        and ($5 or not exists (select from extra_messages e where e.communication_id = c.id))),
   freed as (
     update recoveries set communication_id = null
      where invoice_id = any (array(select invoice_id from communication_invoices where communication_id = any (array(select id from mine))))
        and communication_id = any (array(select id from mine))
        and (invoice_id = $1 or communication_id = any (array(select id from mine where is_over)))),
   unlinked as (
     delete from communication_invoices where invoice_id = $1 and communication_id in (select id from mine where not is_over)),
   cancelled as (
     update communications set state = 'cancelled', reason = $2, settled_at = $3 where id in (select id from mine where is_over)),
   slots as (delete from contact_slots where communication_id in (select id from mine where is_over)),
   pending as (
     delete from pending_sends where tenant_id = $4 and communication_id in (select id from mine where is_over)),
   extras as (
     update extra_messages set status = 'cancelled', wish_at = null, due_at = null, due_because = null, communication_id = null
      where $5 and invoice_id = $1 and status = 'planned' and step <> all ('{${stepsSentAfterStop}}')
        and (communication_id is null or communication_id in (select id from mine))
     returning channel)
   select channel from extras`,
)
const findInFlight = sql(
  'case.list-being-sent',
  `select c.id as "communicationId", c.channel, c.step as action
     from communication_invoices l
     join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'sending'
    where l.invoice_id = $1 order by c.id`,
).as<InFlight>()
const findInFlightOfMany = sql(
  'case.list-being-sent-of-many',
  `select l.invoice_id, c.id as "communicationId", c.channel, c.step as action
     from communication_invoices l
     join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'sending'
    where l.invoice_id = any ($1::uuid[]) order by c.id`,
).as<InFlight & { invoice_id: string }>()
readTogether(findInFlight, findInFlightOfMany, 'invoice_id')

export interface StopResult {
  inFlight: InFlight[]
  /** The planned extra messages that were cancelled. */
  extras: { channel: Channel }[]
}

const findRequested = sql(
  'case.find-requested-message',
  `select e.channel, e.status, e.communication_id, c.state
     from extra_messages e left join communications c on c.tenant_id = e.tenant_id and c.id = e.communication_id
    where e.id = $1 and e.invoice_id = $2 and e.step = 'extra_message'`,
).as<{
  channel: Channel
  status: 'planned' | 'sent' | 'failed' | 'unknown' | 'cancelled'
  communication_id: string | null
  state: string | null
}>()
// A reserved message that is not claimed yet is cancelled with it. The other steps in it are planned again.
const cancelRequested = sql(
  'case.take-back-message',
  `with freed as (
     update recoveries set communication_id = null
      where invoice_id = any (array(select invoice_id from communication_invoices where communication_id = $2)) and communication_id = $2),
   cancelled as (update communications set state = 'cancelled', reason = 'taken_back', settled_at = $3 where id = $2),
   slots as (delete from contact_slots where communication_id = $2),
   pending as (delete from pending_sends where tenant_id = $4 and communication_id = $2)
   update extra_messages set status = 'cancelled', wish_at = null, due_at = null, due_because = null, communication_id = null
    where id = $1`,
)

/** Takes back a requested message if no worker has claimed it; otherwise returns its status. */
export async function takeBack(
  { tx, actor, now, wall }: OperationContext,
  recovery: OpenRecovery,
  messageId: string,
): Promise<
  { channel: Channel; isTakenBack: true } | { channel: Channel; isTakenBack: false; status: string } | null
> {
  const { row } = recovery
  const [found] = await tx.rows(findRequested, [messageId, row.invoice_id])
  if (!found) return null
  const { channel, status, communication_id, state } = found
  if (status !== 'planned') return { channel, isTakenBack: false, status }
  if (state !== null && state !== 'reserved') return { channel, isTakenBack: false, status: 'sending' }
  keepPlanOfOthers(tx, actor.tenantId, recovery)
  tx.atCommit(cancelRequested, [messageId, communication_id, iso(now), actor.tenantId])
  tx.atCommit(refreshAgenda, [actor.tenantId, row.debtor_id, now - wall, null, false])
  return { channel, isTakenBack: true }
}

/** The messages that are too late to stop. */
export const inFlightOf = (tx: Tx, { row }: OpenRecovery): Promise<InFlight[]> =>
  tx.rows(findInFlight, [row.invoice_id])

/** After the commit nothing more is sent for this invoice, except the messages returned as in flight. */
export async function stopMessages(
  { tx, actor, now }: OperationContext,
  recovery: OpenRecovery,
  because: string,
  /** Only the message of the step, or also the extra messages. */
  which: 'all' | 'step' = 'all',
): Promise<StopResult> {
  const { row } = recovery
  const [inFlight, extras] = await Promise.all([
    inFlightOf(tx, recovery),
    tx.rows(cancelReserved, [row.invoice_id, because, iso(now), actor.tenantId, which === 'all']),
  ])
  return { inFlight, extras: extras as { channel: Channel }[] }
}

/** Adds a hold to the recovery; it takes effect with the commit. */
export async function holdRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
  hold: Hold,
  end: PauseEnd | null = null,
): Promise<StopResult> {
  const stopped = await stopMessages(context, recovery, hold)
  const wasPaused = recovery.row.status === 'paused'
  changeRecovery(
    context,
    recovery,
    changesOf(startHold(pausedRecoveryOf(recovery.row), hold, end, context.now)),
  )
  if (!wasPaused && recovery.row.status === 'paused') recordPause(context, recovery, hold)
  return stopped
}

/** Records that a recovery was paused. A further hold of a paused recovery is not recorded. */
export function recordPause(context: OperationContext, recovery: OpenRecovery, cause: Hold): void {
  const { due_at: dueAt } = recovery.row
  const data = { ...invoiceEventData(recovery), cause, until: dueAt === null ? null : iso(dueAt) }
  recordEvents(context.tx, [newEvent(workflowPaused, data.invoiceId, data)], context)
}

/** The changes of a recovery when holds end; null if it was not paused. */
export function afterRelease(
  recovery: OpenRecovery,
  endedHolds: readonly Hold[],
  now: number,
): RecoveryChanges | null {
  const released = endHolds(pausedRecoveryOf(recovery.row), endedHolds, planningContextOf(recovery, now))
  return released && changesOf(released)
}

/** Ends holds. Without any other hold, the recovery continues. */
export function releaseHolds(
  context: OperationContext,
  recovery: OpenRecovery,
  endedHolds: readonly Hold[],
): void {
  const changes = afterRelease(recovery, endedHolds, context.now)
  if (changes) changeRecovery(context, recovery, changes)
}

/** Ends the recovery: nothing is planned any more. */
export async function endRecovery(
  context: OperationContext,
  recovery: OpenRecovery,
  status: 'completed' | 'cancelled',
  outcome: 'paid' | 'written_off' | 'cancelled',
): Promise<StopResult> {
  const stopped = await stopMessages(context, recovery, outcome)
  changeRecovery(context, recovery, {
    status,
    outcome,
    ended_at: context.now,
    holds: [],
    paused_at: null,
    ...dueColumns(nothingDue),
  })
  recordEvents(
    context.tx,
    [
      newEvent(workflowCompleted, recovery.row.invoice_id, {
        ...invoiceEventData(recovery),
        outcome,
        completedAt: iso(context.now),
        actionsCompleted: recovery.row.actions_completed,
      }),
    ],
    context,
  )
  return stopped
}

const extendQuietPeriod = sql(
  'case.start-quiet-period',
  `update agendas set quiet_until = greatest(quiet_until, $3::timestamptz) where tenant_id = $1 and debtor_id = $2`,
)

/** Starts a quiet period for the debtor. It applies to every message, whichever invoice the message is about. */
export function startQuietPeriod({ tx, actor, now }: OperationContext, debtorId: string): number {
  const quietUntil = now + quietPeriodAfterResponse
  tx.atCommit(extendQuietPeriod, [actor.tenantId, debtorId, iso(quietUntil)])
  return quietUntil
}

/**
 * Records a response of the debtor: a quiet period of three days begins for every message to the debtor, and the waiting step
 * is planned again.
 */
export function recordDebtorResponse(context: OperationContext, recovery: OpenRecovery): void {
  const quietUntil = startQuietPeriod(context, recovery.row.debtor_id)
  changeRecovery(context, recovery, replanAfterQuiet(recovery, quietUntil, context.now))
}

function replanAfterQuiet(recovery: OpenRecovery, quietUntil: number, now: number): RecoveryChanges {
  const { row } = recovery
  if (row.status !== 'in_recovery' || row.due_at === null) return {}
  const { rules, reach, seed } = planningContextOf(recovery, now)
  const quiet = { ...rules, quietUntil: Math.max(quietUntil, rules.quietUntil ?? 0) }
  const due = planAt(quiet, channelOf(stepOf(row).step, reach), Math.max(row.due_at, now), seed)
  return due.at === null ? dueColumns(due) : { due_at: due.at, due_because: due.because ?? row.due_because }
}

/** A part payment or a promise acknowledges the debt: the limitation period starts again. */
export const noteAcknowledgement = (context: OperationContext, recovery: OpenRecovery): void =>
  changeRecovery(context, recovery, { acknowledged_at: context.now })
