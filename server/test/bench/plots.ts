import { globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Chart, drawChart } from './chart.ts'
import { median } from './figures.ts'
import type { Result } from './results.ts'

const folder = join(import.meta.dirname, '../../../docs/performance')

const readResults = (file: string): Result[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Result)

/** `invoices?limit=50 p95` belongs to the lists of invoices. */
const groupOf = (name: string) =>
  /timeline|calendar/.test(name)
    ? 'timelines, calendars'
    : /^search/.test(name)
      ? 'search'
      : /^reports/.test(name)
        ? 'reports'
        : /^debtors/.test(name)
          ? 'lists of debtors'
          : 'lists of invoices'

const noteOf = ({ date, commit, machine, versions }: Result) =>
  `${date}, ${commit}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${versions.node.slice(1)}, PostgreSQL ${versions.postgres}`

/** What is kept of several runs of one size is the latest. */
function chartOf(results: readonly Result[], unit: string, words: Pick<Chart, 'title' | 'yLabel'>): Chart {
  const latest = new Map(
    results.flatMap(result => (result.size === null ? [] : [[result.size, result] as const])),
  )
  const groups = new Set(results.flatMap(({ figures }) => figures.map(({ name }) => groupOf(name))))
  const series = [...groups].map(group => ({
    name: group,
    points: [...latest].map(([size, { figures }]) => ({
      x: size,
      y: median(
        figures
          .filter(figure => figure.unit === unit && groupOf(figure.name) === group)
          .map(({ value }) => value),
      ),
    })),
  }))
  return { ...words, note: noteOf(results.at(-1)!), xLabel: 'invoices of the company', series }
}

/** Every drawing that the files of results give, by the name of its file. */
export function drawPlots(): Map<string, string> {
  const drawn = new Map<string, string>()
  for (const file of globSync('*.jsonl', { cwd: folder }).sort()) {
    const name = basename(file, '.jsonl')
    const results = readResults(join(folder, file))
    const draw = (unit: string, words: Pick<Chart, 'title' | 'yLabel'>) =>
      drawChart(chartOf(results, unit, words))
    drawn.set(
      `${name}-time.svg`,
      draw('ms', { title: 'Time of a request', yLabel: 'ms, 95 of 100 are faster' }),
    )
    drawn.set(
      `${name}-throughput.svg`,
      draw('/s', { title: 'Requests of one client', yLabel: 'requests per second' }),
    )
  }
  return drawn
}

/** Draws docs/performance anew. */
export async function writePlots(): Promise<void> {
  for (const [name, svg] of drawPlots()) {
    await writeFile(join(folder, name), svg)
    console.log(`docs/performance/${name}`)
  }
}
