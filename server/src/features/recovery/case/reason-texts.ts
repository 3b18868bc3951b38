import type { SkipBecause } from '../../../domain/recovery/cascade.ts'
import type { CourtObstacle } from '../../../domain/recovery/formal-notice.ts'
import type { Hold } from '../../../domain/recovery/recovery-state.ts'

/** Why a step was skipped, as shown in the history. */
export const skipTexts: Record<SkipBecause, string> = {
  no_phone: 'Left out: no telephone number is known.',
  no_mobile: 'Left out: no mobile number is known.',
  opted_out: 'Left out: the debtor does not want to be contacted this way.',
  small_balance: 'Left out: the sum is too small for a call.',
  no_provider: 'Left out: no provider is configured for this channel.',
  notice_instead: 'Left out: a formal notice for another invoice left by email that day.',
  replaced: 'Left out: a requested message is sent instead.',
  letter_first: 'Left out: a collector’s first contact about an invoice is an email or a letter.',
}

/** Why something is planned for that moment, or not at all. */
export const reasonTexts: Record<string, string> = {
  outside_hours: 'Nobody is contacted before 08:00 or from 20:00 on, in the debtor’s local time.',
  call_hours: 'Calls are made during office hours only, Monday to Friday.',
  sunday: 'Nobody is contacted on a Sunday.',
  public_holiday: 'Nobody is contacted on a public holiday.',
  one_contact_a_day:
    'This person is already contacted that day; one contact a day is the limit, and debtors who share an email or a phone count as one person.',
  channel_cooldown:
    'Three days pass between two messages on one channel, and debtors who share an email or a phone count as one person.',
  weekly_cap: 'This debtor has had as many messages in seven rolling days as the company allows.',
  monthly_cap: 'This debtor has had as many messages in thirty rolling days as the company allows.',
  call_cap: 'A consumer is called four times in thirty rolling days at most.',
  sign_of_life: 'The debtor has just answered or paid; three days pass before the next message.',
  notice_running: 'The time to pay that the formal notice gave is still running.',
  calendar_missing: 'No calendar of public holidays covers the debtor’s country, so nothing may be sent.',
  foreign_consumer:
    'Consumers outside France are protected by rules of their country, which are not known here, so nothing may be sent.',
  calendar_horizon: 'The calendar of public holidays ends before that day, so nothing may be sent.',
  awaiting_decision:
    'The reminders are over; a person decides what follows: end the amicable stage, a plan, write-off or cancel.',
  time_barred: 'The debt is time-barred: a consumer is not reminded of it any more.',
  no_provider: 'No provider is configured for this channel, and the step must not be left out.',
  sending_stopped:
    'Sending is stopped, by the company or the operator; what waits goes on when the stop ends.',
  company_incomplete:
    'The company has no complete postal address, or no account or card to be paid by: until it has both, nothing is sent.',
  mandate_missing:
    'The company asked to be collected for, and no mandate is recorded: nothing is sent until the operator records it.',
  collector_unconfigured:
    'The operator has a mandate of the company, but not everything that the law wants of a collector: nothing is sent until it has.',
  claim_unlisted:
    'The invoice is in no list of claims of the mandate: nothing is sent for it until the company has listed it.',
  collector_abroad: 'The collector may not collect in the debtor’s country, so nothing is sent.',
  provider_away:
    'The provider of this channel cannot be reached, or refuses our account; the message goes when it is back.',
  provider_busy: 'The provider of this channel is slow; the message goes when it is its turn.',
  daily_cap:
    'As many messages have left today on this channel as the operator allows this company; it goes on another day.',
  cascade: 'The next step of the cascade.',
  escalated: 'Brought forward by an escalation.',
  requested: 'Asked for beside the cascade.',
  grouped: 'Goes with the message for another invoice of the debtor.',
  on_its_way: 'The message is on its way.',
  message_on_its_way: 'Another message to this person is on its way; what follows depends on its outcome.',
  not_due: 'Nobody is reminded of an invoice before it is overdue.',
  planned: 'What follows, as things stand.',
  resume: 'The pause ends then.',
  promise: 'A payment is promised; the reminders wait for it.',
  pending: 'The recovery has not been started.',
  paused: 'The recovery is paused.',
  completed: 'The recovery is completed.',
  cancelled: 'The recovery was cancelled.',
  judicial: 'The amicable stage has ended. Nothing has been filed.',
  insolvency: 'Insolvency or over-indebtedness proceedings are open: nobody is reminded.',
  wrong_person: 'The contact address belongs to somebody else: nothing is sent until it is corrected.',
  address_refused:
    'The address refused a message: what needs it waits until somebody corrects it, or lets it be tried again.',
  situation: 'A situation is reported that nobody has checked: nothing is sent until somebody decides.',
  reply: 'The debtor answered: nothing is sent until somebody has read it.',
  debtor: 'The debtor is paused: nothing is sent until the pause ends.',
  task_failed: 'Held by our side; we have been told.',
}

/** Every code that explains why something is planned for a moment, moved, skipped or not planned at all. */
export const reasonCodes: readonly string[] = [
  ...new Set([...Object.keys(reasonTexts), ...Object.keys(skipTexts)]),
]

export const holdTexts: Record<Hold, string> = {
  asked: 'paused on request',
  promise: 'a payment is promised',
  dispute: 'a dispute is open',
  upheld: 'the dispute was upheld',
  reopened: 'money that had arrived went back',
  insolvency: 'insolvency or over-indebtedness proceedings are open',
  wrong_person: 'the contact address belongs to somebody else',
  address_refused: 'the address refused a message',
  situation: 'a reported situation is not decided',
  reply: 'a reply of the debtor is unread',
  debtor: 'the debtor is paused',
}

export const obstacleTexts: Record<CourtObstacle, string> = {
  formal_notice_missing: 'no formal notice was sent',
  formal_notice_unproven: 'nothing proves the receipt of the formal notice',
  deadline_running: 'the time the formal notice gave is not over',
  dispute_open: 'a dispute is open',
  time_barred: 'the debt is time-barred',
}

/** The text of a reason; for a step that will be skipped, in the future tense. */
export const reasonText = (code: string, willBeSkipped = false): string => {
  if (willBeSkipped && Object.hasOwn(skipTexts, code))
    return skipTexts[code as SkipBecause].replace(/^Left out/, 'Will be left out')
  return reasonTexts[code] ?? 'Held by our side; we have been told.'
}

export const pausedText = (by: readonly string[]): string =>
  `The recovery is paused: ${by.map(hold => holdTexts[hold as Hold]).join(', ')}.`
