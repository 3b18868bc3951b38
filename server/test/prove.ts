import type { Findings } from './chaos/findings.ts'

/** Long proofs are programs with a size: `npm run prove -- crash --kills 100 --creates 1000`. */
const proofs: Record<string, () => Promise<{ prove(args: string[], findings: Findings): Promise<void> }>> = {
  crash: () => import('./chaos/crash.ts'),
  deliveries: () => import('./chaos/deliveries.ts'),
  'failing-endpoints': () => import('./chaos/failing-endpoints.ts'),
  pause: () => import('./chaos/pause-race.ts'),
  away: () => import('./chaos/away.ts'),
  asleep: () => import('./chaos/asleep.ts'),
  weather: () => import('./chaos/weather.ts'),
  tasks: () => import('./chaos/tasks.ts'),
  import: () => import('./chaos/import.ts'),
  export: () => import('./chaos/export.ts'),
  erase: () => import('./chaos/erase.ts'),
  twice: () => import('./chaos/twice.ts'),
  unknown: () => import('./chaos/unknown.ts'),
  redeem: () => import('./chaos/redeem.ts'),
  night: () => import('./chaos/score-night.ts'),
  baseline: () => import('./chaos/baseline.ts'),
  upgrade: () => import('./chaos/upgrade.ts'),
  fuzz: () => import('./chaos/fuzz.ts'),
  sandbox: () => import('./chaos/sandbox.ts'),
  announced: () => import('./chaos/announced.ts'),
  'slow-clients': () => import('./chaos/slow-clients.ts'),
  console: () => import('./browser/console/prove-console.ts'),
  'console-cost': () => import('./browser/console/prove-cost.ts'),
  clients: () => import('./clients/prove-clients.ts'),
  sdk: () => import('./clients/prove-sdk.ts'),
  cli: () => import('./clients/prove-cli.ts'),
  docs: () => import('./docs/prove-docs.ts'),
  image: () => import('./image/prove-image.ts'),
  model: () => import('./scenarios/receivables/prove-model.ts'),
  rules: () => import('./simulation/rules.ts'),
  acts: () => import('./simulation/acts.ts'),
  calendar: () => import('./simulation/calendar.ts'),
  spreadsheets: () => import('./spreadsheets/spreadsheets.ts'),
  drawn: async () => (await import('./browser/console/proofs.ts')).drawn,
  'console-axe': async () => (await import('./browser/console/proofs.ts')).axe,
}

const [name = '', ...args] = process.argv.slice(2)
const load = proofs[name]
if (!load || args.includes('--help')) {
  console.log(`npm run prove -- <proof> [options]

Proofs: ${Object.keys(proofs).join(', ')}.
docs/proofs.md shows what each one proves, with the options of its full size.`)
  process.exit(load || name === '--help' ? 0 : 2)
}

const start = performance.now()
const { startFindings } = await import('./chaos/findings.ts')
const findings = startFindings()
try {
  await (await load()).prove(args, findings)
} catch (error) {
  console.error(error)
  findings.check('the proof ran to its end', false)
}
const { passed, failed } = findings.counts()
console.log(
  `prove ${name}: ${passed} passed, ${failed} failed (${((performance.now() - start) / 1000).toFixed(1)} s)`,
)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
