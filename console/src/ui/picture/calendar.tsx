import type { Channel, ContactCalendar } from '@relance/sdk'
import {
  Fragment,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type Language, useLanguage, useWords } from '../../lib/language.tsx'
import { names } from '../../lib/names.ts'
import { addDays } from '../../lib/zone.ts'
import {
  type Box,
  type CalendarCell,
  type CalendarLayout,
  layoutCalendar,
  moveDay,
} from './calendar-layout.ts'
import { calendarTable, daysOf, sentenceOfCell } from './calendar-sentences.ts'
import { calendarWords } from './calendar-words.ts'
import { ContactMark } from './marks.tsx'
import { type Pattern, Patterns, patternUrl, Swatch } from './patterns.tsx'
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
  const segments = cells.flatMap(cell => cell.segments)
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
  const used = layout.legend.flatMap(({ pattern }) => (pattern === 'open' ? [] : [pattern]))
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
        <Patterns prefix={prefix} used={used} />
        <Heads layout={layout} />
        {layout.form === 'wide' &&
          layout.lanes.map(({ channel, name, y }) => (
            <text key={channel} x={0} y={y + 4} className="fill-ink text-head">
              {name}
            </text>
          ))}
        {used.map(pattern => (
          <path
            key={pattern}
            d={segments.flatMap(segment => (segment.pattern === pattern ? outlineOf(segment) : [])).join('')}
            fill={patternUrl(prefix, pattern)}
          />
        ))}
        {layout.rows.map(row => (
          // The key must not depend on how many days fit: an element that is created again loses the focus.
          // biome-ignore lint/a11y/useSemanticElements: a picture has no table rows
          <g key={layout.form === 'wide' ? row[0]?.channel : row[0]?.date} role="row" fill="transparent">
            {row.map(cell => cellOf(cell, cell === focused))}
          </g>
        ))}
        <path
          d={cells.map(outlineOf).join('')}
          className="pointer-events-none fill-none stroke-line forced-colors:stroke-[GrayText] print:stroke-[gray]"
        />
        {cells.map(
          ({ channel, date: on, marks }) =>
            marks.length > 0 && (
              <g key={`${channel} ${on}`} data-in={`${channel} ${on}`} className="pointer-events-none">
                {marks.map(({ id, x, y, sign }) => (
                  <ContactMark key={id} x={x} y={y} channel={channel} sign={sign} />
                ))}
              </g>
            ),
        )}
        {layout.today && (
          <rect
            {...layout.today}
            rx={2}
            strokeWidth={2}
            className="pointer-events-none fill-transparent stroke-ink forced-colors:stroke-[Highlight]"
          />
        )}
        {layout.now && (
          <line
            {...layout.now}
            strokeWidth={1.5}
            className="pointer-events-none stroke-alarm forced-colors:stroke-[Highlight]"
          />
        )}
        <FocusFrame cell={focused} isFocusSeen={isFocusSeen} />
      </svg>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-mark text-soft">
        {layout.legend.map(({ pattern, text }) => (
          <LegendItem key={pattern} prefix={prefix} pattern={pattern} text={text} />
        ))}
        {layout.hasMade && (
          <span className="flex items-center gap-1.5">
            <svg width={14} height={14} aria-hidden="true">
              <ContactMark x={7} y={7} channel={focus.channel} sign="bar" />
            </svg>
            {words.legendMade}
          </span>
        )}
        {layout.hasPlanned && (
          <span className="flex items-center gap-1.5">
            <svg width={14} height={14} aria-hidden="true">
              <ContactMark x={7} y={7} channel={focus.channel} sign={null} />
            </svg>
            {words.legendPlanned}
          </span>
        )}
        <span className="ml-auto flex gap-2">
          <button
            type="button"
            className="min-h-6 rounded-control px-2 underline print:hidden"
            onClick={() => page(-1)}
          >
            {words.earlier}
          </button>
          <button
            type="button"
            className="min-h-6 rounded-control px-2 underline print:hidden"
            onClick={() => page(1)}
          >
            {words.later}
          </button>
        </span>
      </div>
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

