import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import { insertInvoicesOf, invoiceOf, lastDay } from './export-fill.ts'
import { divideCsv, readBack } from './export-read-back.ts'
import type { Findings } from './findings.ts'
import { killAtRandom } from './killer.ts'
import { postUntilAnswered } from './post-until-answered.ts'
import { randomFrom } from './random.ts'

interface Task {
  id: string
  status: string
  failure: string | null
  succeeded: number
  file: { url: string; rows: number } | null
}

/** Memory may grow by so much between the first tenth and the last; with few rows also by what a heap takes when it fills up first. */
const growthMax = 1.2
const firstFillMb = (rows: number) => (rows >= 500_000 ? 0 : 128)
const sampleMs = 50

interface Setup {
  installation: KillableInstallation
  findings: Findings
  rows: number
  /** Invoices from this number on were issued on the last day: a part that one file can hold. */
  lastFrom: number
  readEvery: number
}

/** Invoices are exported and downloaded with flat memory, and read again by the import; under kills each is there once. */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '1000000' },
      kills: { type: 'string', default: '4' },
      // Of the files into which the whole export is divided, only each n-th is read by the import, and the rows of the others are counted.
      'read-every': { type: 'string', default: '1' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  })
  const rows = Number(values.rows)
  const lastFrom = rows - Math.min(20_000, Math.floor(rows / 10)) + 1
  console.log(`export: ${rows} rows, ${values.kills} kills, seed ${values.seed}`)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 1,
    workers: 1,
    leaseMs: 10_000,
  })
  try {
    const setup = { installation, findings, rows, lastFrom, readEvery: Number(values['read-every']) }
    await insertInvoicesOf(installation.database, installation.company.tenants.production, rows, lastFrom)
    await readEachFormat(setup)
    await exportAll(setup)
    if (Number(values.kills) > 0) await exportUnderKills(setup, Number(values.kills), Number(values.seed))
    findings.check(
      'no process ended by itself',
      installation.unexpectedExits.length === 0,
      installation.unexpectedExits,
    )
  } finally {
    const isRed = findings.counts().failed > before
    if (isRed) console.log(`logs are kept in ${installation.logDir}`)
    await installation.close(isRed)
  }
}

async function make({ installation }: Setup, key: string, body: Record<string, unknown>): Promise<Task> {
  const { apiUrls, company } = installation
  const customer = { apiUrls, apiKey: company.productionKey, lockRetryMs: 60_000 }
  const request = { key, path: '/api/v1/tasks/export', body: { what: 'invoices', ...body } }
  const outcome = await postUntilAnswered<Task>(customer, request)
  if (!outcome.data) throw new Error(`the export was answered ${outcome.refusal ?? 'nothing'}`)
  return outcome.data
}

async function read({ installation: { apiUrls, company } }: Setup, id: string): Promise<Task | null> {
  try {
    const response = await fetch(`${apiUrls[0]}/api/v1/tasks/${id}`, {
      headers: { 'x-api-key': company.productionKey },
      signal: AbortSignal.timeout(5_000),
    })
    return response.ok ? ((await response.json()) as { data: Task }).data : null
  } catch {
    // It is dead at the moment.
    return null
  }
}

/** Until the task has ended; `onSeen` hears how far it is. */
async function untilEnded(setup: Setup, id: string, onSeen: (task: Task) => void = () => {}): Promise<Task> {
  const giveUpAt = performance.now() + 60 * 60_000
  for (;;) {
    const task = await read(setup, id)
    if (task) {
      onSeen(task)
      if (task.status === 'finished' || task.status === 'failed') return task
    }
    if (performance.now() > giveUpAt) throw new Error('the export did not end')
    await pause(sampleMs)
  }
}

async function download({ installation }: Setup, task: Task): Promise<AsyncIterable<Uint8Array>> {
  if (!task.file) throw new Error(`no file: ${JSON.stringify(task)}`)
  const response = await fetch(installation.apiUrls[0] + new URL(task.file.url).pathname)
  if (!response.ok || !response.body) throw new Error(`the link was answered ${response.status}`)
  return response.body
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Samples of memory, with how much of the work was done. */
type Samples = { share: number; mb: number }[]

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]

