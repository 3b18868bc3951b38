import { outliving } from '../../../domain/recovery/cascade.ts'
import { endHolds } from '../../../domain/recovery/hold.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import type { World } from '../case/case.ts'
import type { InFlight } from '../case/change.ts'
import {
  type AgendaLock,
  balanceOfStep,
  contactFile,
  type DebtorFile,
  type OpenStep,
  openStepColumns,
  pausedRecoveryOf,
  reachOf,
  readFile,
  refreshAgenda,
  wakeBatch,
} from '../case/debtor-file.ts'
import { type MovedOn, writeMoves } from '../case/move-on.ts'
import { changesOf } from '../case/save-recoveries.ts'
import { holdInWords } from '../case/words.ts'

/*
 * What concerns a person concerns every invoice of theirs, and there may be ten thousand: they are held and released by the
 * thousand, never one by one. The agendas are locked before, the recoveries here, each in the order of the ids.
 */

const lock = sql(
  'holds.lock-agendas',
  `select debtor_id from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) order by debtor_id for no key update`,
)

/** Everything that changes what several records of one person are sent begins here. */
export const lockAgendas = async ({ tx, actor }: World, debtorIds: readonly string[]): Promise<void> =>
  void (await tx.rows(lock, [actor.tenantId, debtorIds]))

/** Which messages are over: those on a channel that was closed, and where every recovery is held, all but a closing notice. */
interface Over {
  channels: readonly string[]
  everything: boolean
}

const isOver = (of: string) =>
  `(${of}.channel = any ($2::text[]) or ($3::boolean and ${of}.step <> all ('{${outliving}}')))`

const stop = sql(
  'holds.stop-messages',
  `with mine as (
     select c.id from communications c where c.debtor_id = any ($1::uuid[]) and c.state = 'reserved' and ${isOver('c')}),
   freed as (
     update recoveries set communication_id = null where communication_id = any (array(select id from mine))),
   cancelled as (
     update communications set state = 'cancelled', reason = $4, settled_at = $5 where id = any (array(select id from mine))),
   slots as (delete from contact_slots where communication_id = any (array(select id from mine))),
   pending as (delete from pending_sends where tenant_id = $6 and communication_id = any (array(select id from mine))),
   extras as (
     update extra_messages set status = 'cancelled', due_at = null, due_because = null, communication_id = null
      where id in (
        select e.id from extra_messages e
         where e.debtor_id = any ($1::uuid[]) and e.due_at is not null and e.communication_id is null and ${isOver('e')}
        union all select e.id from extra_messages e where e.communication_id = any (array(select id from mine))))
   select 1`,
)
const findInFlight = sql(
  'holds.list-being-sent',
  `select c.id as "communicationId", c.channel, c.step as action from communications c
    where c.debtor_id = any ($1::uuid[]) and c.state = 'sending' and ${isOver('c')} order by c.id`,
).as<InFlight>()

/** Takes back what was reserved and not yet handed over; answers what was. */
export async function stopMessagesTo(
  { tx, actor, now }: World,
  debtorIds: readonly string[],
  over: Over,
  because: string,
): Promise<InFlight[]> {
  const values = [debtorIds, over.channels, over.everything] as const
  const [inFlight] = await Promise.all([
    tx.rows(findInFlight, values),
    tx.rows(stop, [...values, because, iso(now), actor.tenantId]),
  ])
  return inFlight
}

const invoicesOf = sql(
  'holds.list-invoices',
  'select id from invoices where debtor_id = any ($1::uuid[]) order by id',
)

/** A statement of the API has two seconds, also on a busy day: this many take a small part of one. */
const atOnce = 1_000

/**
 * The invoices of these debtors, some at a time, in order. One table after the other and by their ids: a plan made while a
 * debtor had ten invoices is still a good one when it has ten thousand.
 */
async function* invoicesInBatches(tx: Tx, debtorIds: readonly string[], size: number) {
  const ids = (await tx.rows(invoicesOf, [debtorIds])).map(row => row.id)
  for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size)
}

