import type { ContactCalendar } from '@relance/sdk'
import type { Pattern } from './patterns.tsx'

/** What became of a message. */
export const markSigns = ['sent', 'delivered', 'refused', 'unknown', 'skipped'] as const
export type MarkSign = (typeof markSigns)[number]

type Contact = ContactCalendar['contacts'][number]
type CalendarCause = NonNullable<ContactCalendar['channels'][number]['pieces'][number]['because']>

/** Causes that are not calendar rules hold the debtor or the channel: pattern `hold`. */
const patterns: Record<CalendarCause, Pattern> = {
  outside_hours: 'hours',
  call_hours: 'hours',
  sunday: 'sunday',
  public_holiday: 'holiday',
  one_contact_a_day: 'day',
  channel_cooldown: 'cooldown',
  weekly_cap: 'cap',
  monthly_cap: 'cap',
  call_cap: 'cap',
  sign_of_life: 'hold',
  notice_running: 'hold',
  calendar_missing: 'hold',
  foreign_consumer: 'hold',
  calendar_horizon: 'hold',
  no_mobile: 'hold',
  no_phone: 'hold',
  no_address: 'hold',
  no_provider: 'hold',
  channel_closed: 'hold',
  asked: 'hold',
  promise: 'hold',
  dispute: 'hold',
  upheld: 'hold',
  reopened: 'hold',
  situation: 'hold',
  insolvency: 'hold',
  wrong_person: 'hold',
  address_refused: 'hold',
  reply: 'hold',
  debtor: 'hold',
}

export const patternOf = (because: CalendarCause): Pattern => patterns[because]

export const signs: Record<Contact['state'], MarkSign> = {
  reserved: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  unknown: 'unknown',
  bounced: 'refused',
  failed: 'refused',
}

const hours: readonly CalendarCause[] = ['outside_hours', 'call_hours']
const ofTheDay: readonly CalendarCause[] = ['public_holiday', 'sunday']

/** Of several causes the one that says most: what closes the day for everybody first, hours only where there is nothing else. */
export function contactCause(causes: readonly (CalendarCause | null)[]): CalendarCause | null {
  const known = causes.filter(cause => cause !== null)
  return (
    known.find(cause => ofTheDay.includes(cause)) ??
    known.find(cause => !hours.includes(cause)) ??
    known[0] ??
    null
  )
}
