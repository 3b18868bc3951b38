import type { Channel } from '@relance/sdk'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Picture } from './picture.tsx'
import {
  type Column,
  layoutRibbon,
  type Ribbon as RibbonData,
  type RibbonLayout,
  ribbonTable,
  ribbonWords,
  type Segment,
} from './ribbon-layout.ts'

interface Props {
  readonly ribbon: RibbonData
  /** The URL of the list of planned messages of a bar or, if there are none, of sent ones. */
  readonly listOf: (column: Column) => string
  /** Goes to such an address without loading the page anew. */
  readonly onOpen: (address: string) => void
}

// On paper and with forced colours, sent is solid and planned is an outline.
const leftClass: Record<Channel, string> = {
  email: 'fill-email',
  sms: 'fill-sms',
  voice: 'fill-voice',
  lrar: 'fill-lrar',
}
const plannedClass: Record<Channel, string> = {
  email: 'fill-email/28',
  sms: 'fill-sms/28',
  voice: 'fill-voice/28',
  lrar: 'fill-lrar/28',
}
const solid = 'print:fill-[black] forced-colors:fill-[CanvasText]'
const outline =
  'print:fill-[white] print:stroke-[black] forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText]'
const alarm = 'fill-alarm print:fill-[black] forced-colors:fill-[Mark]'

/** Planned and sent messages of a day: a bar per quarter hour, on a phone one per hour. */
export function Ribbon({ ribbon, listOf, onOpen }: Props) {
  const language = useLanguage()
  const { label } = useWords(ribbonWords)
  return (
    <Picture label={label} table={() => ribbonTable(ribbon, language)}>
      {width => <Bars ribbon={ribbon} width={width} listOf={listOf} onOpen={onOpen} />}
    </Picture>
  )
}

function Bars({ ribbon, width, listOf, onOpen }: Props & { readonly width: number }) {
  const language = useLanguage()
  const { label, opens, opensMessages } = useWords(ribbonWords)
  const layout = useMemo(() => layoutRibbon(ribbon, width, language), [ribbon, width, language])
  const { columns } = layout
  const marks = useRef<(SVGElement | HTMLElement | null)[]>([])
  const [looked, setLooked] = useState<string | null>(null)
  const [walked, setWalked] = useState<string | null>(null)
  // A column is identified by its time, because its index changes with new data.
  const walkedIndex = columns.findIndex(({ from }) => from === walked)
  const upcoming = columns.findIndex(({ hasPlanned }) => hasPlanned)
  const entry = walkedIndex >= 0 ? walkedIndex : Math.max(0, upcoming)
  const shown = columns.find(({ from }) => from === looked)

  const walk = (event: KeyboardEvent, i: number) => {
    const to = { ArrowLeft: i - 1, ArrowRight: i + 1, Home: 0, End: columns.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    marks.current[Math.max(0, Math.min(columns.length - 1, to))]?.focus()
  }

  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in */}
      <svg
        role="group"
        aria-label={label}
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        className="block max-w-full overflow-visible text-mark print:h-auto"
        onPointerLeave={() => setLooked(null)}
      >
        <Axis {...layout} />
        {columns.map((column, i) => (
          <Mark
            key={column.from}
            column={column}
            top={layout.top}
            baseline={layout.baseline}
            address={listOf(column)}
            isEntry={i === entry}
            isLooked={column.from === looked}
            onOpen={onOpen}
            onLook={isLooked => setLooked(isLooked ? column.from : null)}
            onWalk={() => {
              setWalked(column.from)
              setLooked(column.from)
            }}
            onKey={event => walk(event, i)}
            hold={element => {
              marks.current[i] = element
            }}
          />
        ))}
        {layout.channels.map(channel => (
          <Edges key={channel} columns={columns} channel={channel} />
        ))}
        <Now {...layout} />
        {layout.empty && (
          <text
            x={layout.width / 2}
            y={layout.top + (layout.baseline - layout.top) / 2}
            textAnchor="middle"
            className="fill-soft stroke-sheet stroke-8 text-body [paint-order:stroke]"
          >
            {layout.empty}
          </text>
        )}
      </svg>
      <div className="mt-2 min-h-10 text-body sm:min-h-5 print:hidden" aria-hidden="true">
        {shown ? `${shown.text} ${shown.hasPlanned ? opens : opensMessages}` : <Legend {...layout} />}
      </div>
    </>
  )
}

function Axis({ hours, top, baseline, height, width, scale }: RibbonLayout) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a picture has no focus
    <g aria-hidden="true">
      {hours.map(({ x, text, anchor }) => (
        <g key={x}>
          <line x1={x} x2={x} y1={top} y2={baseline} className="stroke-line" />
          {text && (
            <text x={x} y={height - 6} textAnchor={anchor} className="fill-soft">
              {text}
            </text>
          )}
        </g>
      ))}
      <line x1={hours[0]!.x} x2={hours.at(-1)!.x} y1={baseline} y2={baseline} className="stroke-edge" />
      {scale && (
        <>
          <line
            x1={hours[0]!.x}
            x2={hours.at(-1)!.x}
            y1={scale.y}
            y2={scale.y}
            strokeDasharray="2 4"
            className="stroke-edge"
          />
          <text x={width - 20} y={scale.y - 4} textAnchor="end" className="fill-soft">
            {scale.text}
          </text>
        </>
      )}
    </g>
  )
}

