import { type AwayChannel, awayChannelAt } from '../../../domain/contact/away-channel.ts'
import { calendarFor } from '../../../domain/contact/calendar.ts'
import type { Channel } from '../../../domain/contact/channel.ts'
import type { ContactFile } from '../../../domain/contact/contact-rules.ts'
import { isMobile } from '../../../domain/contact/phone.ts'
import type { Cents } from '../../../domain/money/money.ts'
import type { Collected, Reach } from '../../../domain/recovery/cascade.ts'
import { debtorHolds, type Hold } from '../../../domain/recovery/recovery-state.ts'
import type { LookContext } from '../../../domain/recovery/waiting.ts'
import { type LocalDate, MINUTE } from '../../../domain/time.ts'
import type { AgendaLock } from './agenda-store.ts'
import type { DebtorFile, RecentContact } from './debtor-file-store.ts'

/** The debtor's file in the form the contact rules need, without some messages: one is not counted against itself. */
export const contactFile = (
  file: DebtorFile,
  agenda: Pick<AgendaLock, 'quiet_until'> | null,
  uncounted: readonly string[] = [],
): ContactFile => ({
  calendar: calendarFor({ country: file.country, postalCode: file.postal_code }),
  contacts: file.contacts.filter(contact => !uncounted.includes(contact.communicationId)),
  month: file.month.filter(contact => !uncounted.includes(contact.communicationId)),
  caps: { perWeek: file.creditor.perWeek, perMonth: file.creditor.perMonth },
  isConsumer: file.type === 'consumer',
  quietUntil: agenda?.quiet_until ?? null,
})

/** The file after one more message was reserved for this person. */
export const withContact = (file: DebtorFile, contact: RecentContact): DebtorFile => ({
  ...file,
  contacts: [...file.contacts, contact],
  month: [contact, ...file.month],
})

/** The file after messages were cancelled. */
export const withoutContacts = (file: DebtorFile, cancelled: readonly string[]): DebtorFile => {
  const isKept = ({ communicationId }: RecentContact) => !cancelled.includes(communicationId)
  return { ...file, contacts: file.contacts.filter(isKept), month: file.month.filter(isKept) }
}

/** The messages to this person that have no outcome yet, and since when the oldest is on its way; null if there is none. */
export function openMessagesOf(file: DebtorFile): { ids: readonly string[]; since: number } | null {
  const open = [...file.contacts, ...file.month].filter(({ isOpen }) => isOpen)
  if (open.length === 0) return null
  return {
    ids: open.map(({ communicationId }) => communicationId),
    since: Math.min(...open.map(({ at }) => at)),
  }
}

const channelsClosed = (
  { closed }: Pick<DebtorFile, 'closed'>,
  isMeant: (because: DebtorFile['closed'][number]['because']) => boolean,
): Channel[] => closed.flatMap(({ channel, because }) => (isMeant(because) ? [channel] : []))

export const reachOf = (
  file: Pick<DebtorFile, 'phone' | 'address' | 'postal_code' | 'city' | 'closed' | 'missing'>,
  balance: Cents,
  collected: Collected | null = null,
): Reach => ({
  hasPhone: file.phone !== null,
  hasMobile: file.phone !== null && isMobile(file.phone),
  hasAddress: file.address !== null && file.postal_code !== null && file.city !== null,
  closed: channelsClosed(file, because => because !== 'refused'),
  refused: channelsClosed(file, because => because === 'refused'),
  balance,
  missing: file.missing,
  collected,
})

/** What is known of a recovery's first letter and of the lists of claims. */
export interface CollectedColumns {
  collector_letter_id: string | null
  collector_letter_at: number | null
  /** The day of the latest list of claims that contains the invoice; null: none does. */
  listed_on: LocalDate | null
}