function checkFlat({ findings, rows }: Setup, who: string, samples: Samples): void {
  const first = median(samples.filter(({ share }) => share <= 0.1).map(({ mb }) => mb))
  const last = median(samples.filter(({ share }) => share >= 0.9).map(({ mb }) => mb))
  findings.check(
    `the memory of the ${who} is flat, from the first tenth to the last`,
    first !== undefined && last !== undefined && last <= growthMax * first + firstFillMb(rows),
    { first: `${first?.toFixed(0)} MB`, last: `${last?.toFixed(0)} MB`, samples: samples.length },
  )
}

/** A part of the invoices in each format, as one file of the import. It also warms the processes up. */
async function readEachFormat(setup: Setup): Promise<void> {
  const { findings, rows, lastFrom } = setup
  for (const format of ['csv', 'xlsx', 'ndjson']) {
    const made = await make(setup, format, { format, filter: { fromDate: lastDay } })
    const task = await untilEnded(setup, made.id)
    const chunks: Uint8Array[] = []
    for await (const chunk of await download(setup, task)) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const found = await readBack(bytes, n => invoiceOf(n, lastFrom), lastFrom)
    findings.check(
      `the import reads every row of ${format} again as it was`,
      found.rows === rows - lastFrom + 1 && found.differing.length === 0,
      { ...found, bytes: bytes.length },
    )
  }
}

async function exportAll(setup: Setup): Promise<void> {
  const { installation, findings, rows } = setup
  const [worker, api] = [installation.workers[0]!.pid(), installation.apis[0]!.pid()]
  // The first and the last sample do not depend on how fast the machine is.
  const ofWorker: Samples = [{ share: 0, mb: residentMb(worker) }]
  const startedAt = performance.now()
  const made = await make(setup, 'all', { format: 'csv' })
  const task = await untilEnded(setup, made.id, ({ succeeded }) =>
    ofWorker.push({ share: succeeded / rows, mb: residentMb(worker) }),
  )
  findings.figure('exported in', `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  findings.check('every row was exported', task.status === 'finished' && task.file?.rows === rows, task)
  checkFlat(setup, 'worker', ofWorker)
  await readAll(setup, task, api)
}

/** Downloads everything as a stream to the disk, then reads it back in files of the import. */
async function readAll(setup: Setup, task: Task, api: number): Promise<void> {
  const { installation, findings, rows, lastFrom, readEvery } = setup
  const ofApi: Samples = []
  const path = join(installation.logDir, 'export.csv')
  const startedAt = performance.now()
  const output = createWriteStream(path)
  const sample = () => ofApi.push({ share: output.bytesWritten, mb: residentMb(api) })
  sample()
  const sampler = setInterval(sample, sampleMs)
  try {
    await pipeline(await download(setup, task), output)
  } finally {
    clearInterval(sampler)
  }
  sample()
  const bytes = output.bytesWritten
  const seconds = (performance.now() - startedAt) / 1_000
  findings.figure('downloaded', `${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`)
  checkFlat(
    setup,
    'api',
    ofApi.map(({ share, mb }) => ({ share: share / bytes, mb })),
  )
  const differing: unknown[] = []
  let [read, files] = [0, 0]
  for await (const file of divideCsv(createReadStream(path))) {
    if (files++ % readEvery === 0) {
      const found = await readBack(file.bytes, n => invoiceOf(n, lastFrom), read + 1)
      if (found.rows !== file.rows) differing.push(found.rows)
      differing.push(...found.differing)
    }
    read += file.rows
  }
  findings.check(
    readEvery === 1
      ? 'the import reads every row of the whole export again as it was'
      : `every row of the whole export is counted, and the import reads each ${readEvery}th file of it again as it was`,
    read === rows && differing.length === 0,
    { read, differing, readEvery },
  )
}

async function exportUnderKills(setup: Setup, kills: number, seed: number): Promise<void> {
  const { installation, findings, rows } = setup
  const made = await make(setup, 'kills', { format: 'ndjson' })
  const killing = killAtRandom(installation, kills, randomFrom(seed), () => {})
  const task = await untilEnded(setup, made.id)
  findings.figure('killed', (await killing).by)
  findings.check('under kills it is finished', task.status === 'finished' && task.file?.rows === rows, task)
  const again = (await read(setup, made.id)) ?? task
  let [lines, last, isOrdered] = [0, -1, true]
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of await download(setup, again)) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = parts.pop()!
    for (const part of parts) {
      const { amountCents } = JSON.parse(part) as { amountCents: number }
      isOrdered &&= amountCents > last
      last = amountCents
      lines++
    }
  }
  findings.check('and every row is there once, in order', lines === rows && isOrdered, { lines, rows })
}
