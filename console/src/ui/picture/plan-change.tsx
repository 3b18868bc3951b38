import type { Channel } from '@relance/sdk'
import { type KeyboardEvent, useMemo, useState } from 'react'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { Picture } from './picture.tsx'
import {
  layoutPlans,
  type PlanMark,
  planWords,
  sentencesOf,
  type TwoPlans,
  tableOfPlans,
} from './plan-change-layout.ts'

interface Props {
  readonly plans: TwoPlans
  /** The time zone of the debtor: all times are shown in it. */
  readonly timeZone: string
}

/** What an act would do: the old plan grey, the new one in colour, and the difference in sentences. */
export function PlanChange({ plans, timeZone }: Props) {
  const language = useLanguage()
  const { label } = useWords(planWords)
  const table = useMemo(() => tableOfPlans(plans, language, timeZone), [plans, language, timeZone])
  return (
    <div className="flex flex-col gap-2">
      {table.rows.length > 0 && (
        <Picture label={label} table={() => table}>
          {width => <Drawing plans={plans} timeZone={timeZone} width={width} />}
        </Picture>
      )}
      <ul className="flex flex-col gap-1">
        {sentencesOf(plans, language, timeZone).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  )
}

const strokes: Record<Channel, string> = {
  email: 'stroke-email text-email',
  sms: 'stroke-sms text-sms',
  voice: 'stroke-voice text-voice',
  lrar: 'stroke-lrar text-lrar',
}

/** Channels differ by their letter as well as by their colour. */
const letters: Record<Channel, string> = { email: '@', sms: 'S', voice: 'T', lrar: 'L' }

function Drawing({ plans, timeZone, width }: Props & { readonly width: number }) {
  const language = useLanguage()
  const { label, before, after } = useWords(planWords)
  const picture = useMemo(
    () => layoutPlans(plans, width, language, timeZone),
    [plans, width, language, timeZone],
  )
  const { marks, tickSpan } = picture
  const [focused, setFocused] = useState(0)
  const walk = (event: KeyboardEvent<SVGSVGElement>) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(focused + step, 0), marks.length - 1)
    setFocused(next)
    event.currentTarget.querySelectorAll<SVGGElement>('[data-mark]')[next]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in
    <svg
      role="group"
      aria-label={label}
      width={width}
      height={picture.height}
      onKeyDown={walk}
      className="block overflow-visible"
    >
      {tickSpan &&
        picture.ticks.map(({ x, text }) => (
          <g key={x}>
            <line x1={x} x2={x} y1={tickSpan.y1} y2={tickSpan.y2} className="stroke-line" />
            <text x={x} y={12} className="fill-soft text-mark">
              {text}
            </text>
          </g>
        ))}
      {picture.lines.map(line => (
        <line
          key={String(line.isOld)}
          x1={line.x1}
          x2={line.x2}
          y1={line.y1}
          y2={line.y2}
          strokeWidth={2}
          className={line.isOld ? 'stroke-line' : 'stroke-edge'}
        />
      ))}
      {tickSpan && (
        <>
          <text x={0} y={picture.lines[0]!.y1 + 4} className="fill-soft text-mark">
            {before}
          </text>
          <text x={0} y={picture.lines[1]!.y1 + 4} className="fill-ink text-mark">
            {after}
          </text>
        </>
      )}
      {picture.moves.map(({ id, ...line }) => (
        <line key={id} {...line} strokeDasharray="3 2" className="stroke-edge" />
      ))}
      {picture.labels.map(one => (
        <text
          key={one.id}
          x={one.x}
          y={one.y}
          textAnchor={one.anchor}
          className={`text-mark ${one.isOld ? 'fill-soft line-through' : 'fill-ink'}`}
        >
          {one.text}
        </text>
      ))}
      {marks.map((mark, index) => (
        <Mark key={mark.id} mark={mark} isFirst={index === focused} onFocus={() => setFocused(index)} />
      ))}
    </svg>
  )
}

function Mark({
  mark,
  isFirst,
  onFocus,
}: {
  readonly mark: PlanMark
  readonly isFirst: boolean
  readonly onFocus: () => void
}) {
  const isOld = mark.plan === 'before'
  const colour = isOld || mark.channel === null ? 'stroke-edge text-soft' : strokes[mark.channel]
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a picture is walked mark by mark
    <g
      data-mark
      role="img"
      aria-label={mark.text}
      tabIndex={isFirst ? 0 : -1}
      onFocus={onFocus}
      className={colour}
      transform={`translate(${mark.x} ${mark.y})`}
    >
      <title>{mark.text}</title>
      {mark.channel === null ? (
        <path d="M0 -9 L9 0 L0 9 L-9 0 Z" strokeWidth={2} className="fill-sheet" />
      ) : (
        <circle
          r={mark.kind === 'new' ? 10 : 9}
          strokeWidth={mark.kind === 'new' ? 3 : 2}
          strokeDasharray={isOld ? '2.5 2' : undefined}
          className="fill-sheet"
        />
      )}
      {mark.channel !== null && (
        <text
          textAnchor="middle"
          dy="0.35em"
          stroke="none"
          fill="currentColor"
          className="text-mark font-[650]"
        >
          {letters[mark.channel]}
        </text>
      )}
      {isOld && mark.kind === 'falls' && <line x1={-9} y1={9} x2={9} y2={-9} strokeWidth={2} />}
    </g>
  )
}
