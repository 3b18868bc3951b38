import type { Channel } from '../../../domain/contact/channel.ts'
import { noticeOutcomeOf, type ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import type { InvoiceStatus } from '../../../domain/money/invoice-state.ts'
import { formalNotice, stepsSentAfterStop } from '../../../domain/recovery/cascade.ts'
import { type Due, nothingDue } from '../../../domain/recovery/hold.ts'
import { replan } from '../../../domain/recovery/next-step.ts'
import { isRunning } from '../../../domain/recovery/recovery-state.ts'
import { iso } from '../../../kit/clock.ts'
import { sql } from '../../../kit/db/statement.ts'
import { type NewEvent, newEvent } from '../../../kit/events.ts'
import { recordEvents } from '../../platform/events/record-events.ts'
import type { AgendaLock } from '../case/agenda-store.ts'
import { contactFile } from '../case/debtor-file.ts'
import type { DebtorFile } from '../case/debtor-file-store.ts'
import { invoiceStatusChanged } from '../case/invoice-events.ts'
import { statusOf } from '../case/invoice-facts.ts'
import type { OperationContext } from '../case/open-recovery.ts'
import {
  dueOf,
  progressOf,
  type RecoveryRow,
  reachOfRecovery,
  recoveryColumns,
  stepOf,
} from '../case/recovery-store.ts'
import { restateTimeBars } from '../case/restate-time-bars.ts'
import { dueTimestamps } from '../case/save-recoveries.ts'
import { lrarDelivered } from '../messages/events.ts'

/** The message a receipt is about. */
export interface SentMessage {
  id: string
  debtor_id: string
  channel: Channel
  step: string
  state: string
  provider_id: string | null
  reserved_at: number
  invoices: number
  /** The point of the address it went to; null for a letter. */
  recipient_point: Buffer | null
  /** Some of its recoveries were not advanced yet. */
  has_unsettled_recoveries: boolean
}

/** A recovery the message was sent for. */
interface SentRecoveryRow extends RecoveryRow {
  as_notice: boolean
  /** Another message for it is reserved or being sent, and will plan the next step. */
  is_on_its_way: boolean
}

interface ReceiptContext {
  message: SentMessage
  file: DebtorFile
  agenda: AgendaLock
  outcome: ReceiptOutcome
  at: number
}

const selectSentRecoveries = sql(
  'receipts.list-served-steps',
  `select l.as_notice, r.communication_id is not null as is_on_its_way, ${recoveryColumns}
     from communication_invoices l
     join invoices i on i.tenant_id = l.tenant_id and i.id = l.invoice_id
     join recoveries r on r.tenant_id = l.tenant_id and r.invoice_id = l.invoice_id
    where l.communication_id = $1 order by l.invoice_id`,
).as<SentRecoveryRow>()
const writeRecoveries = sql(
  'receipts.update-recoveries',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(invoice_id uuid, step integer, attempt integer, wish_at timestamptz, due_at timestamptz,
     due_because text, due_channel text, last_action text, last_executed_at timestamptz, is_news boolean, is_notice_lost boolean))
   update recoveries r
      set step = x.step, attempt = x.attempt, wish_at = x.wish_at, due_at = x.due_at, due_because = x.due_because, due_channel = x.due_channel,
          last_action = x.last_action,
          last_executed_at = x.last_executed_at, actions_completed = r.actions_completed + $2::integer,
          notice_at = case when x.is_notice_lost then null else r.notice_at end,
          notice_channel = case when x.is_notice_lost then null else r.notice_channel end,
          notice_receipt = case when x.is_news then $3 else r.notice_receipt end,
          notice_receipt_at = case when x.is_news then $4 else r.notice_receipt_at end
     from x where r.invoice_id = x.invoice_id and r.invoice_id = any (array(select invoice_id from x))`,
)
const writeInvoices = sql(
  'receipts.update-invoices',
  `with x as (select * from jsonb_to_recordset($1::jsonb) as given(id uuid, status text, is_letter boolean))
   update invoices i set status = x.status, contacted_at = coalesce(i.contacted_at, $2), last_action_is_letter = x.is_letter, updated_at = $3
     from x where i.id = x.id and i.id = any (array(select id from x))`,
)

// A letter that came back was none; after an email the next one goes on paper. One whose outcome was unknown counts once it arrived.
const loseLetter = sql(
  'receipts.lose-letter',
  `update recoveries set collector_letter_at = null, collector_letter_id = case when $2::boolean then collector_letter_id end
    where collector_letter_id = $1
      and invoice_id = any (array(select invoice_id from communication_invoices where communication_id = $1))`,
)
const keepLetter = sql(
  'receipts.keep-letter',
  `update recoveries set collector_letter_id = $1, collector_letter_at = $2
    where collector_letter_at is null
      and invoice_id = any (array(select invoice_id from communication_invoices where communication_id = $1))`,
)

/** Whether the message still counts as the letter with which a collector began. */
function noteLetter({ tx }: OperationContext, { message, file, outcome, at }: ReceiptContext): void {
  if (file.creditor.collector === null || stepsSentAfterStop.includes(message.step)) return
  if (message.channel !== 'email' && message.channel !== 'lrar') return
  if (outcome === 'bounced') tx.atCommit(loseLetter, [message.id, message.channel === 'email'])
  else if (message.state === 'unknown') tx.atCommit(keepLetter, [message.id, iso(at)])
}

const batchSize = 500

/**
 * Applies a receipt to the recoveries of the message. If the outcome of the message was unknown, it now counts as accepted, and
 * a notice that would have been repeated is not sent again. A receipt of a formal notice moves the step that waits for the end
 * of the time to pay. A formal notice that came back by email was not given: it is due again, and waits for an address.
 */
export async function applyReceipt(context: OperationContext, receipt: ReceiptContext): Promise<void> {
  const { message, outcome } = receipt
  const isAcceptedLate = message.state === 'unknown' && outcome !== 'bounced'
  const isNotice = message.channel === 'lrar' && message.step === formalNotice
  const isNoticeLost = outcome === 'bounced' && message.channel === 'email' && message.step === formalNotice
  noteLetter(context, receipt)
  if (!isAcceptedLate && !isNotice && !isNoticeLost) return
  const { tx, now } = context
  const recoveries = await tx.rows(selectSentRecoveries, [message.id])
  const noticeOutcome = noticeOutcomeOf(outcome)
  const at = iso(receipt.at)
  const rows = recoveries.flatMap(recovery => {
    if (isNoticeLost) return withoutNotice(recovery, now) ?? []
    return toRecoveryUpdate(receipt, recovery, isAcceptedLate, isNotice && recovery.as_notice, now)
  })
  for (let from = 0; from < rows.length; from += batchSize)
    tx.atCommit(writeRecoveries, [
      JSON.stringify(rows.slice(from, from + batchSize)),
      isAcceptedLate ? 1 : 0,
      noticeOutcome,
      noticeOutcome === null ? null : at,
    ])
  // A proven written demand to a public body moves its time bar; to anybody else it does not.
  if (isNotice && noticeOutcome !== null && receipt.file.type === 'public_body') {
    const noticed = recoveries.filter(recovery => recovery.as_notice && recovery.notice_at !== null)
    const ids = noticed.map(recovery => recovery.invoice_id)
    await restateTimeBars(context, receipt, ids, { notice_receipt_at: receipt.at })
  }
  const events: NewEvent[] = []
  if (isAcceptedLate) acceptLate(context, receipt, recoveries, events)
  if (outcome === 'signed')
    events.push(
      ...recoveries
        .filter(recovery => recovery.as_notice)
        .map(recovery => lrarDeliveredEvent(receipt, recovery)),
    )
  recordEvents(tx, events, context)
}

const eventData = (message: SentMessage, recovery: RecoveryRow) => ({
  invoiceId: recovery.invoice_id,
  invoiceNumber: recovery.number,
  debtorId: message.debtor_id,
})

const lrarDeliveredEvent = ({ message, at }: ReceiptContext, recovery: RecoveryRow): NewEvent =>
  newEvent(lrarDelivered, recovery.invoice_id, {
    ...eventData(message, recovery),
    communicationId: message.id,
    trackingNumber: message.provider_id ?? '',
    deliveredAt: iso(at),
  })

/** The waiting step is the same step again: it would be repeated because the outcome was unknown. */
const isWaitingToRepeat = ({ message }: ReceiptContext, recovery: SentRecoveryRow) =>
  recovery.attempt > 0 && !recovery.is_on_its_way && stepOf(recovery).step.name === message.step

function toRecoveryUpdate(
  receipt: ReceiptContext,
  recovery: SentRecoveryRow,
  isAcceptedLate: boolean,
  hasNoticeOutcome: boolean,
  now: number,
) {
  const { message, file, agenda, outcome, at } = receipt
  const isOver = isAcceptedLate && isWaitingToRepeat(receipt, recovery)
  const isPlanned = recovery.status === 'in_recovery' && recovery.due_at !== null
  const progress = progressOf(recovery)
  const receiptAt = noticeOutcomeOf(outcome) === null ? null : at
  const next = {
    ...progress,
    ...(isOver && { step: progress.step + 1, attempt: 0 }),
    ...(hasNoticeOutcome && progress.notice && { notice: { at: progress.notice.at, receiptAt } }),
  }
  const executedAt = isOver ? message.reserved_at : recovery.last_executed_at
  const planned = () => {
    if (!next.cascade.steps[next.step]) return nothingDue
    const last = executedAt === null ? null : { at: executedAt, wasContact: true }
    const reach = reachOfRecovery(recovery, file)
    return replan(next, last, { rules: contactFile(file, agenda), reach, now, seed: file.id })
  }
  const due = isPlanned && (isOver || hasNoticeOutcome) ? planned() : dueOf(recovery)
  return {
    invoice_id: recovery.invoice_id,
    // After the last step of a cascade the recovery stays at that step.
    step: next.cascade.steps[next.step] ? next.step : recovery.step,
    attempt: next.attempt,
    ...dueTimestamps(due),
    last_action: isOver ? message.step : recovery.last_action,
    last_executed_at: executedAt === null ? null : iso(executedAt),
    is_news: hasNoticeOutcome,
    is_notice_lost: false,
  }
}

/** The recovery before its formal notice, which is due at once; null if another step followed already, or is on its way. */
function withoutNotice(recovery: SentRecoveryRow, now: number): ReturnType<typeof toRecoveryUpdate> | null {
  const { cascade, step: current, notice } = progressOf(recovery)
  const isAt = (place: number) => cascade.steps[place]?.name === formalNotice
  // After the last step of a cascade the recovery stays at that step.
  const step = isAt(current) ? current : current - 1
  const isUndone = recovery.as_notice && notice !== null && isAt(step) && !recovery.is_on_its_way
  if (!isUndone || !isRunning(recovery.status)) return null
  const due: Due =
    recovery.status === 'in_recovery' ? { at: now, because: null, wish: now, channel: null } : dueOf(recovery)
  return {
    invoice_id: recovery.invoice_id,
    step,
    attempt: 0,
    ...dueTimestamps(due),
    last_action: recovery.last_action,
    last_executed_at: recovery.last_executed_at === null ? null : iso(recovery.last_executed_at),
    is_news: false,
    is_notice_lost: true,
  }
}

/** Updates the invoices as for an accepted message, with the statuses that follow. */
function acceptLate(
  { tx, now }: OperationContext,
  receipt: ReceiptContext,
  recoveries: readonly SentRecoveryRow[],
  events: NewEvent[],
): void {
  const { message, at } = receipt
  const judged = recoveries.map(recovery => {
    const isLetter = isWaitingToRepeat(receipt, recovery)
      ? message.channel === 'lrar' && recovery.as_notice
      : recovery.last_action_is_letter
    const facts = { ...recovery, contacted_at: recovery.contacted_at ?? at, last_action_is_letter: isLetter }
    return { open: recovery, isLetter, status: statusOf(facts) }
  })
  for (let from = 0; from < judged.length; from += batchSize) {
    const rows = judged.slice(from, from + batchSize).map(({ open: recovery, isLetter, status }) => ({
      id: recovery.invoice_id,
      status,
      is_letter: isLetter,
    }))
    tx.atCommit(writeInvoices, [JSON.stringify(rows), iso(at), iso(now)])
  }
  for (const { open: recovery, status } of judged)
    if (status !== recovery.invoice_status)
      events.push(
        newEvent(invoiceStatusChanged, recovery.invoice_id, {
          ...eventData(message, recovery),
          previousStatus: recovery.invoice_status as InvoiceStatus,
          newStatus: status,
          cause: message.step,
        }),
      )
}
