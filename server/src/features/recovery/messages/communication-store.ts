import type { SettledResult } from '../../../adapters/channel.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import type { Tables } from '../../../kit/db/schema.generated.ts'
import { sql } from '../../../kit/db/statement.ts'

export type Communication = Pick<
  Tables['communications'],
  | 'id'
  | 'debtor_id'
  | 'step'
  | 'state'
  | 'token'
  | 'lease_until'
  | 'committing_at'
  | 'provider'
  | 'not_after'
  | 'reserved_at'
  | 'lead_invoice_id'
  | 'verdict'
> & {
  channel: Channel
  points: Buffer[]
  lead_number: string | null
  /** The code the message was first composed with, also after the key that signs codes has changed. */
  code: string | null
  is_extra: boolean
  /** One of its recoveries was paused, paid or ended while the message was being sent, and it has not left yet. */
  is_stopped: boolean
}

export const readCommunication = sql(
  'messages.get',
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.token, c.lease_until, c.committing_at, c.provider, c.not_after,
          c.reserved_at, c.lead_invoice_id, c.verdict, i.number as lead_number,
          (select m.code from message_codes m where m.tenant_id = c.tenant_id and m.debtor_id = c.debtor_id and m.communication_id = c.id
            order by m.expires_at limit 1) as code,
          array(select point from contact_slots s where s.communication_id = c.id) as points,
          exists (select from extra_messages e where e.communication_id = c.id) as is_extra,
          exists (select from communication_invoices l join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id
                   where l.communication_id = c.id and r.communication_id = c.id and r.status <> 'in_recovery')
            or exists (select from extra_messages e join recoveries r on r.invoice_id = e.invoice_id
                        where e.communication_id = c.id and e.step <> all ('{${stepsSentAfterStop}}') and r.status <> 'in_recovery') as is_stopped
     from communications c left join invoices i on i.id = c.lead_invoice_id
    where c.id = $1`,
).as<Communication>()

/** The columns that the settlement of messages needs. */
export type SentCommunication = Omit<Communication, 'code' | 'points' | 'is_extra' | 'is_stopped'>
export const readSentCommunications = sql(
  'messages.list-sent',
  `select c.id, c.debtor_id, c.channel, c.step, c.state, c.token, c.lease_until, c.committing_at, c.provider, c.not_after,
          c.reserved_at, c.lead_invoice_id, c.verdict, i.number as lead_number
     from communications c left join invoices i on i.id = c.lead_invoice_id
    where c.id = any ($1::uuid[])`,
).as<SentCommunication>()

/** The recovery that a message was made for; if it is not left, the first one. */
export const leadOf = <Recovery extends { invoice_id: string }>(
  { lead_invoice_id }: Pick<Communication, 'lead_invoice_id'>,
  recoveries: readonly Recovery[],
): Recovery | undefined =>
  recoveries.find(({ invoice_id }) => invoice_id === lead_invoice_id) ?? recoveries[0]

const outcomesByState: Record<string, SettledResult['outcome']> = {
  sent: 'accepted',
  delivered: 'accepted',
  bounced: 'accepted',
  unknown: 'unknown',
  failed: 'retryable',
}

/** The outcome of a settled message; null if it is not settled. Some of its recoveries may still have to be advanced. */
export const outcomeOf = ({ state }: Pick<Communication, 'state'>): SettledResult['outcome'] | null =>
  outcomesByState[state] ?? null
export const isSettled = (communication: Pick<Communication, 'state'>): boolean =>
  outcomeOf(communication) !== null

export const freeSlots = sql(
  'messages.free-slots',
  'delete from contact_slots where communication_id = any ($1::uuid[])',
)
export const deletePending = sql(
  'messages.delete-pending',
  'delete from pending_sends where tenant_id = $1 and communication_id = any ($2::uuid[])',
)

/** The invoices of a message, including those whose recovery was detached from it. */
export const servedSql = (communicationId: string): string =>
  `select invoice_id from communication_invoices where communication_id = ${communicationId}`

/** Moves the steps of a message to another moment. Runs before the message expires, which frees them. */
export const postponeServed = sql(
  'messages.postpone-served',
  `with steps as (
     update recoveries
        set due_at = $2, due_because = $3, wish_at = case when $2::timestamptz is not null then wish_at end,
            due_channel = case when $2::timestamptz is not null then due_channel end
      where invoice_id = any (array(${servedSql('$1')})) and communication_id = $1)
   update extra_messages
      set due_at = $2, due_because = case $3 when 'cascade' then 'requested' else $3 end,
          wish_at = case when $2::timestamptz is not null then wish_at end
    where communication_id = $1`,
)

// A message that expires frees everything it held: the slots, the steps and the extra message.
const expireCommunication = sql(
  'messages.expire',
  `update communications set state = 'lapsed', reason = $2, settled_at = $3 where id = $1`,
)
const freeSteps = sql(
  'messages.free-steps',
  `update recoveries set communication_id = null where invoice_id = any (array(${servedSql('$1')})) and communication_id = $1`,
)
const freeExtras = sql(
  'messages.free-extra-messages',
  `update extra_messages e
      set communication_id = null, status = case when x.is_stopped then 'cancelled' else e.status end,
          wish_at = case when x.is_stopped then null else e.wish_at end,
          due_at = case when x.is_stopped then null else e.due_at end,
          written_sealed = case when x.is_stopped then null else e.written_sealed end
     from (select o.id, o.step <> all ('{${stepsSentAfterStop}}') and r.status <> 'in_recovery' as is_stopped
             from extra_messages o join recoveries r on r.invoice_id = o.invoice_id where o.communication_id = $1) x
    where e.id = x.id`,
)

export const expiryStatements = (id: string, because: string, at: string) =>
  [
    [expireCommunication, [id, because, at]],
    [freeSlots, [[id]]],
    [freeSteps, [id]],
    [freeExtras, [id]],
  ] as const
