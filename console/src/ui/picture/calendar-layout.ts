import type { ContactCalendar } from '@relance/sdk'
import { daysOfWeek, monthsOfYear } from '../../lib/date-names.ts'
import { clockTime, weekday } from '../../lib/format.ts'
import type { Language } from '../../lib/language.tsx'
import { weekdayOf } from '../../lib/zone.ts'
import {
  type CalendarDay,
  daysOf,
  isInCell,
  openText,
  timesOf,
  type Verdict,
  verdictsOf,
  wordsOf,
  zoneOf,
} from './calendar-sentences.ts'
import type { Box, CalendarCell, CalendarLayout, CalendarOptions, LegendItem } from './calendar-shapes.ts'
import { markSigns, patternOf, signs } from './contact-signs.ts'
import type { Pattern } from './patterns.tsx'

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
/** From this width on, the labels of four hours fit in one row. */
const phoneHoursWidth = 200
/** Targets are at least 24 pixels wide. */
const columnMin = 24
const columnMax = 46
/** From this width on the short names of the days fit; below it, only their letters. */
const wideColumn = 30

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
  const channels = calendar.channels
    .filter(({ channel }) => !isPhone || channel === (options.channel ?? calendar.channels[0]!.channel))
    .map(({ channel, pieces }) => ({ channel, times: timesOf(pieces) }))
  const dayNames = visible.map(day => weekday(day.from, zone, language))
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

  const cellOf = ({ channel, times }: (typeof channels)[number], lane: number, index: number) => {
    const day = visible[index]!
    const box = boxOf(lane, index)
    const verdicts = verdictsOf(times, day)
    const isHere = isInCell(channel, day)
    const time = (at: string) => clockTime(at, zone)
    const cell: CalendarCell = {
      ...box,
      channel,
      day: first + index,
      date: day.date,
      label: words.cell(dayNames[index]!, known.channels[channel], openText(verdicts, day, zone, language)),
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
      ? (barWidth < phoneHoursWidth ? [8, 14, 20] : [8, 12, 16, 20]).map(hour => ({
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
    legend: legendOf(cells),
    made: markSigns.filter(made => cells.some(({ marks }) => marks.some(({ sign }) => sign === made))),
    hasPlanned: cells.some(({ marks }) => marks.some(({ sign }) => sign === null)),
  }

  function legendOf(shownCells: readonly CalendarCell[]): LegendItem[] {
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
          ? `${known.reasons.public_holiday} (${params.holiday})`
          : known.reasons[because]
      causes.set(pattern, (causes.get(pattern) ?? new Set()).add(name))
    }
    return [
      ...(isOpen ? [{ pattern: 'open' as const, text: words.open }] : []),
      ...[...causes].map(([pattern, texts]) => ({ pattern, text: [...texts].join(', ') })),
    ]
  }
}

function headParts(date: string, language: Language, isWide: boolean) {
  return {
    weekday: daysOfWeek[language][isWide ? 'short' : 'narrow'][weekdayOf(date) - 1]!,
    number: String(Number(date.slice(8))),
    month: monthsOfYear[language].short[Number(date.slice(5, 7)) - 1]!,
  }
}

/** The day that a key moves to. It may be outside the calendar; then the caller loads other days. */
export function moveDay(days: readonly CalendarDay[], day: number, key: string): number {
  const weekdayNow = weekdayOf(days[day]!.date)
  if (key === 'previous') return day - 1
  if (key === 'next') return day + 1
  if (key === 'Home') return Math.max(0, day - (weekdayNow - 1))
  if (key === 'End') return Math.min(days.length - 1, day + (7 - weekdayNow))
  return day + (key === 'PageDown' ? 28 : -28)
}
