import type { Channel } from '../../../domain/contact/channel.ts'
import { outliving } from '../../../domain/recovery/cascade.ts'
import { channelOf, replan } from '../../../domain/recovery/motion.ts'
import { planAt } from '../../../domain/recovery/plan.ts'
import { quietAfterSignOfLife } from '../../../domain/recovery/promise.ts'
import {
  anchorAfterPause,
  type Hold,
  held,
  type RecoveryStatus,
  released,
} from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { scheduleWakes } from '../agenda/schedule-wakes.ts'
import { about, type Case, type CaseRow, groundOf, type World } from './case.ts'
import { positionOf, refreshAgenda, stepOf } from './debtor-file.ts'
import { workflowCompleted } from './events.ts'

/** A message that has left our hands already when a recovery is stopped. */
export interface InFlight {
  communicationId: string
  channel: Channel
  action: string
}

// A reserved message goes on without this invoice, unless it was sent for it: then it is cancelled, its slot is free, and the
// others it would have served are looked at again.
const takeOff = sql(
  'case.detach-from-messages',
  `with mine as (
     select c.id, c.lead_invoice_id = $1
              or not exists (select from communication_invoices o
                              where o.communication_id = c.id and o.invoice_id <> $1) as is_over
       from communication_invoices l
       join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and c.state = 'reserved'
      where l.invoice_id = $1 and ($6 or not exists (select from extra_messages e where e.communication_id = c.id))),
   freed as (
     update recoveries set communication_id = null
      where debtor_id = $5 and communication_id = any (array(select id from mine))
        and (invoice_id = $1 or communication_id = any (array(select id from mine where is_over)))),
   unlinked as (
     delete from communication_invoices where invoice_id = $1 and communication_id in (select id from mine where not is_over)),
   cancelled as (
     update communications set state = 'cancelled', reason = $2, settled_at = $3 where id in (select id from mine where is_over)),
   slots as (delete from contact_slots where communication_id in (select id from mine where is_over)),
   pending as (
     delete from pending_sends where tenant_id = $4 and communication_id in (select id from mine where is_over)),
   extras as (
     update extra_messages set status = 'cancelled', due_at = null, due_because = null, communication_id = null
      where $6 and invoice_id = $1 and status = 'planned' and step <> all ('{${outliving}}')
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

export interface Stopped {
  inFlight: InFlight[]
  /** Messages beside the cascade that were planned and now are not. */
  extras: { channel: Channel }[]
}

/** What a stop comes too late for. */
export const inFlightOf = (tx: Tx, { row }: Case): Promise<InFlight[]> =>
  tx.rows(findInFlight, [row.invoice_id])

/** Nothing more leaves for this invoice from the commit on, but for what is named as already on its way. */
export async function stopMessages(
  { tx, actor, now }: World,
  of: Case,
  because: string,
  /** The step's message alone, or also what was asked for beside the cascade. */
  which: 'all' | 'step' = 'all',
): Promise<Stopped> {
  const { row } = of
  const [inFlight, extras] = await Promise.all([
    inFlightOf(tx, of),
    tx.rows(takeOff, [row.invoice_id, because, iso(now), actor.tenantId, row.debtor_id, which === 'all']),
  ])
  return { inFlight, extras: extras as { channel: Channel }[] }
}

const save = sql(
  'case.save',
  `update recoveries set status = $2, holds = $3, paused_at = $4, due_at = $5, due_because = $6, anchor_at = $7, step = $8, attempt = $9,
     started_at = $10, ended_at = $11, outcome = $12, notice_news_at = $13, acknowledged_at = $14, cascade = $15, cascade_version = $16,
     generation = generation + 1
   where invoice_id = $1`,
)

/** The recovery as it now stands, and the debtor looked at accordingly. */
export function saveCase(
  { tx, actor, now, wall }: World,
  { agenda, row }: Case,
  changes: Partial<CaseRow>,
): CaseRow {
  const next = { ...row, ...changes }
  const moment = (at: number | null) => (at === null ? null : iso(at))
  tx.atCommit(save, [
    next.invoice_id,
    next.status,
    next.holds,
    moment(next.paused_at),
    moment(next.due_at),
    next.due_because,
    moment(next.anchor_at),
    next.step,
    next.attempt,
    moment(next.started_at),
    moment(next.ended_at),
    next.outcome,
    moment(next.notice_news_at),
    moment(next.acknowledged_at),
    next.cascade,
    next.cascade_version,
  ])
  if (!agenda) scheduleWakes(tx, actor, [{ debtorId: row.debtor_id, at: null, because: null }])
  tx.atCommit(refreshAgenda, [actor.tenantId, row.debtor_id, now - wall])
  return next
}

/** When and why a pause ends by itself; an open one waits for a person. */
export type PauseEnd = { at: number; because: 'resume' | 'promise' } | null

/** One more reason to wait, with effect from the commit on. */
export async function holdRecovery(
  world: World,
  of: Case,
  hold: Hold,
  end: PauseEnd,
  changes: Partial<CaseRow> = {},
): Promise<Stopped> {
  const stopped = await stopMessages(world, of, hold)
  const { row } = of
  // What a longer pause already said about its end stays said.
  const isLonger = row.status === 'paused' && row.due_at !== null && end !== null && row.due_at > end.at
  saveCase(world, of, {
    ...held(row, hold),
    paused_at: row.paused_at ?? world.now,
    due_at: isLonger ? row.due_at : (end?.at ?? null),
    due_because: isLonger ? row.due_because : (end?.because ?? null),
    ...changes,
  })
  return stopped
}

/** What becomes of a recovery when reasons to wait are gone; null when it was not waiting. */
export function afterRelease(of: Case, gone: readonly Hold[], now: number): Partial<CaseRow> | null {
  const { row } = of
  const state = released(row, gone)
  if (state.status === 'paused') {
    const stillTimed = state.holds.includes('promise') || row.due_because === 'resume'
    return { ...state, ...(stillTimed ? {} : { due_at: null, due_because: null }) }
  }
  if (row.status !== 'paused') return null
  const anchor = anchorAfterPause(row.anchor_at!, row.paused_at!, now)
  const last = row.last_executed_at === null ? null : { at: row.last_executed_at, wasContact: true }
  const due = replan({ ...positionOf(row), anchor }, last, groundOf(of, now))
  return { ...state, paused_at: null, anchor_at: anchor, due_at: due.at, due_because: due.because }
}

/** Reasons to wait are gone: with the last one the recovery goes on, planned from today, with its days moved by the pause. */
export function releaseHolds(world: World, of: Case, gone: readonly Hold[]): RecoveryStatus {
  const changes = afterRelease(of, gone, world.now)
  return changes ? saveCase(world, of, changes).status : of.row.status
}

/** The end: nothing is planned any more. */
export async function endRecovery(
  world: World,
  of: Case,
  status: 'completed' | 'cancelled',
  outcome: 'paid' | 'written_off' | 'cancelled',
): Promise<Stopped> {
  const stopped = await stopMessages(world, of, outcome)
  saveCase(world, of, {
    status,
    outcome,
    ended_at: world.now,
    holds: [],
    paused_at: null,
    due_at: null,
    due_because: null,
  })
  recordEvents(
    world.tx,
    [
      newEvent(workflowCompleted, of.row.invoice_id, {
        ...about(of),
        outcome,
        completedAt: iso(world.now),
        actionsCompleted: of.row.actions_completed,
      }),
    ],
    world,
  )
  return stopped
}

const beQuiet = sql(
  'case.start-quiet-period',
  `update agendas set quiet_until = greatest(quiet_until, $3::timestamptz) where tenant_id = $1 and debtor_id = $2`,
)

/** Every message to the debtor is judged by it, whichever invoice it is about. */
export function leaveInPeace({ tx, actor, now }: World, debtorId: string): number {
  const quietUntil = now + quietAfterSignOfLife
  tx.atCommit(beQuiet, [actor.tenantId, debtorId, iso(quietUntil)])
  return quietUntil
}

/**
 * Somebody who answers is left in peace for three days: every message to the debtor is judged by it, and the step that waits
 * is planned anew.
 */
export function noteSignOfLife(world: World, of: Case, changes: Partial<CaseRow> = {}): void {
  const { now } = world
  const quietUntil = leaveInPeace(world, of.row.debtor_id)
  if (of.row.status !== 'in_recovery' || of.row.due_at === null) return void saveCase(world, of, changes)
  const { rules, ...ground } = groundOf(of, now)
  const due = planAt(
    { ...rules, quietUntil: Math.max(quietUntil, rules.quietUntil ?? 0) },
    channelOf(stepOf(of.row).step, ground.reach),
    Math.max(of.row.due_at, now),
    ground.seed,
  )
  saveCase(world, of, { ...changes, due_at: due.at, due_because: due.because ?? of.row.due_because })
}
