import type { Message } from '../../../adapters/channel.ts'
import { forAnswers, judgeContact } from '../../../domain/contact/contact-rules.ts'
import { closingNotice, isAnswer, isImmediate } from '../../../domain/recovery/cascade.ts'
import { sql } from '../../../kit/db/statement.ts'
import type { Tx } from '../../../kit/db/transaction.ts'
import { awayReasonOf, type contactFile, type DebtorFile, holdOfDebtor } from '../case/debtor-file.ts'
import type { Communication } from './communication.ts'
import { type CountedSend, countSend, isLimited } from './count-send.ts'
import { codeOf, linkOf, saveCode } from './message-code.ts'
import type { ContentRow } from './read-content.ts'
import { invoiceCountOf } from './texts/message-content.ts'
import { faultsInStored } from './texts/own-texts.ts'
import type { Channels, WorkerContext } from './worker-context.ts'
import { writeMessage } from './write-message.ts'

/** The debtor's file, read when the message was claimed. As long as the debtor has this generation, it is not read again. */
interface FileOfGeneration {
  file: DebtorFile
  generation: number
}

/** A claimed message: nobody else may send it until the lease is over. */
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
  /** What the tenant's clock adds to ours. */
  offsetMs: number
  known: FileOfGeneration & { hasFewInvoices: boolean }
}

/** So many invoices are few. */
const fewInvoices = 50

/** The message that is claimed, as far as its text depends on it. */
export type ClaimedMessage = Pick<Communication, 'id' | 'step' | 'channel' | 'code'>

interface Claiming {
  tenantId: string
  debtorId: string
  offsetMs: number
  message: ClaimedMessage
  content: ContentRow
  known: FileOfGeneration
  token: string
  /** The moment its text is written for. */
  at: number
}

/** The late-payment sums that a message claims in addition to the principal of its invoices. */
type ClaimedSums = ReturnType<typeof writeMessage>['claimed']

/** Composes the message of a claim. It writes nothing. */
export function composeClaim(
  worker: WorkerContext,
  { tenantId, debtorId, offsetMs, message: claimed, content, known, token, at }: Claiming,
): { claim: Claim; sums: ClaimedSums } {
  const code = claimed.code ?? codeOf(worker, claimed.id)
  const { mailFrom, hearsReplies } = worker
  const context = { mailFrom, hearsReplies, now: at, code, link: linkOf(worker.publicUrl, code) }
  const { message, claimed: sums } = writeMessage(claimed, known.file, content, context)
  const { environment } = known.file
  const channels = worker.channelsFor({ id: tenantId, environment })
  return {
    claim: {
      ...{ tenantId, debtorId, communicationId: claimed.id, token, channels, message, offsetMs },
      known: { ...known, hasFewInvoices: invoiceCountOf(content) <= fewInvoices },
      counted: null,
      isProduction: environment === 'production',
    },
    sums,
  }
}

// The late-payment sums claimed with the latest message; a payment above the principal covers them first.
const saveClaimedCents = sql(
  'messages.save-claimed-sums',
  `update invoices i set claimed_cents = x.cents
     from jsonb_to_recordset($1::jsonb) as x("invoiceId" uuid, cents bigint) where i.id = x."invoiceId"`,
)

/** Writes, with the commit, what a claim leaves besides the state of the message: its code, the sums it claims, the daily counts. */
export function recordClaim(
  tx: Tx,
  worker: WorkerContext,
  { claim, sums }: ReturnType<typeof composeClaim>,
  content: ContentRow,
  { step, channel, now, wall, isFirst }: Pick<Communication, 'step' | 'channel'> & ClaimMoment,
): Claim {
  const { tenantId, communicationId, debtorId } = claim
  const { file } = claim.known
  for (const { field, code } of faultsInStored(content.own, file.language))
    worker.log.warn({ tenantId, step, channel, field, code }, 'own text breaks a rule; ours is sent')
  saveCode(tx, claim.message.code, { tenantId, communicationId, debtorId, channel }, wall)
  if (sums.length > 0) tx.atCommit(saveClaimedCents, [JSON.stringify(sums)])
  return isFirst && isLimited(file, { step })
    ? { ...claim, counted: countSend(tx, worker, tenantId, file, { id: communicationId, channel }, now) }
    : claim
}

interface ClaimMoment {
  now: number
  wall: number
  /** One that is claimed again after its sender died was counted then. */
  isFirst: boolean
}

/** Whether every address of the debtor is covered by the contact that the message holds. */
export function holdsAllPoints({ points }: Pick<Communication, 'points'>, file: DebtorFile): boolean {
  const messagePoints = new Set(points.map(point => point.toString('hex')))
  return file.points.every(point => messagePoints.has(point.toString('hex')))
}

/** Why a message may not be sent now, although it was reserved; null if it may. */
export function obstacleToSending(
  message: Pick<Communication, 'step' | 'channel' | 'not_after' | 'is_stopped' | 'points'>,
  file: DebtorFile,
  content: ContentRow,
  rules: ReturnType<typeof contactFile>,
  now: number,
): string | null {
  const { step, channel } = message
  if (file.stop_reason !== null) return file.stop_reason
  if (content.invoices.length === 0) return 'nothing_to_say'
  if (message.is_stopped) return 'stopped'
  if (now > message.not_after) return 'too_late'
  if (file.closed.some(closedChannel => closedChannel.channel === channel)) return 'channel_closed'
  const away = awayReasonOf(file, channel, now)
  if (away) return away
  if (isAnswer(step)) return isImmediate(step) ? null : obstacleToAnswer(rules, now)
  const hold = step === closingNotice ? null : holdOfDebtor(file, now)
  if (hold) return hold
  if (!holdsAllPoints(message, file)) return 'address_changed'
  const verdict = judgeContact(rules, channel, now)
  return verdict.allowed ? null : verdict.because
}

/** An answer is limited only by the hours and the days. */
function obstacleToAnswer(rules: ReturnType<typeof contactFile>, now: number): string | null {
  const verdict = judgeContact(forAnswers(rules), 'email', now)
  return verdict.allowed ? null : verdict.because
}
