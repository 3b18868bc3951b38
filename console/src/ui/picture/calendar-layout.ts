import type { Channel, ContactCalendar } from '@relance/sdk'
import { clockTime, weekday } from '../../lib/format.ts'
import { type Language, wordsIn } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { weekdayOf } from '../../lib/zone.ts'
import { calendarWords } from './calendar-words.ts'
import type { Pattern } from './patterns.tsx'
import type { Twin } from './picture.tsx'

const phoneBelow = 600
const phoneDays = 14
const laneHeight = 44
const laneGap = 6
const headHeight = 48
const labelWidth = 76
const phoneLabelWidth = 92
const phoneHead = 24
const phoneRow = 34
const phoneBar = 26
/** Targets are at least 24 pixels wide. */
const columnMin = 24
const columnMax = 46
/** From here on the short names of the days have room; below, their letters. */
const wideColumn = 30

type Contact = ContactCalendar['contacts'][number]
type Planned = ContactCalendar['planned'][number]
type Piece = ContactCalendar['channels'][number]['pieces'][number]
export type CalendarCause = NonNullable<Piece['because']>
export type MarkSign = 'tick' | 'bar' | 'cross' | 'question'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A part of a cell in which one verdict holds. */
export interface CalendarSegment extends Box {
  readonly from: number
  readonly until: number
  readonly piece: Piece
  /** Null where it is open. */
  readonly pattern: Pattern | null
}

export interface CalendarMark {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly channel: Channel
  /** Null: planned. */
  readonly sign: MarkSign | null
  readonly time: string
  readonly name: string
  /** The message that can be opened; null while it is planned. */
  readonly communicationId: string | null
}

/** One day on one channel. */
export interface CalendarCell extends Box {
  readonly channel: Channel
  readonly day: number
  readonly date: string
  /** `mar. 17 nov., E-mail : fermé` */
  readonly label: string
  readonly segments: readonly CalendarSegment[]
  readonly marks: readonly CalendarMark[]
}

export interface CalendarDay {
  readonly date: string
  readonly from: number
  readonly opens: number
  readonly closes: number
  readonly until: number
  readonly isToday: boolean
  readonly inSevenDays: number
}

interface DayHead {
  readonly day: number
  readonly x: number
  readonly y: number
  /** Above the first day, and where a month begins. */
  readonly month: string | null
  readonly weekday: string
  readonly number: string
  readonly isToday: boolean
}

interface LegendItem {
  readonly pattern: Pattern | 'open'
  readonly text: string
}

export interface CalendarLayout {
  readonly form: 'wide' | 'phone'
  readonly width: number
  readonly height: number
  /** The first day that is drawn, and how many are. */
  readonly first: number
  readonly shown: number
  readonly heads: readonly DayHead[]
  readonly lanes: readonly { channel: Channel; name: string; x: number; y: number }[]
  readonly hours: readonly { x: number; text: string }[]
  /** A row per channel; on a telephone a row per day. */
  readonly rows: readonly (readonly CalendarCell[])[]
  readonly today: Box | null
  /** Where the present minute is. */
  readonly now: { x1: number; y1: number; x2: number; y2: number } | null
  readonly legend: readonly LegendItem[]
  readonly hasMade: boolean
  readonly hasPlanned: boolean
}

export interface CalendarOptions {
  readonly width: number
  readonly language: Language
  /** The first day to draw where not all of them have room. */
  readonly first?: number | undefined
  /** The one that is drawn on a telephone. */
  readonly channel?: Channel | undefined
}

/** Whatever is no rule of the calendar holds the debtor or the channel. */
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
  insolvency: 'hold',
  wrong_person: 'hold',
  reply: 'hold',
  debtor: 'hold',
}

export const patternOf = (because: CalendarCause): Pattern => patterns[because]

