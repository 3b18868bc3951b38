import type { ChannelAdapter, Message } from '../../../../adapters/channel.ts'
import {
  type ContactFile,
  evidenceOf,
  forAnswers,
  judgeContact,
} from '../../../../domain/contact/contact-rules.ts'
import {
  closingNotice,
  isAnswer,
  isImmediate,
  needsLetterFirst,
  notCollectedBecause,
} from '../../../../domain/recovery/cascade.ts'
import type { Tx } from '../../../../kit/db/transaction.ts'
import { awayReasonOf, collectedOf, holdOfDebtor, optedOutOf } from '../../case/debtor-file.ts'
import type { DebtorFile } from '../../case/debtor-file-store.ts'
import { openWritten, paragraphsOf, wordsOf } from '../../case/written-text.ts'
import { pointOf } from '../../holds/closed-channels.ts'
import { openAnswer } from '../../holds/reply-answers.ts'
import type { Communication } from '../communication-store.ts'
import type { ContentRow } from '../compose/content-store.ts'
import { codeOf, linkOf, saveCode } from '../compose/message-code.ts'
import type { OwnWords, WrittenAnswer } from '../compose/texts/message-content.ts'
import { faultsInStored } from '../compose/texts/own-texts.ts'
import { writeMessage } from '../compose/write-message.ts'
import { type CountedSend, countSend, isLimited } from '../count-send.ts'
import type { KnownFile } from '../settle/settlement.ts'
import type { Channels, WorkerContext } from '../worker-context.ts'
import { saveClaimedCents } from './claimed-sums-store.ts'

/** A claimed message: no other worker may send it until the lease is over. */
export interface Claim {
  tenantId: string
  debtorId: string
  communicationId: string
  token: string
  channels: Channels
  message: Message
  /** What this claim counted against the daily limits; null if it counted nothing. */
  counted: CountedSend | null
  isProduction: boolean
  /** The offset of the tenant's clock to ours. */
  offsetMs: number
  known: KnownFile
}

/** What a claim writes to the row of its message. */
export interface ClaimColumns {
  token: string
  leaseUntil: number
  provider: string
  /** Why the contact rules allowed it; it goes to the contact ledger with the outcome. */
  verdict: object
  /** The point of the address it is sent to; null for a letter. */
  recipientPoint: Buffer | null
}

export const claimColumns = (
  worker: WorkerContext,
  adapter: ChannelAdapter<Message>,
  { rules, file }: { rules: ContactFile; file: Pick<DebtorFile, 'points'> },
  { channel }: Pick<Communication, 'channel'>,
  { now, wall }: { now: number; wall: number },
): ClaimColumns => ({
  token: worker.newId(),
  leaseUntil: wall + worker.leaseMs,
  provider: adapter.name,
  verdict: evidenceOf(rules, channel, now),
  recipientPoint: (channel !== 'lrar' && pointOf(file, channel)) || null,
})

/** The columns of the claimed message that its text depends on. */
type MessageToCompose = Pick<Communication, 'id' | 'step' | 'channel' | 'code'>
/** The same, with the columns that decide whether it may be sent. */
type MessageToClaim = MessageToCompose & Pick<Communication, 'not_after' | 'is_stopped' | 'points'>

interface Composing {
  tenantId: string
  debtorId: string
  offsetMs: number
  message: MessageToCompose
  content: ContentRow
  /** The debtor's file and generation when this transaction is committed. */
  known: Pick<KnownFile, 'file' | 'generation'>
  token: string
  /** The moment its text is written for. */
  now: number
}

/** The settlement of a message with more invoices reads the file again, and has a separate commit. */
const fewInvoices = 50

/** Composes the message of a claim. It writes nothing. */
export function composeClaim(
  worker: WorkerContext,
  { tenantId, debtorId, offsetMs, message: claimed, content, known, token, now }: Composing,
): { claim: Claim; sums: ReturnType<typeof writeMessage>['claimed'] } {
  const code = claimed.code ?? codeOf(worker, claimed.id)
  const { mailFrom, receivesReplies } = worker
  const written = writtenIn(worker, content)
  const words = wordsIn(worker, content)
  const link = linkOf(worker.publicUrl, code)
  const context = { mailFrom, receivesReplies, now, code, link, written, words }
  const { message, claimed: sums } = writeMessage(claimed, known.file, content, context)
  const { environment } = known.file
  const channels = worker.channelsFor({ id: tenantId, environment })
  return {
    claim: {
      ...{ tenantId, debtorId, communicationId: claimed.id, token, channels, message, offsetMs },
      known: { ...known, hasFewInvoices: content.invoices.length <= fewInvoices },
      counted: null,
      isProduction: environment === 'production',
    },
    sums,
  }
}

