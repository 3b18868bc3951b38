import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { startOwnCluster } from '../dev/postgres.ts'
import { findRedis, startRedis } from '../dev/redis.ts'
import { startChild } from '../src/kit/child-process.ts'
import { parseCpuTimes, treeCpuMs } from './bench/processes.ts'
import { chromiumPath } from './browser/chromium.ts'
import { changedFiles, testsTouchedBy } from './changed-tests.ts'
import { type CheckTimes, checkTimesFile, checkTimesPage, timesTables } from './harness/check-times.ts'
import { makeTemplate, sharedServerEnv } from './harness/shared-server.ts'
import { fileStages, nightlyStages, proofStages, testStages, timedStages, vitest } from './stages.ts'

const usage = `npm run check                     everything that must hold before a change lands
npm run check -- lint types       the stages named
npm run check -- changed          lint, types, and the tests that the change since main touches
npm run check -- nightly [stage]  the long proofs, or those named
npm run check -- --record         everything, and what it took into docs/check-times.md`

const root = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'relance-check-'))
const fileCpuLog = join(folder, 'file-cpu.txt')

const spent: CheckTimes['stages'] = {}
const files: CheckTimes['files'] = {}
const tests = { passed: 0, failed: 0, skipped: 0 }

/** What failed once and passed when it was repeated. A few are named, so that they get fixed; more of them fail the check. */
const repeated: string[] = []
const repeatedMax = 4

/** What failed for good. It is named in the last lines, where the log of a long run is read first. */
const broken: string[] = []

const ownStat = '/proc/self/stat'
/** CPU of all children that have ended, with their own. Where the system does not tell, 0. */
const endedChildrenSeconds = (): number =>
  existsSync(ownStat) ? parseCpuTimes(readFileSync(ownStat, 'utf8')).endedChildrenMs / 1000 : 0
let counted = 0

/** Its exit code is 1 when it was killed or could not be started. CPU is that of all its processes. */
async function run(
  [program = '', ...args]: readonly string[],
  isBuffered: boolean,
): Promise<{ code: number; cpuSeconds: number }> {
  const stdio = isBuffered ? 'pipe' : 'inherit'
  const child = startChild(program, args, {
    stdio: ['ignore', stdio, stdio],
    env: {
      ...process.env,
      ...servers.env,
      REDOCLY_TELEMETRY: 'off',
      CHECK_FILE_CPU: fileCpuLog,
      // The proofs start about a hundred processes from the same sources: each file is compiled once.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
  })
  // Buffers the output until the end, so that stages side by side do not mix their output.
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk))
  let cpuSeconds = 0
  child.once('exit', () => {
    const ended = endedChildrenSeconds()
    cpuSeconds = ended - counted
    counted = ended
  })
  const code = await new Promise<number>(resolve => {
    child.once('error', error => console.error(`check: ${program}: ${error.message}`))
    child.once('close', exit => resolve(exit ?? 1))
  })
  process.stdout.write(Buffer.concat(output))
  return { code, cpuSeconds }
}

interface Report {
  numPassedTests?: number
  numFailedTests?: number
  numPendingTests?: number
  testResults?: {
    name: string
    status: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages?: string[] }[]
  }[]
}

const failedFilesOf = ({ testResults = [] }: Report) =>
  testResults.filter(({ status }) => status === 'failed')

async function runReported(command: readonly string[]) {
  const reportFile = join(folder, `tests-${performance.now()}.json`)
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const done = await run([...command, ...reporting], false)
  const report = JSON.parse(await readFile(reportFile, 'utf8').catch(() => '{}')) as Report
  return { ...done, report }
}

/**
 * Several test files run at once, and load can make one of them time out. If only a few failed, they run again one by one; a real
 * defect fails alone too.
 */
