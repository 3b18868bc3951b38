import { DAY, localTime, MINUTE } from '../../src/domain/time.ts'
import type { HappenedLine } from './announced-client.ts'
import { shownMoment } from './announced-compare.ts'
import { type Fact, factBetween } from './announced-facts.ts'
import { isAnswer, type LeftMessage } from './announced-left.ts'
import {
  dayOnPage,
  daysAhead,
  messagesIn,
  type NextContact,
  type Notes,
  type Said,
  saidBy,
  saidByList,
} from './announced-notes.ts'
import type { Tally } from './announced-tally.ts'

/** One surface said that a message will leave. */
export interface Announcement {
  surface: string
  notes: Notes
  debtorId: string
  at: number
  /** The page names a day, not a moment. */
  onDay?: { date: string; zone: string }
  channel?: string
  invoiceId?: string
  /** Every invoice the message is about, the leading one first. */
  invoiceIds?: readonly string[]
  because: string
}

const minuteOf = (at: number) => Math.floor(at / MINUTE)
/** How many mornings passed before the day of an announcement. Noting does not begin at the same second each morning. */
const daysAheadOf = ({ notes }: Announcement, after: Notes) => after.dayNumber - notes.dayNumber - 1

/** What the surfaces announce for the day and the three after it. */
export function announcementsOf(notes: Notes): Announcement[] {
  const found: Announcement[] = []
  const end = notes.from + daysAhead * DAY
  const add = (announcement: Omit<Announcement, 'notes'>) => {
    const isWhileNoting = announcement.at > notes.from && announcement.at <= notes.until
    if (announcement.at < end && !isWhileNoting) found.push({ ...announcement, notes })
  }
  const addInvoice = (surface: string, invoiceId: string, said: Said, hasChannel = true) => {
    const debtorId = notes.company.debtorOf.get(invoiceId)!.id
    if (said.kind !== 'message') return
    const { at, channel, because } = said
    add({ surface, debtorId, invoiceId, at, because, ...(hasChannel && { channel }) })
  }
  const addContact = (surface: string, debtorId: string, contact: NextContact | null) => {
    if (contact)
      add({
        surface,
        debtorId,
        at: Date.parse(contact.at),
        channel: contact.channel,
        because: contact.because ?? 'cascade',
      })
  }
  for (const [id, recovery] of notes.invoices) addInvoice('list of invoices', id, saidByList(recovery))
  for (const [id, contact] of notes.debtors) addContact('list of debtors', id, contact)
  for (const { debtor, nextContact, calendar, page, invoices } of notes.samples) {
    addContact('debtor', debtor.id, nextContact)
    for (const { at, channel, invoiceIds, shifts } of calendar.planned)
      add({
        surface: 'calendar',
        debtorId: debtor.id,
        at: Date.parse(at),
        channel,
        invoiceIds,
        because: shifts.at(-1)?.because ?? 'cascade',
      })
    for (const { id, detail, nextAction, workflow, plan } of invoices) {
      addInvoice('invoice', id, saidByList(detail))
      const next = saidBy(nextAction.scheduledAt, nextAction.channel, nextAction.reasonCode)
      addInvoice('next-action', id, next)
      // It names neither a channel nor a reason: whether it is a message is known from the next action.
      if (next.kind === 'message' && workflow.nextActionAt !== null)
        addInvoice('workflow', id, { ...next, at: Date.parse(workflow.nextActionAt) }, false)
      for (const { at, channel, reasonCode } of messagesIn(plan))
        addInvoice('plan', id, { kind: 'message', at, channel: channel!, because: reasonCode })
    }
    const date = page && dayOnPage(page.sentence)
    if (date)
      add({
        surface: 'page of the debtor',
        debtorId: debtor.id,
        // Noon, so that it is judged when the day is over.
        at: Math.max(notes.until + 1, Date.parse(`${date}T12:00:00Z`)),
        onDay: { date, zone: debtor.zone },
        because: 'page',
      })
  }
  return found
}

export interface DayThatPassed {
  /** Of the whole run, by debtor, the oldest first. */
  left: ReadonlyMap<string, readonly LeftMessage[]>
  facts: readonly Fact[]
  /** The history of the days so far: only to name a cause. */
  lines: ReadonlyMap<string, readonly HappenedLine[]>
  /** The notes of the morning after. */
  after: Notes
  tally: Tally
  /** Which surface announced a message on its own morning. */
  announcedBy: Map<string, Set<string>>
}

function isAsSaid(announcement: Announcement, message: LeftMessage): boolean {
  const { onDay, channel, invoiceId, invoiceIds, notes } = announcement
  if (message.at <= notes.until) return false
  if (onDay) return localTime(onDay.zone, message.at).date === onDay.date
  if (!isAtThatMinute(announcement, message)) return false
  if (channel !== undefined && message.channel !== channel) return false
  if (invoiceId !== undefined) return message.invoiceIds.includes(invoiceId)
  if (!invoiceIds) return true
  return (
    message.lead === invoiceIds[0] &&
    message.invoiceIds.length === invoiceIds.length &&
    message.invoiceIds.every(id => invoiceIds.includes(id))
  )
}

const isAtThatMinute = ({ at, notes }: Announcement, message: LeftMessage) =>
  message.at > notes.until && minuteOf(message.at) === minuteOf(at)

