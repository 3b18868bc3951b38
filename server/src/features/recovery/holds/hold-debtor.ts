import type { Channel } from '../../../domain/contact/channel.ts'
import { stepOutcomeOf, stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import { endHolds } from '../../../domain/recovery/hold.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { type ActorRef, type EventType, newEvent } from '../../../kit/events.ts'
import { actorRef, type EventContext, recordEvents } from '../../platform/events/record-events.ts'
import { type AdvancedRecovery, saveAdvancedRecoveries } from '../case/advance-without-message.ts'
import { type AgendaLock, refreshAgenda } from '../case/agenda-store.ts'
import { workflowPaused } from '../case/debtor-events.ts'
import { contactFile } from '../case/debtor-file.ts'
import { type DebtorFile, selectDebtorFile } from '../case/debtor-file-store.ts'
import { addActions } from '../case/history.ts'
import type { HistoryFact } from '../case/history-codes.ts'
import { sentenceOf } from '../case/history-texts.ts'
import type { DebtorContext, OperationContext } from '../case/open-recovery.ts'
import {
  pausedRecoveryOf,
  type RecoveryRow,
  reachOfRecovery,
  recoveryColumns,
  stepOf,
  wakeBatchSize,
} from '../case/recovery-store.ts'
import { changesOf } from '../case/save-recoveries.ts'
import {
  cancelSql,
  freeSql,
  hasFence,
  heldSql,
  type InFlight,
  isUnsentSql,
  servedBySql,
  untilDecided,
} from '../case/stop-messages.ts'

/*
 * A hold on a person concerns all of their invoices, which may be ten thousand. So recoveries are held and released in
 * batches, never one by one. The agendas are locked first, then the recoveries, each in the order of the ids.
 */

const lockAgendaRows = sql(
  'holds.lock-agendas',
  `select debtor_id from agendas where tenant_id = $1 and debtor_id = any ($2::uuid[]) order by debtor_id for no key update`,
)

/** Every change to what several debtor records of one person are sent takes these locks first. */
export const lockAgendas = async (
  { tx, actor }: OperationContext,
  debtorIds: readonly string[],
): Promise<void> => void (await tx.rows(lockAgendaRows, [actor.tenantId, debtorIds]))

/**
 * Which messages to stop: those on closed channels, or, if every recovery is held, all except those that are sent after a stop.
 */
interface StopScope {
  channels: readonly string[]
  everything: boolean
}

const isInScopeSql = (alias: string) =>
  `(${alias}.channel = any ($2::text[]) or ($3::boolean and ${alias}.step <> all ('{${stepsSentAfterStop}}')))`

const cancelMessages = sql(
  'holds.stop-messages',
  `with named as (
     select c.id, c.debtor_id from communications c
      where c.debtor_id = any ($1::uuid[]) and ${isUnsentSql('c', '$7')} and ${isInScopeSql('c')}),
   ${freeSql('$7')},
   over as (select id, debtor_id from named where id in (select id from free)),
   freed as (update recoveries set communication_id = null where ${servedBySql('over')}),
   ${cancelSql('$6', '$4', '$5')},
   extras as (
     update extra_messages set status = 'cancelled', wish_at = null, due_at = null, due_because = null, communication_id = null, written_sealed = null
      where id in (
        select e.id from extra_messages e
         where e.debtor_id = any ($1::uuid[]) and e.due_at is not null and e.communication_id is null and ${isInScopeSql('e')}
        union all select e.id from extra_messages e where e.communication_id = any (array(select id from over))))
   select ${heldSql} as held`,
).as<{ held: number }>()
const findInFlight = sql(
  'holds.list-being-sent',
  `select c.id as "communicationId", c.channel, c.step as action from communications c
    where c.debtor_id = any ($1::uuid[]) and c.state = 'sending' and ${isInScopeSql('c')} order by c.id`,
).as<InFlight>()

/** Cancels the messages that have not left. Returns those that are already being sent. */
export async function stopMessagesToDebtors(
  context: OperationContext,
  debtorIds: readonly string[],
  scope: StopScope,
  because: string,
): Promise<InFlight[]> {
  const { tx, actor, now } = context
  const values = [debtorIds, scope.channels, scope.everything] as const
  const cancelled = [because, iso(now), actor.tenantId, hasFence(context)] as const
  const looks = await untilDecided(async () => {
    const [[stopped], inFlight] = await Promise.all([
      tx.rows(cancelMessages, [...values, ...cancelled]),
      tx.rows(findInFlight, values),
    ])
    return { ...stopped!, inFlight }
  })
  return looks.at(-1)!.inFlight
}

const selectInvoiceIds = sql(
  'holds.list-invoices',
  'select id from invoices where debtor_id = any ($1::uuid[]) order by id',
)

/** A statement of the API may take two seconds; a batch of this size takes a fraction of that, also on a busy machine. */
const batchSize = 250

/**
 * The invoice ids of these debtors in batches, in order. The other tables are then read by these ids: such a query plan stays
 * good when a debtor grows from ten invoices to ten thousand.
 */
async function* invoicesInBatches(tx: Tx, debtorIds: readonly string[], size: number) {
  const ids = (await tx.rows(selectInvoiceIds, [debtorIds])).map(row => row.id)
  for (let from = 0; from < ids.length; from += size) yield ids.slice(from, from + size)
}

const selectRunningSql = `select invoice_id, status from recoveries where invoice_id = any ($1::uuid[]) and status in ('in_recovery', 'paused')`
const lockRunning = sql('holds.lock-running', `${selectRunningSql} order by invoice_id for no key update`)
const lockToHold = sql(
  'holds.lock-to-hold',
  `${selectRunningSql} and not $2 = any (holds) order by invoice_id for no key update`,
)
// An existing end of a pause is kept, because it ends only its own hold. Without one, the end of this hold is set.
const holdRecoveries = sql(
  'holds.hold',
  `with held as (
     update recoveries r
        set status = 'paused', holds = array_append(r.holds, $2::text), paused_at = coalesce(r.paused_at, $3),
            (wish_at, due_at, due_because, due_channel) = (
              select case when kept then r.wish_at else $9 end, case when kept then r.due_at else $9 end,
                     case when kept then r.due_because when $9 is not null then $2::text end,
                     case when kept then r.due_channel end
                from (select r.status = 'paused' and r.due_at is not null as kept) x),
            generation = r.generation + 1
      where r.invoice_id = any ($1::uuid[]) returning r.invoice_id)
   insert into actions (tenant_id, id, invoice_id, action, status, details, executed_at, code, params, actor)
   select current_setting('relance.tenant')::uuid, ($4::uuid[])[row_number() over (order by invoice_id)], invoice_id, $2::text,
          'done', $5, $3, $6, $7::jsonb, $8::jsonb
     from held`,
)
const insertHistory = sql(
  'holds.insert-actions',
  `insert into actions (tenant_id, id, invoice_id, action, channel, status, details, executed_at, code, params, actor)
   select current_setting('relance.tenant')::uuid, ($2::uuid[])[place], ($1::uuid[])[place], $3, $4, 'done', $5, $6, $7, $8::jsonb, $9::jsonb
     from generate_series(1, cardinality($1::uuid[])) place`,
)

/** A line about the debtor: once in their timeline, and copied to the history of their running recoveries. */
type DebtorLine = HistoryFact & { action: string; channel: Channel | null }

function addToTimeline({ tx, actor, now, newId }: DebtorContext, debtorId: string, line: DebtorLine) {
  addActions(tx, [
    {
      ...line,
      id: newId(),
      invoiceId: null,
      debtorId,
      actor,
      status: 'done',
      communicationId: null,
      at: now,
    },
  ])
}

const factValues = (fact: HistoryFact, actor: ActorRef) =>
  [fact.code, JSON.stringify(fact.params), JSON.stringify(actorRef(actor))] as const

/** Adds a line to the timeline of a debtor, and to the history of every running or paused recovery of theirs. */
export async function addHistoryToRunning(
  context: DebtorContext,
  debtorId: string,
  line: DebtorLine,
): Promise<void> {
  const { tx, actor, now, newId } = context
  addToTimeline(context, debtorId, line)
  for await (const ids of invoicesInBatches(tx, [debtorId], batchSize)) {
    const invoiceIds = (await tx.rows(lockRunning, [ids])).map(row => row.invoice_id)
    tx.atCommit(insertHistory, [
      invoiceIds,
      invoiceIds.map(() => newId()),
      line.action,
      line.channel,
      sentenceOf(line, 'en'),
      iso(now),
      ...factValues(line, actor),
    ])
  }
}

// Only recoveries without the end of another pause, which is kept.
const moveHoldEnd = sql(
  'holds.move-end',
  `update recoveries r
      set wish_at = $3, due_at = $3, due_because = case when $3::timestamptz is not null then $2 end, generation = r.generation + 1
    where r.invoice_id = any ($1::uuid[]) and r.status = 'paused' and $2 = any (r.holds) and (r.due_at is null or r.due_because = $2)`,
)

/** Moves the end of the pause of a debtor. */
export async function movePauseEnd({ tx }: OperationContext, debtorId: string, until: number | null) {
  for await (const ids of invoicesInBatches(tx, [debtorId], batchSize)) {
    await tx.rows(lockRunning, [ids])
    await tx.rows(moveHoldEnd, [ids, 'debtor' satisfies Hold, until === null ? null : iso(until)])
  }
}

/**
 * Adds a hold to every running or paused recovery of these debtors, until its end or, without one, until something ends it.
 * Returns how many did not have it before.
 */
export async function holdAllRecoveries(
  context: OperationContext,
  debtorIds: readonly string[],
  reason: Hold,
  fact: HistoryFact,
  until: number | null = null,
): Promise<number> {
  const { tx, actor, now, newId } = context
  for (const debtorId of debtorIds)
    addToTimeline(context, debtorId, { ...fact, action: reason, channel: null })
  let count = 0
  for await (const ids of invoicesInBatches(tx, debtorIds, batchSize)) {
    const toHold = await tx.rows(lockToHold, [ids, reason])
    const invoiceIds = toHold.map(row => row.invoice_id)
    if (invoiceIds.length > 0)
      await tx.rows(holdRecoveries, [
        ...[invoiceIds, reason, iso(now), invoiceIds.map(() => newId()), sentenceOf(fact, 'en')],
        ...factValues(fact, actor),
        until === null ? null : iso(until),
      ])
    const paused = toHold.filter(({ status }) => status === 'in_recovery').map(row => row.invoice_id)
    if (paused.length > 0) await recordPauses(context, paused, reason, until)
    count += invoiceIds.length
  }
  return count
}

/**
 * Nothing more is sent to the debtor until the end, or until it is ended: a pause, or a request about personal data. The agenda is
 * locked by the caller.
 */
export async function pauseAllRecoveries(
  context: OperationContext,
  debtorId: string,
  fact: HistoryFact,
  until: number | null,
): Promise<{ inFlight: InFlight[]; recoveriesHeld: number }> {
  const hold: Hold = 'debtor'
  const inFlight = await stopMessagesToDebtors(context, [debtorId], { channels: [], everything: true }, hold)
  await movePauseEnd(context, debtorId, until)
  const recoveriesHeld = await holdAllRecoveries(context, [debtorId], hold, fact, until)
  refreshAgendas(context, [debtorId])
  return { inFlight, recoveriesHeld }
}

const selectNumbers = sql(
  'holds.list-numbers',
  'select id, number, debtor_id from invoices where id = any ($1::uuid[]) order by id',
)

async function recordPauses(
  context: OperationContext,
  invoiceIds: readonly string[],
  cause: Hold,
  end: number | null,
) {
  const until = end === null ? null : iso(end)
  const invoices = await context.tx.rows(selectNumbers, [invoiceIds])
  const events = invoices.map(({ id, number, debtor_id }) => {
    const data = { invoiceId: id, invoiceNumber: number, debtorId: debtor_id, cause, until }
    return newEvent(workflowPaused, id, data)
  })
  recordEvents(context.tx, events, context)
}

const selectLatestInvoice = sql(
  'holds.find-latest-invoice',
  'select id, number from invoices where debtor_id = $1 order by id desc limit 1',
)

export const findLatestInvoice = async (tx: Tx, debtorId: string) =>
  (await tx.rows(selectLatestInvoice, [debtorId]))[0] ?? null

/**
 * Records an event about a debtor, on their latest invoice. A debtor without an invoice gets no reminders, and no event is
 * recorded.
 */
export async function recordDebtorEvent(
  context: EventContext & { tx: Tx },
  debtorId: string,
  event: EventType,
  about: Readonly<Record<string, string | number>>,
): Promise<void> {
  const latest = await findLatestInvoice(context.tx, debtorId)
  if (!latest) return
  const data = { invoiceId: latest.id, invoiceNumber: latest.number, debtorId, ...about }
  recordEvents(context.tx, [newEvent(event, latest.id, data)], context)
}

const selectHeld = sql(
  'holds.list-held',
  `select ${recoveryColumns}
     from recoveries r join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.invoice_id = any ($1::uuid[]) and i.id = any ($1::uuid[]) and r.status = 'paused' and r.holds && $2::text[]
    order by r.invoice_id for no key update of r`,
).as<RecoveryRow>()

/** Ends a hold on every recovery of a debtor; without another hold they continue, planned from today. Returns how many had it. */
export async function releaseAllRecoveries(
  context: DebtorContext,
  debtorId: string,
  agenda: AgendaLock | null,
  hold: Hold,
  reason?: string,
): Promise<number> {
  const { tx, now } = context
  let count = 0
  const [file] = await tx.rows(selectDebtorFile, [debtorId])
  if (!file) return count
  for await (const ids of invoicesInBatches(tx, [debtorId], wakeBatchSize)) {
    const held = (await tx.rows(selectHeld, [ids, [hold]])).filter(
      recovery => hold !== 'address_refused' || !stillWaitsForAddress(recovery, file),
    )
    const advanced = held.map(recovery => advanceAfterRelease(recovery, hold, file, agenda, now))
    if (advanced.length > 0) await saveAdvancedRecoveries(tx, advanced, debtorId, context)
    count += advanced.length
  }
  // What waits for an address concerns some recoveries only, perhaps none.
  if (hold !== 'address_refused' || count > 0)
    addToTimeline(context, debtorId, {
      action: 'resume',
      channel: null,
      code: 'hold_ended',
      params: { hold, ...(reason !== undefined && { reason }) },
    })
  return count
}

/** Its step has no other channel than one whose address still refuses messages. */
const stillWaitsForAddress = (recovery: RecoveryRow, file: DebtorFile): boolean =>
  stepOutcomeOf(stepOf(recovery).step, reachOfRecovery(recovery, file)).kind === 'wait'

function advanceAfterRelease(
  recovery: RecoveryRow,
  hold: Hold,
  file: DebtorFile,
  agenda: AgendaLock | null,
  now: number,
): AdvancedRecovery {
  const released = endHolds(pausedRecoveryOf(recovery), [hold], {
    rules: contactFile(file, agenda),
    reach: reachOfRecovery(recovery, file),
    now,
    seed: file.id,
  })!
  const stillHeldBy = released.status === 'paused' ? [...released.holds] : []
  return {
    invoiceId: recovery.invoice_id,
    number: recovery.number,
    changes: changesOf(released),
    action: {
      action: 'resume',
      channel: null,
      status: 'done',
      code: 'hold_ended',
      params: { hold, stillHeldBy },
      isCopy: true,
    },
    promiseBrokenOn: null,
  }
}

/**
 * Refreshes the agenda of each of these debtors; the last statements of the transaction. How they can be reached may have
 * changed, so their plans are made again.
 */
export function refreshAgendas({ tx, actor, now, wall }: DebtorContext, debtorIds: readonly string[]): void {
  for (const debtorId of debtorIds)
    tx.atCommit(refreshAgenda, [actor.tenantId, debtorId, now - wall, null, true])
}