async function runTests(command: readonly string[]): Promise<{ code: number; cpuSeconds: number }> {
  const { report, ...first } = await runReported(command)
  Object.assign(files, await filesOf(report))
  const failed = failedFilesOf(report)
  const mayRepeat = first.code !== 0 && failed.length > 0 && failed.length <= repeatedMax + 1
  if (mayRepeat)
    console.error(
      `check: failed together, run again one by one:\n${failed.map(({ name }) => name).join('\n')}`,
    )
  const second = mayRepeat
    ? await runReported([...vitest, '--maxWorkers=1', ...failed.map(({ name }) => name)])
    : { code: first.code, cpuSeconds: 0, report }
  const isGreen = second.code === 0
  for (const { name, assertionResults } of isGreen ? failed : failedFilesOf(second.report)) {
    const names = assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages = [] }) => `${fullName}${shortReason(failureMessages[0])}`)
    for (const test of names.length > 0 ? names : ['the file itself'])
      (isGreen ? repeated : broken).push(`${relative(root, name)}: ${test}`)
  }
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = report
  tests.passed += numPassedTests + (isGreen ? numFailedTests : 0)
  tests.failed += isGreen ? 0 : numFailedTests
  tests.skipped += numPendingTests
  return { code: second.code, cpuSeconds: first.cpuSeconds + second.cpuSeconds }
}

/** The first lines of why it failed, so that the last lines of a long log say it. */
const shortReason = (message: string | undefined): string =>
  message ? `\n    ${stripVTControlCharacters(message).split('\n').slice(0, 4).join('\n    ')}` : ''

