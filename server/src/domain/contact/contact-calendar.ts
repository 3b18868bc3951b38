import { addDays, DAY, type Instant, instantOf, type LocalDate, localTime } from '../time.ts'
import type { Channel } from './channel.ts'
import { hoursFor } from './contact-hours.ts'
import { COOLDOWN, type ContactFile, capDays, judgeContact, type ReasonParams } from './contact-rules.ts'
import { contactsCounted, endOfRest, isWithinRest, startOfRest } from './contact-window.ts'
import { nextLegalSlot } from './next-legal-slot.ts'

/** A piece of time in which one verdict holds. */
export interface Piece {
  readonly from: Instant
  readonly until: Instant
  readonly allowed: boolean
  readonly because: string | null
  readonly params: ReasonParams
}

/** A reason that closes a channel before the contact rules are checked. */
export interface Obstacle {
  readonly because: string
  /** Null: until something happens. */
  readonly until: Instant | null
}

export interface Span {
  readonly from: Instant
  readonly until: Instant
}

/**
 * When a person may be contacted on a channel: the whole span in pieces, each open or closed for one reason. The verdict of the
 * rules changes only at an edge, so it is judged once per edge. The first active obstacle has priority over the rules.
 */
export function contactPieces(
  rules: ContactFile,
  channel: Channel,
  span: Span,
  obstacles: readonly Obstacle[] = [],
): Piece[] {
  const ends = obstacles.flatMap(({ until }) => (until === null ? [] : [until]))
  const edges = [...new Set([span.from, ...edgesOf(rules, channel, span), ...ends])]
    .filter(edge => edge >= span.from && edge < span.until)
    .sort((left, right) => left - right)
  const pieces: Piece[] = []
  for (const [index, from] of edges.entries()) {
    const until = edges[index + 1] ?? span.until
    const verdict = judgePiece(rules, channel, obstacles, from)
    const last = pieces.at(-1)
    if (last && isSame(last, verdict)) pieces[pieces.length - 1] = { ...last, until }
    else pieces.push({ from, until, ...verdict })
  }
  return pieces
}

/** Why a channel is closed at every day and hour, until something happens; null if it is not. */
export function closedBecause(
  rules: ContactFile,
  channel: Channel,
  obstacles: readonly Obstacle[],
  at: Instant,
): string | null {
  const obstacle = obstacles.find(({ until }) => until === null)
  if (obstacle) return obstacle.because
  const verdict = judgeContact(rules, channel, at)
  const isForGood =
    !verdict.allowed && (verdict.because === 'calendar_missing' || verdict.because === 'foreign_consumer')
  return isForGood ? verdict.because : null
}

/** When the channel opens after each piece; null if it is open, or if only an event can open it. */
export function openingsAfter(
  rules: ContactFile,
  channel: Channel,
  pieces: readonly Piece[],
  obstacles: readonly Obstacle[],
): (Instant | null)[] {
  const isClosed = obstacles.some(({ until }) => until === null)
  const end = Math.max(pieces.at(-1)?.until ?? 0, ...obstacles.map(({ until }) => until ?? 0))
  let opening = isClosed ? null : nextLegalSlot(rules, channel, end).at
  return pieces
    .toReversed()
    .map(piece => {
      if (!piece.allowed) return opening
      // A rest that ends in the last minutes of the hours leaves no time to send anything on that day.
      opening = nextLegalSlot(rules, channel, piece.from).at
      return null
    })
    .toReversed()
}

/** The contact that closes a piece, if one does. */
export function contactBehind(
  { calendar, contacts }: ContactFile,
  channel: Channel,
  { because, from, params }: Piece,
): Instant | null {
  const isOnThatDay = (at: Instant) => calendar?.zones.some(zone => localTime(zone, at).date === params.on)
  const closing = contacts.filter(contact =>
    because === 'channel_cooldown'
      ? contact.channel === channel && isWithinRest(contact.at, from, COOLDOWN)
      : because === 'one_contact_a_day' && contact.channel === params.channel && isOnThatDay(contact.at),
  )
  return closing.length === 0 ? null : Math.max(...closing.map(({ at }) => at))
}

/** A day as a column of the calendar. */
export interface CalendarDay {
  readonly date: LocalDate
  readonly from: Instant
  readonly opens: Instant
  readonly closes: Instant
  readonly until: Instant
  /** The moment of the count: now for today, the opening for any other day. */
  readonly countedAt: Instant
  /** The contacts that count for the weekly cap at that moment. */
  readonly inSevenDays: number
}

/** The days of the span in one zone, with the hours between which anything may be open. */
export function calendarDays(rules: ContactFile, zone: string, span: Span, now: Instant): CalendarDay[] {
  const today = localTime(zone, now).date
  const [opensMinute, closesMinute] = hoursFor('email', rules.isConsumer).windows[0]!
  const days: CalendarDay[] = []
  for (let date = localTime(zone, span.from).date; instantOf(zone, date, 0) < span.until; ) {
    const next = addDays(date, 1)
    const opens = instantOf(zone, date, opensMinute)
    const until = instantOf(zone, next, 0)
    const closes = instantOf(zone, date, closesMinute)
    const countedAt = date === today ? now : opens
    const inSevenDays = contactsCounted(rules.month, capDays[0], countedAt)
    days.push({ date, from: instantOf(zone, date, 0), opens, closes, until, countedAt, inSevenDays })
    date = next
  }
  return days
}

type PieceVerdict = Pick<Piece, 'allowed' | 'because' | 'params'>

function judgePiece(
  rules: ContactFile,
  channel: Channel,
  obstacles: readonly Obstacle[],
  at: Instant,
): PieceVerdict {
  const obstacle = obstacles.find(({ until }) => until === null || at < until)
  if (obstacle) return { allowed: false, because: obstacle.because, params: {} }
  const verdict = judgeContact(rules, channel, at)
  return verdict.allowed
    ? { allowed: true, because: null, params: {} }
    : { allowed: false, because: verdict.because, params: verdict.params }
}

const isSame = (left: PieceVerdict, right: PieceVerdict): boolean =>
  left.because === right.because &&
  Object.keys({ ...left.params, ...right.params }).every(key => left.params[key] === right.params[key])

/** Every instant at which the verdict of `judgeContact` may change, also outside the span. */
function edgesOf(rules: ContactFile, channel: Channel, { from, until }: Span): Instant[] {
  const { calendar, contacts, month, isConsumer, quietUntil } = rules
  if (calendar === null) return []
  const minutes = [0, ...hoursFor(channel, isConsumer).windows.flat()]
  const edges: Instant[] = []
  for (const zone of calendar.zones) {
    const last = localTime(zone, until).date
    for (let date = localTime(zone, from).date; date <= last; date = addDays(date, 1))
      for (const minute of minutes) edges.push(instantOf(zone, date, minute))
  }
  // A contact reserved for later also counts in the days before it.
  for (const { at } of contacts) edges.push(startOfRest(at, COOLDOWN), endOfRest(at, COOLDOWN))
  for (const { at } of month)
    for (const days of capDays) edges.push(startOfRest(at, days * DAY), endOfRest(at, days * DAY))
  if (quietUntil !== null) edges.push(endOfRest(quietUntil, 0))
  return edges
}
