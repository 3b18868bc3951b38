import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../src/kit/child-process.ts'
import { changedFiles, testsTouchedBy } from './changed-tests.ts'

const reports = await mkdtemp(join(tmpdir(), 'relance-check-'))
const testReport = join(reports, 'tests.json')
const vitest = ['vitest', 'run', '--config', 'server/vitest.config.ts']

const proofCommand = (name: string, options = '') => [
  'node',
  'server/test/prove.ts',
  name,
  ...options.split(' ').filter(Boolean),
]

/**
 * What must hold before anything lands, the quickest first. `npm run check -- lint types` runs only what is named;
 * `npm run check -- changed` runs lint, types and the tests that what was changed since `main` touches.
 */
const stages: Record<string, string[]> = {
  lint: ['biome', 'check', '--error-on-warnings'],
  types: ['tsc', '-p', '.'],
  'console-types': ['tsc', '-p', 'console'],
  unused: ['knip'],
  generated: ['node', 'server/generate/generate.ts', '--check'],
  openapi: ['redocly', 'lint', 'server/openapi.json', '--config', 'redocly.yaml'],
  tests: [...vitest, '--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`],
  // The long proofs and benches, small; full sizes are in docs/proofs.md and docs/performance.md.
  sdk: proofCommand('sdk'),
  crash: proofCommand('crash', '--kills 6 --creates 60 --lease-ms 4000'),
  deliveries: proofCommand('deliveries', '--events 150 --kills 4 --lease-ms 2000'),
  pause: proofCommand('pause', '--recoveries 8'),
  sandbox: proofCommand('sandbox', '--recoveries 8'),
  away: proofCommand('away'),
  weather: proofCommand('weather', '--small'),
  tasks: proofCommand('tasks', '--small'),
  import: proofCommand('import', '--small'),
  export: proofCommand('export', '--rows 20000 --kills 0'),
  erase: proofCommand('erase', '--small'),
  twice: proofCommand('twice', '--rounds 2'),
  unknown: proofCommand('unknown', '--sends 6 --kills 1'),
  redeem: proofCommand('redeem', '--rounds 4 --revocations 16 --rotations 1'),
  'slow-clients': proofCommand('slow-clients', '--connections 200 --seconds 5'),
  night: proofCommand('night', '--debtors 3000 --kills 1'),
  'failing-endpoints': proofCommand(
    'failing-endpoints',
    '--queued 200 --seconds 3 --rounds 1 --per-second 20 --tenants 1 --within 4',
  ),
  asleep: proofCommand('asleep', '--agendas 6000 --baseline 1000 --due 200 --within 5 --pass-share 0'),
  bench: ['node', 'server/test/bench.ts', 'http', 'sends', '--small'],
}

/** These look at files alone: all of them go side by side, and each says what it found. */
const still = ['lint', 'types', 'console-types', 'unused', 'generated', 'openapi']

/** These wait for half of their time, each on servers of its own: three of them go side by side. */
const mostlyWaiting = [
  'sdk',
  'crash',
  'deliveries',
  'pause',
  'sandbox',
  'away',
  'tasks',
  'import',
  'export',
  'erase',
  'twice',
  'unknown',
  'redeem',
  'slow-clients',
  'night',
]

/**
 * These check durations, and other load can only make them slower: one that fails is measured again. A real defect fails
 * every time.
 */
const timeCritical = ['failing-endpoints', 'asleep', 'weather', 'bench']
const attemptsMax = 3

/** Answers its exit code; 1 when it was killed or could not be started. */
function run(command: string[], stdio: 'inherit' | 'pipe' = 'inherit'): Promise<number> {
  const child = startChild(command[0]!, command.slice(1), {
    stdio: ['ignore', stdio, stdio],
    env: {
      ...process.env,
      REDOCLY_TELEMETRY: 'off',
      // The proofs start about a hundred processes from the same sources: each file is compiled once.
      NODE_COMPILE_CACHE: join(reports, 'compiled'),
    },
  })
  // Buffers the output until the end, so that two stages do not mix their output.
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk))
  return new Promise(resolve => {
    child.once('error', error => console.error(`check: ${command[0]}: ${error.message}`))
    child.once('close', code => {
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}
const runBuffered = (command: string[]) => run(command, 'pipe')

/**
 * Three test files run at once, and load can make one of them time out. If only a few failed, they run again one by one and
 * are named, so that they get fixed; a real defect fails alone too.
 */
const retriedFilesMax = 5
async function runTests(command: string[]): Promise<number> {
  const code = await run(command)
  if (code === 0) return 0
  const report = JSON.parse(await readFile(testReport, 'utf8').catch(() => '{}')) as {
    testResults?: { name: string; status: string }[]
  }
  const failed = (report.testResults ?? [])
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name)
  if (failed.length === 0 || failed.length > retriedFilesMax) return code
  console.error(`check: failed when run together, run again one by one:\n${failed.join('\n')}`)
  return run([...vitest, '--maxWorkers=1', ...failed])
}

/** What a change touches; whether it was everything is what the check without names tells. */
function runChanged(command: string[]): Promise<number> {
  const tests = testsTouchedBy(changedFiles())
  console.log(`check: ${tests.length} test files are touched`)
  return tests.length === 0 ? Promise.resolve(0) : runTests([...command, ...tests])
}

const ungrouped = Object.keys(stages).filter(
  stage => ![...still, 'tests', ...mostlyWaiting, ...timeCritical].includes(stage),
)
if (ungrouped.length > 0) throw new Error(`no group runs ${ungrouped.join(', ')}`)

const requested = process.argv.slice(2)
const isChanged = requested.includes('changed')
const names = isChanged ? [...requested, 'lint', 'types', 'console-types', 'tests'] : requested
const unknown = requested.filter(name => name !== 'changed' && !(name in stages))
if (unknown.length > 0) {
  console.error(`check [changed] [${Object.keys(stages).join('] [')}]: there is no ${unknown.join(', ')}`)
  process.exit(2)
}
const wanted = Object.keys(stages).filter(stage => names.length === 0 || names.includes(stage))
const seconds: [string, number][] = []

async function runStage(stage: string, runner: (command: string[]) => Promise<number>): Promise<void> {
  const command = stages[stage]!
  const start = performance.now()
  let code = await runner(command)
  for (let tried = 1; code !== 0 && timeCritical.includes(stage) && tried < attemptsMax; tried++) {
    console.error(`check: ${stage} missed; measured again`)
    code = await runner(command)
  }
  seconds.push([stage, (performance.now() - start) / 1000])
  if (code === 0) return
  console.error(`check: ${stage} failed`)
  process.exitCode = code
}

/** So many side by side, the first named first; once one failed no other is begun. */
async function runStages(
  group: readonly string[],
  runner: (command: string[]) => Promise<number>,
  atOnce = 1,
): Promise<void> {
  const queue = wanted.filter(stage => group.includes(stage))
  const next = async () => {
    for (let stage = queue.shift(); stage !== undefined && !process.exitCode; stage = queue.shift())
      await runStage(stage, runner)
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

await runStages(still, runBuffered, still.length)
await runStages(['tests'], isChanged ? runChanged : runTests)
await runStages(mostlyWaiting, runBuffered, 3)
await runStages(timeCritical, run)
await rm(reports, { recursive: true })
console.log(seconds.map(([stage, time]) => `stage: ${stage} ${time.toFixed(1)} s`).join('\n'))
