import { setTimeout as pause } from 'node:timers/promises'
import type { Channel } from '../../../domain/contact/channel.ts'
import { requestedMessages, stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import { iso } from '../../../kit/clock.ts'
import { readTogether } from '../../../kit/db/group.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { refreshAgenda } from './agenda-store.ts'
import { withoutContacts } from './debtor-file.ts'
import { keepPlanOfOthers, type OpenRecovery, type OperationContext } from './open-recovery.ts'

/*
 * An act of a person or a debtor stops the messages that have not left: those that are reserved, and those that a sender has
 * claimed and that have not passed their fence. The fence then finds nothing to write, and the sender gives the message up.
 */

/** A message that is already with its provider when a recovery is stopped. */
export interface InFlight {
  communicationId: string
  channel: Channel
  action: string
}

/** Of several recoveries: a message about more than one of them is named once. */
export const inFlightOnce = (inFlight: readonly InFlight[]): InFlight[] => [
  ...new Map(inFlight.map(one => [one.communicationId, one])).values(),
]

/** Whether messages pass a fence before they leave. In a sandbox there is none: what is claimed is sent. */
export const hasFence = ({ actor }: Pick<OperationContext, 'actor'>): boolean =>
  actor.environment === 'production'

/** SQL: the message has not left, and can be stopped. */
export const isUnsentSql = (message: string, fence: string): string =>
  `(${message}.state = 'reserved' or (${message}.state = 'sending' and ${message}.committing_at is null and ${fence}::boolean))`

/**
 * SQL: locks as `free` the messages of `named` that are still unsent. It does not wait for a message that its fence holds at this
 * moment, because fences of several debtors share a transaction: waiting for one of them under a lock could be a deadlock.
 */
export const freeSql = (fence: string): string => `free as (
     select c.id from communications c where c.id = any (array(select id from named)) and ${isUnsentSql('c', fence)}
        for no key update skip locked)`

/** SQL: cancels the messages in `over`, and frees what they held: the slots, and the code that nobody has received. */
export const cancelSql = (tenant: string, reason: string, at: string): string => `cancelled as (
     update communications set state = 'cancelled', reason = ${reason}, settled_at = ${at} where id = any (array(select id from over))),
   slots as (delete from contact_slots where communication_id = any (array(select id from over))),
   pending as (delete from pending_sends where tenant_id = ${tenant} and communication_id = any (array(select id from over))),
   codes as (
     delete from message_codes
      where tenant_id = ${tenant} and debtor_id = any (array(select debtor_id from over)) and communication_id = any (array(select id from over)))`

/** SQL: how many messages were held by their fence. */
export const heldSql = '((select count(*) from named) - (select count(*) from free))::integer'

/** SQL: the recoveries that a message in this part of the query was to serve. */
export const servedBySql = (
  messages: 'free' | 'over',
) => `invoice_id = any (array(select invoice_id from communication_invoices where communication_id = any (array(select id from ${messages}))))
        and communication_id = any (array(select id from ${messages}))`

/** About half a second in all. A fence takes a few milliseconds, unless its commit waits for a standby. */
const looksMax = 40
const lookMs = 10

/** Repeats `look` until no fence holds a message. What is still held after the last look counts as sent. */
export async function untilDecided<Look extends { held: number }>(
  look: () => Promise<Look>,
): Promise<Look[]> {
  const looks = [await look()]
  while (looks.at(-1)!.held > 0 && looks.length < looksMax) {
    await pause(lookMs)
    looks.push(await look())
  }
  return looks
}

/**
 * `all`: the message of the step, and the extra messages, also the planned ones. `step`: only the message of the step. `claimed`:
 * only what is written already, because it states an old sum; its steps and extra messages are planned again.
 */
type Which = 'all' | 'step' | 'claimed'

// A reserved message has no text yet, so it is sent without this invoice, unless it is its lead or its only invoice. A claimed
// one is cancelled as a whole. What else was grouped into a cancelled message is planned again. Answers to the debtor are still
// sent.
const cancelUnsent = sql(
  'case.detach-from-messages',
  `with named as (
     select c.id, c.debtor_id, c.state = 'sending' or c.lead_invoice_id = $1
              or not exists (select from communication_invoices o
                              where o.communication_id = c.id and o.invoice_id <> $1) as is_over
       from communication_invoices l
       join communications c on c.tenant_id = l.tenant_id and c.id = l.communication_id and ${isUnsentSql('c', '$6')}
      where l.invoice_id = $1 and c.step <> all ('{${stepsSentAfterStop}}')
        and ($5 <> 'claimed' or c.state = 'sending')
        and ($5 <> 'step' or not exists (select from extra_messages e where e.communication_id = c.id))),
   ${freeSql('$6')},
   over as (select id, debtor_id from named where is_over and id in (select id from free)),
   detached as (select id from named where not is_over and id in (select id from free)),
   freed as (
     update recoveries set communication_id = null
      where ${servedBySql('free')} and (invoice_id = $1 or communication_id in (select id from over))),
   unlinked as (
     delete from communication_invoices where invoice_id = $1 and communication_id in (select id from detached)),
   ${cancelSql('$4', '$2', '$3')},
   extras as (
     update extra_messages
        set communication_id = null, status = case when $5 = 'all' then 'cancelled' else status end,
            written_sealed = case when $5 <> 'all' then written_sealed end,
            wish_at = case when $5 <> 'all' then wish_at end, due_at = case when $5 <> 'all' then due_at end,
            due_because = case when $5 <> 'all' then due_because end
      where invoice_id = $1 and status = 'planned' and step <> all ('{${stepsSentAfterStop}}')
        and (($5 = 'all' and communication_id is null) or communication_id in (select id from free))
     returning channel)
   select ${heldSql} as held, array(select id from over) as cancelled, array(select channel from extras) as extras`,
).as<{ held: number; cancelled: string[]; extras: Channel[] }>()
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
  /** The channels of the planned extra messages that were cancelled. */
  extras: Channel[]
  /** The messages that were cancelled. */
  cancelled: string[]
}

