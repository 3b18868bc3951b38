export interface Series {
  name: string
  points: readonly { x: number; y: number }[]
}

export interface Chart {
  title: string
  /** Where the figures come from, below the title. */
  note: string
  xLabel: string
  yLabel: string
  series: readonly Series[]
}

const [width, height] = [720, 400]
const plot = { left: 70, right: 520, top: 60, bottom: 340 }
/** Told apart by everybody, on white and on black. */
const colours = ['#3b82c4', '#d9722e', '#2f9e77', '#b05cc6', '#a58a16', '#c9506a']

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const at = (value: number) => String(Math.round(value * 10) / 10)
const shown = (value: number) =>
  value >= 1_000_000 && value % 1_000_000 === 0 ? `${value / 1_000_000} million` : value.toLocaleString('en')

/** A whole number of steps of 1, 2 or 5 times a power of ten that reaches as far as the largest value. */
function ticksUpTo(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(largest || 1))
  const step = [0.2, 0.5, 1, 2].map(factor => factor * power).find(one => largest / one <= 6) ?? power
  return Array.from({ length: Math.ceil(largest / step) + 1 }, (_, i) => Number((i * step).toPrecision(6)))
}

/** A line chart as the text of an SVG: sizes on a logarithmic axis, values from zero. It follows the colours of its reader. */
export function drawChart({ title, note, xLabel, yLabel, series }: Chart): string {
  const points = series.flatMap(one => one.points)
  const sizes = [...new Set(points.map(({ x }) => x))].sort((a, b) => a - b)
  const ticks = ticksUpTo(Math.max(...points.map(({ y }) => y)))
  const [first, last] = [Math.log10(sizes[0]!), Math.log10(sizes.at(-1)!)]
  const x = (value: number) =>
    plot.left + 30 + ((Math.log10(value) - first) / (last - first || 1)) * (plot.right - plot.left - 60)
  const y = (value: number) => plot.bottom - (value / ticks.at(-1)!) * (plot.bottom - plot.top)
  const text = (left: number, top: number, words: string, more = '') =>
    `<text x="${at(left)}" y="${at(top)}"${more}>${escaped(words)}</text>`
  const middle = ' text-anchor="middle"'
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="currentColor">`,
    `<title>${escaped(title)}</title>`,
    '<style>svg{color:#1f2933;background:#fff}@media (prefers-color-scheme:dark){svg{color:#d9dee4;background:#15191e}}</style>',
    text(plot.left, 24, title, ' font-size="16" font-weight="600"'),
    text(plot.left, 43, note, ' font-size="11" opacity="0.75"'),
    ...ticks.flatMap(tick => [
      `<path d="M${plot.left} ${at(y(tick))}H${plot.right}" stroke="currentColor" opacity="0.15"/>`,
      text(plot.left - 8, y(tick) + 4, shown(tick), ' text-anchor="end"'),
    ]),
    ...sizes.flatMap(size => [
      `<path d="M${at(x(size))} ${plot.bottom}v5" stroke="currentColor"/>`,
      text(x(size), plot.bottom + 20, shown(size), middle),
    ]),
    `<path d="M${plot.left} ${plot.top}V${plot.bottom}H${plot.right}" fill="none" stroke="currentColor"/>`,
    text((plot.left + plot.right) / 2, plot.bottom + 44, xLabel, middle),
    `<text${middle} transform="translate(18 ${(plot.top + plot.bottom) / 2}) rotate(-90)">${escaped(yLabel)}</text>`,
    ...series.flatMap(({ name, points }, i) => {
      const colour = colours[i % colours.length]
      const line = points.toSorted((a, b) => a.x - b.x).map(point => `${at(x(point.x))} ${at(y(point.y))}`)
      return [
        `<path d="M${line.join('L')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...points.map(
          point => `<circle cx="${at(x(point.x))}" cy="${at(y(point.y))}" r="3.5" fill="${colour}"/>`,
        ),
        `<path d="M${plot.right + 20} ${plot.top + 10 + i * 22}h18" stroke="${colour}" stroke-width="3"/>`,
        text(plot.right + 46, plot.top + 14 + i * 22, name),
      ]
    }),
    '</svg>',
  ].join('\n')}\n`
}
