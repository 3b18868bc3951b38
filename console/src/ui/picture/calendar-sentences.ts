import type { Channel, ContactCalendar } from '@relance/sdk'
import { clockTime, weekday } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { calendarWords } from './calendar-words.ts'
import type { TableData } from './picture.tsx'

type Contact = ContactCalendar['contacts'][number]
type Planned = ContactCalendar['planned'][number]
export type Piece = ContactCalendar['channels'][number]['pieces'][number]
export type CalendarCause = NonNullable<Piece['because']>

export interface CalendarDay {
  readonly date: string
  readonly from: number
  readonly opens: number
  readonly closes: number
  readonly until: number
  readonly isToday: boolean
  readonly countedAt: string
  readonly inSevenDays: number
}

export const zoneOf = (calendar: ContactCalendar) => calendar.timeZone ?? 'UTC'

export const daysOf = (calendar: ContactCalendar): CalendarDay[] =>
  calendar.days.map(({ from, opens, closes, until, ...day }) => ({
    ...day,
    from: Date.parse(from),
    opens: Date.parse(opens),
    closes: Date.parse(closes),
    until: Date.parse(until),
  }))

export interface Verdict {
  readonly from: number
  readonly until: number
  readonly piece: Piece
}

/** Read once for all days: a calendar has hundreds of pieces, and as many cells. */
export const timesOf = (pieces: readonly Piece[]): Verdict[] =>
  pieces.map(piece => ({ from: Date.parse(piece.from), until: Date.parse(piece.until), piece }))

/** The verdicts of one channel in the drawn hours of a day. */
export function verdictsOf(times: readonly Verdict[], day: CalendarDay): Verdict[] {
  const verdicts: Verdict[] = []
  for (const { from, until, piece } of times)
    if (from < day.closes && until > day.opens)
      verdicts.push({ from: Math.max(day.opens, from), until: Math.min(day.closes, until), piece })
  return verdicts
}

export const wordsOf = (language: Language) => ({
  words: wordsIn(calendarWords, language),
  known: wordsIn(names, language),
})

export function openText(
  verdicts: readonly Verdict[],
  day: CalendarDay,
  zone: string,
  language: Language,
): string {
  const { words } = wordsOf(language)
  const open: { from: number; until: number }[] = []
  for (const { piece, from, until } of verdicts) {
    if (!piece.allowed) continue
    const last = open.at(-1)
    if (last?.until === from) last.until = until
    else open.push({ from, until })
  }
  if (open.length === 0) return words.closed
  if (open.length === 1 && open[0]!.from === day.opens && open[0]!.until === day.closes)
    return words.openAllDay
  const spans = open.map(({ from, until }) => words.fromTo(clockTime(from, zone), clockTime(until, zone)))
  return `${words.open} ${spans.join(words.and)}`
}

const isHours = (because: string | null) => because === 'outside_hours' || because === 'call_hours'

const isOpenSometime = (verdicts: readonly Verdict[]) => verdicts.some(({ piece }) => piece.allowed)

/** The pieces that close a cell, each cause once; the hours are a cause only where nothing else is. */
function closingPieces(verdicts: readonly Verdict[]): (Piece & { because: CalendarCause })[] {
  const closed = verdicts.flatMap(({ piece }) =>
    piece.because === null ? [] : [{ ...piece, because: piece.because }],
  )
  const others = closed.filter(({ because }) => !isHours(because))
  const told = others.length > 0 || isOpenSometime(verdicts) ? others : closed
  const seen = new Set<string>()
  return told.filter(({ because, params }) => {
    const key = JSON.stringify([because, params])
    return !seen.has(key) && seen.add(key)
  })
}

export interface CellSentence {
  /** `mar. 17 nov., E-mail : fermé.` */
  readonly what: string
  readonly why: string
  readonly when: string
  readonly remedy: string
}