const signs: Record<Contact['state'], MarkSign> = {
  reserved: 'bar',
  sending: 'bar',
  sent: 'bar',
  delivered: 'tick',
  unknown: 'question',
  bounced: 'cross',
  failed: 'cross',
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

interface Verdict {
  readonly from: number
  readonly until: number
  readonly piece: Piece
}

/** What holds in the hours that are drawn of a day, on one channel. */
function verdictsOf(pieces: readonly Piece[], day: CalendarDay): Verdict[] {
  const verdicts: Verdict[] = []
  for (const piece of pieces) {
    const from = Math.max(day.opens, Date.parse(piece.from))
    const until = Math.min(day.closes, Date.parse(piece.until))
    if (from < until) verdicts.push({ from, until, piece })
  }
  return verdicts
}

const wordsOf = (language: Language) => ({
  words: wordsIn(calendarWords, language),
  known: wordsIn(names, language),
})

/** `08:46`: a cell that opens in the middle of a minute is open from the next one on. */
const timeText = (moment: number, zone: string, language: Language) =>
  clockTime(Math.ceil(moment / 60_000) * 60_000, zone, language)

function openText(verdicts: readonly Verdict[], day: CalendarDay, zone: string, language: Language): string {
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
  const spans = open.map(({ from, until }) =>
    words.fromTo(timeText(from, zone, language), timeText(until, zone, language)),
  )
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

/** How many days have room, and the first of them. */
function rangeOf(days: readonly CalendarDay[], { width, first }: CalendarOptions) {
  const isPhone = width < phoneBelow
  const room = isPhone ? phoneDays : Math.floor((width - labelWidth) / columnMin)
  const shown = Math.min(days.length, room)
  const today = days.findIndex(({ isToday }) => isToday)
  const usual = today < 0 ? 0 : today - Math.floor(shown / (isPhone ? 7 : 3))
  return { isPhone, shown, first: Math.max(0, Math.min(first ?? usual, days.length - shown)), today }
}

export function layoutCalendar(calendar: ContactCalendar, options: CalendarOptions): CalendarLayout {
  const { width, language } = options
  const now = Date.parse(calendar.now)
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  const days = daysOf(calendar)
  const { isPhone, shown, first, today } = rangeOf(days, options)
  const visible = days.slice(first, first + shown)
  const channels = calendar.channels.filter(
    ({ channel }) => !isPhone || channel === (options.channel ?? calendar.channels[0]!.channel),
  )
  const column = Math.min(columnMax, (width - labelWidth) / Math.max(1, shown))
  const barWidth = width - phoneLabelWidth - 8
  const boxOf = (lane: number, index: number): Box =>
    isPhone
      ? { x: phoneLabelWidth, y: phoneHead + index * phoneRow, width: barWidth, height: phoneBar }
      : {
          x: labelWidth + index * column,
          y: headHeight + lane * (laneHeight + laneGap),
          width: column - 1,
          height: laneHeight,
        }
  /** A part of the day between 08:00 and 20:00, inside the box of its cell. */
  const partOf = (box: Box, day: CalendarDay, { from, until }: Verdict): Box => {
    const start = (from - day.opens) / (day.closes - day.opens)
    const share = (until - from) / (day.closes - day.opens)
    return isPhone
      ? { ...box, x: box.x + start * box.width, width: share * box.width }
      : { ...box, y: box.y + start * box.height, height: share * box.height }
  }
  /** The middle of a mark, which stays inside its cell. */
  const placeOf = (box: Box, day: CalendarDay, at: string) => {
    const share = Math.min(1, Math.max(0, (Date.parse(at) - day.opens) / (day.closes - day.opens)))
    return isPhone
      ? { x: box.x + 8 + share * (box.width - 16), y: box.y + box.height / 2 }
      : { x: box.x + box.width / 2, y: box.y + 8 + share * (box.height - 16) }
  }

  const cellOf = ({ channel, pieces }: (typeof channels)[number], lane: number, index: number) => {
    const day = visible[index]!
    const box = boxOf(lane, index)
    const verdicts = verdictsOf(pieces, day)
    const isHere = isInCell(channel, day)
    const time = (at: string) => clockTime(at, zone, language)
    const cell: CalendarCell = {
      ...box,
      channel,
      day: first + index,
      date: day.date,
      label: words.cell(
        weekday(day.from, zone, language),
        known.channels[channel],
        openText(verdicts, day, zone, language),
      ),
      segments: verdicts.map(verdict => ({
        ...verdict,
        ...partOf(box, day, verdict),
        pattern: verdict.piece.because === null ? null : patternOf(verdict.piece.because),
      })),
      marks: [
        ...calendar.contacts.filter(isHere).map(contact => ({
          id: contact.communicationId,
          ...placeOf(box, day, contact.at),
          channel,
          sign: signs[contact.state],
          time: time(contact.at),
          name: known.steps[contact.action],
          communicationId: contact.isOtherRecord ? null : contact.communicationId,
        })),
        ...calendar.planned.filter(isHere).map(planned => ({
          id: `${planned.at} ${planned.channel} ${planned.action}`,
          ...placeOf(box, day, planned.at),
          channel,
          sign: null,
          time: time(planned.at),
          name: known.steps[planned.action],
          communicationId: null,
        })),
      ],
    }
    return cell
  }

  const lanesOfCells = channels.map((line, lane) => visible.map((_, index) => cellOf(line, lane, index)))
  const cells = lanesOfCells.flat()
  const lanesHeight = channels.length * (laneHeight + laneGap) - laneGap
  const todayIndex = today - first
  const isTodayShown = today >= 0 && todayIndex >= 0 && todayIndex < shown
  const todayBox = isTodayShown ? boxOf(0, todayIndex) : null
  const nowShare = today < 0 ? -1 : (now - days[today]!.opens) / (days[today]!.closes - days[today]!.opens)
  const hasNow = todayBox !== null && nowShare >= 0 && nowShare <= 1
  return {
    form: isPhone ? 'phone' : 'wide',
    width,
    height: isPhone ? phoneHead + shown * phoneRow : headHeight + lanesHeight + 2,
    first,
    shown,
    heads: visible.map((day, index) => {
      const box = boxOf(0, index)
      const isFirst = index === 0 || day.date.endsWith('-01')
      const parts = headParts(day.date, language, isPhone || column >= wideColumn)
      return {
        day: first + index,
        x: isPhone ? 0 : box.x + box.width / 2,
        y: isPhone ? box.y + box.height / 2 + 4 : 0,
        month: isFirst ? parts.month : null,
        weekday: parts.weekday,
        number: parts.number,
        isToday: first + index === today,
      }
    }),
    lanes: channels.map(({ channel }, lane) => ({
      channel,
      name: known.channels[channel],
      x: 0,
      y: boxOf(lane, 0).y + laneHeight / 2,
    })),
    hours: isPhone
      ? [8, 12, 16, 20].map(hour => ({
          x: phoneLabelWidth + ((hour - 8) / 12) * barWidth,
          text: `${String(hour).padStart(2, '0')}:00`,
        }))
      : [],
    rows: isPhone ? cells.map(cell => [cell]) : lanesOfCells,
    today:
      todayBox === null
        ? null
        : isPhone
          ? { x: todayBox.x - 2, y: todayBox.y - 2, width: todayBox.width + 4, height: todayBox.height + 4 }
          : {
              x: todayBox.x - 1,
              y: headHeight - 2,
              width: todayBox.width + 2,
              height: lanesHeight + 4,
            },
    now: !hasNow
      ? null
      : isPhone
        ? {
            x1: todayBox.x + nowShare * todayBox.width,
            y1: todayBox.y - 2,
            x2: todayBox.x + nowShare * todayBox.width,
            y2: todayBox.y + todayBox.height + 2,
          }
        : null,
    legend: legendOf(cells, language),
    hasMade: cells.some(({ marks }) => marks.some(({ sign }) => sign !== null)),
    hasPlanned: cells.some(({ marks }) => marks.some(({ sign }) => sign === null)),
  }

  function legendOf(shownCells: readonly CalendarCell[], inLanguage: Language): LegendItem[] {
    const causes = new Map<Pattern, Set<string>>()
    let isOpen = false
    for (const { pattern, piece } of shownCells.flatMap(({ segments }) => segments)) {
      const { because, params } = piece
      if (pattern === null || because === null) {
        isOpen = true
        continue
      }
      const name =
        because === 'public_holiday'
          ? `${known.reasons.public_holiday} (${words.holiday(String(params.holiday))})`
          : known.reasons[because]
      causes.set(pattern, (causes.get(pattern) ?? new Set()).add(name))
    }
    const comma = new Intl.ListFormat(inLanguage, { type: 'unit', style: 'short' })
    return [
      ...(isOpen ? [{ pattern: 'open' as const, text: words.open }] : []),
      ...[...causes].map(([pattern, texts]) => ({ pattern, text: comma.format(texts) })),
    ]
  }
}

const headFormat = (locale: string, weekday: 'short' | 'narrow') =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', weekday, day: 'numeric', month: 'short' })
const headFormats = {
  fr: { short: headFormat('fr-FR', 'short'), narrow: headFormat('fr-FR', 'narrow') },
  en: { short: headFormat('en-GB', 'short'), narrow: headFormat('en-GB', 'narrow') },
}

function headParts(date: string, language: Language, isWide: boolean) {
  const part: Record<string, string> = {}
  for (const { type, value } of headFormats[language][isWide ? 'short' : 'narrow'].formatToParts(
    new Date(`${date}T00:00:00Z`),
  ))
    part[type] = value
  return { weekday: part['weekday']!, number: part['day']!, month: part['month']! }
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
  const verdicts = verdictsOf(line.pieces, day)
  const closing = closingPieces(verdicts)
  const isPast = day.until <= Date.parse(calendar.now)
  const isHere = isInCell(channel, day)
  const time = (at: string) => clockTime(at, zone, language)
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
    remedy: [...(isPast ? [] : remedies), ...(caps ? [words.ofTheWeek(day.inSevenDays, caps.perWeek)] : [])]
      .filter(Boolean)
      .join(' '),
  }

  /** When a cell opens that is closed, or that another rule than the hours closes before its end. */
  function openingText(): string {
    const last = verdicts.at(-1)?.piece
    if (!last || last.allowed) return ''
    const wasOpen = isOpenSometime(verdicts)
    if (wasOpen && isHours(last.because)) return ''
    if (line!.closed !== null) return words.closedForGood
    if (last.opensAt === null) return ''
    const at = Math.ceil(Date.parse(last.opensAt) / 60_000) * 60_000
    const text = words.dayAndTime(weekday(at, zone, language), clockTime(at, zone, language))
    return wasOpen ? words.opensAgainAt(text) : words.opensAt(text)
  }
}

const isInCell =
  (channel: Channel, day: CalendarDay) =>
  ({ at, channel: by }: Contact | Planned) =>
    by === channel && Date.parse(at) >= day.from && Date.parse(at) < day.until

/** The same days as a table: a row per day, a column per channel. */
export function calendarTwin(calendar: ContactCalendar, language: Language): Twin {
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  return {
    columns: [words.day, ...calendar.channels.map(({ channel }) => known.channels[channel])],
    rows: daysOf(calendar).map(day => [
      weekday(day.from, zone, language) + (day.isToday ? ` (${words.today})` : ''),
      ...calendar.channels.map(({ channel, pieces }) => {
        const verdicts = verdictsOf(pieces, day)
        const isHere = isInCell(channel, day)
        const causes = new Set(closingPieces(verdicts).map(({ because }) => known.reasons[because]))
        return [
          isOpenSometime(verdicts)
            ? openText(verdicts, day, zone, language)
            : words.dayClosed([...causes].join(', ')),
          ...calendar.contacts
            .filter(isHere)
            .map(({ at, action, state }) =>
              words.made(known.steps[action], clockTime(at, zone, language), words.states[state]),
            ),
          ...calendar.planned
            .filter(isHere)
            .map(({ at, action }) => words.plannedAt(known.steps[action], clockTime(at, zone, language))),
        ].join(' · ')
      }),
    ]),
  }
}

/** Where a key leads from a day; the caller asks for other days where this is outside the calendar. */
export function moveDay(days: readonly CalendarDay[], day: number, key: string): number {
  const weekdayNow = weekdayOf(days[day]!.date)
  if (key === 'previous') return day - 1
  if (key === 'next') return day + 1
  if (key === 'Home') return Math.max(0, day - (weekdayNow - 1))
  if (key === 'End') return Math.min(days.length - 1, day + (7 - weekdayNow))
  return day + (key === 'PageDown' ? 28 : -28)
}
