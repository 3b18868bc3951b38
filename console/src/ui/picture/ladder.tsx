import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import {
  type LadderInput,
  type LadderLayout,
  type LadderMark,
  ladderTable,
  layoutLadder,
} from './ladder-layout.ts'
import { ladderWords } from './ladder-words.ts'
import { ContactMark, channelFill, channelStroke } from './marks.tsx'
import { Patterns, patternUrl } from './patterns.tsx'
import { Picture } from './picture.tsx'

interface Props {
  readonly input: LadderInput
  /** Opens a message that was sent. */
  readonly onOpen: (communicationId: string) => void
}

/** The steps of an invoice by date: done and planned, with the reasons that moved or hold them. */
export function Ladder({ input, onOpen }: Props) {
  const language = useLanguage()
  const { label } = useWords(ladderWords)
  return (
    <Picture label={label} table={() => ladderTable(input, language)}>
      {width => <LadderPicture layout={layoutLadder(input, width, language)} label={label} onOpen={onOpen} />}
    </Picture>
  )
}

function LadderPicture({
  layout,
  label,
  onOpen,
}: {
  layout: LadderLayout
  label: string
  onOpen: (communicationId: string) => void
}) {
  const words = useWords(ladderWords)
  const prefix = useId()
  const svg = useRef<SVGSVGElement>(null)
  const next = layout.marks.findIndex(({ kind }) => kind === 'next')
  const [chosen, setChosen] = useState<number | null>(null)
  const last = layout.marks.length - 1
  const current = Math.min(chosen ?? (next < 0 ? last : next), last)
  const told = layout.marks[current]
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const to =
      key === 'ArrowRight' || key === 'ArrowDown'
        ? Math.min(last, current + 1)
        : key === 'ArrowLeft' || key === 'ArrowUp'
          ? Math.max(0, current - 1)
          : key === 'Home'
            ? 0
            : key === 'End'
              ? last
              : null
    if (to === null) {
      if (key === 'Enter' && told?.communicationId) onOpen(told.communicationId)
      return
    }
    event.preventDefault()
    setChosen(to)
    svg.current?.querySelector<SVGGElement>(`[data-mark="${to}"]`)?.focus()
  }
  if (layout.marks.length === 0) return <p className="py-4 text-soft">{words.nothing}</p>
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a picture is no form */}
      <svg
        ref={svg}
        role="group"
        aria-label={label}
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
        className="mt-2 block max-w-full print:h-auto"
        onKeyDown={onKeyDown}
      >
        <Patterns prefix={prefix} used={['hold']} />
        {layout.form === 'wide' && <Axis layout={layout} prefix={prefix} />}
        {layout.today && <Today layout={layout} text={words.today} />}
        {layout.marks.map((mark, index) => (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a mark is read as one picture
          <g
            key={mark.id}
            role="img"
            aria-label={mark.sentence}
            tabIndex={index === current ? 0 : -1}
            data-mark={index}
            className={`group outline-none ${mark.communicationId ? 'cursor-pointer' : ''}`}
            onFocus={() => setChosen(index)}
            onClick={() => mark.communicationId && onOpen(mark.communicationId)}
          >
            <Mark mark={mark} layout={layout} />
          </g>
        ))}
      </svg>
      {told && (
        <p aria-live="polite" className="mt-2 min-h-10 text-body first-letter:uppercase">
          {told.sentence}
        </p>
      )}
    </>
  )
}

function Axis({ layout, prefix }: { layout: LadderLayout; prefix: string }) {
  return (
    <g>
      {layout.ticks.map(({ x, text }) => (
        <g key={x}>
          <line
            x1={x}
            x2={x}
            y1={18}
            y2={layout.height}
            className="stroke-line forced-colors:stroke-[GrayText] print:stroke-[gray]"
          />
          {text && (
            <text x={x} y={12} textAnchor="middle" className="fill-soft text-mark">
              {text}
            </text>
          )}
        </g>
      ))}
      <line
        x1={0}
        x2={layout.width}
        y1={layout.lineY}
        y2={layout.lineY}
        strokeWidth={2}
        className="stroke-edge forced-colors:stroke-[CanvasText] print:stroke-[black]"
      />
      {/* Drawn before all names, which cover the lines where they cross. */}
      {layout.marks.map(
        ({ id, kind, x, y, text }) =>
          kind !== 'payment' && (
            <line
              key={id}
              x1={x}
              x2={x}
              y1={y}
              y2={text.isAbove ? text.y + 18 : text.y - 12}
              className="stroke-edge forced-colors:stroke-[CanvasText]"
            />
          ),
      )}
      {layout.bands.map(({ x, y, width, text, textX, textY }) => (
        <g key={`${x} ${text}`}>
          <rect
            x={x}
            y={y}
            width={width}
            height={10}
            fill={patternUrl(prefix, 'hold')}
            className="stroke-edge"
          />
          <text x={textX} y={textY} className={`fill-soft text-mark ${halo}`}>
            {text}
          </text>
        </g>
      ))}
      {layout.wall && (
        <g>
          <rect
            x={layout.wall.x}
            y={16}
            width={5}
            height={layout.height - 16}
            className="fill-ink forced-colors:fill-[CanvasText] print:fill-[black]"
          />
          <text
            x={layout.wall.x - 6}
            y={layout.height - 4}
            textAnchor="end"
            className="fill-ink text-mark font-semibold"
          >
            {layout.wall.text}
          </text>
        </g>
      )}
    </g>
  )
}

