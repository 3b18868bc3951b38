import type { ProviderEvent, ReplyContent } from '../../../adapters/callback.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import { DAY } from '../../../domain/time.ts'
import { iso } from '../../../kit/clock.ts'
import { type Keyring, plainSha256 } from '../../../kit/crypto.ts'
import { queryOn } from '../../../kit/db/query.ts'
import { sql } from '../../../kit/db/statement.ts'
import { transact } from '../../../kit/db/transaction.ts'
import type { PageContext } from '../../../kit/http/pages.ts'
import { enqueueReplyCopy } from '../../platform/account-mail/reply-copy.ts'
import { insertProviderEvent } from '../../platform/callbacks/provider-event-store.ts'
import { optOut } from '../../receivables/debtors/close-channel.ts'
import type { OperationContext } from '../../recovery/case/open-recovery.ts'
import { recordReply } from '../../recovery/holds/record-reply.ts'
import { type CodeRow, selectCode } from '../../recovery/messages/compose/code-store.ts'
import { byCode, isCode } from '../../recovery/messages/compose/message-code.ts'
import { saveEarlyReceipt } from '../../recovery/receipts/early-receipts.ts'
import { aboutMessage, recordReceipt } from '../../recovery/receipts/record-receipt.ts'
import { closeCall } from '../calls/save-call-outcome.ts'

/** A provider, and the only channel its events may concern. */
interface EventOrigin {
  provider: string
  channel: Channel
}

type EventOutcome = 'taken' | 'known_event' | 'unknown_code'
type CodedEvent = Exclude<ProviderEvent, { kind: 'reply_by_phone' }>

const readChannel = sql('callbacks.get-channel', 'select channel from communications where id = $1').as<{
  channel: Channel
}>()

const codesByPhone = sql('callbacks.find-codes-by-phone', 'select codes_by_phone($1, $2) as code').as<{
  code: string
}>()

/** How long a reply to a text message is matched to that message. */
const answerableMs = 90 * DAY

/** Handles an event of a provider. A reply that names only a phone number counts for every message sent to that number. */
export async function handleProviderEvent(
  pageContext: Pick<PageContext, 'pool' | 'clock' | 'newId' | 'keyring'>,
  origin: EventOrigin,
  event: ProviderEvent,
  requestId: string,
): Promise<EventOutcome> {
  if (event.kind !== 'reply_by_phone') return handleCodedEvent(pageContext, origin, event, requestId)
  const since = iso(pageContext.clock.wall() - answerableMs)
  const codes = await queryOn(pageContext.pool)(codesByPhone, [event.phone, since])
  for (const { code } of codes) {
    const reply = { ...event, kind: 'reply' as const, code, eventId: `${event.eventId} ${code}` }
    await handleCodedEvent(pageContext, origin, reply, requestId)
  }
  return codes.length > 0 ? 'taken' : 'unknown_code'
}

/**
 * Handles one event once, in one transaction with all its consequences. An event that comes before its message was settled is
 * stored, and handled again by the worker.
 */
async function handleCodedEvent(
  { pool, clock, newId, keyring }: Pick<PageContext, 'pool' | 'clock' | 'newId' | 'keyring'>,
  { provider, channel }: EventOrigin,
  event: CodedEvent,
  requestId: string,
): Promise<EventOutcome> {
  const wall = clock.wall()
  const [coded] = isCode(event.code) ? await queryOn(pool)(selectCode, [event.code, iso(wall)]) : []
  if (!coded) return 'unknown_code'
  return transact(pool, byCode(event.code, wall), [], async ({ tx, offsetMs }) => {
    const [message] = await tx.rows(readChannel, [coded.communication_id])
    if (message?.channel !== channel) return 'unknown_code'
    const [isNew] = await tx.rows(insertProviderEvent, [
      provider,
      plainSha256(event.eventId).toString('hex'),
      iso(wall),
    ])
    if (!isNew) return 'known_event'
    const actor = {
      kind: 'provider' as const,
      id: provider,
      tenantId: coded.tenant_id,
      companyId: coded.company_id,
      environment: coded.environment,
      scopes: [],
    }
    const context = { tx, actor, now: wall + offsetMs, wall, requestId, newId: () => newId(wall) }
    if (event.kind === 'reply') {
      // Providers use wall time; the tenant's clock may have an offset.
      const reply = { isStop: event.isStop, at: event.at + offsetMs, content: event.content }
      await handleReply({ ...context, keyring }, coded, channel, reply)
      const mail = { id: newId(wall), tenantId: coded.tenant_id, keyring, wall }
      if (event.copy) await enqueueReplyCopy(tx.rows, mail, event.copy)
    } else {
      const { outcome } = event
      // Providers use wall time; the tenant's clock may have an offset.
      const receipt = { communicationId: coded.communication_id, outcome, at: event.at + offsetMs }
      const recorded = await recordReceipt(context, receipt)
      if (event.call) await closeCall(context, coded.communication_id, event.call)
      if (!recorded.recorded && recorded.because === 'not_yet') saveEarlyReceipt(tx, coded, receipt, wall)
    }
    return 'taken'
  })
}

/** A reply holds the debtor until it is read; a reply that asks us to stop closes the channel. */
async function handleReply(
  context: OperationContext & { keyring: Keyring },
  coded: CodeRow,
  channel: Channel,
  { isStop, at, content }: { isStop: boolean; at: number; content: ReplyContent | undefined },
): Promise<void> {
  // The holder of a disowned code is not the debtor.
  if (coded.disowned) return
  if (isStop) {
    await optOut(context, coded.debtor_id, { channel, reason: 'the answer to a message' })
    return
  }
  const about = await aboutMessage(context, coded.communication_id)
  if (!about) return
  await recordReply(context, {
    debtorId: coded.debtor_id,
    communicationId: coded.communication_id,
    channel,
    receivedAt: Math.min(at, context.now),
    about,
    ...(content && { written: { content, keyring: context.keyring } }),
  })
}
