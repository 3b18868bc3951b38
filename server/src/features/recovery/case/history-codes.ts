import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { ReceiptOutcome } from '../../../domain/contact/receipt.ts'
import type { DataRequestDecision, DataRequestKind } from '../../../domain/data-request.ts'
import type { SkipBecause } from '../../../domain/recovery/cascade.ts'
import type { courtRoutes } from '../../../domain/recovery/formal-notice.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import type { SaidReply, Situation, SituationDecision } from '../../../domain/recovery/told.ts'
import type { LocalDate } from '../../../domain/time.ts'
import type { DisputeCategory, disputeOutcomes } from './debtor-events.ts'
import type { anrBases } from './events.ts'

/** A receipt of a message; `on` is the day where the debtor is. */
export interface ReceiptOnDay {
  outcome: ReceiptOutcome
  on: LocalDate
}

interface MessageParams {
  channel: Channel
  /** The lead invoice of the message, where it is another one. */
  groupedWith?: string
  /** The channel of the step, where another one was used. */
  insteadOf?: Channel
  receipts?: ReceiptOnDay[]
}

type NoParams = Readonly<Record<string, never>>

interface MoneyParams {
  amountCents: number
  currency: string
}

/**
 * What a line of a history or a timeline says, and with which parameters. `reason`, `note`, `groupedWith` and `number` may hold a
 * person's words or names: they are taken out when the person is erased, so a sentence must also be complete without them.
 */
export interface HistoryParams {
  message_accepted: MessageParams
  /** An outcome that was unknown became known later. */
  message_accepted_late: MessageParams
  message_given_up: MessageParams & { attempts: number; reason?: string }
  message_refused: MessageParams & { reason?: string }
  message_unknown: MessageParams
  /** One attempt of several. */
  message_failed: MessageParams & { reason?: string }
  /** An extra message that could not be sent any more when it was due. */
  message_undeliverable: { channel: Channel }
  /** A planned message was taken back before it left. */
  message_taken_back: { channel: Channel }
  step_skipped: { because: SkipBecause }
  step_jumped: NoParams
  awaiting_decision: NoParams
  promise_broken: { isStillHeld: boolean }
  pause_over: { isStillHeld: boolean }
  started: { reason?: string }
  paused: { until?: string; reason?: string }
  resumed: { reason?: string }
  /** All recoveries of a debtor, also those that come later. */
  debtor_paused: { until?: string; reason?: string }
  cancelled: { hasClosingNotice?: boolean; reason?: string }
  escalated: { step: string; reason?: string }
  judicial: {
    route: (typeof courtRoutes)[number]
    limitationOn: LocalDate
    /** The creditor confirmed that the formal notice was received. */
    isNoticeConfirmed?: boolean
    reason?: string
  }
  /** What the creditor recorded of the court. */
  filed: { date: LocalDate; note?: string }
  served: { date: LocalDate; note?: string }
  written_off: { basis: (typeof anrBases)[number] }
  promised: MoneyParams & { date: LocalDate; note?: string }
  disputed: MoneyParams & { reason?: string; category?: DisputeCategory }
  dispute_resolved: { outcome: (typeof disputeOutcomes)[number]; reason?: string } & Partial<MoneyParams>
  opted_out: { channel: Channel; reason?: string }
  wrong_person: { point: 'email' | 'phone'; reason?: string }
  /** A corrected address also belongs to another person. */
  wrong_address_given: NoParams
  /** A message came back, or was refused: what needs the address waits until it is corrected, or may be tried again. */
  address_refused: { channel: Channel }
  /** Messages go to the next person at the debtor, because the address before refused one. */
  next_person: { channel: Channel }
  insolvency_opened: { kind?: string; on?: LocalDate }
  reply_received: { channel: Channel; said?: SaidReply }
  /** `isTold`: a person recorded what they were told. */
  situation_reported: { channel: Channel; said?: Situation; isTold?: true; reason?: string }
  situation_decided: { decision: SituationDecision; reason?: string }
  /** A person objected to the use of their data, or asked to restrict it. */
  data_requested: { kind: DataRequestKind; receivedOn: LocalDate; dueOn: LocalDate; reason?: string }
  data_request_decided: { kind: DataRequestKind; decision: DataRequestDecision; reason?: string }
  /** `comeBackOn`: when the company looks at it again. */
  note_written: { note?: string; comeBackOn?: LocalDate }
  hold_ended: { hold: Hold; stillHeldBy?: Hold[]; reason?: string }
  call_ended: { outcome: CallOutcome; note?: string }
  payment_received: MoneyParams & { method?: string; instrument?: string }
  payment_refunded: MoneyParams & { reason?: string }
  payment_reversed: MoneyParams & { reason?: string }
  credit_added: MoneyParams & { number?: string }
}

export type HistoryCode = keyof HistoryParams

/** A code with its parameters. */
export type HistoryFact = {
  [Code in HistoryCode]: { code: Code; params: HistoryParams[Code] }
}[HistoryCode]

/** One sentence per code. */
export type HistoryTexts = {
  readonly [Code in HistoryCode]: (params: HistoryParams[Code]) => string
}
