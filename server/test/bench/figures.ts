/** One line of the table that is printed at the end, and of the JSON after it. */
export interface Figure {
  name: string
  unit: string
  /** One value per interleaved round, or a single one. */
  values: number[]
  /** What the median must reach (`least`) or must not exceed (`most`). */
  target?: { least: number } | { most: number }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Each round's own quotient: what disturbs the machine for a minute disturbs both of its halves. */
export const ratios = (over: readonly number[], under: readonly number[]): number[] =>
  over.map((value, round) => value / under[round]!)

const shown = (value: number): string =>
  Number.isNaN(value) ? '–' : value >= 100 ? value.toFixed(0) : value.toFixed(2)

const targetText = ({ target }: Figure): string =>
  target === undefined ? '' : 'least' in target ? `≥ ${target.least}` : `≤ ${target.most}`

export function printTable(figures: readonly Figure[]): void {
  const rows = figures.map(figure => [
    figure.name,
    shown(median(figure.values)),
    figure.unit,
    figure.values.length > 1
      ? `${shown(Math.min(...figure.values))} … ${shown(Math.max(...figure.values))}`
      : '',
    targetText(figure),
  ])
  const all = [['', 'median', 'unit', 'rounds', 'target'], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map(row => row[column]!.length)))
  for (const row of all)
    console.log(
      row
        .map((cell, i) => (i === 1 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
}

/** What stays below half of its target. Shared machines make more than that a matter of luck. */
export const broken = (figures: readonly Figure[]): Figure[] =>
  figures.filter(
    ({ target, values }) =>
      target !== undefined &&
      ('least' in target ? !(median(values) >= target.least / 2) : !(median(values) <= target.most * 2)),
  )

export const asJson = (figures: readonly Figure[]): Record<string, unknown> =>
  Object.fromEntries(
    figures.map(({ name, unit, values, target }) => [
      name,
      { median: Number(median(values).toPrecision(4)), unit, ...target },
    ]),
  )
