import type { DaySums } from '@relance/sdk'
import type { ReactNode } from 'react'
import { count, money } from '../../lib/format.ts'
import { useLanguage, useWords } from '../../lib/language.tsx'
import { addDays } from '../../lib/zone.ts'
import { sumsWords } from './sums-words.ts'

/** What is overdue, promised and collected, each with how it has changed. */
export function Sums({ sums, isNarrow }: { readonly sums: DaySums; readonly isNarrow: boolean }) {
  const text = useWords(sumsWords)
  const language = useLanguage()
  const { currency, overdue, old, promised, collected, asOf } = sums
  const amount = (cents: number) => money(cents, currency, language)
  const change = (cents: number) => `${cents > 0 ? '▲' : '▼'} ${amount(Math.abs(cents))}`
  const overdueLine = ({ invoices, sinceMonday }: DaySums['overdue']) => (
    <>
      {text.invoices(invoices, count(invoices, language))}
      {sinceMonday && sinceMonday.changeCents !== 0 && (
        <>
          {' · '}
          <Change isWorse={sinceMonday.changeCents > 0}>
            {(sinceMonday.day < addDays(asOf, -6) ? text.sinceLast : text.since)(
              change(sinceMonday.changeCents),
            )}
          </Change>
        </>
      )}
    </>
  )
  return (
    <section
      aria-label={text.title}
      className="grid grid-cols-4 gap-px overflow-hidden rounded-sheet border border-line bg-line max-lg:grid-cols-2"
    >
      <Sum
        isNarrow={isNarrow}
        name={text.overdue}
        value={amount(overdue.openCents)}
        line={overdueLine(overdue)}
      >
        <Line points={overdue.weeks.map(({ openCents }) => openCents)} />
      </Sum>
      <Sum isNarrow={isNarrow} name={text.old} value={amount(old.openCents)} line={overdueLine(old)}>
        <Line points={old.weeks.map(({ openCents }) => openCents)} isAlarm />
      </Sum>
      <Sum
        isNarrow={isNarrow}
        name={text.promised}
        value={promised.isExact ? amount(promised.openCents) : text.atLeast(amount(promised.openCents))}
        line={[
          text.promises(promised.promises, count(promised.promises, language)),
          ...(promised.keptPercent === null
            ? []
            : [text.kept(count(Math.round(promised.keptPercent), language))]),
        ].join(' · ')}
      >
        <Bars values={promised.days.map(({ openCents }) => openCents)} />
      </Sum>
      <Sum
        isNarrow={isNarrow}
        name={text.collected}
        value={amount(collected.cents)}
        line={
          collected.changePercent !== null && (
            <Change isWorse={collected.changePercent < 0}>
              {text.against(
                `${collected.changePercent < 0 ? '▼' : '▲'} ${count(Math.abs(Math.round(collected.changePercent)), language)}\u00a0%`,
              )}
            </Change>
          )
        }
      >
        <Line points={collected.days.map(({ cents }) => cents)} />
      </Sum>
    </section>
  )
}

interface SumProps {
  /** Beside an open sheet: smaller, without the drawing. */
  readonly isNarrow: boolean
  readonly name: string
  readonly value: string
  readonly line: ReactNode
  /** A drawing of the same figures over time; the sentence beside it says what matters. */
  readonly children: ReactNode
}

const Sum = ({ isNarrow, name, value, line, children }: SumProps) => (
  <div className="flex min-h-24 min-w-0 flex-col bg-sheet px-4 py-3">
    <h2 className="text-mark text-soft">{name}</h2>
    <div className="flex items-end justify-between gap-3">
      <p
        className={`font-[650] whitespace-nowrap ${isNarrow ? 'text-section' : 'text-amount max-xl:text-screen'}`}
      >
        {value}
      </p>
      {!isNarrow && <span className="max-xl:hidden">{children}</span>}
    </div>
    <p className="text-mark text-soft">{line}</p>
  </div>
)

const Change = ({ isWorse, children }: { readonly isWorse: boolean; readonly children: ReactNode }) => (
  <span className={`font-medium ${isWorse ? 'text-alarm' : 'text-brand'}`}>{children}</span>
)

const [width, height, edge] = [64, 24, 3]

function Line({
  points,
  isAlarm = false,
}: {
  readonly points: readonly number[]
  readonly isAlarm?: boolean
}) {
  if (points.length < 2) return null
  const least = Math.min(...points)
  const range = Math.max(...points) - least || 1
  const places = points.map((point, i) => [
    edge + (i / (points.length - 1)) * (width - 2 * edge),
    height - edge - ((point - least) / range) * (height - 2 * edge),
  ])
  const [x, y] = places.at(-1)!
  return (
    <svg width={width} height={height} aria-hidden="true" className={isAlarm ? 'text-alarm' : 'text-brand'}>
      <polyline
        points={places.map(place => place.join()).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
      />
      <circle cx={x} cy={y} r={2.5} fill="currentColor" />
    </svg>
  )
}

function Bars({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(...values)
  if (most === 0) return null
  const step = width / values.length
  const bars = values.map((value, i) => {
    const high = Math.max(1, (value / most) * (height - edge))
    return `M${i * step} ${height}v${-high}h${step - 2}v${high}z`
  })
  return (
    <svg width={width} height={height} aria-hidden="true" className="text-brand">
      <path d={bars.join('')} fill="currentColor" />
    </svg>
  )
}
