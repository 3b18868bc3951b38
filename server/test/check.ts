import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const reports = await mkdtemp(join(tmpdir(), 'relance-check-'))
const testReport = join(reports, 'tests.json')
const vitest = ['vitest', 'run', '--config', 'server/vitest.config.ts']

/** What must hold before anything lands, the quickest first. `npm run check -- lint types` runs only what is named. */
const stages: Record<string, string[]> = {
  lint: ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '-p', '.'],
  unused: ['knip'],
  generated: ['node', 'server/generate/generate.ts', '--check'],
  openapi: ['redocly', 'lint', 'server/openapi.json', '--config', 'redocly.yaml'],
  tests: [...vitest, '--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`],
  // The long proofs and benches, small; full sizes are in docs/proofs.md and docs/performance.md.
  crash: [
    'node',
    'server/test/prove.ts',
    'crash',
    '--kills',
    '6',
    '--creates',
    '60',
    '--dispatcher',
    'both',
    '--lease-ms',
    '4000',
  ],
  deliveries: [
    'node',
    'server/test/prove.ts',
    'deliveries',
    '--events',
    '300',
    '--kills',
    '5',
    '--dispatcher',
    'engine',
    '--lease-ms',
    '2000',
  ],
  sick: [
    'node',
    'server/test/prove.ts',
    'sick',
    '--queued',
    '200',
    '--seconds',
    '3',
    '--rounds',
    '1',
    '--per-second',
    '20',
    '--crowd',
    '1',
    '--within',
    '4',
  ],
  pause: ['node', 'server/test/prove.ts', 'pause', '--recoveries', '20', '--dispatcher', 'in-process'],
  sandbox: ['node', 'server/test/prove.ts', 'sandbox', '--recoveries', '20'],
  away: ['node', 'server/test/prove.ts', 'away'],
  twice: ['node', 'server/test/prove.ts', 'twice', '--rounds', '4'],
  redeem: [
    'node',
    'server/test/prove.ts',
    'redeem',
    '--rounds',
    '10',
    '--revocations',
    '40',
    '--rotations',
    '2',
  ],
  asleep: [
    'node',
    'server/test/prove.ts',
    'asleep',
    '--agendas',
    '20000',
    '--baseline',
    '1000',
    '--due',
    '300',
    '--within',
    '5',
    '--pass-share',
    '0',
  ],
  night: ['node', 'server/test/prove.ts', 'night', '--debtors', '3000', '--kills', '1'],
  bench: ['node', 'server/test/bench.ts', 'http', 'sends', '--small'],
}

/**
 * These judge by the clock, and whatever else the machine does can only make them slower: one that misses is measured again.
 * What is wrong with us stays wrong.
 */
const timed = ['sick', 'asleep', 'bench']
const tries = 3

const run = (command: string[]) =>
  new Promise<number>(resolve => {
    const child = spawn(command[0]!, command.slice(1), {
      stdio: 'inherit',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    })
    child.once('exit', code => resolve(code ?? 1))
  })

/**
 * Three files run at once beside the servers they ask, and a crowd can make a moment too long for one of them. A few that failed
 * are asked again alone, and named, so that somebody mends them; what is broken is broken alone too.
 */
const fewFiles = 5
async function runTests(command: string[]): Promise<number> {
  const code = await run(command)
  if (code === 0) return 0
  const report = JSON.parse(await readFile(testReport, 'utf8').catch(() => '{}')) as {
    testResults?: { name: string; status: string }[]
  }
  const failed = (report.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name)
  if (failed.length === 0 || failed.length > fewFiles) return code
  console.error(`check: failed in a crowd, asked again alone:\n${failed.join('\n')}`)
  return run([...vitest, '--maxWorkers=1', ...failed])
}

const wanted = process.argv.slice(2)
const seconds: [string, number][] = []
for (const [stage, command] of Object.entries(stages)) {
  if (wanted.length > 0 && !wanted.includes(stage)) continue
  const start = performance.now()
  let code = await (stage === 'tests' ? runTests(command) : run(command))
  for (let tried = 1; code !== 0 && timed.includes(stage) && tried < tries; tried++) {
    console.error(`check: ${stage} missed; measured again`)
    code = await run(command)
  }
  seconds.push([stage, (performance.now() - start) / 1000])
  if (code !== 0) {
    console.error(`check: ${stage} failed`)
    process.exitCode = code
    break
  }
}
await rm(reports, { recursive: true })
console.log(seconds.map(([stage, time]) => `stage: ${stage} ${time.toFixed(1)} s`).join('\n'))