interface MarkProps {
  readonly column: Column
  readonly top: number
  readonly baseline: number
  readonly address: string
  readonly isEntry: boolean
  readonly isLooked: boolean
  readonly onOpen: (address: string) => void
  readonly onLook: (isLooked: boolean) => void
  readonly onWalk: () => void
  readonly onKey: (event: KeyboardEvent) => void
  readonly hold: (element: SVGElement | HTMLElement | null) => void
}

/** A link to the list of the messages of a bar. */
function Mark(props: MarkProps) {
  const { column, top, baseline, address, isEntry, isLooked, onOpen, onLook, onWalk, onKey, hold } = props
  const around = {
    ref: hold,
    tabIndex: isEntry ? 0 : -1,
    'aria-label': column.text,
    'data-from': column.from,
    className: 'outline-none [&:focus-visible>.frame]:stroke-focus',
    onFocus: onWalk,
    onBlur: () => onLook(false),
    onPointerEnter: () => onLook(true),
    onKeyDown: onKey,
  }
  const drawn = (
    <>
      <rect
        x={column.x}
        y={top}
        width={column.width}
        height={baseline - top}
        strokeWidth={2}
        className={`frame stroke-transparent ${isLooked ? 'fill-calm' : 'fill-transparent'}`}
      />
      {column.segments.map(segment => (
        <Bar key={`${segment.kind} ${segment.channel}`} {...column.bar} segment={segment} />
      ))}
      {column.cap && (
        <rect {...column.bar} y={column.cap.y} height={4} rx={1} className={alarm} data-mark="cap" />
      )}
    </>
  )
  return (
    <a
      {...around}
      href={address}
      onClick={event => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onOpen(address)
      }}
    >
      {drawn}
    </a>
  )
}

function Bar({ x, width, segment }: { x: number; width: number; segment: Segment }) {
  const { channel, kind, y, height, n } = segment
  const data = { 'data-mark': `${kind} ${channel}`, 'data-n': n }
  if (kind === 'left')
    return <rect {...{ x, y, width, height }} {...data} className={`${leftClass[channel]} ${solid}`} />
  return <rect {...{ x, y, width, height }} {...data} className={`${plannedClass[channel]} ${outline}`} />
}

/** The upper edges of all planned segments of a channel, as one path: a full day has hundreds. */
function Edges({ columns, channel }: { columns: readonly Column[]; channel: Channel }) {
  const edges = columns.flatMap(({ bar: { x, width }, segments }) =>
    segments
      .filter(segment => segment.kind === 'planned' && segment.channel === channel)
      .map(({ y }) => `M${x} ${y}h${width}v1.5h${-width}z`),
  )
  if (edges.length === 0) return null
  return <path d={edges.join('')} className={`pointer-events-none ${leftClass[channel]} ${solid}`} />
}

function Now({ now, baseline, top }: RibbonLayout) {
  if (!now) return null
  const { x, text, anchor } = now
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a picture has no focus
    <g aria-hidden="true" className="pointer-events-none">
      <line
        x1={x}
        x2={x}
        y1={top - 6}
        y2={baseline}
        strokeWidth={1.5}
        className="stroke-alarm print:stroke-[black]"
      />
      <path d={`M${x - 5} ${top - 12}h10l-5 7z`} className={alarm} />
      <text
        x={anchor === 'start' ? x + 8 : x - 8}
        y={top - 6}
        textAnchor={anchor}
        className="fill-alarm font-semibold print:fill-[black]"
      >
        {text}
      </text>
    </g>
  )
}

/** Only the drawn channels and states. */
function Legend({ channels, columns, hasTrouble }: RibbonLayout) {
  const words = useWords(ribbonWords)
  const kinds = new Set(columns.flatMap(({ segments }) => segments.map(({ kind }) => kind)))
  const swatch = 'inline-block size-3 rounded-bar'
  const background: Record<Channel, string> = {
    email: 'bg-email',
    sms: 'bg-sms',
    voice: 'bg-voice',
    lrar: 'bg-lrar',
  }
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-mark leading-5 text-soft">
      {channels.map(channel => (
        <li key={channel} className="flex items-center gap-1.5">
          <span className={`${swatch} ${background[channel]}`} />
          {words.channels[channel]}
        </li>
      ))}
      {kinds.has('left') && (
        <li className="flex items-center gap-1.5">
          <span className={`${swatch} bg-edge`} />
          {words.left}
        </li>
      )}
      {kinds.has('planned') && (
        <li className="flex items-center gap-1.5">
          <span className={`${swatch} border-t-2 border-edge bg-edge/28`} />
          {words.planned}
        </li>
      )}
      {hasTrouble && (
        <li className="flex items-center gap-1.5">
          <span className="inline-block h-1 w-3 bg-alarm" />
          {words.trouble}
        </li>
      )}
    </ul>
  )
}