const running = `select invoice_id from recoveries where invoice_id = any ($1::uuid[]) and status in ('in_recovery', 'paused')`
const lockRunning = sql('holds.lock-running', `${running} order by invoice_id for no key update`)
const lockToHold = sql(
  'holds.lock-to-hold',
  `${running} and not $2 = any (holds) order by invoice_id for no key update`,
)
// The day on which a pause ends by itself stays: it ends its own reason, and no other.
const hold = sql(
  'holds.hold',
  `with held as (
     update recoveries r
        set status = 'paused', holds = array_append(r.holds, $2::text), paused_at = coalesce(r.paused_at, $3),
            due_at = case when r.status = 'paused' then r.due_at end,
            due_because = case when r.status = 'paused' then r.due_because end, generation = r.generation + 1
      where r.invoice_id = any ($1::uuid[]) returning r.invoice_id)
   insert into actions (tenant_id, id, invoice_id, action, status, details, executed_at)
   select current_setting('relance.tenant')::uuid, ($4::uuid[])[row_number() over (order by invoice_id)], invoice_id, $2::text,
          'done', $5, $3
     from held`,
)
const tell = sql(
  'holds.insert-actions',
  `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, executed_at)
   select current_setting('relance.tenant')::uuid, ($2::uuid[])[place], ($1::uuid[])[place], $3, $4, 'done', $5, $6
     from generate_series(1, cardinality($1::uuid[])) place`,
)

/** A line in the history of every running recovery of these debtors. */
export async function tellRunning(
  { tx, now, newId }: World,
  debtorIds: readonly string[],
  line: { action: string; channel: string | null; details: string },
): Promise<void> {
  for await (const ids of invoicesInBatches(tx, debtorIds, atOnce)) {
    const some = (await tx.rows(lockRunning, [ids])).map(row => row.invoice_id)
    tx.atCommit(tell, [some, some.map(() => newId()), line.action, line.channel, line.details, iso(now)])
  }
}

/** One more reason to wait for every started recovery of these debtors; answers how many it is new for. */
export async function holdEvery(
  world: World,
  debtorIds: readonly string[],
  reason: Hold,
  details: string,
): Promise<number> {
  const { tx, now, newId } = world
  let count = 0
  for await (const ids of invoicesInBatches(tx, debtorIds, atOnce)) {
    const some = (await tx.rows(lockToHold, [ids, reason])).map(row => row.invoice_id)
    if (some.length > 0) await tx.rows(hold, [some, reason, iso(now), some.map(() => newId()), details])
    count += some.length
  }
  return count
}

const readHeld = sql(
  'holds.list-held',
  `select ${openStepColumns}
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.invoice_id = any ($1::uuid[]) and i.id = any ($1::uuid[]) and r.status = 'paused' and r.holds && $2::text[]
    order by r.invoice_id for no key update of r`,
).as<OpenStep>()

/** Reasons are gone for every recovery of a debtor: those without another go on, planned from today. */
export async function releaseEvery(
  world: World,
  debtorId: string,
  agenda: AgendaLock | null,
  gone: readonly Hold[],
  because: string,
): Promise<void> {
  const { tx, now, newId } = world
  const [file] = await tx.rows(readFile, [debtorId])
  if (!file) return
  for await (const ids of invoicesInBatches(tx, [debtorId], wakeBatch)) {
    const held = await tx.rows(readHeld, [ids, gone])
    const moved = held.map(open => releasedFrom(open, gone, because, file, agenda, now))
    if (moved.length > 0) await writeMoves(tx, moved, now, newId)
  }
}

function releasedFrom(
  open: OpenStep,
  gone: readonly Hold[],
  because: string,
  file: DebtorFile,
  agenda: AgendaLock | null,
  now: number,
): MovedOn {
  const released = endHolds(pausedRecoveryOf(open), gone, {
    rules: contactFile(file, agenda),
    reach: reachOf(file, balanceOfStep(open)),
    now,
    seed: file.id,
  })!
  const rest =
    released.status === 'paused'
      ? `still paused: ${released.holds.map(hold => holdInWords[hold]).join(', ')}`
      : 'the reminders go on'
  return {
    invoiceId: open.invoice_id,
    changes: changesOf(released),
    action: { action: 'resume', channel: null, status: 'done', details: `${because}; ${rest}.` },
    brokenPromise: false,
  }
}

/** The next look at each of these debtors; the last word of the transaction. */
export function lookAgain({ tx, actor, now, wall }: World, debtorIds: readonly string[]): void {
  for (const debtorId of debtorIds) tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall])
}
