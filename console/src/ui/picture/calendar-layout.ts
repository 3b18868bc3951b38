import type { Channel, ContactCalendar } from '@relance/sdk'
import { clockTime, weekday } from '../../lib/format.ts'
import type { Language } from '../../lib/language.tsx'
import { nameOf, names } from '../../lib/names.ts'
import { localTime, nextMidnight, weekdayOf } from '../../lib/zone.ts'
import { calendarWords } from './calendar-words.ts'
import type { Pattern } from './patterns.tsx'
import type { Twin } from './picture.tsx'

/** What is drawn of a day: no rule allows anything before or after. */
const opensMinute = 8 * 60
const closesMinute = 20 * 60
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

type Contact = ContactCalendar['contacts'][number]
type Planned = ContactCalendar['planned'][number]
type Params = Readonly<Record<string, string | number>>
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
  readonly allowed: boolean
  readonly because: string | null
  readonly params: Params
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
  /** The time where the tenant is, in a sandbox its own. */
  readonly now: number
  /** The first day to draw where not all of them have room. */
  readonly first?: number | undefined
  /** The one that is drawn on a telephone. */
  readonly channel?: Channel | undefined
}

const patterns: Readonly<Record<string, Pattern>> = {
  outside_hours: 'hours',
  call_hours: 'hours',
  sunday: 'sunday',
  public_holiday: 'holiday',
  one_contact_a_day: 'day',
  channel_cooldown: 'cooldown',
  weekly_cap: 'cap',
  monthly_cap: 'cap',
  call_cap: 'cap',
}

/** Whatever is no rule of the calendar holds the debtor or the channel. */
export const patternOf = (because: string): Pattern =>
  Object.hasOwn(patterns, because) ? patterns[because]! : 'hold'

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

/** The days of the calendar, where the debtor is; one of them may have 23 or 25 hours. */
export function daysOf(calendar: ContactCalendar): CalendarDay[] {
  const zone = zoneOf(calendar)
  const end = Date.parse(calendar.until)
  const days: CalendarDay[] = []
  for (let from = Date.parse(calendar.from); from < end; ) {
    const until = nextMidnight(from, zone)
    const at = (minute: number) => {
      const guess = from + minute * 60_000
      return guess + (minute - localTime(guess, zone).minute) * 60_000
    }
    days.push({
      date: localTime(from, zone).date,
      from,
      opens: at(opensMinute),
      closes: at(closesMinute),
      until,
    })
    from = until
  }
  return days
}

interface Verdict {
  readonly from: number
  readonly until: number
  readonly allowed: boolean
  readonly because: string | null
  readonly params: Params
}

/** What holds in the hours that are drawn of a day, on one channel. */
export function verdictsOf(
  pieces: ContactCalendar['channels'][number]['pieces'],
  day: CalendarDay,
): Verdict[] {
  const verdicts: Verdict[] = []
  for (const { allowed, because, params, ...piece } of pieces) {
    const from = Math.max(day.opens, Date.parse(piece.from))
    const until = Math.min(day.closes, Date.parse(piece.until))
    if (from < until) verdicts.push({ from, until, allowed, because, params })
  }
  return verdicts
}

const wordsOf = (language: Language) =>
  ({
    words: language === 'en' ? calendarWords.en : calendarWords.fr,
    known: language === 'en' ? names.en : names.fr,
  }) as { words: typeof calendarWords.fr; known: typeof names.fr }

/** `08:46`: a cell that opens in the middle of a minute is open from the next one on. */
const timeText = (moment: number, zone: string, language: Language) =>
  clockTime(Math.ceil(moment / 60_000) * 60_000, zone, language)