/** All borders are one path, and all segments of one cause are one path: a rectangle each would double the elements. */
const outlineOf = ({ x, y, width, height }: Box) => `M${x} ${y}h${width}v${height}h${-width}z`

/** The first whole minute of a cell that is open and still to come. */
function firstOpen({ segments }: CalendarCell, now: number): number | undefined {
  const open = segments.find(({ pattern, until }) => pattern === null && until > now)
  return open && Math.ceil(Math.max(open.from, now) / 60_000) * 60_000
}

function LegendItem({ prefix, pattern, text }: { prefix: string; pattern: Pattern | 'open'; text: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <Swatch prefix={prefix} pattern={pattern} />
      {text}
    </span>
  )
}

function Heads({ layout: { form, heads, hours } }: { layout: CalendarLayout }) {
  if (form === 'phone')
    return (
      <g>
        {hours.map(({ x, text }, i) => (
          <text
            key={text}
            x={x}
            y={16}
            textAnchor={i === 0 ? 'start' : i === hours.length - 1 ? 'end' : 'middle'}
            className="fill-soft text-mark"
          >
            {text}
          </text>
        ))}
        {heads.map(({ day, y, weekday, number, month, isToday }) => (
          <text key={day} x={0} y={y} className={`text-head ${isToday ? 'fill-ink font-bold' : 'fill-soft'}`}>
            {`${weekday} ${number}${month ? ` ${month}` : ''}`}
          </text>
        ))}
      </g>
    )
  const isNarrow = heads.every(({ weekday }) => weekday.length === 1)
  return (
    <g textAnchor="middle">
      {/* One text element for all letters, each with its own x. */}
      {isNarrow && (
        <text x={heads.map(({ x }) => x).join(' ')} y={26} className="fill-soft text-[0.6875rem]">
          {heads.map(({ weekday }) => weekday).join('')}
        </text>
      )}
      {heads.map(({ day, x, weekday, number, month, isToday }) => {
        const colour = isToday ? 'fill-ink font-bold' : 'fill-soft'
        return (
          <Fragment key={day}>
            {month && (
              <text x={x} y={11} className="fill-ink text-mark font-semibold">
                {month}
              </text>
            )}
            {!isNarrow && (
              <text x={x} y={26} className={`text-[0.6875rem] ${colour}`}>
                {weekday}
              </text>
            )}
            <text x={x} y={41} className={`text-mark ${colour}`}>
              {number}
            </text>
          </Fragment>
        )
      })}
    </g>
  )
}

/** A function, not a component: there are hundreds of cells, and each component costs memory in React. */
function cellOf({ channel, date, label, marks, x, y, width, height }: CalendarCell, isFocused: boolean) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture has no table cells
    <rect
      key={`${channel} ${date}`}
      role="gridcell"
      tabIndex={isFocused ? 0 : -1}
      {...(isFocused && { className: 'outline-none' })}
      aria-label={[label, ...marks.map(({ name, time }) => `${name} ${time}`)].join(', ')}
      data-cell={`${channel} ${date}`}
      x={x}
      y={y}
      width={width}
      height={height}
    />
  )
}

/** Marks the cell of the sentence, and whether it has the keyboard focus. Drawn last, so that no other cell covers it. */
function FocusFrame({ cell, isFocusSeen }: { cell: CalendarCell | undefined; isFocusSeen: boolean }) {
  if (!cell) return null
  const stroke = isFocusSeen
    ? 'stroke-focus stroke-3 forced-colors:stroke-[Highlight]'
    : 'stroke-ink stroke-2 forced-colors:stroke-[CanvasText]'
  return (
    <rect
      x={cell.x - 1}
      y={cell.y - 1}
      width={cell.width + 2}
      height={cell.height + 2}
      rx={2}
      className={`pointer-events-none fill-transparent print:hidden ${stroke}`}
    />
  )
}
