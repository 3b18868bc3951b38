import type { Channel } from '@relance/sdk'
import { Fragment } from 'react'
import { useWords } from '../../lib/language.tsx'
import type { Box, CalendarCell, CalendarLayout } from './calendar-shapes.ts'
import { calendarWords } from './calendar-words.ts'
import { ContactMark } from './marks.tsx'
import { type Pattern, Patterns, patternUrl, Swatch } from './patterns.tsx'

/** What is inside the picture of the calendar, from the back to the front. */
export function CalendarDrawing({
  layout,
  prefix,
  focused,
  isFocusSeen,
}: {
  layout: CalendarLayout
  prefix: string
  focused: CalendarCell | undefined
  isFocusSeen: boolean
}) {
  const cells = layout.rows.flat()
  const segments = cells.flatMap(cell => cell.segments)
  const used = layout.legend.flatMap(({ pattern }) => (pattern === 'open' ? [] : [pattern]))
  return (
    <>
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
    </>
  )
}

/** What the patterns and marks mean, and the buttons for earlier and later days. */
export function CalendarLegend({
  layout,
  prefix,
  channel,
  onPage,
}: {
  layout: CalendarLayout
  prefix: string
  channel: Channel
  onPage: (direction: 1 | -1) => void
}) {
  const words = useWords(calendarWords)
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-mark text-soft">
      {layout.legend.map(({ pattern, text }) => (
        <LegendItem key={pattern} prefix={prefix} pattern={pattern} text={text} />
      ))}
      {layout.made.map(sign => (
        <span key={sign} className="flex items-center gap-1.5">
          <svg width={14} height={14} aria-hidden="true">
            <ContactMark x={7} y={7} channel={channel} sign={sign} />
          </svg>
          {words.legendMade[sign]}
        </span>
      ))}
      {layout.hasPlanned && (
        <span className="flex items-center gap-1.5">
          <svg width={14} height={14} aria-hidden="true">
            <ContactMark x={7} y={7} channel={channel} sign={null} />
          </svg>
          {words.legendPlanned}
        </span>
      )}
      <span className="ml-auto flex gap-2">
        <button
          type="button"
          className="min-h-6 rounded-control px-2 underline print:hidden"
          onClick={() => onPage(-1)}
        >
          {words.earlier}
        </button>
        <button
          type="button"
          className="min-h-6 rounded-control px-2 underline print:hidden"
          onClick={() => onPage(1)}
        >
          {words.later}
        </button>
      </span>
    </div>
  )
}

/** All borders are one path, and all segments of one cause are one path: a rectangle each would double the elements. */
const outlineOf = ({ x, y, width, height }: Box) => `M${x} ${y}h${width}v${height}h${-width}z`

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
