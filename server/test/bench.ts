import { parseArgs } from 'node:util'
import { benchAgainst, comparable } from './bench/against.ts'
import { benchDeliveries } from './bench/deliveries.ts'
import { benchDrain } from './bench/drain.ts'
import { type BenchEnvironment, startEnvironment } from './bench/environment.ts'
import { asJson, broken, type Figure, median, printTable } from './bench/figures.ts'
import { benchHttp, type Size } from './bench/http.ts'
import { benchLive } from './bench/live.ts'
import { benchPlans } from './bench/plans.ts'
import { appendResult } from './bench/results.ts'
import { benchScale } from './bench/scale.ts'
import { benchSends } from './bench/sends.ts'
import { benchWrites } from './bench/writes.ts'

const benches: Record<string, (environment: BenchEnvironment, size: Size) => Promise<Figure[]>> = {
  http: async (environment, size) => [
    ...(await benchHttp(environment, size)),
    ...(size.small ? [] : await benchScale(environment, size)),
  ],
  sends: benchSends,
  drain: benchDrain,
  deliveries: benchDeliveries,
  writes: benchWrites,
  live: benchLive,
  plans: benchPlans,
}

// Ten million rows are a programme of their own: npm run bench -- lists --invoices 10000000
if (process.argv[2] === 'lists') {
  const { benchLists } = await import('./bench/lists.ts')
  process.exit(await benchLists(process.argv.slice(3)))
}

// So is a portfolio: npm run bench -- portfolio --invoices 1000000
if (process.argv[2] === 'portfolio') {
  const { benchPortfolio } = await import('./bench/portfolio.ts')
  process.exit(await benchPortfolio(process.argv.slice(3)))
}

// Draws what was measured: npm run bench -- plots
if (process.argv[2] === 'plots') {
  const { writePlots } = await import('./bench/plots.ts')
  await writePlots()
  process.exit(0)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    small: { type: 'boolean', default: false },
    against: { type: 'string' },
    limit: { type: 'string', default: '1.05' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { small, against } = values
const limit = Number(values.limit)
const roundsUsual = against !== undefined ? 9 : 5
const size: Size = {
  rounds: Number(values.rounds ?? (small ? 2 : roundsUsual)),
  seconds: Number(values.seconds ?? (small ? 1 : 5)),
  small,
}
const names = against === undefined ? Object.keys(benches) : comparable
const wanted = positionals.length > 0 ? positionals : names
const isUnknown = wanted.some(name => !names.includes(name))
if (values.help || isUnknown || !(size.rounds >= 1) || !(size.seconds >= 1) || !(limit > 0)) {
  console.log(
    `npm run bench -- [http] [sends] [drain] [deliveries] [writes] [live] [plans] [--rounds n] [--seconds n] [--small] [--json file]
npm run bench -- [get] [post] [bulk] [pay] [send] --against <commit> [--limit 1.05] [--rounds n] [--seconds n] [--small]
npm run bench -- lists --invoices n | portfolio --invoices n [--json file] | plots`,
  )
  process.exit(values.help ? 0 : 2)
}

if (against !== undefined) {
  const over = await benchAgainst({ ...size, commit: against, names: wanted, limit })
  process.exit(over.length > 0 ? 1 : 0)
}

let failed: Figure[] = []
for (const name of wanted) {
  const startedAt = performance.now()
  const environment = await startEnvironment()
  try {
    const figures = await benches[name]!(environment, size)
    printTable(figures)
    console.log(
      JSON.stringify({ bench: name, ...size, postgres: environment.postgres, figures: asJson(figures) }),
    )
    if (values.json)
      await appendResult(values.json, {
        bench: name,
        size: null,
        postgres: environment.postgres,
        figures: figures.map(({ name, unit, values }) => ({ name, unit, value: median(values) })),
      })
    failed = [...failed, ...broken(figures)]
  } finally {
    await environment.stop()
  }
  console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}
for (const { name } of failed) console.error(`bench: ${name} is below half of its target`)
process.exitCode = failed.length > 0 ? 1 : 0
