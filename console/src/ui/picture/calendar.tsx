import type { Channel, ContactCalendar } from '@relance/sdk'
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Language, useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { addDays } from '../../lib/zone.ts'
import { CalendarDrawing, CalendarLegend } from './calendar-drawing.tsx'
import { layoutCalendar, moveDay } from './calendar-layout.ts'
import { calendarTable, daysOf, sentenceOfCell } from './calendar-sentences.ts'
import type { CalendarCell } from './calendar-shapes.ts'
import { calendarWords } from './calendar-words.ts'
import { Picture } from './picture.tsx'

interface Props {
  readonly calendar: ContactCalendar
  /** `Colmar · Europe/Paris · entreprise` */
  readonly place: string
  /** Asks for other days: a number of days, forwards or back. */
  readonly onMove: (days: number) => void
  /** Plans a message at the first moment of a cell that is open. */
  readonly onPlan?: ((channel: Channel, at: number) => void) | undefined
  /** Opens a message that was sent. */
  readonly onOpen?: ((communicationId: string) => void) | undefined
}

/** When a debtor may be contacted, per channel and day, and which rule forbids it. */
export function Calendar(props: Props) {
  const language = useLanguage()
  const words = useWords(calendarWords)
  const { calendar, place } = props
  return (
    <Picture label={words.label(place)} table={() => calendarTable(calendar, language)}>
      {width => <CalendarGrid {...props} width={width} language={language} />}
    </Picture>
  )
}

interface Focus {
  readonly channel: Channel
  readonly date: string
}

const moves: Readonly<Record<'wide' | 'phone', Readonly<Record<string, string>>>> = {
  wide: { ArrowLeft: 'previous', ArrowRight: 'next', ArrowUp: 'up', ArrowDown: 'down' },
  phone: { ArrowUp: 'previous', ArrowDown: 'next', ArrowLeft: 'up', ArrowRight: 'down' },
}
const dayKeys = ['previous', 'next', 'Home', 'End', 'PageUp', 'PageDown']

