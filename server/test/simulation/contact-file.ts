import { calendarFor } from '../../src/domain/contact/calendar.ts'
import type { ContactFile, PastContact } from '../../src/domain/contact/contact-rules.ts'
import { instantOf } from '../../src/domain/time.ts'

/** The contact file of a debtor with these contacts, without caps unless they are given. */
export function fileOf(
  postalCode: string | null,
  contacts: readonly PastContact[] = [],
  more: Partial<ContactFile> & { country?: string } = {},
): ContactFile {
  const { country = 'FR', ...rest } = more
  return {
    calendar: calendarFor({ country, postalCode }),
    contacts,
    month: contacts,
    caps: null,
    isConsumer: false,
    quietUntil: null,
    ...rest,
  }
}

/** `2026-11-25 08:00:00.000` on the clock of a zone. */
export function clock(zone: string, text: string): number {
  const [date = '', time = '00:00'] = text.split(' ')
  const [hour = '0', minute = '0', second = '0'] = time.split(':')
  return instantOf(zone, date, Number(hour) * 60 + Number(minute)) + Math.round(Number(second) * 1000)
}

export const paris = (text: string): number => clock('Europe/Paris', text)
