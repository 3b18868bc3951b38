import type { RiskCriterion } from '@relance/sdk'

const rowHeight = 26
const labelWidth = 168
const phoneLabelWidth = 152
const stripMin = 36
const pointsWidth = 64
const phoneBelow = 600

export interface ScoreStrip {
  readonly code: RiskCriterion['code']
  readonly y: number
  readonly x: number
  readonly width: number
  readonly full: number
  readonly points: number
  readonly max: number
  readonly explanation: string
  readonly tone: 'calm' | 'warn' | 'alarm'
}

export interface ScoreLayout {
  readonly width: number
  readonly height: number
  readonly strips: readonly ScoreStrip[]
}

/** A strip per criterion; its length is its share of the maximum points. */
export function layoutScore(criteria: readonly RiskCriterion[], width: number): ScoreLayout {
  const x = width < phoneBelow ? phoneLabelWidth : labelWidth
  const full = Math.min(360, Math.max(stripMin, width - x - pointsWidth))
  return {
    width,
    height: criteria.length * rowHeight,
    strips: criteria.map(({ code, points, max, explanation }, row) => {
      const share = max === 0 ? 0 : points / max
      return {
        code,
        y: row * rowHeight,
        x,
        width: share * full,
        full,
        points,
        max,
        explanation,
        tone: share > 2 / 3 ? 'alarm' : share > 1 / 3 ? 'warn' : 'calm',
      }
    }),
  }
}