function CalendarGrid({
  calendar,
  width,
  language,
  onMove,
  onPlan,
  onOpen,
}: Props & { width: number; language: Language }) {
  const words = useWords(calendarWords)
  const known = useWords(names)
  const prefix = useId()
  const days = useMemo(() => daysOf(calendar), [calendar])
  const channels = calendar.channels.map(({ channel }) => channel)
  const today = days.find(({ isToday }) => isToday) ?? days[0]!
  const [focus, setFocus] = useState<Focus>({ channel: channels[0]!, date: today.date })
  const [first, setFirst] = useState<number | undefined>(undefined)
  const [isFocusSeen, setFocusSeen] = useState(false)
  const grid = useRef<SVGSVGElement>(null)
  const movesFocus = useRef(false)
  // Requested days may not be loaded yet; the focus moves when they are.
  const date = days.some(day => day.date === focus.date) ? focus.date : today.date
  const layout = useMemo(
    () => layoutCalendar(calendar, { width, language, first, channel: focus.channel }),
    [calendar, width, language, first, focus.channel],
  )
  const sentence = useMemo(
    () => sentenceOfCell(calendar, focus.channel, date, language),
    [calendar, focus.channel, date, language],
  )
  useEffect(() => {
    if (movesFocus.current)
      grid.current?.querySelector<SVGGElement>(`[data-cell="${focus.channel} ${date}"]`)?.focus()
    movesFocus.current = false
  }, [focus.channel, date])

  // The form for a telephone has other rows, so that its cells are created anew: the new cell takes the focus of the old one.
  const hadFocus = grid.current?.contains(document.activeElement) ?? false
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another form creates the cells anew
  useLayoutEffect(() => {
    if (hadFocus && !grid.current?.contains(document.activeElement))
      grid.current?.querySelector<SVGElement>('[role=gridcell][tabindex="0"]')?.focus()
  }, [layout.form])

  const show = (day: number) => {
    if (day < layout.first) setFirst(day)
    else if (day >= layout.first + layout.shown) setFirst(day - layout.shown + 1)
  }
  const goTo = (next: Focus) => {
    movesFocus.current = true
    setFocus(next)
  }
  const cells = layout.rows.flat()
  const focused = cells.find(cell => cell.channel === focus.channel && cell.date === date)
  const opensAt = focused && firstOpen(focused, Date.parse(calendar.now))
  const plan = () => {
    if (opensAt !== undefined) onPlan?.(focus.channel, opensAt)
  }
  const messageOf = focused?.marks.flatMap(({ communicationId, name, time }) =>
    communicationId === null ? [] : [{ communicationId, name, time }],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const key = moves[layout.form][event.key] ?? event.key
    const day = days.findIndex(other => other.date === date)
    if (key === 'up' || key === 'down') {
      const next = channels[channels.indexOf(focus.channel) + (key === 'up' ? -1 : 1)]
      if (next) goTo({ channel: next, date })
    } else if (dayKeys.includes(key)) {
      const next = moveDay(days, day, key)
      if (days[next]) {
        show(next)
        goTo({ channel: focus.channel, date: days[next].date })
      } else {
        movesFocus.current = true
        setFocus({ channel: focus.channel, date: addDays(date, next - day) })
        setFirst(undefined)
        onMove(next < 0 ? -28 : 28)
      }
    } else if (event.key === 'Enter') {
      const message = messageOf?.at(-1)
      if (message && onOpen) onOpen(message.communicationId)
      else plan()
    } else return
    event.preventDefault()
  }
  const page = (direction: 1 | -1) => {
    const next = layout.first + direction * layout.shown
    if (direction < 0 ? layout.first > 0 : next < days.length)
      setFirst(Math.max(0, Math.min(next, days.length - layout.shown)))
    else {
      setFirst(undefined)
      onMove(direction * 28)
    }
  }
  return (
    <div>
      {layout.form === 'phone' && (
        <div role="tablist" aria-label={words.channelTabs} className="mt-2 flex gap-1">
          {channels.map(channel => (
            <button
              key={channel}
              type="button"
              role="tab"
              aria-selected={channel === focus.channel}
              className="min-h-11 flex-1 border-b-2 border-line text-body aria-selected:border-brand aria-selected:font-semibold"
              onClick={() => setFocus({ channel, date })}
            >
              {known.channels[channel]}
            </button>
          ))}
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no table; the table is its table */}
      <svg
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: it is walked with the arrows
        role="grid"
        aria-label={words.grid}
        aria-describedby={`${prefix}-sentence`}
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        className="block max-w-full cursor-pointer select-none print:h-auto"
        onKeyDown={onKeyDown}
        onFocus={({ target }) => {
          setFocusSeen(target.matches(':focus-visible'))
          const [channel, on] = target.dataset.cell?.split(' ') ?? []
          if (channel && on) setFocus({ channel: channel as Channel, date: on })
        }}
        onBlur={() => setFocusSeen(false)}
      >
        <CalendarDrawing layout={layout} prefix={prefix} focused={focused} isFocusSeen={isFocusSeen} />
      </svg>
      <CalendarLegend layout={layout} prefix={prefix} channel={focus.channel} onPage={page} />
      {/* Reserves two lines, one with a button, so that other cells and late permissions do not shift the layout. */}
      <p id={`${prefix}-sentence`} aria-live="polite" className="mt-3 min-h-11 max-w-[72rem] text-body">
        <strong className="font-semibold first-letter:uppercase">{sentence.what}</strong>{' '}
        {calendar.stopped !== null && (
          <span className="text-alarm">{words.stopped(known.reasons[calendar.stopped])} </span>
        )}
        {sentence.why} {sentence.when} <span className="text-soft">{sentence.remedy}</span>
        {onOpen &&
          messageOf?.map(({ communicationId, name, time }) => (
            <button
              key={communicationId}
              type="button"
              className="ml-2 min-h-6 text-brand underline print:hidden"
              onClick={() => onOpen(communicationId)}
            >
              {words.openMessage(name, time)}
            </button>
          ))}
        {onPlan && opensAt !== undefined && (
          <button type="button" className="ml-2 min-h-6 text-brand underline print:hidden" onClick={plan}>
            {words.plan}
          </button>
        )}
      </p>
    </div>
  )
}

/** The first whole minute of a cell that is open and still to come. */
function firstOpen({ segments }: CalendarCell, now: number): number | undefined {
  const open = segments.find(({ pattern, until }) => pattern === null && until > now)
  return open && Math.ceil(Math.max(open.from, now) / 60_000) * 60_000
}
