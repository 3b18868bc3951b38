import type { Channel } from '../../../domain/contact/channel.ts'
import { outliving } from '../../../domain/recovery/cascade.ts'
import { endHolds, type PauseEnd, startHold } from '../../../domain/recovery/hold.ts'
import { channelOf } from '../../../domain/recovery/motion.ts'
import { planAt } from '../../../domain/recovery/plan.ts'
import { quietAfterSignOfLife } from '../../../domain/recovery/promise.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { about, type Case, changeCase, groundOf, type World } from './case.ts'
import { pausedRecoveryOf, stepOf } from './debtor-file.ts'
import { workflowCompleted } from './events.ts'
import { changesOf, type RecoveryChanges } from './save-recoveries.ts'

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

/** One more reason to wait, with effect from the commit on. */
export async function holdRecovery(
  world: World,
  of: Case,
  hold: Hold,
  end: PauseEnd | null = null,
): Promise<Stopped> {
  const stopped = await stopMessages(world, of, hold)
  changeCase(world, of, changesOf(startHold(pausedRecoveryOf(of.row), hold, end, world.now)))
  return stopped
}

/** What becomes of a recovery when reasons to wait are gone; null when it was not waiting. */
export function afterRelease(of: Case, gone: readonly Hold[], now: number): RecoveryChanges | null {
  const released = endHolds(pausedRecoveryOf(of.row), gone, groundOf(of, now))
  return released && changesOf(released)
}

/** Reasons to wait are gone: with the last one the recovery goes on. */
export function releaseHolds(world: World, of: Case, gone: readonly Hold[]): void {
  const changes = afterRelease(of, gone, world.now)
  if (changes) changeCase(world, of, changes)
}

/** The end: nothing is planned any more. */
export async function endRecovery(
  world: World,
  of: Case,
  status: 'completed' | 'cancelled',
  outcome: 'paid' | 'written_off' | 'cancelled',
): Promise<Stopped> {
  const stopped = await stopMessages(world, of, outcome)
  changeCase(world, of, {
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
export function noteSignOfLife(world: World, of: Case): void {
  const quietUntil = leaveInPeace(world, of.row.debtor_id)
  changeCase(world, of, replanAfterQuiet(of, quietUntil, world.now))
}

function replanAfterQuiet(of: Case, quietUntil: number, now: number): RecoveryChanges {
  const { row } = of
  if (row.status !== 'in_recovery' || row.due_at === null) return {}
  const { rules, reach, seed } = groundOf(of, now)
  const quiet = { ...rules, quietUntil: Math.max(quietUntil, rules.quietUntil ?? 0) }
  const due = planAt(quiet, channelOf(stepOf(row).step, reach), Math.max(row.due_at, now), seed)
  return { due_at: due.at, due_because: due.because ?? row.due_because }
}

/** Who pays a part or promises acknowledges the debt: its time of limitation starts again. */
export const noteAcknowledgement = (world: World, of: Case): void =>
  changeCase(world, of, { acknowledged_at: world.now })
