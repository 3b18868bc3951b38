import type { CallOutcome } from '../../../domain/contact/call-outcome.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { DataRequestDecision, DataRequestKind } from '../../../domain/data-request.ts'
import { cents, formatMoney } from '../../../domain/money/money.ts'
import type { StepName } from '../../../domain/recovery/cascade.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'
import type { SaidReply, Situation, SituationDecision } from '../../../domain/recovery/told.ts'
import type { DisputeCategory } from './debtor-events.ts'
import type { HistoryParams, HistoryTexts, ReceiptOnDay } from './history-codes.ts'
import { holdTexts, skipTexts } from './reason-texts.ts'

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A day as English writes it: `1 December 2026`. */
const dayText = (date: string): string => {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`
}
const momentText = (moment: string): string =>
  `${dayText(moment)} at ${moment.slice(11, 16)} (universal time)`

const stepTexts: Record<StepName, string> = {
  email_prise_en_charge: 'first email',
  relance_email_1: 'first reminder by email',
  sms_reminder: 'reminder by SMS',
  relance_email_2: 'second reminder by email',
  ai_call: 'call',
  relance_email_3: 'third reminder by email',
  lrar_mise_en_demeure: 'formal notice',
  ai_call_2: 'second call',
  email_dernier_avis: 'last notice by email',
  revue_judiciaire: 'decision',
}

const acceptedTexts: Record<Channel, string> = {
  email: 'Accepted by the mail server.',
  sms: 'Accepted by the SMS provider.',
  lrar: 'Registered letter deposited.',
  voice: 'Call placed.',
}

/** How the message of another invoice went. */
const wayTexts: Record<Channel, string> = {
  email: 'by email',
  sms: 'by SMS',
  lrar: 'by registered letter',
  voice: 'by telephone',
}

/** What a receipt adds to the line of its message. */
export const receiptText = (channel: Channel, { outcome, on: date }: ReceiptOnDay): string => {
  const on = dayText(date)
  switch (outcome) {
    case 'delivered':
      return channel === 'voice' ? `Answered on ${on}.` : `Delivered on ${on}.`
    case 'bounced':
      return `Came back undelivered on ${on}; it does not count as a contact.`
    case 'no_answer':
      return 'Nobody answered.'
    case 'presented':
      return `Presented on ${on}.`
    case 'signed':
      return `Signed for on ${on}.`
    case 'refused':
      return `Refused by the recipient on ${on}.`
    case 'unclaimed':
      return `Not collected, returned on ${on}.`
  }
}

const callTexts: Record<CallOutcome, string> = {
  unreachable: 'Nobody was reached',
  nothing_agreed: 'The call ended without a result',
  voicemail: 'A machine answered; nothing was left on it',
  hand_over: 'The person wants to speak to somebody',
  waiting_approval: 'The invoice waits for approval',
  invoice_not_received: 'The person says that the invoice never arrived',
  payment_sent: 'The person says that the payment is on its way',
  promise: 'A payment was promised',
  dispute: 'The invoice is disputed',
  wrong_person: 'It was somebody else',
  opt_out: 'The person does not want to be called any more',
}

const channelTexts: Record<Channel, string> = {
  email: 'The debtor does not want to be written to by email any more',
  sms: 'The debtor does not want text messages any more',
  voice: 'The debtor does not want to be called any more',
  lrar: 'The debtor does not want registered letters any more',
}

const routeTexts: Record<HistoryParams['judicial']['route'], string> = {
  small_claims: 'the small claims procedure',
  payment_order: 'an order to pay',
  administrative_court: 'the administrative court',
}

const basisTexts: Record<HistoryParams['written_off']['basis'], string> = {
  amicable_failed: 'amicable recovery failed',
  liquidation: 'the debtor is in liquidation',
  untraceable: 'the debtor cannot be traced',
  enforcement_failed: 'enforcement failed',
  time_barred: 'the debt is time-barred',
}

const disputeTexts: Record<HistoryParams['dispute_resolved']['outcome'], string> = {
  upheld: 'Dispute accepted; the reminders stay stopped.',
  rejected: 'Dispute rejected.',
  partly: 'Dispute accepted in part.',
}

const endedTexts: Record<Hold, string> = {
  asked: 'The pause that was asked for is over',
  promise: 'Nothing is promised any more',
  dispute: 'The dispute is over',
  upheld: 'The upheld dispute is dealt with',
  reopened: 'The money that went back is dealt with',
  insolvency: 'The proceedings are over',
  wrong_person: 'The address was corrected',
  address_refused: 'Another address is used, or it is tried again',
  situation: 'The reported situation was decided',
  reply: 'The answer was read',
  debtor: 'The pause of the debtor is over',
}

const refusedTexts: Record<Channel, string> = {
  email: 'The email address does not work',
  sms: 'The telephone number gets no text messages',
  voice: 'The telephone number cannot be called',
  lrar: 'The letter came back: the postal address does not work',
}

const saidTexts: Record<SaidReply, string> = {
  payment_sent: 'the invoice is already paid',
  invoice_not_received: 'the invoice never arrived',
  waiting_approval: 'the invoice waits for approval',
  hand_over: 'the creditor is asked for an answer',
}

const situationTexts: Record<Situation, string> = {
  insolvency: 'over-indebtedness or insolvency proceedings',
  deceased: 'the person has died',
  identity_theft: 'somebody used their identity',
  protected_person: 'the person is a minor or under guardianship',
}

const decisionTexts: Record<SituationDecision, string> = {
  insolvency: 'Checked: the proceedings are recorded.',
  representative: 'Checked: an heir or guardian is recorded, who is written to from now on.',
  identity_theft: 'Checked: the identity was misused; the invoice is disputed.',
  not_confirmed: 'Checked: what was reported is not confirmed; the debtor is told.',
}

const insolvencyTexts: Readonly<Record<string, string>> = {
  safeguard: 'Safeguard proceedings are',
  receivership: 'Receivership proceedings are',
  liquidation: 'Liquidation proceedings are',
  over_indebtedness: 'An over-indebtedness procedure is',
}

const requestTexts: Record<DataRequestKind, string> = {
  objection: 'Objection to the use of personal data (art. 21 GDPR)',
  restriction: 'Request to restrict the use of personal data (art. 18 GDPR)',
}
const requestDecisionTexts: Record<DataRequestDecision, string> = {
  granted: 'granted; the reminders stay stopped',
  refused: 'refused',
  lifted: 'the restriction was lifted',
}

const categoryTexts: Record<DisputeCategory, string> = {
  not_received: 'goods or service not received',
  not_as_agreed: 'not as agreed, or defective',
  wrong_quantity: 'quantity',
  wrong_amount: 'price or sum',
  already_paid: 'already paid',
  not_owed: 'not owed, or not ordered',
  other: 'other reason',
}

const methodTexts: Readonly<Record<string, string>> = {
  cheque: 'by cheque',
  card: 'by card',
  bank_transfer: 'by bank transfer',
  sepa_debit: 'by direct debit',
  payment_link: 'by payment link',
}

const sum = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  formatMoney(cents(amountCents), currency, 'en')
const withReason = (text: string, reason: string | undefined) =>
  reason === undefined ? text : `${text} Reason: ${reason}`
const withWords = (text: string, words: string | undefined) =>
  words === undefined ? `${text}.` : `${text}: ${words}`
const goesOn = (isStillHeld: boolean) =>
  isStillHeld ? 'something else still holds the reminders' : 'the reminders go on'

function message(
  { channel, groupedWith, insteadOf, receipts = [] }: HistoryParams['message_accepted'],
  outcome: string,
): string {
  const way =
    groupedWith !== undefined
      ? [`Grouped with ${groupedWith}, ${wayTexts[channel]}.`]
      : insteadOf === 'lrar' && channel === 'email'
        ? ['Sent by email: no postal address is known, or the sum is too small for a letter.']
        : []
  return [...way, outcome, ...receipts.map(receipt => receiptText(channel, receipt))].join(' ')
}

export const englishHistory: HistoryTexts = {
  message_accepted: params => message(params, acceptedTexts[params.channel]),
  message_accepted_late: params => message(params, 'Accepted, as was heard later.'),
  message_given_up: params =>
    message(
      params,
      withWords(`Stopped after ${params.attempts} attempts`, params.reason && `${params.reason}.`),
    ),
  message_refused: params => message(params, withWords('Refused', params.reason && `${params.reason}.`)),
  message_unknown: params =>
    message(params, 'It may or may not have been sent; it counts as a contact and is not repeated today.'),
  message_failed: params =>
    message(params, withWords('Did not leave, and may be tried again', params.reason && `${params.reason}.`)),
  message_undeliverable: () => 'Not sent: by its day it could not go this way any more.',
  message_taken_back: () => 'Taken back before it was sent.',
  step_skipped: ({ because }) => skipTexts[because],
  step_jumped: () => 'Jumped over by an escalation.',
  awaiting_decision: () =>
    'The reminders are over. Decide: end the amicable stage, a plan, write-off or cancel.',
  promise_broken: ({ isStillHeld }) => `The promised payment did not arrive; ${goesOn(isStillHeld)}.`,
  pause_over: ({ isStillHeld }) => `The pause that was asked for is over; ${goesOn(isStillHeld)}.`,
  started: ({ reason }) => withReason('Started.', reason),
  paused: ({ until, reason }) =>
    withReason(until === undefined ? 'Paused.' : `Paused until ${momentText(until)}.`, reason),
  resumed: ({ reason }) => withReason('Resumed.', reason),
  debtor_paused: ({ until, reason }) =>
    withReason(`The debtor was paused${until === undefined ? '' : ` until ${momentText(until)}`}.`, reason),
  cancelled: ({ hasClosingNotice, reason }) =>
    withReason(hasClosingNotice ? 'Cancelled; a closing notice is planned.' : 'Cancelled.', reason),
  escalated: ({ step, reason }) => withReason(`Next step: ${stepTexts[step as StepName] ?? step}.`, reason),
  judicial: ({ route, limitationOn, isNoticeConfirmed, reason }) =>
    withReason(
      `Amicable recovery has ended. Possible route: ${routeTexts[route]}. Nothing has been filed: limitation runs until ${dayText(limitationOn)} (estimate).${isNoticeConfirmed ? ' The creditor confirms that the formal notice was received.' : ''}`,
      reason,
    ),
  filed: ({ date, note }) => withWords(`Filed on ${dayText(date)}`, note),
  served: ({ date, note }) => withWords(`Served on ${dayText(date)}`, note),
  written_off: ({ basis }) => `Written off as irrecoverable: ${basisTexts[basis]}.`,
  promised: params => withWords(`${sum(params)} promised for ${dayText(params.date)}`, params.note),
  disputed: params =>
    withWords(
      `The debtor disputes ${sum(params)} of the invoice${params.category === undefined ? '' : ` (${categoryTexts[params.category]})`}`,
      params.reason,
    ),
  dispute_resolved: ({ outcome, amountCents, currency, reason }) =>
    withReason(
      amountCents === undefined || currency === undefined
        ? disputeTexts[outcome]
        : `Dispute accepted for ${sum({ amountCents, currency })}.`,
      reason,
    ),
  opted_out: ({ channel, reason }) => withWords(channelTexts[channel], reason),
  wrong_person: ({ point, reason }) =>
    `${point === 'email' ? 'The email address' : 'The phone number'} belongs to somebody else${reason === undefined ? '' : ` (${reason})`}; correct it, so that the reminders can go on.`,
  wrong_address_given: () =>
    'The new address belongs to somebody else; correct it, so that the reminders can go on.',
  address_refused: ({ channel }) =>
    `${refusedTexts[channel]}; correct it. The reminders that need it wait, unless there is another person to write to.`,
  next_person: ({ channel }) =>
    `${channel === 'email' ? 'Emails' : 'Text messages and calls'} go to the next person of the debtor.`,
  insolvency_opened: ({ kind, on }) =>
    `${insolvencyTexts[kind ?? ''] ?? 'Proceedings are'} open${on === undefined ? '' : ` since ${dayText(on)}`}; the reminders are paused.`,
  reply_received: ({ said }) =>
    `The debtor answered${said === undefined ? '' : ` (${saidTexts[said]})`}; the reminders wait until somebody has read it.`,
  situation_reported: ({ said, isTold, reason }) =>
    withReason(
      `${isTold ? 'A report was recorded' : 'The debtor reported'}${said === undefined ? ' their situation' : `: ${situationTexts[said]}`}. Nothing is sent until somebody has decided.`,
      reason,
    ),
  situation_decided: ({ decision, reason }) => withReason(decisionTexts[decision], reason),
  data_requested: ({ kind, receivedOn, dueOn, reason }) =>
    withReason(
      `${requestTexts[kind]}: received on ${dayText(receivedOn)}, to be answered by ${dayText(dueOn)}. The reminders wait.`,
      reason,
    ),
  data_request_decided: ({ kind, decision, reason }) =>
    withReason(`${requestTexts[kind]}: ${requestDecisionTexts[decision]}.`, reason),
  note_written: ({ note, comeBackOn }) =>
    withWords(comeBackOn === undefined ? 'Noted' : `Noted, to come back to on ${dayText(comeBackOn)}`, note),
  hold_ended: ({ hold, stillHeldBy, reason }) =>
    withReason(
      stillHeldBy === undefined
        ? `${endedTexts[hold]}.`
        : `${endedTexts[hold]}; ${stillHeldBy.length === 0 ? 'the reminders go on' : `still paused: ${stillHeldBy.map(other => holdTexts[other]).join(', ')}`}.`,
      reason,
    ),
  call_ended: ({ outcome, note }) => withWords(callTexts[outcome], note),
  payment_received: params =>
    `${sum(params)} received${params.method === undefined ? '' : ` ${methodTexts[params.instrument ?? params.method]}`}.`,
  payment_refunded: params => withReason(`${sum(params)} paid back to the debtor.`, params.reason),
  payment_reversed: params =>
    withReason(`${sum(params)} that had been received was taken back.`, params.reason),
  credit_added: params =>
    `Credit note${params.number === undefined ? '' : ` ${params.number}`} over ${sum(params)}.`,
}
