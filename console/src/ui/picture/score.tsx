import type { RiskCriterion, RiskScore } from '@relance/sdk'
import { useState } from 'react'
import { Picture } from './picture.tsx'
import { layoutScore, type ScoreStrip } from './score-layout.ts'

interface Props {
  readonly score: RiskScore
  readonly label: string
  readonly names: Readonly<Record<RiskCriterion['code'], string>>
  readonly heads: readonly [criterion: string, points: string, most: string, why: string]
}

const tones: Record<ScoreStrip['tone'], string> = {
  calm: 'fill-brand',
  warn: 'fill-warn',
  alarm: 'fill-alarm',
}

/** The thirteen criteria as strips; below them the explanation of the hovered one. */
export function Score({ score, label, names, heads }: Props) {
  const heaviest = score.criteria.reduce((most, next) => (next.points > most.points ? next : most))
  const [chosen, setChosen] = useState(heaviest.code)
  const told = score.criteria.find(({ code }) => code === chosen) ?? heaviest
  const table = () => ({
    columns: heads,
    rows: score.criteria.map(({ code, points, max, explanation }) => [
      names[code],
      String(points),
      String(max),
      explanation,
    ]),
  })
  return (
    <Picture label={label} table={table}>
      {width => {
        const layout = layoutScore(score.criteria, width)
        return (
          <>
            <svg
              width={layout.width}
              height={layout.height}
              viewBox={`0 0 ${layout.width} ${layout.height}`}
              role="img"
              aria-label={label}
              className="mt-2 block max-w-full print:h-auto"
            >
              {layout.strips.map(({ code, y, x, width: length, full, points, max, tone }) => (
                <g key={code} onPointerEnter={() => setChosen(code)}>
                  <rect x={0} y={y} width={layout.width} height={26} className="fill-transparent" />
                  <text
                    x={0}
                    y={y + 17}
                    className={`text-head ${code === chosen ? 'fill-ink font-semibold' : 'fill-ink'}`}
                  >
                    {names[code]}
                  </text>
                  <rect
                    x={x}
                    y={y + 7}
                    width={full}
                    height={12}
                    rx={2}
                    className="fill-sunken stroke-line forced-colors:fill-[Canvas] forced-colors:stroke-[CanvasText] print:fill-[white] print:stroke-[gray]"
                  />
                  {length > 0 && (
                    <rect
                      x={x}
                      y={y + 7}
                      width={length}
                      height={12}
                      rx={2}
                      className={`${tones[tone]} forced-colors:fill-[CanvasText] print:fill-[black]`}
                    />
                  )}
                  <text x={x + full + 8} y={y + 17} className="fill-soft text-head">
                    {`${points} / ${max}`}
                  </text>
                </g>
              ))}
            </svg>
            <p className="mt-2 min-h-10 text-body">
              <strong className="font-[650]">{names[told.code]}.</strong> {told.explanation}
            </p>
          </>
        )
      }}
    </Picture>
  )
}
