import type { Channel } from '../../../domain/contact/channel.ts'
import type { Way } from '../../../domain/recovery/cascade.ts'
import { limitationEnds } from '../../../domain/recovery/formal-notice.ts'
import { afterSkip, type Ground, type Motion, replan } from '../../../domain/recovery/motion.ts'
import { anchorAfterPause, type Hold } from '../../../domain/recovery/recovery-state.ts'
import { type Instant, localTime } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type DebtorFile, type OpenStep, positionOf, stepOf } from './debtor-file.ts'
import { addActions } from './history.ts'
import { skipInWords } from './words.ts'

/** A recovery that goes on, or stands, without a message. */
export interface MovedOn {
  open: OpenStep
  row: {
    invoice_id: string
    status: 'in_recovery' | 'paused'
    holds: string[]
    anchor_at: string
    step: number
    attempt: number
    due_at: string | null
    due_because: string | null
    last_executed_at: string | null
    paused_at: string | null
  }
  action: { action: string; channel: Channel | null; status: 'skipped' | 'done'; details: string } | null
  brokenPromise: boolean
}

type Due = { at: Instant | null; because: string | null }

function movedTo(
  open: OpenStep,
  due: Due,
  changes: Partial<MovedOn['row']>,
  action: MovedOn['action'],
  brokenPromise = false,
): MovedOn {
  return {
    open,
    action,
    brokenPromise,
    row: {
      invoice_id: open.invoice_id,
      status: 'in_recovery',
      holds: [],
      anchor_at: iso(open.anchor_at!),
      step: open.step,
      attempt: open.attempt,
      due_at: due.at === null ? null : iso(due.at),
      due_because: due.because,
      last_executed_at: null,
      paused_at: open.paused_at === null ? null : iso(open.paused_at),
      ...changes,
    },
  }
}

/**
 * What becomes of a due recovery that sends nothing: its pause is over, its step is left out, a person has to decide, or it
 * has to stand.
 */
export function moveOn(open: OpenStep, way: Way, file: DebtorFile, ground: Ground): MovedOn {
  const { now } = ground
  const hold = holdOn(file)
  if (hold) {
    const holds = [...new Set([...open.holds, hold])]
    const changes = { status: 'paused' as const, holds, paused_at: iso(open.paused_at ?? now) }
    const isBroken = open.status === 'paused' && open.holds.includes('promise')
    return movedTo(open, { at: null, because: null }, changes, null, isBroken)
  }
  if (open.status === 'paused') return endPause(open, ground)
  const { step } = stepOf(open)
  if (isTimeBarred(open, file, ground)) return movedTo(open, { at: null, because: 'time_barred' }, {}, null)
  switch (way.kind) {
    case 'decide': {
      const details = 'The reminders are over. Decide: court, a plan, write-off or cancel.'
      const action = { action: step.name, channel: null, status: 'done' as const, details }
      return movedTo(open, { at: null, because: 'awaiting_decision' }, { last_executed_at: iso(now) }, action)
    }
    case 'skip': {
      const motion: Motion = afterSkip(positionOf(open), ground)
      const details = skipInWords[way.because]
      const action = { action: step.name, channel: step.channel, status: 'skipped' as const, details }
      const changes = { step: motion.step, attempt: motion.attempt, last_executed_at: iso(now) }
      return movedTo(open, motion.next, changes, action)
    }
    case 'stand':
      return movedTo(open, { at: null, because: way.because }, {}, null)
    case 'send':
      throw new Error('what can be sent is not moved on')
  }
}

/** What holds every recovery of a debtor, also those that were started after it became known. */
export const holdOn = (file: DebtorFile): Hold | null =>
  file.insolvency_kind !== null
    ? 'insolvency'
    : file.closed.some(shut => shut.because === 'wrong_person')
      ? 'wrong_person'
      : null

/** A pause with an end: what was promised did not come, or the day named in the pause has. */
function endPause(open: OpenStep, ground: Ground): MovedOn {
  const wasPromise = open.holds.includes('promise')
  const left = open.holds.filter(
    // A pause asked for without an end outlasts a promise.
    hold => hold !== 'promise' && !(hold === 'asked' && open.due_because === 'resume'),
  )
  const action = {
    action: wasPromise ? 'promise_broken' : 'resume',
    channel: null,
    status: 'done' as const,
    details: `${wasPromise ? 'The promised payment did not arrive' : 'The pause that was asked for is over'}; ${
      left.length > 0 ? 'something else still holds the reminders.' : 'the reminders go on.'
    }`,
  }
  if (left.length > 0)
    return movedTo(open, { at: null, because: null }, { status: 'paused', holds: left }, action, wasPromise)
  const anchor = anchorAfterPause(open.anchor_at!, open.paused_at!, ground.now)
  const last = open.last_executed_at === null ? null : { at: open.last_executed_at, wasContact: true }
  const due = replan({ ...positionOf(open), anchor }, last, ground)
  return movedTo(open, due, { anchor_at: iso(anchor) }, action, wasPromise)
}

/** A consumer is not reminded of a debt that no court would hear any more. */
export function isTimeBarred(
  open: OpenStep,
  file: DebtorFile,
  { rules, now }: Pick<Ground, 'rules' | 'now'>,
): boolean {
  const zone = rules.calendar?.zones[0]
  if (!zone || file.type !== 'consumer') return false
  const acknowledged = open.acknowledged_at === null ? null : localTime(zone, open.acknowledged_at).date
  return localTime(zone, now).date > limitationEnds('consumer', open.due_date, acknowledged)
}

const write = sql(
  'case.advance-without-message',
  `with moved as (select * from jsonb_to_recordset($1::jsonb) as x(invoice_id uuid, status text, holds jsonb, anchor_at timestamptz,
     step integer, attempt integer, due_at timestamptz, due_because text, last_executed_at timestamptz,
     paused_at timestamptz))
   update recoveries r
      set status = moved.status, holds = array(select jsonb_array_elements_text(moved.holds)), anchor_at = moved.anchor_at,
          paused_at = case when moved.status = 'paused' then moved.paused_at end, step = moved.step, attempt = moved.attempt,
          due_at = moved.due_at, due_because = moved.due_because,
          last_executed_at = coalesce(moved.last_executed_at, r.last_executed_at)
     from moved where r.invoice_id = moved.invoice_id and r.invoice_id = any (array(select invoice_id from moved))`,
)
const breakPromises = sql(
  'case.break-promises',
  `update promises set status = 'broken', settled_at = $2 where invoice_id = any ($1::uuid[]) and status = 'open'`,
)

/** Writes what moved, with its lines in the history. */
export async function writeMoves(
  tx: Tx,
  moved: readonly MovedOn[],
  now: Instant,
  newId: () => string,
): Promise<void> {
  const broken = moved.filter(one => one.brokenPromise).map(one => one.open.invoice_id)
  await Promise.all([
    tx.rows(write, [JSON.stringify(moved.map(({ row }) => row))]),
    broken.length > 0 ? tx.rows(breakPromises, [broken, iso(now)]) : null,
  ])
  addActions(
    tx,
    moved.flatMap(({ open, action }) =>
      action ? [{ ...action, id: newId(), invoiceId: open.invoice_id, communicationId: null, at: now }] : [],
    ),
  )
}
