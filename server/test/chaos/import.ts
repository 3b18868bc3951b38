import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type BrokenFile, brokenFile } from '../../dev/broken-file.ts'
import { memoryMb } from './asleep-measure.ts'
import { type KillableInstallation, startChaosInstallation } from './chaos-installation.ts'
import type { Findings } from './findings.ts'
import { proveHostile } from './import-hostile.ts'
import { killAtRandom } from './killer.ts'
import { randomFrom } from './random.ts'
import { postTask, type Task, untilStatus } from './task-client.ts'

const patienceMs = 30 * 60_000

/**
 * A broken file of Excel is imported while everything around it is killed: every good row once, every bad one with its cause.
 * Hostile files hold up nobody.
 */
export async function prove(args: string[], findings: Findings): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '50000' },
      kills: { type: 'string', default: '30' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      section: { type: 'string', multiple: true, default: ['kills', 'hostile'] },
      small: { type: 'boolean', default: false },
    },
  })
  if (values.section.includes('kills')) await proveKills(values, findings)
  if (values.section.includes('hostile')) await proveHostile(findings, values.small)
}

async function proveKills(
  values: { rows: string; kills: string; seed: string; small: boolean },
  findings: Findings,
): Promise<void> {
  const seed = Number(values.seed)
  const rows = values.small ? 1_200 : Number(values.rows)
  const kills = values.small ? 4 : Number(values.kills)
  console.log(`import: ${rows} rows, ${kills} kills, seed ${seed}`)
  const before = findings.counts().failed
  const installation = await startChaosInstallation({
    harmsPostgres: true,
    apis: 2,
    workers: 2,
    leaseMs: 10_000,
  })
  try {
    const file = await brokenFile({ seed, invoices: rows, kind: 'xlsx' })
    await importUnderKills(findings, installation, file, { kills, seed })
    if (!values.small) await importCalmly(findings, installation, file)
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

const grows = (seen: readonly number[]) => seen.every((done, i) => i === 0 || done >= seen[i - 1]!)

async function importUnderKills(
  findings: Findings,
  installation: KillableInstallation,
  { bytes, lines }: BrokenFile,
  { kills, seed }: { kills: number; seed: number },
): Promise<void> {
  const startedAt = performance.now()
  const random = randomFrom(seed)
  const half = Math.ceil(kills / 2)
  const firstKills = killAtRandom(installation, half, random, () => {})
  const made = await postTask(installation, { key: 'import', path: '/api/v1/tasks/import', file: bytes })
  const judged = await untilStatus(installation, made.id, 'review', patienceMs)
  const killedFirst = await firstKills
  findings.check('under kills it is read and judged', judged.task?.status === 'review', judged.task)
  const good = lines.filter(line => 'input' in line)
  const isAsExpected = (task: Task | null) =>
    task?.succeeded === good.length && task.refused === lines.length - good.length
  const counts = (task: Task | null) => task && { succeeded: task.succeeded, refused: task.refused }
  findings.check('the review counts every row', isAsExpected(judged.task), counts(judged.task))
  const [none] = await installation.query<{ n: number }>('select count(*)::int as n from invoices')
  findings.check('nothing is created before the start', none!.n === 0, none)
  const secondKills = killAtRandom(installation, kills - half, random, () => {})
  await postTask(installation, { key: 'start', path: `/api/v1/tasks/${made.id}/start`, body: undefined })
  const done = await untilStatus(installation, made.id, 'finished', patienceMs)
  const killedThen = await secondKills
  findings.figure('killed', { first: killedFirst.by, second: killedThen.by })
  findings.figure('took', `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  findings.check('under kills it is finished', done.task?.status === 'finished', done.task)
  findings.check('progress only grows', grows(judged.seen) && grows(done.seen))
  findings.check('every good row, and no other, is imported', isAsExpected(done.task), counts(done.task))
  await compareLines(findings, installation, made.id, lines)
}

/** What is in the database, line by line, beside what the file says. */
async function compareLines(
  findings: Findings,
  installation: KillableInstallation,
  taskId: string,
  lines: BrokenFile['lines'],
): Promise<void> {
  const rows = await installation.query<{
    line: number
    code: string | null
    number: string | null
    cents: number | null
    due: string | null
  }>(
    `select r.line, r.code, i.number, i.amount_cents::float8 as cents, i.due_date::text as due
       from import_rows r left join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
      where r.task_id = $1 and r.state = 'done' order by r.line`,
    [taskId],
  )
  const expected = lines.map(line => {
    const none = { number: null, cents: null, due: null }
    if ('refused' in line) return { line: line.line, code: line.refused[0], ...none }
    if ('skipped' in line) return { line: line.line, code: line.skipped, ...none }
    const { invoiceNumber, amountCents, dueDate } = line.input
    return { line: line.line, code: null, number: invoiceNumber, cents: amountCents, due: dueDate }
  })
  const wrong = expected.filter((line, at) => JSON.stringify(line) !== JSON.stringify(rows[at]))
  findings.check(
    'every line became what it should: the invoice as it was read, or its cause',
    wrong.length === 0 && rows.length === expected.length,
    { lines: rows.length, wrong: wrong.slice(0, 3) },
  )
  const [invoices] = await installation.query<{ n: number; events: number }>(
    `select (select count(*) from invoices)::int as n, (select count(*) from events where type = 'invoice.created')::int as events`,
  )
  const good = lines.filter(line => 'input' in line).length
  findings.check(
    'each once: one invoice, one event',
    invoices!.n === good && invoices!.events === good,
    invoices,
  )
}

/** Without kills, in another company: the memory of the worker stays as it is. */
async function importCalmly(
  findings: Findings,
  installation: KillableInstallation,
  { bytes }: BrokenFile,
): Promise<void> {
  const { productionKey: key } = await installation.newCompany('Autre Maison')
  const samples: number[] = []
  let isRunning = true
  const sampling = (async () => {
    while (isRunning) {
      const each = await Promise.all(installation.workers.map(worker => memoryMb(worker.pid())))
      samples.push(each.reduce((sum, mb) => sum + mb, 0))
      await pause(500)
    }
  })()
  const made = await postTask(installation, { key: 'calm', path: '/api/v1/tasks/import', file: bytes }, key)
  await untilStatus(installation, made.id, 'review', patienceMs, key)
  await postTask(
    installation,
    { key: 'calm-start', path: `/api/v1/tasks/${made.id}/start`, body: undefined },
    key,
  )
  const { task } = await untilStatus(installation, made.id, 'finished', patienceMs, key)
  isRunning = false
  await sampling
  findings.check('without kills it is finished as well', task?.status === 'finished', task)
  const tenth = Math.max(1, Math.floor(samples.length / 10))
  const mean = (part: readonly number[]) => part.reduce((sum, mb) => sum + mb, 0) / part.length
  const [first, last] = [mean(samples.slice(0, tenth)), mean(samples.slice(-tenth))]
  findings.check(
    'the workers need as much memory at the end as at the beginning (at most × 1.2)',
    last <= 1.2 * first,
    {
      first: `${first.toFixed(0)} MB`,
      last: `${last.toFixed(0)} MB`,
      most: `${Math.max(...samples).toFixed(0)} MB`,
    },
  )
}