/** The focused cell in words: what, why, until when, and what one can do. */
export function sentenceOfCell(
  calendar: ContactCalendar,
  channel: Channel,
  date: string,
  language: Language,
): CellSentence {
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  const line = calendar.channels.find(other => other.channel === channel)
  const day = daysOf(calendar).find(other => other.date === date)
  if (!line || !day) return { what: '', why: '', when: '', remedy: '' }
  const verdicts = verdictsOf(timesOf(line.pieces), day)
  const closing = closingPieces(verdicts)
  const isPast = day.until <= Date.parse(calendar.now)
  const isHere = isInCell(channel, day)
  const time = (at: string) => clockTime(at, zone)
  const moment = (at: string | null) =>
    at === null ? '' : words.dayAndTime(weekday(at, zone, language), time(at))
  const told = [
    ...calendar.contacts
      .filter(isHere)
      .map(({ at, action, state, counts, isOtherRecord }) =>
        words.made(
          known.steps[action],
          time(at),
          [
            words.states[state],
            ...(isOtherRecord ? [words.otherRecord] : []),
            ...(counts ? [] : [words.notCounted]),
          ].join(', '),
        ),
      ),
    ...calendar.planned
      .filter(isHere)
      .flatMap(({ at, action, shifts }) => [
        words.plannedAt(known.steps[action], time(at)),
        ...(shifts.length > 0
          ? [words.movedBecause([...new Set(shifts.map(({ because }) => known.reasons[because]))].join(', '))]
          : []),
      ]),
    ...closing.map(({ because, params, contactAt }) =>
      words.why[because]({ params, contact: moment(contactAt), cooldown: calendar.cooldownMinutes }),
    ),
  ]
  const remedies = new Set(closing.map(({ because }) => words.remedy[because]))
  const caps = isPast || line.closed !== null ? null : calendar.caps
  return {
    what: `${words.cell(
      weekday(day.from, zone, language),
      known.channels[channel],
      openText(verdicts, day, zone, language),
    )}.`,
    why: told.join(' '),
    when: isPast ? '' : openingText(),
    remedy: [
      ...(isPast ? [] : remedies),
      ...(caps ? [words.ofTheWeek(time(day.countedAt), day.inSevenDays, caps.perWeek)] : []),
    ]
      .filter(Boolean)
      .join(' '),
  }

  /** When a cell opens that is closed, or that a rule other than the hours closes early. */
  function openingText(): string {
    const last = verdicts.at(-1)?.piece
    if (!last || last.allowed) return ''
    const wasOpen = isOpenSometime(verdicts)
    if (wasOpen && isHours(last.because)) return ''
    if (line!.closed !== null) return words.closedForGood
    if (last.opensAt === null) return ''
    const text = moment(last.opensAt)
    return wasOpen ? words.opensAgainAt(text) : words.opensAt(text)
  }
}

export const isInCell =
  (channel: Channel, day: CalendarDay) =>
  ({ at, channel: by }: Contact | Planned) =>
    by === channel && Date.parse(at) >= day.from && Date.parse(at) < day.until

/** The same days as a table: a row per day, a column per channel. */
export function calendarTable(calendar: ContactCalendar, language: Language): TableData {
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  const lines = calendar.channels.map(({ channel, pieces }) => ({ channel, times: timesOf(pieces) }))
  return {
    columns: [words.day, ...calendar.channels.map(({ channel }) => known.channels[channel])],
    rows: daysOf(calendar).map(day => [
      weekday(day.from, zone, language) + (day.isToday ? ` (${words.today})` : ''),
      ...lines.map(({ channel, times }) => {
        const verdicts = verdictsOf(times, day)
        const isHere = isInCell(channel, day)
        const causes = new Set(closingPieces(verdicts).map(({ because }) => known.reasons[because]))
        return [
          isOpenSometime(verdicts)
            ? openText(verdicts, day, zone, language)
            : words.dayClosed([...causes].join(', ')),
          ...calendar.contacts
            .filter(isHere)
            .map(({ at, action, state }) =>
              words.made(known.steps[action], clockTime(at, zone), words.states[state]),
            ),
          ...calendar.planned
            .filter(isHere)
            .map(({ at, action }) => words.plannedAt(known.steps[action], clockTime(at, zone))),
        ].join(' · ')
      }),
    ]),
  }
}