function Today({ layout: { form, width, today }, text }: { layout: LadderLayout; text: string }) {
  if (!today) return null
  const stroke = 'stroke-alarm forced-colors:stroke-[Highlight] print:stroke-[black]'
  if (form === 'phone')
    return (
      <g>
        <line x1={0} x2={width} y1={today.y} y2={today.y} strokeWidth={1.5} className={stroke} />
        <text x={width} y={today.y - 4} textAnchor="end" className="fill-alarm text-mark font-semibold">
          {text}
        </text>
      </g>
    )
  const isRight = today.x > width - 80
  return (
    <g>
      <line x1={today.x} x2={today.x} y1={18} y2={today.y} strokeWidth={1.5} className={stroke} />
      <text
        x={today.x + (isRight ? -5 : 5)}
        y={today.y - 4}
        textAnchor={isRight ? 'end' : 'start'}
        className="fill-alarm text-mark font-semibold"
      >
        {text}
      </text>
    </g>
  )
}

function Mark({ mark, layout }: { mark: LadderMark; layout: LadderLayout }) {
  const { x, y, text, ownX } = mark
  const isWide = layout.form === 'wide'
  return (
    <>
      <rect x={x - 12} y={y - 12} width={24} height={24} className="fill-transparent" />
      {isWide && ownX !== null && <Moved from={ownX} to={x} y={y} />}
      <Sign mark={mark} />
      <circle
        cx={x}
        cy={y}
        r={14}
        strokeWidth={3}
        className="fill-transparent stroke-transparent group-focus-visible:stroke-focus"
      />
      <text
        x={text.x}
        y={text.y}
        textAnchor={text.anchor}
        className={`fill-ink text-head ${halo} ${mark.kind === 'next' ? 'font-bold' : ''}`}
      >
        {mark.name}
      </text>
      {mark.detail && (
        <text
          x={text.x}
          y={text.y + 14}
          textAnchor={text.anchor}
          className={`fill-soft text-[0.6875rem] ${halo}`}
        >
          {mark.detail}
        </text>
      )}
    </>
  )
}

/** Lines pass behind the words. */
const halo =
  'stroke-sheet stroke-[4px] [paint-order:stroke] forced-colors:stroke-[Canvas] print:stroke-[white]'

/** A small tick at the original day, and an arrow to the new one. */
function Moved({ from, to, y }: { from: number; to: number; y: number }) {
  const end = to - (to > from ? 13 : -13)
  const back = to > from ? -5 : 5
  const stroke = 'fill-transparent stroke-ink forced-colors:stroke-[CanvasText] print:stroke-[black]'
  return (
    <g>
      <line x1={from} x2={from} y1={y - 6} y2={y + 6} strokeWidth={1.5} className={stroke} />
      {Math.abs(end - from) > 6 && (
        <path d={`M${from} ${y - 5} H${end} m${back} -3 l${-back} 3 l${back} 3`} className={stroke} />
      )}
    </g>
  )
}

function Sign({ mark: { kind, x, y, channel, sign } }: { mark: LadderMark }) {
  const stroke = channel
    ? channelStroke[channel]
    : 'stroke-ink forced-colors:stroke-[CanvasText] print:stroke-[black]'
  const ground = 'fill-sheet forced-colors:fill-[Canvas] print:fill-[white]'
  if (kind === 'payment')
    return (
      <path
        d={`M${x - 6} ${y} l4 5 l8 -10`}
        strokeWidth={2.5}
        className="fill-transparent stroke-brand forced-colors:stroke-[CanvasText] print:stroke-[black]"
      />
    )
  if (kind === 'decision')
    return (
      <path
        d={`M${x} ${y - 10} l10 10 l-10 10 l-10 -10 z`}
        strokeWidth={2}
        className={`${ground} ${stroke}`}
      />
    )
  if (kind === 'skipped')
    return (
      <>
        <circle cx={x} cy={y} r={8} strokeWidth={1.5} className={`${ground} stroke-edge`} />
        <line x1={x - 4} y1={y} x2={x + 4} y2={y} strokeWidth={1.5} className="stroke-edge" />
      </>
    )
  if (kind === 'next')
    return (
      <>
        <circle cx={x} cy={y} r={11} strokeWidth={3} className={`${ground} ${stroke}`} />
        <circle cx={x} cy={y} r={4} className={channel ? channelFill[channel] : 'fill-ink'} />
      </>
    )
  return channel ? <ContactMark x={x} y={y} radius={8} channel={channel} sign={sign} /> : null
}