function writtenIn({ keyring }: WorkerContext, { answer }: ContentRow): WrittenAnswer | null {
  if (answer === null) return null
  const { replyId, sealed, subject } = answer
  return {
    paragraphs: paragraphsOf(openAnswer(keyring, replyId, sealed)),
    subject,
  }
}

function wordsIn({ keyring }: WorkerContext, { written }: ContentRow): OwnWords | null {
  return written && wordsOf(openWritten(keyring, written.extraId, written.sealed))
}

interface Claiming extends Composing {
  message: MessageToClaim
  /** The file as it was read, and the rules made of it, without this message. */
  file: DebtorFile
  rules: ContactFile
  wall: number
  /** False: its sender was lost. It was counted with its first claim. */
  isFirst: boolean
}

/**
 * Claims a message for sending, with its reservation or later: checks the rules again with the current address and balance,
 * composes the text, and writes with the commit its code, the sums it claims and the daily counts. The caller writes the
 * columns of the claim. Returns why it may not be sent, if it may not. Beyond a limit the commit fails: see `exceededLimit`.
 */
export function claimMessage(
  tx: Tx,
  worker: WorkerContext,
  claiming: Claiming,
): Claim | { obstacle: string } {
  const { tenantId, debtorId, message, content, file, rules, now, wall, isFirst } = claiming
  const obstacle = obstacleToSending(message, file, content, rules, now)
  if (obstacle !== null) return { obstacle }
  const { id: communicationId, step, channel } = message
  const { claim, sums } = composeClaim(worker, claiming)
  for (const { field, code } of faultsInStored(content.own, file.language))
    worker.log.warn({ tenantId, step, channel, field, code }, 'own text breaks a rule; ours is sent')
  saveCode(tx, claim.message.code, { tenantId, communicationId, debtorId, channel }, wall)
  if (sums.length > 0) tx.atCommit(saveClaimedCents, [JSON.stringify(sums)])
  return isFirst && isLimited(file, { step })
    ? { ...claim, counted: countSend(tx, worker, tenantId, file, { id: communicationId, channel }, now) }
    : claim
}

/** Whether every address of the debtor is covered by the contact that the message holds. */
export function holdsAllPoints({ points }: Pick<Communication, 'points'>, file: DebtorFile): boolean {
  const messagePoints = new Set(points.map(point => point.toString('hex')))
  return file.points.every(point => messagePoints.has(point.toString('hex')))
}

/** Why a message may not be sent now, although it was reserved; null if it may. */
export function obstacleToSending(
  message: Omit<MessageToClaim, 'id' | 'code'>,
  file: DebtorFile,
  content: ContentRow,
  rules: ContactFile,
  now: number,
): string | null {
  const { step, channel } = message
  if (file.stop_reason !== null) return file.stop_reason
  if (content.invoices.length === 0) return 'nothing_to_say'
  if (step === 'reply_answered' && content.answer === null) return 'nothing_to_say'
  if (step === 'written_message' && content.written === null) return 'nothing_to_say'
  if (message.is_stopped) return 'stopped'
  if (now > message.not_after) return 'too_late'
  const isReceiptDue = file.creditor.collector !== null && step === 'payment_receipt'
  const isClosed = file.closed.some(closedChannel => closedChannel.channel === channel)
  if (isClosed && !(isReceiptDue && optedOutOf(file).includes(channel))) return 'channel_closed'
  const away = awayReasonOf(file, channel, now)
  if (away) return away
  if (isAnswer(step)) return isImmediate(step) ? null : obstacleToAnswer(rules, now)
  const hold = step === closingNotice ? null : holdOfDebtor(file, now)
  if (hold) return hold
  const missing = step === closingNotice ? null : collectorObstacle(message, file, content)
  if (missing) return missing
  if (!holdsAllPoints(message, file)) return 'address_changed'
  const verdict = judgeContact(rules, channel, now)
  return verdict.allowed ? null : verdict.because
}

/** What a collector lacks for a message; null: nothing, or the creditor writes itself. */
function collectorObstacle(
  { channel }: Pick<MessageToClaim, 'channel'>,
  file: DebtorFile,
  { invoices }: ContentRow,
): string | null {
  const { collector } = file.creditor
  if (collector === null) return null
  for (const { letter, listedOn } of invoices) {
    const collected = collectedOf(file, {
      collector_letter_id: letter?.id ?? null,
      collector_letter_at: letter?.at ?? null,
      listed_on: listedOn,
    })
    const because = notCollectedBecause({ collected })
    if (because !== null) return because
    if (needsLetterFirst({ collected }, channel)) return 'letter_first'
  }
  return null
}

/** An answer is limited only by the hours and the days. */
function obstacleToAnswer(rules: ContactFile, now: number): string | null {
  const verdict = judgeContact(forAnswers(rules), 'email', now)
  return verdict.allowed ? null : verdict.because
}