/** The test processes note the CPU of each file: `harness/record-cpu.ts`. */
async function filesOf({ testResults = [] }: Report): Promise<CheckTimes['files']> {
  const noted = (await readFile(fileCpuLog, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const cpu = new Map(noted.map(line => line.split(' ') as [string, string]))
  return Object.fromEntries(
    testResults
      .map(
        ({ name, startTime, endTime }) =>
          [
            relative(root, name),
            { wallSeconds: (endTime - startTime) / 1000, cpuSeconds: Number(cpu.get(name) ?? 0) },
          ] as const,
      )
      .filter(([, { wallSeconds }]) => wallSeconds >= 1)
      .sort(([, a], [, b]) => b.wallSeconds - a.wallSeconds),
  )
}

/** A first answer: only the check without names tells whether that was everything. */
function runChanged(command: readonly string[]) {
  const touched = testsTouchedBy(changedFiles())
  console.log(`check: ${touched.length} test files are touched`)
  return touched.length === 0
    ? Promise.resolve({ code: 0, cpuSeconds: 0 })
    : runTests([...command, ...touched])
}

/** Load can make a proof miss its time, like a test; what measures durations is more easily disturbed. */
const proofAttempts = 2
const timedAttempts = 3

async function runStage(
  name: string,
  command: readonly string[],
  runner: (command: readonly string[]) => ReturnType<typeof run>,
  attempts: number,
): Promise<void> {
  const start = performance.now()
  let { code, cpuSeconds } = await runner(command)
  for (let tried = 1; code !== 0 && tried < attempts; tried++) {
    console.error(`check: ${name} failed; run again`)
    const again = await runner(command)
    code = again.code
    cpuSeconds += again.cpuSeconds
    if (code === 0) repeated.push(`the stage ${name}, run ${tried + 1} times`)
  }
  spent[name] = { wallSeconds: (performance.now() - start) / 1000, cpuSeconds }
  if (code === 0) return
  console.error(`check: ${name} failed`)
  broken.push(`the stage ${name}`)
  process.exitCode = code
}

interface Group {
  stages: Record<string, readonly string[]>
  /** How many of them run at the same time. */
  atOnce: number
  runner?: (command: readonly string[]) => ReturnType<typeof run>
  attempts?: number
}

/** The first named begins first; once one failed no other is begun. */
async function runGroup({ stages, atOnce, runner, attempts = 1 }: Group): Promise<void> {
  const queue = Object.entries(stages)
  const next = async () => {
    for (let stage = queue.shift(); stage && !process.exitCode; stage = queue.shift())
      await runStage(stage[0], stage[1], runner ?? (command => run(command, true)), attempts)
  }
  await Promise.all(Array.from({ length: atOnce }, next))
}

const asked = process.argv.slice(2)
const isNightly = asked[0] === 'nightly'
const isChanged = asked.includes('changed')
const isRecording = asked.includes('--record')
const names = [
  ...asked.filter(name => !['nightly', 'changed', '--record'].includes(name)),
  ...(isChanged ? ['lint', 'types', 'console-types', 'tests'] : []),
]

/** One row after another; the groups of a row run at the same time. */
const plan: Group[][] = isNightly
  ? [[{ stages: nightlyStages, atOnce: 1 }]]
  : [
      [{ stages: fileStages, atOnce: Object.keys(fileStages).length }],
      [
        isChanged
          ? { stages: { tests: vitest }, atOnce: 1, runner: runChanged }
          : { stages: testStages, atOnce: 1, runner: runTests },
        { stages: proofStages, atOnce: 1, attempts: proofAttempts },
      ],
      [{ stages: timedStages, atOnce: 1, attempts: timedAttempts }],
    ]
const known = plan.flat().flatMap(({ stages }) => Object.keys(stages))
const unknown = names.filter(name => !known.includes(name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}, only ${known.join(', ')}\n\n${usage}`)
  process.exit(2)
}
const wantedOf = (group: Group): Group => ({
  ...group,
  stages: Object.fromEntries(
    Object.entries(group.stages).filter(([name]) => names.length === 0 || names.includes(name)),
  ),
})

/** PostgreSQL and Redis for the tests. PostgreSQL is one that may forget everything when the power fails, which is cheaper. */
async function startServers() {
  const { DATABASE_URL, REDIS_URL } = process.env
  const cluster = DATABASE_URL
    ? null
    : await startOwnCluster({ dataDir: join(folder, 'postgres'), durable: true })
  const redis = REDIS_URL ? null : await startRedis()
  return {
    env: {
      ...(cluster && sharedServerEnv(await makeTemplate(cluster.adminUrl, 'relance_template'))),
      ...(redis && { REDIS_URL: redis.url }),
    },
    cpuSeconds: async () => (cluster ? (await treeCpuMs(cluster.pid())) / 1000 : 0),
    async stop() {
      await cluster?.stop()
      await redis?.stop()
      if (cluster) await rm(cluster.dataDir, { recursive: true, force: true })
    },
  }
}

const start = performance.now()
const servers = await startServers()
/** On a machine without them, tests of a browser and of shared limits are skipped. In CI that would hide what they find. */
const missing = [
  ...(chromiumPath ? [] : ['Chromium']),
  ...((await findRedis(servers.env.REDIS_URL ?? process.env.REDIS_URL)) ? [] : ['Redis']),
]
if (process.env.CI && missing.length > 0) {
  console.error(`check: ${missing.join(' and ')} cannot be found or installed, and CI must run every test`)
  process.exitCode = 1
}
try {
  for (const row of plan) await Promise.all(row.map(group => runGroup(wantedOf(group))))
  const own = process.cpuUsage()
  const postgresSeconds = await servers.cpuSeconds()
  spent['PostgreSQL of tests and proofs'] = { wallSeconds: 0, cpuSeconds: postgresSeconds }
  const cpuSeconds =
    (own.user + own.system) / 1e6 + Object.values(spent).reduce((sum, one) => sum + one.cpuSeconds, 0)
  const times: CheckTimes = {
    measured: {
      date: new Date().toISOString().slice(0, 10),
      cores: availableParallelism(),
      wallSeconds: (performance.now() - start) / 1000,
      cpuSeconds,
    },
    stages: spent,
    files,
  }
  console.log(timesTables(times))
  // Half a run says nothing about the whole.
  if (isRecording && names.length === 0 && !process.exitCode) {
    await writeFile(checkTimesFile, `${JSON.stringify(times, null, 2)}\n`)
    await writeFile(join(root, 'docs/check-times.md'), checkTimesPage(times))
  }
} finally {
  await servers.stop()
  await rm(folder, { recursive: true, force: true })
}

if (repeated.length > 0) {
  console.error(`check: ${repeated.length} failed and passed when repeated:\n${repeated.join('\n')}`)
  if (repeated.length > repeatedMax) {
    console.error(`check: more than ${repeatedMax} of these fail the check`)
    process.exitCode ||= 1
  }
}

if (broken.length > 0) console.error(`check: failed:\n${broken.join('\n')}`)

if (tests.passed + tests.failed > 0)
  console.log(`${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`)
