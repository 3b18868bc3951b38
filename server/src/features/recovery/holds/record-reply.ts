import type { Channel } from '../../../domain/contact/channel.ts'
import { isSituation, type SaidReply, type Situation, situations } from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { lockAgenda } from '../case/agenda-store.ts'
import { startQuietPeriod } from '../case/change-recovery.ts'
import { replyReceived, situationReported } from '../case/debtor-events.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import type { InFlight } from '../case/stop-messages.ts'
import { situationNotDecided } from './errors.ts'
import {
  holdAllRecoveries,
  lockAgendas,
  refreshAgendas,
  releaseAllRecoveries,
  stopMessagesToDebtors,
} from './hold-debtor.ts'

// A text message answers every message sent to its number. For one debtor it is one reply. So is what they say in one call, or say
// again before the first time was read.
const insertReply = sql(
  'holds.insert-reply',
  `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, said)
   select current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6
    where not exists (
      select from replies where debtor_id = $2 and read_at is null and (channel = $4 and received_at = $5 or said = $6))
   returning id`,
)

const findSameReply = sql(
  'holds.find-same-reply',
  `select id from replies where debtor_id = $1 and read_at is null and (channel = $2 and received_at = $3 or said = $4)
    order by id limit 1`,
)

interface Reply {
  debtorId: string
  /** Null: a person recorded what they were told. */
  communicationId: string | null
  channel: Channel
  /** Tenant time. */
  receivedAt: number
  /** The invoices of the message, the lead first. */
  about: { invoiceId: string; invoiceNumber: string; invoiceIds: string[] } | null
  /** What they chose on their page or said in a call. The content of other replies is not known here. */
  said?: SaidReply | Situation
  note?: string
}

/**
 * Records a reply. It may be a dispute, so every reminder of the debtor waits until the reply is read. A reported situation waits
 * for a decision instead.
 */
export async function recordReply(
  context: OperationContext,
  reply: Reply,
): Promise<{ replyId: string; isNew: boolean; inFlight: InFlight[] }> {
  const { debtorId, communicationId, channel, receivedAt, about, said, note } = reply
  const { tx } = context
  await lockAgendas(context, [debtorId])
  const replyId = context.newId()
  const [inserted] = await tx.rows(insertReply, [
    replyId,
    debtorId,
    communicationId,
    channel,
    iso(receivedAt),
    said ?? null,
  ])
  if (!inserted) {
    const [same] = await tx.rows(findSameReply, [debtorId, channel, iso(receivedAt), said ?? null])
    return { replyId: same!.id, isNew: false, inFlight: [] }
  }
  const situation = isSituation(said ?? null) ? (said as Situation) : null
  const hold = situation === null ? 'reply' : 'situation'
  const stopScope = { channels: [], everything: true }
  const inFlight = await stopMessagesToDebtors(context, [debtorId], stopScope, hold)
  // The actor is the debtor who answered, whichever actor reported the reply.
  const isTold = communicationId === null
  const by = isTold
    ? context
    : { ...context, actor: { ...context.actor, kind: 'debtor' as const, id: debtorId } }
  // Events are about an invoice: of a debtor without any nothing is reported.
  const data = about && { ...about, debtorId, channel, receivedAt: iso(receivedAt) }
  if (situation !== null) {
    await holdAllRecoveries(by, [debtorId], hold, {
      code: 'situation_reported',
      params: {
        channel,
        said: situation,
        ...(isTold && { isTold }),
        ...(note !== undefined && { reason: note }),
      },
    })
    if (data) {
      const reported = { ...data, situationId: replyId, situation }
      recordEvents(tx, [newEvent(situationReported, data.invoiceId, reported)], context)
    }
  } else {
    const answer = said as SaidReply | undefined
    await holdAllRecoveries(by, [debtorId], hold, {
      code: 'reply_received',
      params: { channel, ...(answer !== undefined && { said: answer }) },
    })
    if (data) {
      const received = { ...data, replyId, said: answer ?? null }
      recordEvents(tx, [newEvent(replyReceived, data.invoiceId, received)], context)
    }
  }
  startQuietPeriod(context, debtorId)
  refreshAgendas(context, [debtorId])
  return { replyId, isNew: true, inFlight }
}

export interface ReplyRow {
  id: string
  debtor_id: string
  channel: Channel
  received_at: number
  read_at: number | null
  said: string | null
}

const selectReply = sql(
  'holds.get-reply',
  'select id, debtor_id, channel, received_at, read_at, said from replies where id = $1 and debtor_id = $2',
).as<ReplyRow>()
const markRead = sql(
  'holds.mark-reply-read',
  'update replies set read_at = $2 where id = $1 and read_at is null',
)
const findUnread = sql(
  'holds.find-unread-reply',
  `select id from replies where debtor_id = $1 and read_at is null and (said = any ('{${situations}}')) is not true limit 1`,
)

/** Marks a reply as read; after the last one the reminders continue. Null: no such reply. A second call changes nothing. */
export async function readReply(
  context: OperationContext,
  debtorId: string,
  replyId: string,
): Promise<ReplyRow | null> {
  const { tx, actor, now } = context
  const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, debtorId])
  const [reply] = await tx.rows(selectReply, [replyId, debtorId])
  if (!reply || reply.read_at !== null) return reply ?? null
  if (isSituation(reply.said)) throw situationNotDecided.make()
  await tx.rows(markRead, [replyId, iso(now)])
  const [unread] = await tx.rows(findUnread, [debtorId])
  if (!unread) {
    await releaseAllRecoveries(context, debtorId, agenda ?? null, 'reply')
    refreshAgendas(context, [debtorId])
  }
  return { ...reply, read_at: now }
}