/** Null: the creditor writes in its own name. */
export function collectedOf(
  { creditor: { collector }, country }: Pick<DebtorFile, 'creditor' | 'country'>,
  { collector_letter_id, collector_letter_at, listed_on }: CollectedColumns,
): Collected | null {
  if (collector === null) return null
  const isAccepted = collector_letter_at !== null
  return {
    isListed: listed_on !== null && listed_on >= collector.mandateSignedOn,
    // The overseas departments have codes of their own and are France.
    isInScope: collector.countries.includes(calendarFor({ country })?.country ?? country),
    letterId: isAccepted ? collector_letter_id : null,
    hasBounced: collector_letter_id !== null && !isAccepted,
  }
}

/** A claim that was listed and about which no letter was sent yet. */
export const newlyListed = (file: Pick<DebtorFile, 'creditor' | 'country'>): Collected | null =>
  collectedOf(file, {
    collector_letter_id: null,
    collector_letter_at: null,
    listed_on: file.creditor.collector?.mandateSignedOn ?? null,
  })

/** Whether a person has paused the debtor, and the pause is not over. */
export const isPaused = (
  { paused_at, paused_until }: Pick<DebtorFile, 'paused_at' | 'paused_until'>,
  now: number,
): boolean => paused_at !== null && (paused_until === null || now < paused_until)

/** The hold on every recovery of a debtor; the first of several. */
export const holdOfDebtor = (file: DebtorFile, now: number): Hold | null => {
  const isInsolvent = file.insolvency_kind !== null
  const isWrongPerson = file.closed.some(closedChannel => closedChannel.because === 'wrong_person')
  const hasUnreadReply = file.has_unread_reply
  const hasSituation = file.has_situation
  const held = { isInsolvent, isWrongPerson, hasSituation, hasUnreadReply, isPaused: isPaused(file, now) }
  return debtorHolds(held)[0] ?? null
}

/** How often the stop of a provider is checked again. */
const stopLookMs = 15 * MINUTE

/** A provider whose `until` has passed is not away: the next message is its probe. */
const awayChannelsOf = ({ failures, stopped }: DebtorFile, now: number): AwayChannel[] => [
  ...failures.flatMap(({ channel, since, until }) =>
    until === null ? [] : [{ channel, since, until, because: 'provider_away' as const }],
  ),
  ...stopped.map(({ channel, since }) => ({
    channel,
    since,
    until: now + stopLookMs,
    because: 'sending_stopped' as const,
  })),
]

/** Why nothing can be sent on this channel now; null if it can. */
export const awayReasonOf = (file: DebtorFile, channel: Channel, now: number): string | null =>
  awayChannelAt(awayChannelsOf(file, now), channel, now)?.because ?? null

/** The channels that only the debtor's wish closes: a provider is there, and the address is that of the debtor. */
export const optedOutOf = ({ closed, missing }: Pick<DebtorFile, 'closed' | 'missing'>): Channel[] => {
  const otherwise = closed.filter(({ because }) => because !== 'opt_out').map(({ channel }) => channel)
  return closed
    .map(({ channel }) => channel)
    .filter(channel => !otherwise.includes(channel) && !missing.includes(channel))
}

export const lookContextOf = (
  file: DebtorFile,
  rules: ContactFile,
  now: number,
): LookContext & { away: readonly AwayChannel[] } => ({
  rules,
  now,
  seed: file.id,
  hold: holdOfDebtor(file, now),
  pausedUntil: file.paused_until,
  unusable: [...file.closed.map(({ channel }) => channel), ...file.missing],
  optedOut: optedOutOf(file),
  away: awayChannelsOf(file, now),
})

/**
 * The current moment for a debtor. In production it is the tenant's time. In a sandbox everything happens at the moment it was
 * due, however many days were skipped at once, and never before the last action.
 */
export const currentMomentOf = (
  file: DebtorFile,
  agenda: AgendaLock,
  wall: number,
  offsetMs: number,
): number =>
  file.environment === 'production'
    ? wall + offsetMs
    : Math.max(Math.min(agenda.wake_at ?? wall, wall) + offsetMs, agenda.acted_at ?? 0)