/** The messages about this invoice that are being sent. */
export const inFlightOf = async (tx: Tx, { row }: OpenRecovery): Promise<InFlight[]> =>
  row.has_messages ? tx.rows(findInFlight, [row.invoice_id]) : []

/** After the commit nothing more is sent for this invoice, except the messages returned as in flight. */
export async function stopMessages(
  context: OperationContext,
  recovery: OpenRecovery,
  because: string,
  which: Which = 'all',
): Promise<StopResult> {
  const { tx, actor, now } = context
  // Under the lock of the debtor no other message is written or claimed.
  if (!recovery.row.has_messages) return { inFlight: [], extras: [], cancelled: [] }
  const values = [
    recovery.row.invoice_id,
    because,
    iso(now),
    actor.tenantId,
    which,
    hasFence(context),
  ] as const
  const looks = await untilDecided(async () => {
    const [[stopped], inFlight] = await Promise.all([
      tx.rows(cancelUnsent, values),
      // Sent after the other, so what it finds was not cancelled.
      inFlightOf(tx, recovery),
    ])
    return { ...stopped!, inFlight }
  })
  const cancelled = looks.flatMap(look => look.cancelled)
  if (cancelled.length > 0) recovery.file = withoutContacts(recovery.file, cancelled)
  return {
    inFlight: looks.at(-1)!.inFlight,
    extras: which === 'all' ? looks.flatMap(({ extras }) => extras) : [],
    cancelled,
  }
}

const findRequested = sql(
  'case.find-requested-message',
  `select step, channel, status, communication_id from extra_messages
    where id = $1 and invoice_id = $2 and step = any ('{${requestedMessages}}')`,
).as<{
  step: string
  channel: Channel
  status: 'planned' | 'sent' | 'failed' | 'unknown' | 'cancelled'
  communication_id: string | null
}>()
// The message is cancelled with it. The other steps in it are planned again.
const cancelRequested = sql(
  'case.take-back-message',
  `with named as (select c.id, c.debtor_id from communications c where c.id = $2 and ${isUnsentSql('c', '$5')}),
   ${freeSql('$5')},
   over as (select id, debtor_id from named where id in (select id from free)),
   freed as (update recoveries set communication_id = null where ${servedBySql('over')}),
   ${cancelSql('$4', `'taken_back'`, '$3')},
   taken as (
     update extra_messages set status = 'cancelled', wish_at = null, due_at = null, due_because = null, communication_id = null, written_sealed = null
      where id = $1 and (communication_id is null or communication_id in (select id from free)))
   select ${heldSql} as held, $2::uuid is null or exists (select from over) as is_taken_back`,
).as<{ held: number; is_taken_back: boolean }>()

/** Takes back a requested message that has not left; otherwise returns its status. */
export async function takeBack(
  context: OperationContext,
  recovery: OpenRecovery,
  messageId: string,
): Promise<
  | { step: string; channel: Channel; isTakenBack: true }
  | { step: string; channel: Channel; isTakenBack: false; status: string }
  | null
> {
  const { tx, actor, now, wall } = context
  const { row } = recovery
  const [found] = await tx.rows(findRequested, [messageId, row.invoice_id])
  if (!found) return null
  const { step, channel, status, communication_id } = found
  if (status !== 'planned') return { step, channel, isTakenBack: false, status }
  const values = [messageId, communication_id, iso(now), actor.tenantId, hasFence(context)] as const
  const looks = await untilDecided(async () => (await tx.rows(cancelRequested, values))[0]!)
  if (!looks.at(-1)!.is_taken_back) return { step, channel, isTakenBack: false, status: 'sending' }
  keepPlanOfOthers(tx, actor.tenantId, recovery)
  tx.atCommit(refreshAgenda, [actor.tenantId, row.debtor_id, now - wall, null, false])
  return { step, channel, isTakenBack: true }
}
