import type { ReplyContent } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import {
  isSituation,
  type ReplyOutcome,
  type SaidReply,
  type Situation,
  situations,
} from '../../../domain/recovery/told.ts'
import { iso } from '../../../kit/clock.ts'
import type { Keyring } from '../../../kit/crypto.ts'
import { sql } from '../../../kit/db/statement.ts'
import { newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import { type AgendaLock, lockAgenda } from '../case/agenda-store.ts'
import { startQuietPeriod } from '../case/change-recovery.ts'
import { replyClosed, replyReceived, situationReported } from '../case/debtor-events.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import type { InFlight } from '../case/stop-messages.ts'
import { replyAlreadyRead, situationNotDecided } from './errors.ts'
import {
  holdAllRecoveries,
  lockAgendas,
  recordDebtorEvent,
  refreshAgendas,
  releaseAllRecoveries,
  stopMessagesToDebtors,
} from './hold-debtor.ts'
import { openStored, sealContent, storedForm } from './reply-content.ts'

const insertReply = sql(
  'holds.insert-reply',
  `insert into replies (tenant_id, id, debtor_id, communication_id, channel, received_at, said, content_sealed, text_state)
   values (current_setting('relance.tenant')::uuid, $1, $2, $3, $4, $5, $6, $7, case when $7::text is null then 'none' else 'kept' end)`,
)

// A text message answers every message sent to its number. For one debtor it is one reply. So is what they say in one call, or say
// again before the first time was read.
const findSameReplies = sql(
  'holds.find-same-replies',
  `select id, content_sealed from replies
    where debtor_id = $1 and read_at is null and (channel = $2 and received_at = $3 or said = $4) order by id limit 20`,
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
  /** What they chose on their page or said in a call. */
  said?: SaidReply | Situation
  note?: string
  /** What they wrote. It is stored sealed. */
  written?: { content: ReplyContent; keyring: Keyring }
}

/**
 * Records a reply. It may be a dispute, so every reminder of the debtor waits until the reply is read. A reported situation waits
 * for a decision instead.
 */
export async function recordReply(
  context: OperationContext,
  reply: Reply,
): Promise<{ replyId: string; isNew: boolean; inFlight: InFlight[] }> {
  const { debtorId, communicationId, channel, receivedAt, about, said, note, written } = reply
  const { tx, actor } = context
  await lockAgendas(context, [debtorId])
  const stored = written ? storedForm(written.content) : null
  const candidates = await tx.rows(findSameReplies, [debtorId, channel, iso(receivedAt), said ?? null])
  const same = candidates.find(({ id, content_sealed: sealed }) => {
    const earlier =
      sealed === null || !written ? sealed : openStored(written.keyring, { ...actor, replyId: id }, sealed)
    return earlier === stored
  })
  if (same) return { replyId: same.id, isNew: false, inFlight: [] }
  const replyId = context.newId()
  await tx.rows(insertReply, [
    replyId,
    debtorId,
    communicationId,
    channel,
    iso(receivedAt),
    said ?? null,
    written ? sealContent(written.keyring, { ...actor, replyId }, stored!) : null,
  ])
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
  communication_id: string | null
  channel: Channel
  received_at: number
  read_at: number | null
  said: string | null
  outcome: ReplyOutcome | null
}

const selectReply = sql(
  'holds.get-reply',
  'select id, debtor_id, communication_id, channel, received_at, read_at, said, outcome from replies where id = $1 and debtor_id = $2',
).as<ReplyRow>()
const markRead = sql(
  'holds.mark-reply-read',
  'update replies set read_at = $2, outcome = $3 where id = $1 and read_at is null returning id',
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
  const { agenda, reply } = await lockReply(context, debtorId, replyId)
  if (reply?.read_at === null) await endReply(context, reply, agenda, null)
  return reply && { ...reply, read_at: reply.read_at ?? context.now }
}

/** The same with what a person found in it; only once. */
export async function closeReply(
  context: OperationContext,
  debtorId: string,
  replyId: string,
  outcome: ReplyOutcome,
): Promise<ReplyRow | null> {
  const { agenda, reply } = await lockReply(context, debtorId, replyId)
  if (!reply) return null
  if (reply.read_at !== null || !(await endReply(context, reply, agenda, outcome)))
    throw replyAlreadyRead.make(reply.outcome)
  const { id, channel } = reply
  await recordDebtorEvent(context, debtorId, replyClosed, { replyId: id, channel, outcome })
  return { ...reply, read_at: context.now, outcome }
}

export const findReply = async ({ tx }: OperationContext, debtorId: string, replyId: string) =>
  (await tx.rows(selectReply, [replyId, debtorId]))[0] ?? null

async function lockReply(context: OperationContext, debtorId: string, replyId: string) {
  const { tx, actor } = context
  const [agenda] = await tx.rows(lockAgenda, [actor.tenantId, debtorId])
  return { agenda: agenda ?? null, reply: await findReply(context, debtorId, replyId) }
}

/** False: another request ended it. A debtor of whom nothing was started has no agenda to lock. */
async function endReply(
  context: OperationContext,
  { id, debtor_id: debtorId, said }: ReplyRow,
  agenda: AgendaLock | null,
  outcome: ReplyOutcome | null,
): Promise<boolean> {
  const { tx, now } = context
  if (isSituation(said)) throw situationNotDecided.make()
  const [marked] = await tx.rows(markRead, [id, iso(now), outcome])
  if (!marked) return false
  const [unread] = await tx.rows(findUnread, [debtorId])
  if (!unread) {
    await releaseAllRecoveries(context, debtorId, agenda, 'reply')
    refreshAgendas(context, [debtorId])
  }
  return true
}