function openText(verdicts: readonly Verdict[], day: CalendarDay, zone: string, language: Language): string {
  const { words } = wordsOf(language)
  const open: { from: number; until: number }[] = []
  for (const { allowed, from, until } of verdicts) {
    if (!allowed) continue
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

/** What closes a cell; the hours are a cause only where nothing else is. */
function causesOf(verdicts: readonly Verdict[]): { because: string; params: Params }[] {
  const closed = verdicts.flatMap(({ because, params }) => (because === null ? [] : [{ because, params }]))
  const others = closed.filter(({ because }) => !isHours(because))
  const isOpenSometime = verdicts.some(({ allowed }) => allowed)
  const told = others.length > 0 || isOpenSometime ? others : closed
  const seen = new Set<string>()
  return told.filter(cause => {
    const key = JSON.stringify(cause)
    return !seen.has(key) && seen.add(key)
  })
}

/** How many days have room, and the first of them. */
function rangeOf(days: readonly CalendarDay[], { width, now, first }: CalendarOptions) {
  const isPhone = width < phoneBelow
  const room = isPhone ? phoneDays : Math.floor((width - labelWidth) / columnMin)
  const shown = Math.min(days.length, room)
  const today = days.findIndex(day => now >= day.from && now < day.until)
  const usual = today < 0 ? 0 : today - Math.floor(shown / (isPhone ? 7 : 3))
  return { isPhone, shown, first: Math.max(0, Math.min(first ?? usual, days.length - shown)), today }
}

export function layoutCalendar(calendar: ContactCalendar, options: CalendarOptions): CalendarLayout {
  const { width, language, now } = options
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
    const isHere = ({ at, channel: by }: Contact | Planned) =>
      by === channel && Date.parse(at) >= day.from && Date.parse(at) < day.until
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
        pattern: verdict.because === null ? null : patternOf(verdict.because),
      })),
      marks: [
        ...calendar.contacts.filter(isHere).map(contact => ({
          id: contact.communicationId,
          ...placeOf(box, day, contact.at),
          channel,
          sign: signs[contact.state],
          time: time(contact.at),
          name: nameOf(known.steps, contact.action, known.steps.extra_message),
          communicationId: contact.isOtherRecord ? null : contact.communicationId,
        })),
        ...calendar.planned.filter(isHere).map(planned => ({
          id: `${planned.at} ${planned.channel} ${planned.action}`,
          ...placeOf(box, day, planned.at),
          channel,
          sign: null,
          time: time(planned.at),
          name: nameOf(known.steps, planned.action, known.steps.extra_message),
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
      const parts = headParts(day.date, language)
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
          x: phoneLabelWidth + ((hour * 60 - opensMinute) / (closesMinute - opensMinute)) * barWidth,
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
    for (const { pattern, because, params } of shownCells.flatMap(({ segments }) => segments)) {
      if (pattern === null || because === null) {
        isOpen = true
        continue
      }
      const name =
        because === 'public_holiday'
          ? `${known.reasons.public_holiday} (${params['holiday']})`
          : nameOf(known.reasons, because, known.unknownReason)
      causes.set(pattern, (causes.get(pattern) ?? new Set()).add(name))
    }
    const comma = new Intl.ListFormat(inLanguage, { type: 'unit', style: 'short' })
    return [
      ...(isOpen ? [{ pattern: 'open' as const, text: words.open }] : []),
      ...[...causes].map(([pattern, texts]) => ({ pattern, text: comma.format(texts) })),
    ]
  }
}

const headFormats = {
  fr: new Intl.DateTimeFormat('fr-FR', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' }),
  en: new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short' }),
}

function headParts(date: string, language: Language) {
  const part: Record<string, string> = {}
  for (const { type, value } of headFormats[language].formatToParts(new Date(`${date}T00:00:00Z`)))
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
  now: number,
  language: Language,
): CellSentence {
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  const line = calendar.channels.find(other => other.channel === channel)
  const day = daysOf(calendar).find(other => other.date === date)
  if (!line || !day) return { what: '', why: '', when: '', remedy: '' }
  const verdicts = verdictsOf(line.pieces, day)
  const causes = causesOf(verdicts)
  const isPast = day.until <= now
  const isHere = ({ at, channel: by }: Contact | Planned) =>
    by === channel && Date.parse(at) >= day.from && Date.parse(at) < day.until
  const time = (at: string) => clockTime(at, zone, language)
  const told = [
    ...calendar.contacts
      .filter(isHere)
      .map(({ at, action, state, counts, isOtherRecord }) =>
        words.made(
          nameOf(known.steps, action, known.steps.extra_message),
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
        words.plannedAt(nameOf(known.steps, action, known.steps.extra_message), time(at)),
        ...(shifts.length > 0
          ? [words.movedBecause([...new Set(shifts.map(({ because }) => known.reasons[because]))].join(', '))]
          : []),
      ]),
    ...causes.map(({ because, params }) =>
      Object.hasOwn(words.why, because)
        ? words.why[because as keyof typeof words.why](params)
        : `${nameOf(known.reasons, because, known.unknownReason)}.`,
    ),
  ]
  const remedies = causes.flatMap(({ because }) =>
    Object.hasOwn(words.remedy, because) ? [words.remedy[because as keyof typeof words.remedy]] : [],
  )
  return {
    what: `${words.cell(
      weekday(day.from, zone, language),
      known.channels[channel],
      openText(verdicts, day, zone, language),
    )}.`,
    why: told.join(' '),
    when: isPast ? '' : openingText(calendar, line, day, verdicts, language),
    remedy: isPast ? '' : [...new Set(remedies)].filter(Boolean).join(' '),
  }
}

/** When a cell opens that is closed now, or that another rule closes before its hours end. */
function openingText(
  calendar: ContactCalendar,
  line: ContactCalendar['channels'][number],
  day: CalendarDay,
  verdicts: readonly Verdict[],
  language: Language,
): string {
  const { words } = wordsOf(language)
  const zone = zoneOf(calendar)
  const isOpenSometime = verdicts.some(({ allowed }) => allowed)
  const last = verdicts.at(-1)
  if (isOpenSometime && (last?.allowed || isHours(last?.because ?? null))) return ''
  if (line.closed !== null) return words.closedForGood
  const after = isOpenSometime ? day.until : day.from
  const opening = line.pieces.find(({ allowed, until }) => allowed && Date.parse(until) > after)
  if (!opening) return words.staysClosed(weekday(Date.parse(calendar.until) - 1, zone, language))
  const at = Math.max(after, Date.parse(opening.from))
  const moment = `${weekday(at, zone, language)} ${timeText(at, zone, language)}`
  return isOpenSometime ? words.opensAgainAt(moment) : words.opensAt(moment)
}

/** The same days as a table: a row per day, a column per channel. */
export function calendarTwin(calendar: ContactCalendar, now: number, language: Language): Twin {
  const { words, known } = wordsOf(language)
  const zone = zoneOf(calendar)
  return {
    columns: [words.day, ...calendar.channels.map(({ channel }) => known.channels[channel])],
    rows: daysOf(calendar).map(day => [
      weekday(day.from, zone, language) + (now >= day.from && now < day.until ? ` (${words.today})` : ''),
      ...calendar.channels.map(({ channel, pieces }) => {
        const verdicts = verdictsOf(pieces, day)
        const isHere = ({ at, channel: by }: Contact | Planned) =>
          by === channel && Date.parse(at) >= day.from && Date.parse(at) < day.until
        const causes = causesOf(verdicts).map(({ because }) =>
          nameOf(known.reasons, because, known.unknownReason),
        )
        const isOpen = verdicts.some(({ allowed }) => allowed)
        return [
          isOpen ? openText(verdicts, day, zone, language) : words.dayClosed([...new Set(causes)].join(', ')),
          ...calendar.contacts
            .filter(isHere)
            .map(({ at, action, state }) =>
              words.made(
                nameOf(known.steps, action, known.steps.extra_message),
                clockTime(at, zone, language),
                words.states[state],
              ),
            ),
          ...calendar.planned
            .filter(isHere)
            .map(({ at, action }) =>
              words.plannedAt(
                nameOf(known.steps, action, known.steps.extra_message),
                clockTime(at, zone, language),
              ),
            ),
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