/** What became of an announcement whose moment has passed since the last morning. */
export function judgeAnnouncement(
  announcement: Announcement,
  passed: DayThatPassed,
): 'as said' | 'apart' | 'not' {
  const { surface, debtorId, at, channel, notes } = announcement
  const { tally, facts, announcedBy } = passed
  const messages = passed.left.get(debtorId) ?? []
  const ahead = daysAheadOf(announcement, passed.after)
  if (ahead === 0)
    for (const message of messages)
      if (isAtThatMinute(announcement, message) && (channel === undefined || channel === message.channel))
        announcedBy.get(message.id)?.add(surface) ?? announcedBy.set(message.id, new Set([surface]))
  if (messages.some(message => isAsSaid(announcement, message))) {
    tally.said(surface, ahead, 'as said')
    return 'as said'
  }
  const fact = factBetween(facts, debtorId, notes.until, announcement.onDay ? at + DAY / 2 : at + MINUTE)
  if (fact) {
    tally.said(surface, ahead, 'apart')
    tally.apart(surface, fact.kind)
    return 'apart'
  }
  tally.said(surface, ahead, 'not')
  tally.differs(surface, causeOf(announcement, messages, passed), () =>
    [exampleOf(announcement, messages), ...storyBefore(announcement, messages, passed)].join(
      '\n                ',
    ),
  )
  return 'not'
}

/** The likely cause, from what left instead and from what the next morning said. */
function causeOf(
  announcement: Announcement,
  messages: readonly LeftMessage[],
  passed: DayThatPassed,
): string {
  const { at, channel, invoiceId, invoiceIds, notes, debtorId, because } = announcement
  if (notes.stopped) return `announced although nothing is sent (${notes.stopped})`
  if (at <= notes.from) return `announced for a moment that had passed (${because})`
  const zone = notes.company.byId.get(debtorId)!.zone
  const dayThere = localTime(zone, at).date
  const thatDay = messages.filter(
    message =>
      message.at > notes.until && localTime(zone, message.at).date === dayThere && !isAnswer(message),
  )
  const own =
    invoiceId === undefined ? thatDay : thatDay.filter(({ invoiceIds: ids }) => ids.includes(invoiceId))
  const [first] = own
  if (first && minuteOf(first.at) === minuteOf(at) && first.channel === channel && invoiceIds)
    return first.lead === invoiceIds[0]
      ? 'other invoices in the message'
      : 'another invoice leads the message'
  if (first) {
    const how = [
      minuteOf(first.at) === minuteOf(at) ? '' : first.at < at ? 'earlier that day' : 'later that day',
      channel === undefined || first.channel === channel ? '' : `as ${first.channel} instead of ${channel}`,
    ]
    const who =
      invoiceId !== undefined && first.lead !== invoiceId ? 'with the message of another invoice' : 'left'
    return `${who} ${how.filter(Boolean).join(', ')}`
  }
  const ofDebtor = notes.company.byId.get(debtorId)!.invoiceIds
  const concerned = invoiceId !== undefined ? [invoiceId] : (invoiceIds ?? ofDebtor)
  const skipped = concerned
    .flatMap(id => passed.lines.get(id) ?? [])
    .find(
      ({ status, at: doneAt }) =>
        status === 'skipped' && localTime(zone, Date.parse(doneAt)).date === dayThere,
    )
  if (skipped) return `the step was left out: ${skipped.details}`
  const saids = ofDebtor.map(id => saidByList(notes.invoices.get(id)!))
  if (saids.every(({ kind }) => kind !== 'message'))
    return `no invoice had a message: ${[...new Set(saids.map(whyOf))].sort().join(', ')}`
  const later =
    invoiceId === undefined
      ? (passed.after.debtors.get(debtorId)?.because ?? 'nothing planned')
      : whyOf(saidByList(passed.after.invoices.get(invoiceId)!))
  return thatDay.length > 0
    ? `the message of another invoice took the day; now: ${later}`
    : `nothing left that day; now: ${later}`
}

const whyOf = (said: Said) =>
  `${said.kind === 'none' ? 'nothing ' : said.kind === 'skip' ? 'left out ' : ''}${said.because}`

function exampleOf(announcement: Announcement, messages: readonly LeftMessage[]): string {
  const { notes, debtorId, invoiceId, at, channel = '', because, onDay, invoiceIds } = announcement
  const next = messages.find(message => message.at > notes.until && !isAnswer(message))
  const about = invoiceId ? `invoice ${invoiceId} of ` : invoiceIds ? `invoices ${invoiceIds.length} of ` : ''
  const seen = next
    ? `${next.channel} ${shownMoment(next.at)} ${next.step}, ${next.invoiceIds.length} invoices, lead ${next.lead}`
    : 'nothing so far'
  return `${shownMoment(notes.from)} ${notes.company.name} ${about}debtor ${debtorId}: ${onDay?.date ?? shownMoment(at)} ${channel} (${because}); left: ${seen}`
}

const storyDays = 5

/** What happened to the debtor in the days before: messages, new facts, and lines of the history. */
function storyBefore(
  { at, debtorId, notes }: Announcement,
  messages: readonly LeftMessage[],
  { facts, lines }: DayThatPassed,
): string[] {
  const since = at - storyDays * DAY
  const { invoiceIds } = notes.company.byId.get(debtorId)!
  const told = [
    ...messages.map(({ at: leftAt, channel, step, state, lead }) => ({
      at: leftAt,
      what: `${channel} ${step} ${state}, lead ${lead}`,
    })),
    ...facts
      .filter(fact => fact.debtorId === debtorId || fact.debtorId === null)
      .map(fact => ({ at: fact.at, what: `fact: ${fact.kind}` })),
    ...invoiceIds.flatMap(id =>
      (lines.get(id) ?? []).map(line => ({
        at: Date.parse(line.at),
        what: `history of ${id}: ${line.action} ${line.status} ${line.details}`,
      })),
    ),
  ]
  return told
    .filter(({ at: toldAt }) => toldAt >= since)
    .sort((left, right) => left.at - right.at)
    .map(({ at: toldAt, what }) => `${shownMoment(toldAt)} ${what}`)
}
