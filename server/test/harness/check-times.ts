import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Spent {
  wallSeconds: number
  cpuSeconds: number
}

/** What a run of the whole check took. */
export interface CheckTimes {
  measured: Spent & { date: string; cores: number }
  stages: Record<string, Spent>
  /** Each test file that takes a second or more, by its path. Its CPU is that of its test process alone. */
  files: Record<string, Spent>
}

export const checkTimesFile = join(import.meta.dirname, '../check-times.json')

/** The last run that was recorded: `npm run check -- --record`. */
export const readCheckTimes = (): CheckTimes => JSON.parse(readFileSync(checkTimesFile, 'utf8')) as CheckTimes

/** A file that takes so long begins before the others, and a change near it does not run it. */
export const longSeconds = 15

const slowest = (spent: Record<string, Spent>): [string, Spent][] =>
  Object.entries(spent).sort(([, a], [, b]) => b.wallSeconds - a.wallSeconds)

const tableOf = (title: string, rows: readonly [string, Spent][]) => `| ${title} | seconds | CPU seconds |
|---|---:|---:|
${rows.map(([name, { wallSeconds, cpuSeconds }]) => `| ${name} | ${wallSeconds.toFixed(1)} | ${cpuSeconds.toFixed(1)} |`).join('\n')}`

const shownFiles = 30

/** As tables that a terminal shows as well. */
export const timesTables = ({ measured, stages, files }: CheckTimes): string => {
  const shown = slowest(files).slice(0, shownFiles)
  const tables = [tableOf('stage', [...Object.entries(stages), ['**whole check**', measured]])]
  if (shown.length > 0) tables.push(tableOf(`the ${shown.length} slowest test files`, shown))
  return tables.join('\n\n')
}

/** `docs/check-times.md`. */
export const checkTimesPage = (times: CheckTimes): string => `# What the check takes

\`npm run check -- --record\` on ${times.measured.date}, on ${times.measured.cores} cores. This page is made from the figures of that run, in \`server/test/check-times.json\`; the tests start in their order, the slowest first.

CPU is that of all processes of a stage. PostgreSQL serves several stages, so it has a line of its own. Stages that run at the same time make each other slower: their seconds do not add up to those of the whole check.

${timesTables(times)}
`
