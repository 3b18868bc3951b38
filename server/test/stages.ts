/** A proof, with the options of its two sizes; full sizes are in docs/proofs.md. */
interface Proof {
  /** In the check of every change; left out where that has no time for it. */
  small?: string
  /** In the nightly check; left out where it needs something that is not there, such as Docker. */
  nightly?: string
  /** It checks durations, so it runs alone. Other load can only make it slower: if it fails, it is measured again. */
  isTimed?: true
  /** The program, where the name of the stage is not its name. */
  program?: string
}

const sections = (...names: string[]) => names.map(name => `--section ${name}`).join(' ')

/** Every proof of a check. The slowest small ones come first, so that nobody waits for one of them at the end. */
export const proofs: Record<string, Proof> = {
  weather: {
    small: `--small ${sections('workers', 'stop-races', 'own-stops', 'restore')}`,
    nightly: '',
  },
  tasks: { small: '--small', nightly: '' },
  pause: {
    small: '--recoveries 8 --subject invoice --subject opt-out --subject payment',
    nightly: '',
  },
  unknown: { small: '--sends 9 --kills 1 --lease-ms 20000', nightly: '' },
  // What hostile files cost is measured at night: small, it would measure the load of the check.
  import: { small: `--small ${sections('kills')}`, nightly: '' },
  sdk: { small: '' },
  crash: { small: '--kills 6 --creates 60 --lease-ms 4000', nightly: '--kills 100 --creates 1000' },
  deliveries: { small: '--events 150 --kills 4 --lease-ms 2000', nightly: '' },
  sandbox: { small: '--recoveries 8', nightly: '' },
  announced: {
    small: '--debtors 16 --days 6 --sample 8 --start 2026-10-20',
    nightly: '--debtors 400 --days 30',
  },
  away: { small: '', nightly: '' },
  export: { small: '--rows 20000 --kills 0', nightly: '' },
  erase: { small: '--small', nightly: '' },
  twice: { small: '--rounds 2', nightly: '' },
  redeem: { small: '--rounds 4 --revocations 16 --rotations 1', nightly: '' },
  'slow-clients': { small: '--connections 200 --seconds 5', nightly: '' },
  night: { small: '--debtors 3000 --kills 1', nightly: '' },
  'failing-endpoints': {
    small: '--queued 200 --seconds 3 --rounds 1 --per-second 20 --tenants 1 --within 4',
    nightly: '',
    isTimed: true,
  },
  asleep: {
    small: '--agendas 6000 --baseline 1000 --due 200 --within 5 --pass-share 0',
    nightly: '',
    isTimed: true,
  },
  'held-snapshot': { program: 'weather', small: `--small ${sections('held-snapshot')}`, isTimed: true },
  upgrade: { nightly: '' },
  fuzz: { nightly: '' },
  model: { nightly: '' },
  rules: { nightly: '' },
  acts: { nightly: '' },
  calendar: { nightly: '' },
  spreadsheets: { nightly: '' },
  console: { nightly: '' },
  'console-cost': { nightly: '' },
  'console-axe': { nightly: '' },
  drawn: { nightly: '' },
  cli: { nightly: '' },
  docs: { nightly: '' },
}

const proofCommand = (name: string, options: string) => [
  'node',
  'server/test/prove.ts',
  name,
  ...options.split(' ').filter(Boolean),
]

const proofsOf = (size: 'small' | 'nightly', isTimed: boolean): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(proofs)
      .filter(([, proof]) => proof[size] !== undefined && (proof.isTimed ?? false) === isTimed)
      .map(([name, proof]) => [name, proofCommand(proof.program ?? name, proof[size]!)]),
  )

export const vitest = ['vitest', 'run', '--config', 'server/vitest.config.ts']

/** They look at files alone. */
export const fileStages: Record<string, string[]> = {
  lint: ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '-p', '.'],
  'console-types': ['tsc', '-p', 'console'],
  unused: ['knip'],
  generated: ['node', 'server/generate/generate.ts', '--check'],
  openapi: ['redocly', 'lint', 'server/openapi.json', '--config', 'redocly.yaml'],
}

const projects = (...names: string[]) => names.flatMap(name => ['--project', name])

/** One after the other: with both and the proofs at once, two cores have four times the work they can do, and tests miss their times. */
export const testStages: Record<string, string[]> = {
  tests: [...vitest, '--maxWorkers=3', ...projects('pure', 'console', 'db')],
  browser: [...vitest, '--maxWorkers=3', ...projects('browser')],
}

/** They wait for half of their time. */
export const proofStages = proofsOf('small', false)

export const timedStages: Record<string, string[]> = {
  ...proofsOf('small', true),
  bench: ['node', 'server/test/bench.ts', 'http', 'sends', '--small'],
}

/** What the check of a change has no time for, at the sizes of the night. */
export const nightlyStages: Record<string, string[]> = {
  ...proofsOf('nightly', false),
  ...proofsOf('nightly', true),
}

/** `.github/workflows/nightly.yml`: a job for each of the nightly stages. */
export const nightlyWorkflow = (): string => `# Made by \`npm run generate\` from server/test/stages.ts.
name: nightly

on:
  schedule:
    - cron: "17 2 * * *"
  workflow_dispatch:

permissions:
  contents: read

jobs:
  prove:
    runs-on: ubuntu-latest
    container: node:24-bookworm
    timeout-minutes: 120
    strategy:
      fail-fast: false
      matrix:
        stage:
${Object.keys(nightlyStages)
  .map(name => `          - ${name}`)
  .join('\n')}
    steps:
      # The proof of an upgrade needs an older commit.
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0
      - run: git config --global --add safe.directory "$PWD"
      - run: .ci/run npm run check -- nightly \${{ matrix.stage }}
`
